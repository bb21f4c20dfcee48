/** Yields to the event loop during long work, after every few milliseconds; and rests in the background. */
import type { Clock } from "../clock.ts";

/** Longest stretch without yielding: a heartbeat or an acknowledgement can wait that long. */
const stretchMs = 8;

const startMs = 1_000;
/** At least, so that everything that waits has its turn. */
const minRestMs = 10;
/** What took longer was a wait for something else. */
const maxRestMs = 10_000;

/** The caller awaits the returned function between two steps. */
export function createPause(clock: Pick<Clock, "now" | "loopTurn">): () => Promise<void> {
  let sinceMs = clock.now();
  return async () => {
    if (clock.now() - sinceMs < stretchMs) return;
    await clock.loopTurn("writes");
    sinceMs = clock.now();
  };
}

/**
 * For work in the background: the caller awaits the returned function between two pieces. The first time it waits until
 * a start is over. Then it rests as long as the pieces took, or `share` times as long, so that the work takes at most half
 * of the time. Rejects when the signal aborts.
 */
export function createRest(
  clock: Pick<Clock, "now" | "sleep">,
  signal: AbortSignal,
  share: () => number = () => 1,
): () => Promise<void> {
  let sinceMs: number | undefined;
  return async () => {
    const tookMs = sinceMs === undefined ? 0 : clock.now() - sinceMs;
    if (sinceMs === undefined) await clock.sleep(startMs, signal);
    else if (tookMs < stretchMs) return;
    else await clock.sleep(Math.min(Math.max(minRestMs, tookMs * share()), maxRestMs), signal);
    sinceMs = clock.now();
  };
}
