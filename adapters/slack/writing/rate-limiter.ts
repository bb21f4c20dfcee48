/**
 * Limits calls per key, such as posts per channel: a burst, then one per interval.
 * Waiting here prevents a 429, which would delay the whole workspace, when ten questions are asked at once.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

const maxRememberedKeys = 5_000;

export function createRateLimiter(options: {
  readonly clock: Clock;
  /** Calls without a wait. */
  readonly burst: number;
  /** Time between calls after that. */
  readonly intervalMs: number;
}) {
  const { clock, burst, intervalMs } = options;
  /** When each key's full burst is available again; each call adds one interval. */
  const wholeAtMs = new Map<string, number>();

  const forget = (nowMs: number) => {
    for (const [key, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(key);
  };

  /** How long until the next call for that key can be sent; 0 or less: now. */
  const waitMsOf = (key: string): number => {
    const nowMs = clock.now();
    return Math.max(wholeAtMs.get(key) ?? nowMs, nowMs) - nowMs - (burst - 1) * intervalMs;
  };

  /** How long until that call can be sent. */
  const count = (key: string): number => {
    const nowMs = clock.now();
    const waitMs = waitMsOf(key);
    wholeAtMs.set(key, Math.max(wholeAtMs.get(key) ?? nowMs, nowMs) + intervalMs);
    if (wholeAtMs.size > maxRememberedKeys) forget(nowMs);
    return waitMs;
  };

  return {
    /** A call for that key is sent now, by a budget of its own: those that wait here wait for it too. */
    count: (key: string): void => void count(key),
    /**
     * Resolves when the next call for that key can be sent, in the order of the calls. Rejects with the signal's reason.
     */
    wait: async (key: string, signal?: AbortSignal): Promise<void> => {
      const waitMs = count(key);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    },
    /** The same; undefined, and nothing is counted, when that call would wait longer than `maxMs`. */
    waitWithin: (key: string, maxMs: number): Promise<void> | undefined => {
      if (waitMsOf(key) > maxMs) return undefined;
      const waitMs = count(key);
      return waitMs > 0 ? clock.sleep(waitMs) : Promise.resolve();
    },
  };
}
