import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readProjectDocuments } from "../../../src/agent-service/built-in/answering/documents.ts";
import { createExamples } from "../../../src/bridge/contact/answerer.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { questionsFromTitles, titlesIn } from "../../../src/presentation/drawing.ts";
import { appOf } from "../../doubles/app.ts";
import { project } from "../../doubles/people.ts";
import { ask, docsBaseUrl, running, runningWithDocuments } from "./running.ts";

/** Natural questions, and the section that a person would be led to. */
const questions: readonly (readonly [string, string])[] = [
  ["How do I connect Slack?", "README.md#connect-slack"],
  ["how can i set up discord", "README.md#connect-discord"],
  ["Where do I put the Slack token?", "README.md#connect-slack"],
  ["Can I use Slack over HTTP instead of Socket Mode?", "README.md#over-http-in-the-place-of-socket-mode"],
  ["which port does it use", "README.md#settings"],
  ["What do I do when something is wrong?", "README.md#when-something-is-wrong"],
  ["How do I make a backup?", "deploy.md#backup"],
  ["upgrading to a new version", "deploy.md#upgrade"],
  ["Can it run behind a proxy?", "deploy.md#behind-a-proxy"],
  ["What does service_busy mean?", "errors.md#service_busy"],
  ["How long are conversations kept?", "errors.md#what-is-stored"],
  ["What is Parley?", "README.md"],
  ["Does it work with systemd?", "deploy.md#with-systemd"],
];

/** What an empty page offers to ask, and the next thing that somebody new wants. */
const firstQuestions = [
  ["How do I connect Slack?", "README.md#connect-slack"],
  ["How do I connect Discord?", "README.md#connect-discord"],
  ["How do I add pages to a knowledge base?", "README.md#add-pages-to-a-knowledge-base"],
  ["How do I make an agent?", "README.md#create-an-agent"],
  ["How do I create an agent?", "README.md#create-an-agent"],
] as const;

describe("the documents of Parley itself", () => {
  it.each(firstQuestions)("answer %j from %s", async (question, section) => {
    const root = join(import.meta.dirname, "../../..");
    const { client } = await running({ docs: await readProjectDocuments({ root, baseUrl: docsBaseUrl }) });

    const { urls } = await ask(client, question);

    expect(urls[0]).toBe(`${docsBaseUrl}${section}`);
    expect(urls.filter((url) => url.includes("security.md"))).toEqual([]);
  });

  it("are those that people who use Parley need, and none for those who change it", async () => {
    const root = join(import.meta.dirname, "../../..");

    const documents = await readProjectDocuments({ root, baseUrl: docsBaseUrl });

    const names = ["README", "access", "deploy", "errors", "privacy", "reliability", "settings", "sign-in", "using"];
    expect(documents.map(({ url }) => url)).toEqual(names.map((name) => `${docsBaseUrl}${name}.md`));
  });

  it("say what Parley is where they begin", async () => {
    const root = join(import.meta.dirname, "../../..");
    const { client } = await running({ docs: await readProjectDocuments({ root, baseUrl: docsBaseUrl }) });

    const { urls } = await ask(client, "What is Parley?");

    expect(urls[0]).toBe(`${docsBaseUrl}README.md`);
  });
});

describe("example questions", () => {
  it("about Parley's own documents are answered with a source", async () => {
    const root = join(import.meta.dirname, "../../..");
    const { client } = await running({ docs: await readProjectDocuments({ root, baseUrl: docsBaseUrl }) });
    const guide = await client.getAgent(project, "guide");
    const bases = guide.knowledgeBases.map((name) => ({ project, name: name.replace(/^.*\./, "") }));
    const examples = await createExamples(appOf({ service: client, clock: systemClock })).of(guide, bases);
    const documents = await client.listDocuments(project, bases[0]?.name ?? "", 60);
    const all = questionsFromTitles(titlesIn(documents), { namesDocument: true });

    expect(examples).toHaveLength(3);
    expect(all.length).toBeGreaterThan(10);
    for (const question of [...examples, ...all]) {
      const { text, urls } = await ask(client, question);
      expect(urls[0], question).toContain(docsBaseUrl);
      expect(text, question).toContain("[1]");
    }
  });

  it.each([
    "Refund policy",
    "Connect Slack",
    "How to change your booking",
    "Erstattung von Reisekosten",
    "Política de reembolso",
    "Отпуск по болезни",
    "出張費の精算",
  ])("about a page called %s are answered from that page", async (title) => {
    const { client } = await running();
    await client.createKnowledgeBase(project, { name: "team" });
    const url = "https://example.com/page";
    await client.insert(project, "team", { rows: [{ id: "1", content: `# ${title}\n\nFourteen days.`, title, url }] });
    await client.createAgent(project, { name: "helper", knowledgeBases: ["team"] });
    const [question = ""] = questionsFromTitles([title], { namesDocument: false });

    const { text, urls } = await ask(client, question, [], "helper");

    expect(urls).toEqual([url]);
    expect(text).toContain("Fourteen days.");
  });
});

