/**
 * Token buckets on Redis, shared by all instances and timed by its clock. A bucket that is full and whole again expires.
 * While Redis is down, each instance uses buckets in memory, so that running answers are still shown.
 */

import { ParleyError } from "../../core/errors.ts";
import { lowersBy, lowersEveryMs, minShare, risesByPerMinute } from "../../core/model/learnt-share.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { createMemoryBuckets } from "../memory/buckets.ts";
import { keyPrefix, type RedisConnection, redisScript } from "./connection.ts";

/** The arithmetic of learnt-share.ts: what share of its limit a bucket may use now. */
const shareNow = `
local function shareNow(share, quiet, now)
  if not share then return 1 end
  return math.min(1, tonumber(share) + math.max(0, now - tonumber(quiet)) / 60000 * ${risesByPerMinute})
end
`;

/** KEYS: the bucket. ARGV: capacity, refill per minute, keep. Returns -1 if a token was taken, else the ms to wait. */
const takeScript = redisScript(`
${shareNow}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'share', 'quiet')
local share = shareNow(stored[3], stored[4], now)
local full, keep = tonumber(ARGV[1]), tonumber(ARGV[3])
local capacity, perMs = math.max(math.min(1, full), full * share), tonumber(ARGV[2]) * share / 60000
local tokens, at = tonumber(stored[1] or capacity), tonumber(stored[2] or now)
local penalty = math.max(0, at - now)
tokens = math.min(capacity, tokens + math.max(0, now - at) * perMs)
local needed = math.min(keep + 1, capacity)
if penalty > 0 or tokens < needed then
  return math.max(1, math.ceil(penalty + math.max(0, needed - tokens) / perMs))
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - 1), 'at', string.format('%.0f', now))
local wholeMs = (1 - share) / ${risesByPerMinute} * 60000
redis.call('PEXPIRE', KEYS[1], math.ceil(math.max((capacity - tokens + 1) / perMs, wholeMs)))
return -1
`);

/** KEYS: the bucket. ARGV: capacity. A bucket that isn't stored is full, and `take` holds one to its share. */
const returnScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
if not stored[1] or tonumber(stored[2]) > now then return 0 end
local tokens = math.min(tonumber(ARGV[1]), tonumber(stored[1]) + 1)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens))
return 1
`);

/**
 * KEYS: the bucket. ARGV: ms. Leaves one token when the penalty ends: the platform allows the next attempt then. From
 * then on less of the limit is used, until it has been quiet for long enough. Returns that share.
 */
const penaliseScript = redisScript(`
${shareNow}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local untilMs = now + tonumber(ARGV[1])
local stored = redis.call('HMGET', KEYS[1], 'at', 'share', 'quiet', 'lowered')
local share = shareNow(stored[2], stored[3], now)
local lowered = tonumber(stored[4] or '-1')
if lowered < 0 or now - lowered >= ${lowersEveryMs} then
  share, lowered = math.max(${minShare}, share * ${lowersBy}), now
end
local quiet = math.max(untilMs, tonumber(stored[3] or '0'))
redis.call('HSET', KEYS[1], 'share', tostring(share), 'quiet', string.format('%.0f', quiet),
  'lowered', string.format('%.0f', lowered))
if tonumber(stored[1] or '0') < untilMs then
  redis.call('HSET', KEYS[1], 'tokens', '1', 'at', string.format('%.0f', untilMs))
end
redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(quiet - now, 0) + math.max(60000, (1 - share) / ${risesByPerMinute} * 60000)))
return tostring(share)
`);

type RedisBuckets = Pick<Coordinator, "takeToken" | "returnToken" | "penalise"> & { readonly close: () => void };

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
    returnToken: (key, bucket) =>
      orOwn(
        async () => void (await connection.evaluate(returnScript, [redisKey(key)], [String(bucket.capacity)])),
        () => own.returnToken(key, bucket),
      ),
    penalise: (key, forMs) =>
      orOwn(
        async () => Number(await connection.evaluate(penaliseScript, [redisKey(key)], [String(Math.ceil(forMs))])),
        () => own.penalise(key, forMs),
      ),
    close: own.close,
  };
}
