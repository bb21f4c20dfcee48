/**
 * How long a new step waits, so that its result, or the step after it, is part of the same edit. Waiting is only worth
 * it while something follows a step at once, so each answer learns from its last step: after one that nothing followed
 * soon, steps don't wait until something follows one soon again. The first step always waits, since nothing before it
 * was a step, and so do all steps of an answer in which two began together: they may soon do so again.
 */
import type { Clock } from "../core/ports/clock.ts";
import type { News } from "./types.ts";

/** Updates closer together than this belong to the same event, and the one to wait for is yet to come. */
export const sameNewsMs = 10;

export type Debounce = {
  /** News came. */
  readonly note: (news: News) => void;
  /** How long a new step waits. */
  readonly stepMs: () => number;
};

export function createDebounce(debounceMs: number, clock: Pick<Clock, "now">): Debounce {
  let isQuick = true;
  let haveBegunTogether = false;
  /** When the last step began, until something has followed it. */
  let begunAtMs: number | undefined;
  return {
    note: (news) => {
      const isStep = news === "step" || news === "first-step";
      if (!isStep && news !== "result") return;
      const takenMs = begunAtMs === undefined ? 0 : clock.now() - begunAtMs;
      if (takenMs >= sameNewsMs) {
        isQuick = takenMs <= debounceMs;
        haveBegunTogether ||= isQuick && news === "step";
        begunAtMs = undefined;
      }
      if (news === "first-step") isQuick = true;
      if (isStep) begunAtMs = clock.now();
    },
    stepMs: () => (isQuick || haveBegunTogether ? debounceMs : Math.min(debounceMs, sameNewsMs)),
  };
}
