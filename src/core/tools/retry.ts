/** Retries with exponential backoff, until it works or the caller gives up, and reads how long a platform asks to wait. */
import type { Clock } from "../ports/clock.ts";

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

/** The wait after a 429 whose Retry-After can't be read. */
const defaultWaitS = 1;
/** Node's timers can't wait longer than 24 days: they fire at once. */
const maxWaitS = 24 * 3_600;

/**
 * Node's fetch, but a 429 always says in seconds how long to wait. Something in front of a platform may send a date or
 * nothing: discord.js then sends the request again at once, for as long as it is refused.
 */
export const fetchWithRetryAfter: typeof fetch = async (...asked) => {
  const response = await fetch(...asked);
  if (response.status !== 429) return response;
  const headers = new Headers(response.headers);
  headers.set("retry-after", String(waitSeconds(headers)));
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

/** The sender's own clock counts for a date: ours may differ. */
function waitSeconds(headers: Headers): number {
  const given = headers.get("retry-after") ?? "";
  const untilS = (Date.parse(given) - Date.parse(headers.get("date") ?? "")) / 1_000;
  const seconds = [Number(given), untilS].find((value) => value > 0) ?? defaultWaitS;
  return Math.min(seconds, maxWaitS);
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
