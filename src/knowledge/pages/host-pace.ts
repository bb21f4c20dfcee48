/** Spaces out requests to the same host, one after another with a pause. */
import type { Clock } from "../../core/ports/clock.ts";

export type HostPace = ReturnType<typeof createHostPace>;

/** Above this many hosts, those whose pause is over are dropped. */
const manyHosts = 1_000;

export function createHostPace(clock: Clock) {
  const nextMs = new Map<string, number>();
  let sweepAt = manyHosts;

  function forgetPassed(): void {
    for (const [host, atMs] of nextMs) if (atMs <= clock.now()) nextMs.delete(host);
    // Doubled, so that it doesn't run for each new host while all are pausing.
    sweepAt = Math.max(manyHosts, 2 * nextMs.size);
  }

  return {
    /** Resolves on this caller's turn; `spacingMs`: the least time since the previous turn. */
    turn: async (host: string, spacingMs: number, signal?: AbortSignal) => {
      const atMs = Math.max(clock.now(), nextMs.get(host) ?? 0);
      nextMs.set(host, atMs + spacingMs);
      if (nextMs.size > sweepAt) forgetPassed();
      if (atMs > clock.now()) await clock.sleep(atMs - clock.now(), signal);
    },
    /** The host is busy: nobody's next turn comes sooner than in this time. */
    hold: (host: string, ms: number) => {
      nextMs.set(host, Math.max(nextMs.get(host) ?? 0, clock.now() + ms));
    },
  };
}
