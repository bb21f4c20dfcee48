/**
 * When the gateway may be dialled again. All shards share one line, so that an outage looks the same with one shard and
 * with sixty: backoff with jitter up to one dial in 15 s, and never more than 15 dials in any 15 s.
 */
import type { Clock } from "../../../src/ports/clock.ts";

export type ReconnectPolicy = {
  /** Waits out the backoff. `failures`: of the shard that asks, in a row. Rejects when the signal aborts. */
  readonly pause: (failures: number, signal: AbortSignal) => Promise<void>;
  /** Resolves when a socket may be opened, and counts it. */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  /** The gateway did not answer a dial with its greeting. */
  readonly refused: () => void;
  /** A session was accepted or resumed: nothing is wrong with the gateway. */
  readonly accepted: () => void;
};

export const maxAttempts = 15;
export const attemptWindowMs = 15_000;
const firstPauseMs = 500;
const maxPauseMs = 15_000;
/** Clients that lost their connection at the same moment come back at different ones. */
const jitter = 0.3;

/** 0.5 s, 1 s, 2 s … 15 s, each up to 30 % longer. */
export function backoffMs(failures: number, random: () => number): number {
  if (failures <= 0) return 0;
  const base = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), maxPauseMs);
  return base * (1 + jitter * random());
}

export function createReconnectPolicy(clock: Clock, random: () => number = Math.random): ReconnectPolicy {
  let refusals = 0;
  const attemptsMs: number[] = [];
  /** One at a time. */
  const inLine = (): ((work: () => Promise<void>) => Promise<void>) => {
    let last: Promise<void> = Promise.resolve();
    return (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    };
  };
  const pausing = inLine();
  const entering = inLine();

  return {
    pause: async (failures, signal) => {
      // Only this shard is in trouble: the others need not wait for it.
      if (failures > refusals) return clock.sleep(backoffMs(failures, random), signal);
      await pausing(async () => {
        signal.throwIfAborted();
        if (refusals > 0) await clock.sleep(backoffMs(refusals, random), signal);
      });
    },
    enter: (signal) =>
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
    refused: () => {
      refusals += 1;
    },
    accepted: () => {
      refusals = 0;
    },
  };
}
