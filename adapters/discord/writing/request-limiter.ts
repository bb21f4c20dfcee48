/**
 * A bot may make 50 requests in any second. discord.js counts seconds of its own, which fit Discord's badly, and lets
 * whoever waits go in no order: so requests are let through here, the ends of answers before everything else.
 */
import type { Clock } from "../../../src/ports/clock.ts";
import { maxRequestsPerSecond } from "../limits.ts";

export type RequestLimiter = {
  /** Resolves when the request may be made; what it resolves with is to be called when it was answered. */
  readonly turn: (isUrgent: boolean) => Promise<() => void>;
};

/** Discord counts a request when it arrives: at the latest when it is answered, or this long after it was made. */
const maxWayMs = 2_500;
const windowMs = 1_000;

type Passed = { arrivedByMs: number };

export function createRequestLimiter(clock: Clock): RequestLimiter {
  const passed = new Set<Passed>();
  const urgent: ((answered: () => void) => void)[] = [];
  const others: typeof urgent = [];
  let cancelWait: (() => void) | undefined;

  const letThrough = () => {
    cancelWait?.();
    cancelWait = undefined;
    while (urgent.length + others.length > 0) {
      const nowMs = clock.now();
      for (const one of passed) if (one.arrivedByMs + windowMs <= nowMs) passed.delete(one);
      if (passed.size >= maxRequestsPerSecond) {
        const earliestMs = Math.min(...[...passed].map(({ arrivedByMs }) => arrivedByMs));
        cancelWait = clock.after(earliestMs + windowMs - nowMs, letThrough);
        return;
      }
      const one: Passed = { arrivedByMs: nowMs + maxWayMs };
      passed.add(one);
      const answered = () => {
        one.arrivedByMs = Math.min(one.arrivedByMs, clock.now());
        if (cancelWait !== undefined) letThrough();
      };
      (urgent.shift() ?? others.shift())?.(answered);
    }
  };

  return {
    turn: (isUrgent) =>
      new Promise((resolve) => {
        (isUrgent ? urgent : others).push(resolve);
        if (cancelWait === undefined) letThrough();
      }),
  };
}
