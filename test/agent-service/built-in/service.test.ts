/** What callers of the port get: errors, the pace of a run, and its end on Stop and on close. */
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { project } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { scriptedModel } from "./model/scripted-model.ts";
import { type Running, running, runningWithDocuments } from "./running.ts";

type Client = Running["client"];

const messages = [{ question: "How do I connect Slack?", answer: "" }];

async function* bytes(...parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield new TextEncoder().encode(part);
  }
}

const file = (fileName: string, content: AsyncIterable<Uint8Array>) => ({ fileName, mediaType: "text/plain", content });

async function eventsOf(client: Client, agent = "guide", asked = messages) {
  const events: string[] = [];
  for await (const { type } of client.ask(project, agent, asked)) events.push(type);
  return events;
}

describe("a call", () => {
  it.each<[string, (client: Client) => Promise<unknown>, object]>([
    ["another project", (client) => client.listAgents("nope"), { code: "project_not_found" }],
    [
      "a run in another project",
      (client) => client.ask("nope", "guide", messages)[Symbol.asyncIterator]().next(),
      { code: "project_not_found" },
    ],
    ["an agent that isn't there", (client) => eventsOf(client, "nope"), { code: "agent_not_found" }],
    [
      "an empty question",
      (client) => eventsOf(client, "guide", [{ question: " \n", answer: "" }]),
      { code: "question_empty" },
    ],
    [
      "a change of an agent that isn't there",
      (client) => client.updateAgent(project, "nope", {}),
      { code: "agent_not_found" },
    ],
    [
      "an agent's name in capitals",
      (client) => client.createAgent(project, { name: "Support" }),
      { code: "name_not_allowed" },
    ],
    [
      "an agent's name with a slash",
      (client) => client.createAgent(project, { name: "a/b" }),
      { code: "name_not_allowed" },
    ],
    [
      "a knowledge base's name that is taken",
      (client) => client.createKnowledgeBase(project, { name: "docs" }),
      { code: "name_taken" },
    ],
    [
      "rows for no knowledge base",
      (client) => client.insert(project, "nope", { rows: [] }),
      { code: "knowledge_base_not_found" },
    ],
    [
      "a row without content",
      (client) => client.insert(project, "docs", { rows: [{ id: "1" }] }),
      { code: "insert_failed", reason: "row-empty" },
    ],
    [
      "a file that isn't there",
      (client) => client.insert(project, "docs", { files: ["nope"] }),
      { code: "insert_failed", reason: "file-unknown" },
    ],
    [
      "URLs without a page reader",
      (client) => client.insert(project, "docs", { urls: ["https://x.org"] }),
      { code: "insert_failed", reason: "no-page-reader" },
    ],
    [
      "a query",
      (client) => client.insert(project, "docs", { query: "SELECT 1" }),
      { code: "insert_failed", reason: "query-invalid" },
    ],
    ["Markdown as a file", (client) => client.uploadFile("a", file("a.md", bytes("# A"))), { code: "file_refused" }],
    [
      "a file that breaks off",
      (client) => client.uploadFile("a", file("a.txt", bytes("a", new Error("gone")))),
      { code: "service_failed" },
    ],
  ])("with %s is refused", async (_what, work, error) => {
    const { client } = await runningWithDocuments();

    await expect(work(client)).rejects.toMatchObject(error);
  });

  it("after the service has closed says that it isn't there", async () => {
    const { client, close } = await runningWithDocuments();
    await close();

    await expect(client.status()).rejects.toMatchObject({ code: "service_unreachable" });
    await expect(client.search(project, "docs", "slack", 1)).rejects.toMatchObject({ code: "service_unreachable" });
    await expect(eventsOf(client)).rejects.toMatchObject({ code: "service_unreachable" });
  });

  it("with a file that is too large reads no more of it", async () => {
    const { client } = await running();
    let parts = 0;
    const large = async function* () {
      for (; parts < 1_000; parts += 1) yield new Uint8Array(1024 * 1024);
    };

    await expect(client.uploadFile("large", file("large.txt", large()))).rejects.toMatchObject({
      code: "file_refused",
    });
    expect(parts).toBeLessThan(70);
  });
});

