/**
 * The steps of a work in Redis. Its record is a hash; three sorted sets for each kind list the keys by state. `job` is
 * the id of the one BullMQ job that may begin it: each change of its time has a new one, so an older job does nothing.
 * `token` is of the run that may end it.
 */
import { redisScript } from "../connection.ts";

/** KEYS of all of them: the record, then the lists of those that wait, are active and have failed. */
const renew = `
local function renew(key, due, job, keep)
  redis.call('HSET', KEYS[1], 'state', 'waiting', 'due', due, 'since', due, 'attempts', '0', 'job', job)
  redis.call('HDEL', KEYS[1], 'first', 'again', 'cancelled', 'error', 'token')
  if not keep then redis.call('HDEL', KEYS[1], 'begun') end
  redis.call('ZREM', KEYS[3], key)
  redis.call('ZREM', KEYS[4], key)
  redis.call('ZADD', KEYS[2], due, key)
end
local function remove(key)
  redis.call('DEL', KEYS[1])
  for list = 2, 4 do redis.call('ZREM', KEYS[list], key) end
end
`;

/** ARGV: key, payload, due, new job. Returns whether the key is new, the job to add or '', and the one before it or ''. */
export const addScript = redisScript(`${renew}
local state, before = unpack(redis.call('HMGET', KEYS[1], 'state', 'job'))
redis.call('HSET', KEYS[1], 'payload', ARGV[2])
if state == 'active' then
  redis.call('HSET', KEYS[1], 'again', ARGV[3])
  return {0, '', ''}
end
renew(ARGV[1], ARGV[3], ARGV[4], true)
return {state and 0 or 1, ARGV[4], before or ''}
`);

/**
 * ARGV: key, job, token, now. Returns the payload, since, begun, attempts, first and whether it was cancelled; or the
 * job that may begin it and its time; or nothing.
 */
export const beginScript = redisScript(`
local state, job, due, cancelled = unpack(redis.call('HMGET', KEYS[1], 'state', 'job', 'due', 'cancelled'))
if not state or state == 'failed' then return {} end
if job ~= ARGV[2] then
  if state == 'active' then return {} end
  return {job, due}
end
redis.call('HSETNX', KEYS[1], 'first', ARGV[4])
redis.call('HSET', KEYS[1], 'state', 'active', 'token', ARGV[3])
local attempts = redis.call('HINCRBY', KEYS[1], 'attempts', 1)
local begun = redis.call('HINCRBY', KEYS[1], 'begun', 1)
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
local payload, since, first = unpack(redis.call('HMGET', KEYS[1], 'payload', 'since', 'first'))
return {payload, since, tostring(begun), tostring(attempts), first, cancelled and '1' or ''}
`);

/**
 * ARGV: key, token, how it ended, its next time, the error, new job, now. Returns the time of the new job, or '' if
 * there is none; also when another instance has begun it since.
 */
export const endScript = redisScript(`${renew}
local token, again, cancelled = unpack(redis.call('HMGET', KEYS[1], 'token', 'again', 'cancelled'))
local how = ARGV[3]
if token ~= ARGV[2] then return '' end
if again then
  renew(ARGV[1], again, ARGV[6], how ~= 'done' and how ~= 'again')
  return again
end
if cancelled or how == 'done' then
  remove(ARGV[1])
  return ''
end
if how == 'again' then
  renew(ARGV[1], ARGV[4], ARGV[6], false)
  return ARGV[4]
end
redis.call('HDEL', KEYS[1], 'token')
redis.call('ZREM', KEYS[3], ARGV[1])
if how == 'failed' then
  redis.call('HSET', KEYS[1], 'state', 'failed', 'error', ARGV[5])
  redis.call('ZADD', KEYS[4], ARGV[7], ARGV[1])
  return ''
end
redis.call('HSET', KEYS[1], 'state', 'waiting', 'due', ARGV[4], 'job', ARGV[6])
if how == 'retry' then redis.call('HSET', KEYS[1], 'error', ARGV[5]) end
if how == 'stopped' then redis.call('HINCRBY', KEYS[1], 'attempts', -1) end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
return ARGV[4]
`);

/** ARGV: key. Returns its job, or '' if it is active: the run that has its token is to stop, and deletes it. */
export const cancelScript = redisScript(`${renew}
local state, job = unpack(redis.call('HMGET', KEYS[1], 'state', 'job'))
if state == 'active' then
  redis.call('HSET', KEYS[1], 'cancelled', '1', 'payload', 'null')
  redis.call('HDEL', KEYS[1], 'again')
  return ''
end
remove(ARGV[1])
return job or ''
`);

/** ARGV: key, now, new job. Returns whether it had failed. */
export const retryScript = redisScript(`${renew}
if redis.call('HGET', KEYS[1], 'state') ~= 'failed' then return 0 end
renew(ARGV[1], ARGV[2], ARGV[3], true)
return 1
`);
