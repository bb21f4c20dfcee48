import { afterEach, beforeEach, expect, it } from "vitest";
import { maxFormContextChars } from "../../../src/core/document.ts";
import { general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;

beforeEach(async () => {
  parley = await createHarness();
});

afterEach(async () => {
  await parley.stop();
});

const atMs = Date.UTC(2026, 2, 1, 9, 30);

function say(messageId: string, authorName: string, text: string, place = { ...general, thread: "50" }) {
  parley.platform.say(place, {
    ...{ messageId, order: messageId.padStart(20, "0"), authorName, isBot: false, isOwn: false, text, attachments: [] },
    atMs,
  });
}

/** Uses "Ask about this" on a message; the context that its form carries. */
async function opened(messageId: string, text: string, place = { ...general, thread: "50" }): Promise<string> {
  const event = parley.send({
    ...{ kind: "shortcut", shortcut: "ask-about", eventKey: `memory/T1/shortcut/${messageId}`, order: "1", place },
    about: { messageId, text, authorName: "Bob", attachments: [] },
    conversation: thread,
  });
  await event.done;
  const [ack] = event.acks;
  if (ack?.kind !== "form") throw new Error(`No form but ${ack?.kind}`);
  return ack.form.context;
}

async function asked(context: string): Promise<string> {
  const event = parley.send({
    ...{ kind: "form", eventKey: "memory/T1/form/9", order: "9", formId: "ask-about", context, place: general },
    ...{ values: { question: "How long?" }, conversation: thread },
  });
  await event.done;
  return (await parley.agents.run(0)).question;
}

it("gives the agent the message and its thread, in which the message is marked", async () => {
  say("50", "Alice", "How do refunds work?");
  say("51", "Bob", "Within 14 days,\nif nothing is broken.");
  say("52", "Carol", "Thanks!");

  expect(await asked(await opened("51", "Within 14 days,\nif nothing is broken."))).toBe(
    [
      "About the message marked with → in this thread:",
      "Alice (2026-03-01 09:30 UTC): How do refunds work?",
      "→ Bob (2026-03-01 09:30 UTC): Within 14 days,",
      "  if nothing is broken.",
      "Carol (2026-03-01 09:30 UTC): Thanks!",
      "",
      "Question:",
      "How long?",
    ].join("\n"),
  );
});

it("gives the message alone, as it was when the form opened, if it can't be read later", async () => {
  expect(await asked(await opened("51", "Within 14 days."))).toBe(
    "About this message:\nBob: Within 14 days.\n\nQuestion:\nHow long?",
  );
});

it("reads no other channel, whatever the form sends back", async () => {
  const elsewhere = { ...general, channel: "secret", thread: "50" };
  say("51", "Bob", "The salaries", elsewhere);

  const question = await asked(`${JSON.stringify({ messageId: "51", thread: "50", channel: "secret" })}\nBob: Hello`);

  expect(question).toBe("Bob: Hello\n\nQuestion:\nHow long?");
});

it("asks with the text of a form that names no message", async () => {
  expect(await asked("About this message:\nBob: Hello")).toBe(
    "About this message:\nBob: Hello\n\nQuestion:\nHow long?",
  );
});

it("fits a long message into the form, and never cuts a character in two", async () => {
  const context = await opened("51", "🙂".repeat(3_000));

  expect(context.length).toBeLessThanOrEqual(maxFormContextChars);
  expect(context.isWellFormed()).toBe(true);
});

it("shows all that is read of a long message asked about, and says what is left out of the others", async () => {
  say("50", "Alice", `${"x".repeat(30_000)} The first`);
  say("51", "Bob", `The cause: ${"y".repeat(30_000)}`);

  const question = await asked(await opened("50", "The first"));

  expect(question).toContain("x The first\n");
  expect(question).toContain("(The rest of this message is left out: 10,011 characters.)");
});

it("leaves out the oldest messages of a very long thread, never the message itself", async () => {
  say("50", "Alice", `The first. ${"x".repeat(15_000)}`);
  for (let index = 51; index < 58; index += 1) say(String(index), "Bob", "y".repeat(15_000));

  const question = await asked(await opened("50", "The first."));

  expect(question).toContain("(5 earlier messages left out)");
  expect(question).toContain("→ Alice (2026-03-01 09:30 UTC): The first.");
  expect(question.length).toBeLessThan(80_000);
});
