/**
 * Notices edits that queue up in a channel: a window's edits all at once, then a wait for the next window, again and
 * again. People then read what was true a while ago.
 */
import type { Bucket } from "../buckets.ts";

const runsInARow = 3;
/** A window that is used up later than this share of it was used evenly. */
const earlyShare = 0.75;
/** The next edit comes that soon after the window ends. */
const atOnceMs = 400;

type Window = { readonly beganMs: number; count: number; usedUpMs: number; run: number };

export function createEditBacklog({ limit, windowMs }: Bucket, nowMs: () => number, violate: (what: string) => void) {
  const windows = new Map<string, Window>();

  return (channelId: string): void => {
    const now = nowMs();
    const known = windows.get(channelId);
    const isOver = known === undefined || now >= known.beganMs + windowMs;
    const window: Window = isOver ? { beganMs: now, count: 0, usedUpMs: 0, run: runBefore(known, now) } : known;
    windows.set(channelId, window);
    window.count += 1;
    if (window.count === limit) window.usedUpMs = now;
    if (isOver && window.run === runsInARow - 1)
      violate(`edits queue up in ${channelId}: ${runsInARow} windows at once`);
  };

  function runBefore(window: Window | undefined, now: number): number {
    if (window === undefined || window.count < limit) return 0;
    const wasAtOnce = window.usedUpMs < window.beganMs + earlyShare * windowMs;
    const isWaiting = now - (window.beganMs + windowMs) < atOnceMs;
    return wasAtOnce && isWaiting ? window.run + 1 : 0;
  }
}
