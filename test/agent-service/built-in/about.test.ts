import { describe, expect, it } from "vitest";
import { ask, running, runningWithDocuments } from "./running.ts";

const thread = [
  "About the message marked with → in this thread:",
  "Alice (2026-03-01 09:30 UTC): How do refunds work?",
  "→ Bob (2026-03-01 09:31 UTC): We pay them back within 14 days,",
  "  if nothing is broken.",
  "Carol (2026-03-01 09:32 UTC): The invoice number is 4711.",
].join("\n");

const question = (words: string, context = thread) => `${context}\n\nQuestion:\n${words}`;

describe("a question about a message", () => {
  it("quotes the message of its thread that has the words, with author and time", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, question("Which invoice number was it?"));

    expect(text).toContain("**Carol**, 2026-03-01 09:32 UTC:\n\n> The invoice number is 4711.");
    expect(text).not.toContain("Bob");
  });

  it("quotes the message itself, with all its lines, when no message has the words", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, question("What does that mean?"));

    expect(text).toContain(
      "**Bob**, 2026-03-01 09:31 UTC:\n\n> We pay them back within 14 days,\n> if nothing is broken.",
    );
    expect(text).not.toContain("Alice");
  });

  it("quotes a message without a thread", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, question("Who said so?", "About this message:\nBob: The door code is: 99"));

    expect(text).toContain("**Bob**:\n\n> The door code is: 99");
  });

  it("quotes it also when the agent has no documents", async () => {
    const { client } = await running();
    await client.createAgent("mindsdb", { name: "empty" });

    const { text } = await ask(client, question("Which invoice?"), [], "empty");

    expect(text).toContain("The invoice number is 4711.");
  });

  it("finds nothing to quote in other text before a question", async () => {
    const { client } = await runningWithDocuments();

    const { text } = await ask(client, question("Which zebra?", "What was said in this thread before:\nBob: zebra"));

    expect(text).not.toContain("**Bob**");
  });
});

describe("a page without sections of its own", () => {
  const url = "https://example.com/handbook";

  async function withHandbook() {
    const { client } = await running();
    await client.createKnowledgeBase("mindsdb", { name: "handbook" });
    const said = [
      "Holidays are 30 days.",
      "Trains are paid in second class.",
      "Laptops last four years.",
      "Tea is free.",
    ];
    const rows = said.map((content, index) => ({
      ...{ id: String(index), title: "Acme Employee Handbook", url, content: `Acme: ${content}` },
    }));
    await client.insert("mindsdb", "handbook", { rows });
    await client.createAgent("mindsdb", { name: "acme", knowledgeBases: ["handbook"] });
    return client;
  }

  it("is no answer if it has nothing of the question but the name that all its parts have", async () => {
    const client = await withHandbook();

    const unknown = await ask(client, "Who is the CEO of Acme?", [], "acme");
    const known = await ask(client, "How many holidays are there at Acme?", [], "acme");

    expect(unknown.text).toMatch(/^I found nothing about that/);
    expect(unknown.text).not.toContain(url);
    expect(known.text).toContain("Holidays are 30 days.");
  });
});
