/**
 * Something held that must stay held over an outage of the storage. A lease that could not be renewed is lost, but the
 * work that it stood for goes on (a running answer is not thrown away): so it is asked for again until it is given back.
 */
import type { Lease } from "../state.ts";

export type Held = {
  /** False while it is lost, or may be. */
  readonly isCurrent: () => boolean;
  /** Idempotent; also ends the wait for a lost lease. */
  readonly release: () => Promise<void>;
};

export function keepLease(
  first: Lease,
  options: {
    /** Asks for it again; may wait. The signal aborts when nobody needs it any more. */
    readonly regain: (signal: AbortSignal) => Promise<Lease>;
    /** The signal aborts when it is regained or given back. */
    readonly onLost?: (until: AbortSignal) => void;
    readonly onRegained?: (lease: Lease) => void;
  },
): Held {
  let lease: Lease | undefined = first;
  let seeking: AbortController | undefined;
  let isOver = false;

  async function seek(): Promise<void> {
    lease = undefined;
    if (isOver) return;
    const over = new AbortController();
    seeking = over;
    options.onLost?.(over.signal);
    try {
      const next = await options.regain(over.signal);
      if (isOver) return await next.release();
      lease = next;
      options.onRegained?.(next);
      watch(next);
    } catch {
      // Given back in the meantime, or the process ends: there is nothing left to hold.
    } finally {
      over.abort();
    }
  }

  function watch(held: Lease): void {
    if (held.lost.aborted) void seek();
    else held.lost.addEventListener("abort", () => void seek(), { once: true });
  }

  watch(first);
  return {
    isCurrent: () => lease?.isCurrent() === true,
    release: async () => {
      isOver = true;
      seeking?.abort();
      await lease?.release();
    },
  };
}
