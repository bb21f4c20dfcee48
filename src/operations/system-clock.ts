/**
 * The real Clock. Timers are unreferenced: waiting alone must not keep a process alive that has been told to end.
 */
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Clock } from "../bridge/ports/clock.ts";
import { createLoopTurns } from "./loop-turns.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await sleepFor(ms, undefined, signal === undefined ? { ref: false } : { ref: false, signal });
    } catch (aborted) {
      // Node rejects with an AbortError of its own; the port promises the signal's reason.
      throw signal?.aborted ? signal.reason : aborted;
    }
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  loopTurn: createLoopTurns(),
};
