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
