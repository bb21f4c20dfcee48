/**
 * How long a new step waits, so that its result is part of the same edit. Waiting is only worth it while results follow
 * their steps at once, so each answer learns from its last result: after a late one, steps don't wait until a result is
 * quick again.
 */
import type { Clock } from "../ports/clock.ts";
import type { News } from "../ports/delivery.ts";

/** Updates closer together than this belong to the same event, and the one to wait for is yet to come. */
export const sameNewsMs = 10;

export type ResultWait = {
  /** News came. */
  readonly note: (news: News) => void;
  /** How long a new step waits. */
  readonly stepMs: () => number;
};

export function createResultWait(settleMs: number, clock: Pick<Clock, "now">): ResultWait {
  let isQuick = true;
  /** When the step began whose result is to come. */
  let begunAtMs: number | undefined;
  return {
    note: (news) => {
      if (news === "step" || news === "first-step") begunAtMs = clock.now();
      if (news !== "result" || begunAtMs === undefined) return;
      const takenMs = clock.now() - begunAtMs;
      if (takenMs < sameNewsMs) return;
      isQuick = takenMs <= settleMs;
      begunAtMs = undefined;
    },
    stepMs: () => (isQuick ? settleMs : Math.min(settleMs, sameNewsMs)),
  };
}
