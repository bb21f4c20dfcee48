/**
 * Token buckets in memory, for rate limits of one process. A bucket that is full again is deleted, since it equals none.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Bucket, Coordinator } from "../../ports/state.ts";

/** How often full buckets are deleted, while there are any. */
const sweepEveryMs = 60_000;

type State = {
  readonly tokens: number;
  /** When `tokens` were counted; in the future during a penalty. */
  readonly countedAtMs: number;
  readonly fullAtMs: number;
};

type MemoryBuckets = Pick<Coordinator, "takeToken" | "penalise"> & { readonly close: () => void };

export function createMemoryBuckets(clock: Clock): MemoryBuckets {
  const states = new Map<string, State>();
  let stopSweeping: (() => void) | undefined;

  function sweep(): void {
    stopSweeping = undefined;
    for (const [key, state] of states) if (state.fullAtMs <= clock.now()) states.delete(key);
    sweepLater();
  }

  function sweepLater(): void {
    if (states.size > 0) stopSweeping ??= clock.after(sweepEveryMs, sweep);
  }

  function store(key: string, bucket: Bucket, tokens: number, countedAtMs: number): void {
    const fullAtMs = countedAtMs + ((bucket.capacity - tokens) * 60_000) / bucket.refillPerMinute;
    states.set(key, { tokens, countedAtMs, fullAtMs });
    sweepLater();
  }

  return {
    takeToken: async (key, bucket, keep) => {
      const nowMs = clock.now();
      const perMs = bucket.refillPerMinute / 60_000;
      const state = states.get(key) ?? { tokens: bucket.capacity, countedAtMs: nowMs };
      const penaltyMs = Math.max(0, state.countedAtMs - nowMs);
      const refilled = Math.max(0, nowMs - state.countedAtMs) * perMs;
      const tokens = Math.min(bucket.capacity, state.tokens + refilled);
      // Otherwise a bucket smaller than `keep` would never give a token.
      const needed = Math.min(keep + 1, bucket.capacity);
      if (penaltyMs === 0 && tokens >= needed) {
        store(key, bucket, tokens - 1, nowMs);
        return { taken: true };
      }
      return { taken: false, waitMs: Math.max(1, Math.ceil(penaltyMs + Math.max(0, needed - tokens) / perMs)) };
    },

    penalise: async (key, forMs) => {
      const untilMs = clock.now() + forMs;
      if ((states.get(key)?.countedAtMs ?? 0) >= untilMs) return;
      // One token when the penalty ends: the platform allows the next attempt then.
      states.set(key, { tokens: 1, countedAtMs: untilMs, fullAtMs: untilMs + sweepEveryMs });
      sweepLater();
    },

    close: () => {
      stopSweeping?.();
      stopSweeping = undefined;
      states.clear();
    },
  };
}