describe("an answer", () => {
  it.each(questions)("to %j comes first from %s", async (question, section) => {
    const { client } = await runningWithDocuments();

    const { text, urls } = await ask(client, question);

    expect(urls[0]).toBe(`${docsBaseUrl}${section}`);
    expect(text.split("\n")[0]).toContain(`(${docsBaseUrl}${section})** [1]`);
  });

  it("quotes the whole section, its list and its subsection included", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, "How do I connect Slack?");

    expect(text).toContain("You need a workspace where you may install apps.");
    expect(text).toContain("\n5. Start Parley again, and invite it: `/invite @Parley`.");
    expect(text).toContain("#### Over HTTP in the place of Socket Mode");
    expect(text).not.toContain("Discord");
  });

  it("makes links absolute and leaves pictures and comments out", async () => {
    const { client } = await runningWithDocuments();

    const slack = await ask(client, "How do I connect Slack?");
    const parley = await ask(client, "What is Parley?");

    expect(slack.text).toContain(`[Deploy](${docsBaseUrl}deploy.md#behind-a-proxy)`);
    expect(parley.text).toContain("Ask your team's AI agents");
    expect(parley.text).not.toMatch(/page\.png|comment|<!--/);
  });

  it("says in one line that nothing fits", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, "What is the capital of France?");

    expect(text).toBe("I found nothing about that in `docs`.");
  });

  it("doesn't treat one word of many as a match", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, "How do I cook pasta carbonara with Slack?");

    expect(text).toMatch(/^I found nothing about that/);
  });

  it("asks for a question when there was none", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, "hello there!");

    expect(text).toBe("Ask me something and I'll quote the matching passages.");
  });

  it.each(["and Discord?", "How do I do that with Discord?", "what about discord"])(
    "understands %j from what was asked before",
    async (followUp) => {
      const { client } = await runningWithDocuments();
      const question = "How do I connect Slack?";
      const before = await ask(client, question);

      const { urls, text } = await ask(client, followUp, [{ question, answer: before.text }]);

      expect(urls[0]).toBe(`${docsBaseUrl}README.md#connect-discord`);
      expect(text).toContain("DISCORD_TOKEN");
    },
  );

  it("moves on to other passages when asked for more", async () => {
    const { client } = await runningWithDocuments();
    const question = "How do I deploy it to a server?";
    const before = await ask(client, question);

    const { text, urls } = await ask(client, "Tell me more", [{ question, answer: before.text }]);

    expect(urls.length).toBeGreaterThan(0);
    expect(text.split("\n")[0]).not.toBe(before.text.split("\n")[0]);
  });

  it("looks for the question's own words first when a thread stands before it", async () => {
    const { client } = await runningWithDocuments();
    const context = `What was said in this thread before:\n${"Ada: Discord is down, Discord again.\n".repeat(40)}`;

    const { urls } = await ask(client, `${context}\n\nQuestion:\nHow do I make a backup?`);

    expect(urls[0]).toBe(`${docsBaseUrl}deploy.md#backup`);
  });
});

describe("an agent", () => {
  it("without knowledge bases says so", async () => {
    const { client } = await running();
    await client.createAgent(project, { name: "bare" });

    const { text, events } = await ask(client, "What do you know?", [], "bare");

    expect(text).toContain("no knowledge base is connected");
    expect(events.find((event) => event.type === "step-finished")?.outcome).toEqual({ kind: "nothing" });
  });

  it("with a knowledge base that does not exist names it", async () => {
    const { client } = await running();
    await client.createAgent(project, { name: "lost", knowledgeBases: ["nowhere"] });

    const { text } = await ask(client, "What do you know?", [], "lost");

    expect(text).toContain("there is no knowledge base `nowhere`");
  });

  it("with an empty knowledge base says that nothing is in it", async () => {
    const { client } = await running();
    await client.createKnowledgeBase(project, { name: "empty" });
    await client.createAgent(project, { name: "new", knowledgeBases: ["empty"] });

    const { text } = await ask(client, "What about herons?", [], "new");

    expect(text).toBe("I found nothing about that: nothing has been added to `empty` yet.");
  });

  it("answers from every knowledge base of the team by a wildcard, and from Parley's manual only without any", async () => {
    const { client } = await runningWithDocuments();
    await client.createAgent(project, { name: "all", knowledgeBases: ["*"] });
    const before = await ask(client, "How do I connect Slack?", [], "all");
    for (const name of ["birds", "fish"]) await client.createKnowledgeBase(project, { name });
    const rows = [{ content: "Herons sleep on one leg.", title: "Herons", url: "https://birds.example.com/h_(1)" }];
    await client.insert(project, "birds", { rows });
    await client.insert(project, "fish", { rows: [{ content: "Eels swim to the sea.", title: "Eels" }] });

    const birds = await ask(client, "How do herons sleep?", [], "all");
    const docs = await ask(client, "How do I connect Slack?", [], "all");

    expect(birds.text).toBe("**[Herons](https://birds.example.com/h_%281%29)** [1]\n\nHerons sleep on one leg.");
    expect(before.urls).toContain(`${docsBaseUrl}README.md#connect-slack`);
    expect(docs.urls).toEqual([]);
    expect(docs.events.filter((event) => event.type === "step-started").map((event) => event.tool)).toEqual([
      "kb_list_tool",
      "kb_query_tool",
      "kb_query_tool",
    ]);
  });
});
