/**
 * Limits how many gateway sessions Parley starts per day.
 * Discord counts accepted IDENTIFYs per bot and day, across processes, and resets the token of a bot beyond its limit
 * (1,000). So before each one Parley reads how many are left and stops in time. Between two readings it counts its own,
 * over all restarts and instances.
 */
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { identifyIntervalMs, reservedSessionStarts, sessionStartsPerDay } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";

/** Gets the time until which Discord allows no new session; undefined when the wait is over. */
type OnWait = (untilMs: number | undefined) => void;

export type SessionStarts = ReturnType<typeof createSessionStarts>;

const dayMs = 24 * 3_600_000;
/** Long enough for several shards to start after one reading. */
const readingLifeMs = 30_000;
/** Reads again at least this often: an admin can have reset the token, or Discord the count. */
const maxWaitMs = 15 * 60_000;
const minWaitMs = 60_000;

const gatewaySchema = z.looseObject({
  url: z.string(),
  session_start_limit: z
    .looseObject({
      remaining: z.number().nullish(),
      reset_after: z.number().min(0).nullish(),
      max_concurrency: z.number().nullish(),
    })
    .nullish(),
});

type Reading = {
  readonly url: string;
  readonly remaining: number | undefined;
  readonly resetAfterMs: number;
  readonly maxConcurrency: number;
  readonly atMs: number;
};

export function createSessionStarts(
  options: DiscordParts & {
    readonly token: string;
    readonly coordinator: Pick<Coordinator, "takeToken">;
  },
) {
  const { token, rest, keyValue, coordinator, clock, log } = options;
  const bot = createHash("sha256").update(token).digest("base64url").slice(0, 16);
  const prefix = `*/session-starts/${bot}/`;
  let latest: Reading | undefined;

  const read = async (): Promise<Reading> => {
    const parsed = gatewaySchema.safeParse(await rest.call("GET", "/gateway/bot"));
    if (!parsed.success) throw new ParleyError("platform_unreachable", { cause: parsed.error });
    const { url, session_start_limit: limit } = parsed.data;
    latest = {
      url,
      remaining: limit?.remaining ?? undefined,
      resetAfterMs: limit?.reset_after ?? 0,
      maxConcurrency: Math.max(1, Math.floor(limit?.max_concurrency ?? 1)),
      atMs: clock.now(),
    };
    return latest;
  };

  const countSince = async (sinceMs: number): Promise<number> => {
    let found = 0;
    for await (const [, atMs] of keyValue.entries(prefix)) if (Number(atMs) >= sinceMs) found += 1;
    return found;
  };

  /** How many are left according to Discord, or by Parley's own count if Discord does not say. */
  const leftOf = async ({ remaining, atMs }: Reading): Promise<number> => {
    const known = remaining ?? sessionStartsPerDay;
    const own = await countSince(remaining === undefined ? clock.now() - dayMs : atMs).catch(() => 0);
    return known - own;
  };

  /** One IDENTIFY in 5 s for each `max_concurrency` key, across instances. */
  const waitForTurn = async (key: number, signal: AbortSignal): Promise<void> => {
    const bucket = { capacity: 1, refillPerMinute: 60_000 / identifyIntervalMs };
    for (;;) {
      signal.throwIfAborted();
      const turn = await coordinator.takeToken(`discord/identify/${bot}/${key}`, bucket, 0);
      if (turn.taken) return;
      await clock.sleep(turn.waitMs, signal);
    }
  };

  /** Waits while Discord allows too few sessions. Resolves with a reading that allows one. */
  const waitForStarts = async (first: Reading, signal: AbortSignal, onWait: OnWait): Promise<Reading> => {
    let reading = first;
    let isWaiting = false;
    for (let left = await leftOf(reading); left <= reservedSessionStarts; left = await leftOf(reading)) {
      const waitMs = Math.max(reading.resetAfterMs, minWaitMs);
      const untilMs = clock.now() + waitMs;
      if (!isWaiting)
        log.warn({ left, untilMs }, "Discord allows few more sessions today; waiting before starting a new one");
      isWaiting = true;
      onWait(untilMs);
      await clock.sleep(Math.min(waitMs, maxWaitMs), signal);
      reading = await read();
    }
    if (isWaiting) onWait(undefined);
    return reading;
  };

  return {
    /** Names the bot in keys that all its instances share. */
    bot,
    /** Resolves when sessions can be started. Rejects with ParleyError if Discord does not say how many are left. */
    anyLeft: async (signal: AbortSignal, onWait: OnWait): Promise<void> => {
      await waitForStarts(await read(), signal, onWait);
    },
    /** The same, when the shard can send an IDENTIFY: resolves with the gateway's URL. */
    permit: async (shard: number, signal: AbortSignal, onWait: OnWait): Promise<string> => {
      const isFresh = latest !== undefined && clock.now() - latest.atMs < readingLifeMs;
      const reading = await waitForStarts(latest !== undefined && isFresh ? latest : await read(), signal, onWait);
      await waitForTurn(shard % reading.maxConcurrency, signal);
      return reading.url;
    },
    /** Discord accepted an IDENTIFY. Never rejects. */
    accepted: async (): Promise<void> => {
      const nowMs = clock.now();
      try {
        await keyValue.set(`${prefix}${nowMs}-${randomUUID()}`, String(nowMs), dayMs);
      } catch (thrown) {
        // Discord has counted it anyway, and its number is read before the next one.
        log.debug({ err: thrown }, "A started Discord session could not be counted");
      }
    },
    /** IDENTIFYs accepted in the last 24 hours, of all instances. Rejects with state_unavailable. */
    count: (): Promise<number> => countSince(clock.now() - dayMs),
  };
}
