/**
 * Posts to one channel, as fast as Slack takes them: a few at once, then about one a second. Waiting here is what keeps
 * ten questions asked at once from drawing a 429, which would hold up the whole workspace.
 */
import type { Clock } from "../../../src/ports/clock.ts";

export type RateLimiter = {
  /** Resolves when the next post to that channel may go, in the order of the calls. Rejects with the signal's reason. */
  readonly turn: (channel: string, signal?: AbortSignal) => Promise<void>;
};

const maxRememberedChannels = 5_000;

export function createRateLimiter(options: {
  readonly clock: Clock;
  /** Posts at once. */
  readonly burst: number;
  /** Between posts after that. */
  readonly intervalMs: number;
}): RateLimiter {
  const { clock, burst, intervalMs } = options;
  /** When a channel's allowance is whole again; each post moves it on by one interval. */
  const wholeAtMs = new Map<string, number>();

  const forget = (nowMs: number) => {
    for (const [channel, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(channel);
  };

  return {
    turn: async (channel, signal) => {
      const nowMs = clock.now();
      const wholeMs = Math.max(wholeAtMs.get(channel) ?? nowMs, nowMs);
      wholeAtMs.set(channel, wholeMs + intervalMs);
      if (wholeAtMs.size > maxRememberedChannels) forget(nowMs);
      const waitMs = wholeMs - nowMs - (burst - 1) * intervalMs;
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    },
  };
}
