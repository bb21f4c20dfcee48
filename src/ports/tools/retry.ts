/**
 * Retries with backoff until it works or time is up. For writes that must happen although the store is briefly
 * unreachable: a running answer goes on, and is written when the store is back.
 */
import type { Clock } from "../clock.ts";

const firstPauseMs = 250;
const maxPauseMs = 5_000;

/** Resolves with the first success; rejects with the last failure after `forMs`, or when the signal aborts. */
export async function keepTrying<T>(
  attempt: () => Promise<T>,
  options: { readonly clock: Clock; readonly forMs: number; readonly signal?: AbortSignal },
): Promise<T> {
  const untilMs = options.clock.now() + options.forMs;
  let pauseMs = firstPauseMs;
  for (;;) {
    try {
      return await attempt();
    } catch (failure) {
      if (options.clock.now() + pauseMs > untilMs || options.signal?.aborted) throw failure;
      await options.clock.sleep(pauseMs, options.signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }
}
