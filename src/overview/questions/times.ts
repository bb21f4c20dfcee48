/** How long the parts of a question took. Pure. */
import type { Turn } from "../../core/model/turn.ts";
import type { QuestionTimes } from "../../core/overview/questions.ts";

export function timesOf({ createdAtMs, askedAgainAtMs, outcome, endedAtMs, shownAtMs }: Turn): QuestionTimes {
  const askedAtMs = askedAgainAtMs ?? createdAtMs;
  const startedAtMs = outcome?.startedAtMs;
  const lastStepMs = outcome?.steps.findLast((step) => step.endedAtMs !== undefined)?.endedAtMs;
  const answeredAtMs = outcome?.endedAtMs ?? endedAtMs;
  const between = (from: number | undefined, until: number | undefined) =>
    // Instances' clocks may differ.
    from === undefined || until === undefined ? undefined : Math.max(0, until - from);
  return {
    waitedMs: between(askedAtMs, startedAtMs),
    stepsMs: between(startedAtMs, lastStepMs),
    answerMs: between(lastStepMs ?? startedAtMs, answeredAtMs),
    shownMs: between(answeredAtMs, shownAtMs),
    totalMs: between(askedAtMs, shownAtMs ?? answeredAtMs),
  };
}
