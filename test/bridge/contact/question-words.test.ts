import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asksEveryone, isAsking, isQuestion } from "../../../src/bridge/contact/question-words.ts";
import type { TurnView } from "../../../src/core/model/turn.ts";
import { answerSignals } from "../../../src/insight/gaps/signals.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";

type Line = {
  readonly id: string;
  readonly how: "mention" | "direct" | "command" | "overheard";
  readonly text: string;
  readonly verdict: "sure" | "unsure" | "nothing";
  readonly shouldBeGap: boolean;
};

const lines = readFileSync(join(import.meta.dirname, "../../../bench/judgement/gaps.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

/** One telling word alone would be one gap with everything about it. */
const oneWord = ["gap-14"];

describe("what the people who look after the knowledge should see", () => {
  it.each(lines)("$how, $verdict, $shouldBeGap: $text", ({ id, how, text, verdict, shouldBeGap }) => {
    const question = text.replace(/^@Parley\s*/, "");
    if (how === "overheard") {
      const isListed = verdict !== "sure" && asksEveryone(question) && isQuestion(question);
      expect(isListed).toBe(shouldBeGap);
      return;
    }
    const turn = sampleTurn("t1", { question, via: how === "command" ? "command" : "message" });
    const view = { state: "answered", isPartial: false, grade: verdict } as TurnView;
    expect(answerSignals(turn, view, isQuestion).length > 0).toBe(shouldBeGap && !oneWord.includes(id));
  });
});

describe("a text asks", () => {
  it.each([
    "how do i get in",
    "Hi, can guests bring a dog",
    "wie lange ist offen",
    "Gibt es Urlaubsgeld",
    "quelle heure",
  ])("by its first word: %s", (text) => expect(isAsking(text)).toBe(true));

  it.each(["the printer is broken again", "Carol handles the phones today", "I mean the door code", "see you at nine"])(
    "not: %s",
    (text) => expect(isAsking(text)).toBe(false),
  );
});
