/** Polite spacing: pages of one host are asked for one after the other, with a pause in between. */
import type { Clock } from "../../ports/clock.ts";

export type HostPace = {
  /** Resolves when it is this caller's turn; `spacingMs` is the least time since the turn before. */
  readonly turn: (host: string, spacingMs: number, signal?: AbortSignal) => Promise<void>;
};

/** With more hosts than this, those whose pause has passed are forgotten. */
const manyHosts = 1_000;

export function createHostPace(clock: Clock): HostPace {
  const nextMs = new Map<string, number>();
  let sweepAt = manyHosts;

  function forgetPassed(): void {
    for (const [host, atMs] of nextMs) if (atMs <= clock.now()) nextMs.delete(host);
    // Not again for each host that comes, when all of them are in their pause.
    sweepAt = Math.max(manyHosts, 2 * nextMs.size);
  }

  return {
    turn: async (host, spacingMs, signal) => {
      const atMs = Math.max(clock.now(), nextMs.get(host) ?? 0);
      nextMs.set(host, atMs + spacingMs);
      if (nextMs.size > sweepAt) forgetPassed();
      if (atMs > clock.now()) await clock.sleep(atMs - clock.now(), signal);
    },
  };
}
