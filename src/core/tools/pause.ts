/** Yields to the event loop during long work, after every few milliseconds. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** Longest stretch without yielding: a heartbeat or an acknowledgement can wait that long. */
const stretchMs = 8;

/** The caller awaits the returned function between two steps. */
export function createPause(clock: Pick<Clock, "now">): () => Promise<void> {
  let sinceMs = clock.now();
  return async () => {
    if (clock.now() - sinceMs < stretchMs) return;
    await nextTurn();
    sinceMs = clock.now();
  };
}
