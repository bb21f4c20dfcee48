import { describe, expect, it } from "vitest";
import { emptyConversation, messagesFor, withEntry, withoutEntry } from "../../../src/bridge/conversation/history.ts";
import type { Conversation } from "../../../src/core/conversations.ts";

const limits = { maxTurns: 3, maxChars: 100 };

function conversation(...turns: string[]): Conversation {
  return turns.reduce(
    (known, turnId) => withEntry(known, { turnId, question: `q${turnId}`, answer: `a${turnId}` }, limits),
    emptyConversation,
  );
}

describe("history", () => {
  it("sends earlier turns oldest first and the question last, without an answer", () => {
    expect(messagesFor(conversation("1", "2"), "3", "q3", limits)).toEqual([
      { turnId: "1", question: "q1", answer: "a1" },
      { turnId: "2", question: "q2", answer: "a2" },
      { turnId: "3", question: "q3", answer: "" },
    ]);
  });

  it("leaves out what came after a turn that is asked again, and the turn itself", () => {
    expect(messagesFor(conversation("1", "2", "3"), "2", "again", limits)).toEqual([
      { turnId: "1", question: "q1", answer: "a1" },
      { turnId: "2", question: "again", answer: "" },
    ]);
  });

  it("drops the oldest beyond the number of turns", () => {
    const messages = messagesFor(conversation("1", "2", "3"), "4", "q4", { maxTurns: 2, maxChars: 100 });

    expect(messages.map((message) => message.question)).toEqual(["q2", "q3", "q4"]);
  });

  it("drops the oldest beyond the number of characters, but never the question", () => {
    const messages = messagesFor(conversation("1", "2"), "3", "q".repeat(500), { maxTurns: 9, maxChars: 4 });

    expect(messages.map((message) => message.question.length)).toEqual([2, 500]);
  });

  it("keeps nothing when no earlier questions are sent", () => {
    const limitless = { ...limits, maxTurns: 0 };
    const known = withEntry(conversation("1", "2"), { turnId: "3", question: "q3", answer: "a3" }, limitless);

    expect(known.entries).toEqual([]);
  });

  it("changes nothing when an entry is written twice", () => {
    const once = conversation("1", "2");

    expect(withEntry(once, { turnId: "1", question: "q1", answer: "a1" }, limits)).toEqual(once);
  });

  it("replaces an answer in its old position", () => {
    const again = withEntry(conversation("1", "2"), { turnId: "1", question: "q1", answer: "better" }, limits);

    expect(again.entries.map((entry) => entry.answer)).toEqual(["better", "a2"]);
  });

  it("forgets one turn alone", () => {
    expect(withoutEntry(conversation("1", "2"), "1").entries.map((entry) => entry.turnId)).toEqual(["2"]);
  });
});
