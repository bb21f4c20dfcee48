/**
 * Token buckets in memory, for rate limits of one process. A bucket that is full and whole again is deleted, since it
 * equals none.
 */

import { afterLimit, type LearntShare, shareNow, wholeAgainAtMs } from "../../core/model/learnt-share.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Bucket, Coordinator } from "../../core/ports/state.ts";

/** How often such buckets are deleted, while there are any. */
const sweepEveryMs = 60_000;

type State = {
  readonly tokens: number;
  /** When `tokens` were counted; in the future during a penalty. */
  readonly countedAtMs: number;
  readonly fullAtMs: number;
  /** Absent while the platform has not complained. */
  readonly learnt: LearntShare | undefined;
};

type MemoryBuckets = Pick<Coordinator, "takeToken" | "returnToken" | "penalise"> & { readonly close: () => void };

export function createMemoryBuckets(clock: Clock): MemoryBuckets {
  const states = new Map<string, State>();
  let stopSweeping: (() => void) | undefined;

  function sweep(): void {
    stopSweeping = undefined;
    const nowMs = clock.now();
    for (const [key, { fullAtMs, learnt }] of states) {
      if (fullAtMs <= nowMs && (learnt === undefined || wholeAgainAtMs(learnt) <= nowMs)) states.delete(key);
    }
    sweepLater();
  }

  function sweepLater(): void {
    if (states.size > 0) stopSweeping ??= clock.after(sweepEveryMs, sweep);
  }

  function store(key: string, bucket: Bucket, counted: Omit<State, "fullAtMs">): void {
    const fullAtMs = counted.countedAtMs + ((bucket.capacity - counted.tokens) * 60_000) / bucket.refillPerMinute;
    states.set(key, { ...counted, fullAtMs });
    sweepLater();
  }

  return {
    takeToken: async (key, bucket, keep) => {
      const nowMs = clock.now();
      const state = states.get(key) ?? { tokens: bucket.capacity, countedAtMs: nowMs, learnt: undefined };
      const now = sharedBucket(bucket, shareNow(state.learnt, nowMs));
      const perMs = now.refillPerMinute / 60_000;
      const penaltyMs = Math.max(0, state.countedAtMs - nowMs);
      const refilled = Math.max(0, nowMs - state.countedAtMs) * perMs;
      const tokens = Math.min(now.capacity, state.tokens + refilled);
      // Otherwise a bucket smaller than `keep` would never give a token.
      const needed = Math.min(keep + 1, now.capacity);
      if (penaltyMs === 0 && tokens >= needed) {
        store(key, now, { tokens: tokens - 1, countedAtMs: nowMs, learnt: state.learnt });
        return { taken: true };
      }
      return { taken: false, waitMs: Math.max(1, Math.ceil(penaltyMs + Math.max(0, needed - tokens) / perMs)) };
    },

    returnToken: async (key, bucket) => {
      const nowMs = clock.now();
      const state = states.get(key);
      if (state === undefined || state.countedAtMs > nowMs) return;
      const now = sharedBucket(bucket, shareNow(state.learnt, nowMs));
      store(key, now, { ...state, tokens: Math.min(now.capacity, state.tokens + 1) });
    },

    penalise: async (key, forMs) => {
      const nowMs = clock.now();
      const untilMs = nowMs + forMs;
      const before = states.get(key);
      const learnt = afterLimit(before?.learnt, nowMs, untilMs);
      // One token when the penalty ends: the platform allows the next attempt then.
      if (before !== undefined && before.countedAtMs >= untilMs) states.set(key, { ...before, learnt });
      else states.set(key, { tokens: 1, countedAtMs: untilMs, fullAtMs: untilMs + sweepEveryMs, learnt });
      sweepLater();
      return learnt.share;
    },

    close: () => {
      stopSweeping?.();
      stopSweeping = undefined;
      states.clear();
    },
  };
}

/** What may be used of the bucket now; never less than a token at once. */
function sharedBucket({ capacity, refillPerMinute }: Bucket, share: number): Bucket {
  return { capacity: Math.max(Math.min(1, capacity), capacity * share), refillPerMinute: refillPerMinute * share };
}
