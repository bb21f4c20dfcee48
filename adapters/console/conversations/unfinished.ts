/**
 * Finishes what processes that died had begun on the page: deletions, removals of channels, changes that can't be
 * searched yet. Every instance looks each minute, since none knows which one dies next.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";

/** Finishes one kind of work. At the start of a process everything counts as abandoned, later only what is old. */
export type Unfinished = (isStart: boolean) => Promise<void>;

/** Ms after which work counts as abandoned, since the process that began it must be gone. */
export const abandonedMs = 30_000;
const lookEveryMs = 60_000;

/** Looks at once, and returns the function that stops it. */
export function keepFinishing(options: {
  readonly kinds: readonly Unfinished[];
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}): () => void {
  const { kinds, closing, clock, log } = options;
  let cancel = () => {};

  async function look(isStart: boolean): Promise<void> {
    const results = await Promise.allSettled(kinds.map((finish) => finish(isStart)));
    if (closing.aborted) return;
    for (const result of results) {
      if (result.status === "rejected") {
        log.warn({ err: result.reason }, "The page could not finish what an earlier process began");
      }
    }
    cancel = clock.after(lookEveryMs, () => void look(false));
  }

  void look(true);
  return () => cancel();
}
