/**
 * Limits Parley's requests to Discord's 50 per second, urgent ones first.
 * discord.js counts in seconds of its own, which do not match Discord's, and releases waiting requests in no order.
 * Here final answers go before everything else.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import { maxRequestsPerSecond } from "../limits.ts";

/** Discord counts a request when it arrives: at the latest when it responds, or this long after it was sent. */
const maxTransitMs = 2_500;
const windowMs = 1_000;

type SentRequest = { arrivedByMs: number };

export function createRequestLimiter(clock: Clock) {
  const sent = new Set<SentRequest>();
  const urgent: ((answered: () => void) => void)[] = [];
  const others: typeof urgent = [];
  let cancelWait: (() => void) | undefined;

  const release = () => {
    cancelWait?.();
    cancelWait = undefined;
    while (urgent.length + others.length > 0) {
      const nowMs = clock.now();
      for (const one of sent) if (one.arrivedByMs + windowMs <= nowMs) sent.delete(one);
      if (sent.size >= maxRequestsPerSecond) {
        const earliestMs = Math.min(...[...sent].map(({ arrivedByMs }) => arrivedByMs));
        cancelWait = clock.after(earliestMs + windowMs - nowMs, release);
        return;
      }
      const one: SentRequest = { arrivedByMs: nowMs + maxTransitMs };
      sent.add(one);
      const answered = () => {
        one.arrivedByMs = Math.min(one.arrivedByMs, clock.now());
        if (cancelWait !== undefined) release();
      };
      (urgent.shift() ?? others.shift())?.(answered);
    }
  };

  return {
    /** Resolves when the request can be sent, with a function to call when its response has arrived. */
    acquire: (isUrgent: boolean): Promise<() => void> =>
      new Promise((resolve) => {
        (isUrgent ? urgent : others).push(resolve);
        if (cancelWait === undefined) release();
      }),
  };
}
