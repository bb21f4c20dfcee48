/** Repeats a clean-up every hour. Every instance does, since cleaning up is idempotent. */
import type { Clock } from "../core/ports/clock.ts";

export const hourMs = 3_600_000;
/** Not during the start. */
export const soonAfterStartMs = 60_000;

/** `work` never rejects, and its signal aborts when it is stopped. Returns the function that stops it. */
export function everyHour(clock: Clock, work: (signal: AbortSignal) => Promise<void>, firstMs = hourMs): () => void {
  const stopping = new AbortController();
  let cancel = clock.after(firstMs, () => void run());

  async function run(): Promise<void> {
    await work(stopping.signal);
    if (!stopping.signal.aborted) cancel = clock.after(hourMs, () => void run());
  }

  return () => {
    stopping.abort();
    cancel();
  };
}