describe("an agent", () => {
  it("keeps what a change doesn't name, and never a model's key", async () => {
    const { client, logged } = await running();
    const model = { provider: "openai", name: "gpt-4o", apiKey: "sk-very-secret" };
    const draft = { name: "keyed", model, knowledgeBases: ["a"], tables: ["shop.faq"], promptTemplate: "Be brief." };
    const created = await client.createAgent(project, draft);

    await client.updateAgent(project, "keyed", { model: { name: "gpt-5" } });
    const changed = await client.updateAgent(project, "keyed", { name: "renamed", knowledgeBases: ["b", "other.c"] });

    expect(created).toMatchObject({ model: { provider: "openai", name: "gpt-4o", hasKey: true } });
    expect(created.createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
    expect(changed).toMatchObject({
      ...{ name: "renamed", project, promptTemplate: "Be brief.", tables: ["shop.faq"] },
      knowledgeBases: [`${project}.b`, "other.c"],
      model: { provider: "openai", name: "gpt-5", hasKey: true },
    });
    expect(JSON.stringify([created, changed, logged])).not.toContain("sk-very-secret");
  });

  it("has nothing that nobody gave it", async () => {
    const { client } = await running();

    const made = JSON.parse(JSON.stringify(await client.createAgent(project, { name: "plain" }))) as object;
    expect(Object.keys(made).sort()).toEqual(["createdAt", "knowledgeBases", "name", "project", "tables", "updatedAt"]);
  });
});

describe("a run", () => {
  it("tells each step when it begins and what it found", async () => {
    const { client } = await runningWithDocuments();

    const events = [];
    for await (const event of client.ask(project, "guide", messages)) events.push(event);

    expect(events.map(({ type }) => type)).toEqual([
      ...["started", "reasoning", "step-started", "step-finished", "reasoning", "step-started", "step-finished"],
      ...["answer", "ended"],
    ]);
    const [list, look] = events.filter((event) => event.type === "step-finished");
    expect(list).toMatchObject({ tool: "kb_list_tool", outcome: { kind: "names", names: ["docs"] }, sources: [] });
    expect(look).toMatchObject({
      tool: "kb_query_tool",
      input: "SELECT * FROM docs WHERE content = 'connect slack' LIMIT 5;",
      outcome: { kind: "passages", count: look?.sources.length, bestRelevance: look?.sources[0]?.relevance },
    });
    expect(look?.sources[0]).toMatchObject({
      title: "Connect Slack (README)",
      url: "http://127.0.0.1:3000/docs/README.md#connect-slack",
      updatedAtMs: expect.any(Number),
      excerpt: expect.stringMatching(/^## Connect Slack/),
    });
  });

  it("pauses before each event, so that steps appear one by one", async () => {
    const clock = createFakeClock();
    const { client } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const seen: string[] = [];
    const run = client.ask(project, "guide", messages)[Symbol.asyncIterator]();
    const next = async () => {
      const { value, done } = await run.next();
      if (done !== true) seen.push(value.type);
    };

    await next();
    expect(seen).toEqual(["started"]);
    let over = false;
    const rest = (async () => {
      while (seen.at(-1) !== "ended") await next();
      over = true;
    })();
    let pauses = 0;
    while (!over) {
      if (clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve));
      else {
        pauses += 1;
        await clock.advance(350);
      }
    }
    await rest;

    expect(pauses).toBe(5);
  });

  it("that breaks fails, and the log has why", async () => {
    const clock = { ...createFakeClock(), sleep: () => Promise.reject(new Error("no time")) };
    const { client, logged } = await runningWithDocuments({ clock, stepDelayMs: 350 });

    expect(await eventsOf(client)).toEqual(["started", "failed", "ended"]);
    expect(logged.join("\n")).toContain("no time");
  });

  it("ends when it is stopped, and leaves no timer", async () => {
    const clock = createFakeClock();
    const { client } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const stop = new AbortController();
    const run = client.ask(project, "guide", messages, { signal: stop.signal })[Symbol.asyncIterator]();
    await run.next();
    const rest = run.next();
    await until("a timer", () => clock.pending() === 1);

    stop.abort();

    await expect(rest).rejects.toMatchObject({ code: "stopped" });
    expect(clock.pending()).toBe(0);
  });

  it("ends at once when it is stopped, even if the model ignores it", async () => {
    let isAsked = false;
    const deaf = async function* () {
      isAsked = true;
      await new Promise(() => {});
      yield* [];
    };
    const { client } = await running({ model: scriptedModel([deaf]) });
    await client.createAgent(project, { name: "bare" });
    const stop = new AbortController();
    const run = client.ask(project, "bare", messages, { signal: stop.signal })[Symbol.asyncIterator]();
    await run.next();
    const rest = run.next();
    await until("the model is asked", () => isAsked);

    stop.abort();

    await expect(rest).rejects.toMatchObject({ code: "stopped" });
  });

  it("is cut when the service closes, and leaves no timer", async () => {
    const clock = createFakeClock();
    const { client, close } = await runningWithDocuments({ clock, stepDelayMs: 350 });
    const run = client.ask(project, "guide", messages)[Symbol.asyncIterator]();
    await run.next();
    const rest = run.next();
    await until("a timer", () => clock.pending() === 1);

    await Promise.all([close(), expect(rest).rejects.toMatchObject({ code: "stream_cut" })]);

    expect(clock.pending()).toBe(0);
  });

  it("answers in one piece too", async () => {
    const { client } = await runningWithDocuments();

    expect(await client.askPlain(project, "guide", messages)).toContain("Start Parley again, and invite it");
  });
});
