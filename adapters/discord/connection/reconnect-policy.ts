/**
 * Decides when Parley can open the next socket to Discord's gateway.
 * Backoff with jitter, and at most 15 attempts in any 15 s. All shards share one queue, so that an outage causes the
 * same load with one shard and with sixty.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";

export type ReconnectPolicy = ReturnType<typeof createReconnectPolicy>;

export const maxAttempts = 15;
export const attemptWindowMs = 15_000;
const firstPauseMs = 500;
const maxPauseMs = 15_000;
/** Spreads clients that lost their connection at the same moment. */
const jitter = 0.3;

/** 0.5 s, 1 s, 2 s … 15 s, each up to 30 % longer. */
export function backoffMs(failures: number, random: () => number): number {
  if (failures <= 0) return 0;
  const base = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), maxPauseMs);
  return base * (1 + jitter * random());
}

export function createReconnectPolicy(clock: Clock, random: () => number = Math.random) {
  let refusals = 0;
  const attemptsMs: number[] = [];
  /** Runs work one at a time, in order. */
  const createQueue = (): ((work: () => Promise<void>) => Promise<void>) => {
    let last: Promise<void> = Promise.resolve();
    return (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    };
  };
  const pausing = createQueue();
  const entering = createQueue();

  return {
    /** Waits for the backoff. `failures`: of the calling shard, in a row. Rejects when the signal aborts. */
    pause: async (failures: number, signal: AbortSignal): Promise<void> => {
      // Only this shard fails; the others need not wait for it.
      if (failures > refusals) return clock.sleep(backoffMs(failures, random), signal);
      await pausing(async () => {
        signal.throwIfAborted();
        if (refusals > 0) await clock.sleep(backoffMs(refusals, random), signal);
      });
    },
    /** Resolves when a socket can be opened, and counts it. */
    enter: (signal: AbortSignal): Promise<void> =>
      entering(async () => {
        for (;;) {
          signal.throwIfAborted();
          const nowMs = clock.now();
          while (attemptsMs[0] !== undefined && attemptsMs[0] <= nowMs - attemptWindowMs) attemptsMs.shift();
          const [oldestMs] = attemptsMs;
          if (oldestMs === undefined || attemptsMs.length < maxAttempts) {
            attemptsMs.push(nowMs);
            return;
          }
          await clock.sleep(oldestMs + attemptWindowMs - nowMs, signal);
        }
      }),
    /** The gateway did not answer an attempt with HELLO. */
    refused: (): void => {
      refusals += 1;
    },
    /** A session was started or resumed: the gateway works. */
    accepted: (): void => {
      refusals = 0;
    },
  };
}
