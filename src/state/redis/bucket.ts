/**
 * Token buckets on Redis, shared by all instances and timed by its clock. A bucket that is full again expires.
 * While Redis is down, each instance uses buckets in memory, so that running answers are still shown.
 */
import type { Clock } from "../../ports/clock.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Coordinator } from "../../ports/state.ts";
import { createMemoryBuckets } from "../memory/buckets.ts";
import { keyPrefix, type RedisConnection, redisScript } from "./connection.ts";

/** KEYS: the bucket. ARGV: capacity, refill per minute, keep. Returns -1 if a token was taken, else the ms to wait. */
const takeScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, perMs, keep = tonumber(ARGV[1]), tonumber(ARGV[2]) / 60000, tonumber(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(stored[1] or capacity), tonumber(stored[2] or now)
local penalty = math.max(0, at - now)
tokens = math.min(capacity, tokens + math.max(0, now - at) * perMs)
local needed = math.min(keep + 1, capacity)
if penalty > 0 or tokens < needed then
  return math.max(1, math.ceil(penalty + math.max(0, needed - tokens) / perMs))
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - 1), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens + 1) / perMs))
return -1
`);

/** KEYS: the bucket. ARGV: ms. Leaves one token when the penalty ends: the platform allows the next attempt then. */
const penaliseScript = redisScript(`
local time = redis.call('TIME')
local untilMs = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
if tonumber(redis.call('HGET', KEYS[1], 'at') or '0') < untilMs then
  redis.call('HSET', KEYS[1], 'tokens', '1', 'at', string.format('%.0f', untilMs))
  redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[1]) + 60000)
end
`);

type RedisBuckets = Pick<Coordinator, "takeToken" | "penalise"> & { readonly close: () => void };

export function createRedisBuckets(connection: RedisConnection, clock: Clock): RedisBuckets {
  const own = createMemoryBuckets(clock);
  const redisKey = (key: string) => `${keyPrefix}bucket:${key}`;

  async function orOwn<T>(shared: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
    try {
      return await shared();
    } catch (thrown) {
      if (thrown instanceof ParleyError && thrown.code === "state_unavailable") return await fallback();
      throw thrown;
    }
  }

  return {
    takeToken: (key, bucket, keep) =>
      orOwn(
        async () => {
          const args = [bucket.capacity, bucket.refillPerMinute, keep].map(String);
          const waitMs = Number(await connection.evaluate(takeScript, [redisKey(key)], args));
          return waitMs < 0 ? { taken: true } : { taken: false, waitMs };
        },
        () => own.takeToken(key, bucket, keep),
      ),
    penalise: (key, forMs) =>
      orOwn(
        async () => {
          await connection.evaluate(penaliseScript, [redisKey(key)], [String(Math.ceil(forMs))]);
        },
        () => own.penalise(key, forMs),
      ),
    close: own.close,
  };
}
