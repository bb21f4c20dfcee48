/**
 * Keeps a lease across storage outages by acquiring it again until it is released. The work a lease stands for
 * continues when the lease can't be renewed (a running answer is not thrown away).
 */
import type { Lease } from "../ports/state.ts";

export type KeptLease = {
  /** False while it is lost, or may be. */
  readonly isCurrent: () => boolean;
  /** Idempotent; also ends the wait for a lost lease. */
  readonly release: () => Promise<void>;
};

export function keepLease(
  first: Lease,
  options: {
    /** Acquires it again; can wait. The signal aborts when it is no longer needed. */
    readonly regain: (signal: AbortSignal) => Promise<Lease>;
    /** The signal aborts when it is regained or released. */
    readonly onLost?: (until: AbortSignal) => void;
    readonly onRegained?: (lease: Lease) => void;
  },
): KeptLease {
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
      // Released in the meantime, or the process is shutting down: there is nothing left to hold.
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
