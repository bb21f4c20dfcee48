/** Gives each turn of the event loop to one caller per line. */
import type { Clock } from "../clock.ts";

export function createLoopTurns(): Clock["loopTurn"] {
  const last = { events: Promise.resolve(), writes: Promise.resolve(), turns: Promise.resolve() };
  return (line) => {
    last[line] = last[line].then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return last[line];
  };
}
