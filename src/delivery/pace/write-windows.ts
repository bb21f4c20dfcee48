/**
 * Sliding windows: at most so many writes in any period of a platform's own window. A token bucket that never overruns
 * such a window would have to refill at half the rate; here a write waits only when the window is full. Counted in this
 * process: mostly one instance writes in a channel. A channel where the platform complained gets fewer for a while.
 */

import { afterLimit, type LearntShare, shareNow, wholeAgainAtMs } from "../../core/model/learnt-share.ts";
import type { WriteWindow } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";

export type Verdict = { readonly taken: true } | { readonly taken: false; readonly waitMs: number };

/** Number of keys to remember before those without recent writes are dropped. */
const maxKeys = 1_000;

/** Writes that are always possible in a window, whatever was learnt: progress and an end. */
const minLimit = 2;

export function createWriteWindows({ limit, windowMs }: WriteWindow, clock: Pick<Clock, "now">) {
  /** Times of each key's writes, oldest first. */
  const writes = new Map<string, readonly number[]>();
  const learnt = new Map<string, LearntShare>();
  const limitOf = (key: string) =>
    Math.max(Math.min(limit, minLimit), Math.floor(limit * shareNow(learnt.get(key), clock.now())));
  const recent = (key: string) => (writes.get(key) ?? []).filter((atMs) => atMs + windowMs > clock.now());

  function forgetOld(): void {
    for (const key of writes.keys()) if (recent(key).length === 0) writes.delete(key);
    for (const [key, share] of learnt) if (wholeAgainAtMs(share) <= clock.now()) learnt.delete(key);
  }

  return {
    /** `kept`: number of writes that must remain possible afterwards. */
    take: (key: string, kept: number): Verdict => {
      const nowMs = clock.now();
      const taken = recent(key);
      const surplus = taken.length - Math.max(1, limitOf(key) - kept);
      const blocking = taken[surplus];
      if (blocking !== undefined) return { taken: false, waitMs: blocking + windowMs - nowMs };
      if (writes.size >= maxKeys) forgetOld();
      writes.set(key, [...taken, nowMs]);
      return { taken: true };
    },
    /** The last write taken was not needed. */
    giveBack: (key: string) => void writes.set(key, recent(key).slice(0, -1)),
    /** No writes for `forMs`. Returns the share of the limit that is used from then on. */
    penalise: (key: string, forMs: number): number => {
      const nowMs = clock.now();
      const lowered = afterLimit(learnt.get(key), nowMs, nowMs + forMs);
      learnt.set(key, lowered);
      writes.set(key, Array<number>(limit).fill(nowMs + forMs - windowMs));
      return lowered.share;
    },
  };
}
