/**
 * Schedules Slack's read calls: live ones first, background ones (catching up after an outage) rate limited, and retried after a 429.
 * Slack limits each method separately, and a 429 caused by catching up would delay the live calls too.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
import { infoBurst, infoIntervalMs, listIntervalMs, readBurst, readIntervalMs } from "../limits.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { createRateLimiter, type RateLimiter } from "../writing/rate-limiter.ts";
import { retryWhileBusy } from "./clients.ts";

type Method = "history" | "replies" | "list";

export type ReadScheduler = ReturnType<typeof createReadScheduler>;

/** How often a background call checks whether live calls of the same method are still waiting. */
const yieldMs = 250;
/** A longer Retry-After is waited for by the call that was refused, and tried in between by others. */
const maxRefusedMs = 30_000;
/** After a 429, skip one turn for live calls: an app with one call a minute could otherwise only catch up. */
const turnsLeftToOthers = 2;

export function createReadScheduler(clock: Clock) {
  const limiters: Readonly<Record<Method, RateLimiter>> = {
    history: createRateLimiter({ clock, burst: readBurst, intervalMs: readIntervalMs }),
    replies: createRateLimiter({ clock, burst: readBurst, intervalMs: readIntervalMs }),
    list: createRateLimiter({ clock, burst: readBurst, intervalMs: listIntervalMs }),
  };
  const infoLimiter = createRateLimiter({ clock, burst: infoBurst, intervalMs: infoIntervalMs });
  const waiting: Record<Method, number> = { history: 0, replies: 0, list: 0 };

  /** Until when Slack refuses a method: by Retry-After, which counts for every call of it. */
  const refusedUntilMs: Record<Method | "info", number> = { history: 0, replies: 0, list: 0, info: 0 };

  async function send<T>(method: Method | "info", call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leftMs = () => refusedUntilMs[method] - clock.now();
    while (leftMs() > 0) await clock.sleep(leftMs(), signal);
    try {
      return await call();
    } catch (thrown) {
      const { code, retryAfterMs = 0 } = toPlatformError(thrown);
      const untilMs = clock.now() + Math.min(retryAfterMs, maxRefusedMs);
      if (code === "platform_rate_limited") refusedUntilMs[method] = Math.max(refusedUntilMs[method], untilMs);
      throw toPlatformError(thrown);
    }
  }

  return {
    /** For calls that someone waits for: retried a few times while Slack is busy. */
    live: async <T>(method: Method, call: () => Promise<T>): Promise<T> => {
      waiting[method] += 1;
      try {
        return await retryWhileBusy(clock, () => send(method, call));
      } finally {
        waiting[method] -= 1;
      }
    },
    /** For conversations.info: a crowd in as many channels would use up its limit at once. Otherwise like `live`. */
    info: <T>(call: () => Promise<T>): Promise<T> =>
      retryWhileBusy(clock, async () => {
        await infoLimiter.wait("info");
        return send("info", call);
      }),
    /**
     * For calls that nobody waits for: retried as long as Slack is busy, and `maxTries` times while it is unreachable.
     * Rejects with the signal's reason or with the last failure.
     */
    background: async <T>(
      method: Method,
      call: () => Promise<T>,
      signal: AbortSignal,
      maxTries: number = Number.POSITIVE_INFINITY,
    ): Promise<T> => {
      const attempt = async () => {
        await limiters[method].wait(method, signal);
        while (waiting[method] > 0) await clock.sleep(yieldMs, signal);
        signal.throwIfAborted();
        return send(method, call, signal);
      };
      let failures = 0;
      return retry(attempt, {
        clock,
        ...platformPauses,
        signal,
        pauseAfter: (thrown, pauseMs) => {
          const { code, retryAfterMs = pauseMs } = toPlatformError(thrown);
          if (signal.aborted) return undefined;
          if (code === "platform_rate_limited") return retryAfterMs * turnsLeftToOthers;
          failures += 1;
          return code === "platform_unreachable" && failures < maxTries ? pauseMs : undefined;
        },
      });
    },
  };
}
