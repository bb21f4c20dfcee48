/** Which answers count as the same. */
import { describe, expect, it } from "vitest";
import type { TurnView } from "../../../src/core/model/turn.ts";
import { fingerprint } from "../../../src/insight/schedules/fingerprint.ts";

const view = (changes: Partial<TurnView>): TurnView => ({
  ...{ turnId: "t", ref: "t", state: "answered", agent: "sales", question: "q" },
  ...{ steps: [], tables: [], sources: [], isPartial: false, isResumed: false },
  ...changes,
});
const table = (...rows: readonly (readonly string[])[]) => ({ columns: ["name", "count"], rows });
const isSame = (one: Partial<TurnView>, other: Partial<TurnView>) =>
  fingerprint(view(one)) === fingerprint(view(other));

describe("an answer", () => {
  it.each<readonly [string, Partial<TurnView>, Partial<TurnView>, boolean]>([
    ["in other case and punctuation is the same", { answer: "**Three** orders!" }, { answer: "three orders" }, true],
    ["with other numbers of sources is the same", { answer: "It's 5 [1]." }, { answer: "It's 5 [2][3]." }, true],
    ["with another number differs", { answer: "3 orders" }, { answer: "4 orders" }, false],
    ["with another decimal differs", { answer: "3.5 %" }, { answer: "3.6 %" }, false],
    [
      "with its rows in another order is the same",
      { answerTable: table(["a", "1"], ["b", "2"]) },
      { answerTable: table(["b", "2"], ["a", "1"]) },
      true,
    ],
    [
      "with one row more differs",
      { answerTable: table(["a", "1"]) },
      { answerTable: table(["a", "1"], ["b", "2"]) },
      false,
    ],
    [
      "with a row twice differs from one with it once",
      { answerTable: table(["a", "1"], ["a", "1"]) },
      { answerTable: table(["a", "1"]) },
      false,
    ],
    [
      "with the same rows in other words is the same",
      { answer: "There are 2.", tables: [table(["a", "1"])] },
      { answer: "I found two.", tables: [table(["a", "1"])] },
      true,
    ],
    [
      "with other rows in the same words differs",
      { answer: "Here:", tables: [table(["a", "1"])] },
      { answer: "Here:", tables: [table(["a", "2"])] },
      false,
    ],
    ["in Japanese differs when its words do", { answer: "注文は三件です" }, { answer: "注文は四件です" }, false],
    ["differs from a failure", { answer: "" }, { state: "failed" }, false],
  ])("%s", (_title, one, other, expected) => {
    expect(isSame(one, other)).toBe(expected);
  });

  it("that failed for the same reason is the same", () => {
    const error = { code: "service_unreachable", what: "Down.", hint: "" };
    expect(isSame({ state: "failed", error }, { state: "failed", error: { ...error, what: "Still down." } })).toBe(
      true,
    );
    expect(isSame({ state: "failed", error }, { state: "failed", error: { ...error, code: "no_answer" } })).toBe(false);
  });
});
