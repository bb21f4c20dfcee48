/** Polite spacing: pages of one host are asked for one after the other, with a pause in between. */
import type { Clock } from "../bridge/ports/clock.ts";

export type HostPace = {
  /** Resolves when it is this caller's turn; `spacingMs` is the least time since the turn before. */
  readonly turn: (host: string, spacingMs: number, signal?: AbortSignal) => Promise<void>;
};

/** Hosts that are remembered; of the others the pause has long passed. */
const maxHosts = 1_000;

export function createHostPace(clock: Clock): HostPace {
  const nextMs = new Map<string, number>();
  return {
    turn: async (host, spacingMs, signal) => {
      const atMs = Math.max(clock.now(), nextMs.get(host) ?? 0);
      nextMs.delete(host);
      nextMs.set(host, atMs + spacingMs);
      const oldest = nextMs.keys().next();
      if (nextMs.size > maxHosts && !oldest.done) nextMs.delete(oldest.value);
      if (atMs > clock.now()) await clock.sleep(atMs - clock.now(), signal);
    },
  };
}
