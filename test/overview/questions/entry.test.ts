import { expect, it } from "vitest";
import type { Turn, TurnView } from "../../../src/core/model/turn.ts";
import { entryOf } from "../../../src/insight/derived/question-log.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";

const base = { turnId: "t1", ref: "t1", agent: "support", question: "?", steps: [], tables: [], isPartial: false };
const view: TurnView = { ...base, isResumed: false, state: "answered", answer: "Yes.", sources: [], grade: "nothing" };
const sourced: TurnView = { ...view, sources: [{ title: "Handbook" }], grade: "sure" };
const error = { code: "service_busy", what: "It is busy.", hint: "Try again." };

function entry(changes: Partial<Turn>) {
  const turn = sampleTurn("t1", { state: "answered", ...changes });
  return entryOf({ turn, votes: { up: 2, down: 1 } });
}

it.each<readonly [string, Partial<Turn>, ReturnType<typeof Object>]>([
  ["answered from a source", { outcome: sourced }, { outcome: "answered", hasSource: true }],
  [
    "answered with passages, because the model failed",
    { outcome: { ...sourced, modelFailed: "HTTP 500: CUDA out of memory" } },
    { outcome: "passages-only", code: "model_unavailable" },
  ],
  ["answered with nothing", { outcome: view }, { outcome: "nothing", hasSource: false }],
  ["answered, perhaps wrongly", { outcome: { ...view, grade: "unsure" } }, { outcome: "unsure", hasSource: false }],
  [
    "failed with an error",
    { state: "failed", outcome: { ...view, state: "failed", error } },
    { outcome: "failed", code: "service_busy", hasSource: false },
  ],
  ["given up with nothing to show", { state: "failed" }, { outcome: "failed", hasSource: false }],
  ["stopped", { state: "stopped", outcome: sourced }, { outcome: "stopped" }],
  [
    "a question to nobody in particular that has no source",
    { outcome: view, notAnswered: "nothing" },
    { outcome: "not-shown", why: "nothing" },
  ],
  [
    "a schedule's answer that hasn't changed",
    { outcome: sourced, notAnswered: "unchanged", scheduleId: "s1" },
    { outcome: "not-shown", why: "unchanged", isScheduled: true },
  ],
  [
    "an answer whose thread was deleted",
    { outcome: sourced, unshown: { code: "place_gone" } },
    { outcome: "not-shown", why: "unshown", code: "place_gone", hasSource: true },
  ],
])("says how a question ended: %s", (_how, changes, expected) => {
  expect(entry(changes)).toMatchObject({ ...expected, up: 2, down: 1, asker: "console/local/U1" });
});

it("counts the time from the newest attempt on, and never less than nothing if clocks differ", () => {
  const createdAtMs = 1_000_000;
  expect(entry({ createdAtMs, endedAtMs: createdAtMs + 6_000 }).durationMs).toBe(6_000);
  const again = { createdAtMs, askedAgainAtMs: createdAtMs + 60_000, endedAtMs: createdAtMs + 62_000 };
  expect(entry(again).durationMs).toBe(2_000);
  expect(entry({ createdAtMs, endedAtMs: createdAtMs - 5_000 }).durationMs).toBe(0);
  expect(entry({ createdAtMs }).durationMs).toBeUndefined();
});

it("keeps no word of the question, and of the asker only the key", () => {
  const question = "What does Ana earn?";
  const kept = JSON.stringify(entry({ question, outcome: { ...sourced, question, answer: "A lot." } }));
  expect(kept).not.toMatch(/Ana|earn|lot|Ada|Handbook/);
});
