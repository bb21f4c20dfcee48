/**
 * Finishes what processes that died had noted on the page: changes that can't be searched yet. Every instance looks each
 * minute, since none knows which one dies next.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";

/** Ms after which work counts as abandoned, since the process that began it must be gone. */
export const abandonedMs = 30_000;
const lookEveryMs = 60_000;

/**
 * Looks at once, and returns the function that stops it. At the start of a process everything counts as abandoned, later
 * only what is old.
 */
export function keepFinishing(options: {
  readonly finish: (isStart: boolean) => Promise<void>;
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}): () => void {
  const { finish, closing, clock, log } = options;
  let cancel = () => {};

  async function look(isStart: boolean): Promise<void> {
    try {
      await finish(isStart);
    } catch (err) {
      if (!closing.aborted) log.warn({ err }, "The page could not finish what an earlier process began");
    }
    if (!closing.aborted) cancel = clock.after(lookEveryMs, () => void look(false));
  }

  void look(true);
  return () => cancel();
}
