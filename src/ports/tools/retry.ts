/** Retries with exponential backoff, until it works or the caller gives up. */
import type { Clock } from "../clock.ts";

export type Backoff = {
  readonly clock: Pick<Clock, "sleep">;
  readonly firstPauseMs: number;
  /** The pause doubles after each failure, up to this. */
  readonly maxPauseMs: number;
  /** Ends a pause: the retry then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called after each failure. Returns the ms to wait, usually `pauseMs`, or undefined to give up. `tries` begins at 1.
   */
  readonly pauseAfter: (failure: unknown, pauseMs: number, tries: number) => number | undefined;
};

/** For what a platform has to answer again: 1 s, 2 s … 15 s. */
export const platformPauses = { firstPauseMs: 1_000, maxPauseMs: 15_000 };

/** Resolves with the first success; rejects with the last failure. */
export async function retry<T>(attempt: () => Promise<T>, backoff: Backoff): Promise<T> {
  let { firstPauseMs: pauseMs } = backoff;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      const waitMs = backoff.pauseAfter(failure, pauseMs, tries);
      if (waitMs === undefined) throw failure;
      await backoff.clock.sleep(waitMs, backoff.signal);
      pauseMs = Math.min(pauseMs * 2, backoff.maxPauseMs);
    }
  }
}

/** For writes to the storage, which is back soon: 0.25 s, 0.5 s … 5 s. */
const storagePauses = { firstPauseMs: 250, maxPauseMs: 5_000 };

/**
 * For writes that must happen although the storage is briefly unreachable: a running answer continues, and is written
 * when the storage is back. Rejects with the last failure after `forMs`, or when the signal aborts.
 */
export async function keepTrying<T>(
  attempt: () => Promise<T>,
  options: { readonly clock: Clock; readonly forMs: number; readonly signal?: AbortSignal },
): Promise<T> {
  const untilMs = options.clock.now() + options.forMs;
  return retry(attempt, {
    ...options,
    ...storagePauses,
    pauseAfter: (_failure, pauseMs) =>
      options.clock.now() + pauseMs > untilMs || options.signal?.aborted === true ? undefined : pauseMs,
  });
}
