import { describe, expect, it } from "vitest";
import { newsOf } from "../../../src/bridge/turn/reply.ts";
import { reduce } from "../../../src/bridge/turn/view.ts";
import type { TurnView } from "../../../src/core/model/turn.ts";
import { step, view } from "../../presentation/views.ts";

const found = step({ state: "done" });
const searching = step({ state: "running" });

const cases: readonly (readonly [string, TurnView | undefined, TurnView, string])[] = [
  ["the first view of all", undefined, view(), "first-step"],
  ["the first step", view(), view({ steps: [searching] }), "first-step"],
  ["the second step", view({ steps: [found] }), view({ steps: [found, searching] }), "step"],
  ["two steps at once", view({ steps: [found] }), view({ steps: [found, found, searching] }), "step"],
  [
    "a step with the result of the one before",
    view({ steps: [searching] }),
    view({ steps: [found, searching] }),
    "step",
  ],
  ["a step that is only counted", view({ steps: [found] }), view({ steps: [found], omittedSteps: 1 }), "step"],
  ["the next step that is only counted", view({ omittedSteps: 1 }), view({ omittedSteps: 2 }), "step"],
  ["a result", view({ steps: [searching] }), view({ steps: [found] }), "result"],
  ["the agent's status", view(), view({ status: "Looking at prices" }), "result"],
  ["the agent's name", view({ agent: "" }), view(), "result"],
  ["a place in line", view(), view({ state: "queued", placeInLine: { kind: "service", position: 2 } }), "result"],
  ["a place in line that is over", view({ placeInLine: { kind: "service", position: 2 } }), view(), "result"],
  ["the first words of the answer", view(), view({ answer: "The", isWriting: true }), "first-text"],
  [
    "more words of it",
    view({ answer: "The", isWriting: true }),
    view({ answer: "The refund", isWriting: true }),
    "text",
  ],
  [
    "words that are no longer kept",
    view({ answer: "The", answerOmittedChars: 1, isWriting: true }),
    view({ answer: "The", answerOmittedChars: 2, isWriting: true }),
    "text",
  ],
  [
    "a step beside new words",
    view({ answer: "The", isWriting: true }),
    view({ answer: "The refund", isWriting: true, steps: [searching] }),
    "first-step",
  ],
  ["fewer steps, as after a restart", view({ steps: [found, found] }), view({ steps: [], isResumed: true }), "result"],
];

describe("what is new in a view", () => {
  it.each(cases)("is named for %s", (_what, before, after, news) => {
    expect(newsOf(before, after)).toBe(news);
  });

  it("is only the elapsed time when nothing has changed", () => {
    const before = view({ steps: [found] });

    expect(newsOf(before, before)).toBe("elapsed");
    expect(newsOf(before, { ...before })).toBe("elapsed");
  });

  it("follows the events of the service", () => {
    const started = reduce(view(), { type: "step-started", tool: "kb_list_tool", input: "" }, 1);
    const again = reduce(started, { type: "step-started", tool: "kb_query_tool", input: "SELECT 1" }, 2);
    const thinking = reduce(again, { type: "reasoning", text: "Now the prices." }, 3);

    expect([newsOf(view(), started), newsOf(started, again), newsOf(again, thinking)]).toEqual([
      "first-step",
      "step",
      "result",
    ]);
  });
});
