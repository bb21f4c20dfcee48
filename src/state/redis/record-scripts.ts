/** Lua scripts of the record stores. Each one updates a record and its indexes atomically, in one round trip. */
import { redisScript } from "./connection.ts";

/** Common to all scripts. KEYS[1] is the store's prefix; ARGV[1] the unfinished states as ",a,b,". */
const prelude = `
local prefix = KEYS[1]
local function recordKey(id) return prefix .. 'record:' .. id end
local function eventKey(event) return prefix .. 'event:' .. event end
local allKey, unfinishedKey = prefix .. 'all', prefix .. 'unfinished'
local function indexState(id, state, createdAtMs)
  if string.find(ARGV[1], ',' .. state .. ',', 1, true) then
    redis.call('ZADD', unfinishedKey, createdAtMs, id)
  else
    redis.call('ZREM', unfinishedKey, id)
  end
end
-- For a key that isn't a hash, returns a list that no reader accepts as a record.
local function hashOf(id)
  local fields = redis.pcall('HGETALL', recordKey(id))
  return fields.err and { 'damaged', fields.err } or fields
end
local function decoded(json)
  local isJson, value = pcall(cjson.decode, json)
  return isJson and value or nil
end
-- The key of a record's Conversation. Ambiguous keys do no harm, because readers check the record.
local function conversationKeyOf(id)
  local place = decoded(redis.pcall('HGET', recordKey(id), 'conversation'))
  if type(place) ~= 'table' then return nil end
  -- A damaged record may lack any part.
  local function part(name) return type(place[name]) == 'string' and place[name] or '' end
  local parts = { part('platform'), part('workspace'), part('channel'), part('thread') }
  return prefix .. 'conversation:' .. table.concat(parts, '/')
end
local function indexConversation(id, before)
  local now = conversationKeyOf(id)
  if now == before then return end
  if before then redis.call('ZREM', before, id) end
  if now then redis.call('ZADD', now, 0, id) end
end
-- Counts an asker's waiting records. When there seem to be too many, removes finished ones first, so the count can't drift.
local function refusal(id, asker, ofAsker, all, createdAtMs)
  if redis.call('ZCARD', unfinishedKey) >= tonumber(all) then return 'all' end
  local ownKey = prefix .. 'waiting:' .. asker
  if redis.call('ZCARD', ownKey) >= tonumber(ofAsker) then
    for _, own in ipairs(redis.call('ZRANGE', ownKey, 0, -1)) do
      if not redis.call('ZSCORE', unfinishedKey, own) then redis.call('ZREM', ownKey, own) end
    end
    if redis.call('ZCARD', ownKey) >= tonumber(ofAsker) then return 'asker' end
  end
  redis.call('ZADD', ownKey, createdAtMs, id)
  redis.call('EXPIRE', ownKey, 604800)
  return nil
end
local function remove(id)
  local conversation = conversationKeyOf(id)
  if conversation then redis.call('ZREM', conversation, id) end
  local event = decoded(redis.pcall('HGET', recordKey(id), 'eventKey'))
  -- A damaged record's event may belong to another record by now.
  if type(event) == 'string' and redis.call('GET', eventKey(event)) == id then redis.call('DEL', eventKey(event)) end
  redis.call('DEL', recordKey(id))
  redis.call('ZREM', allKey, id)
  redis.call('ZREM', unfinishedKey, id)
end
`;

/**
 * ARGV: id, event, state, created, the id of a damaged record that loses the event or "", asker or "", the limit of
 * unfinished records per asker, the limit in all, then pairs of field and JSON. Returns { id, record } of the record that
 * has the event, or which limit is reached ("asker" or "all"), or {} if the record was created.
 */
export const createScript = redisScript(`${prelude}
local id, event = ARGV[2], ARGV[3]
local winner = redis.call('GET', eventKey(event))
if winner and winner ~= ARGV[6] then
  local existing = hashOf(winner)
  if #existing > 0 then return { winner, existing } end
end
if ARGV[7] ~= '' then
  local refused = refusal(id, ARGV[7], ARGV[8], ARGV[9], ARGV[5])
  if refused then return refused end
end
redis.call('SET', eventKey(event), id)
redis.call('HSET', recordKey(id), unpack(ARGV, 10))
redis.call('ZADD', allKey, ARGV[5], id)
indexState(id, ARGV[4], ARGV[5])
indexConversation(id, nil)
return {}
`);

/**
 * ARGV: id, the expected states as ",a,b,", new state, fence or "", number of removed fields, these fields, then pairs of
 * field and JSON. Returns the new record, or {} if refused.
 */
export const transitionScript = redisScript(`${prelude}
local id, key = ARGV[2], recordKey(ARGV[2])
local now = redis.pcall('HMGET', key, 'state', 'fence', 'createdAtMs')
local state, fence = decoded(now[1]), tonumber(now[2])
if type(state) ~= 'string' or not fence or not tonumber(now[3]) then return {} end
if not string.find(ARGV[3], ',' .. state .. ',', 1, true) then return {} end
if ARGV[5] ~= '' and tonumber(ARGV[5]) < fence then return {} end
local before = conversationKeyOf(id)
local removed = tonumber(ARGV[6])
if removed > 0 then redis.call('HDEL', key, unpack(ARGV, 7, 6 + removed)) end
if ARGV[5] ~= '' then redis.call('HSET', key, 'fence', ARGV[5]) end
redis.call('HSET', key, 'state', cjson.encode(ARGV[4]), unpack(ARGV, 7 + removed))
indexState(id, ARGV[4], now[3])
indexConversation(id, before)
return redis.call('HGETALL', key)
`);

/** ARGV: id, asker, the limit of unfinished records per asker, the limit in all. */
export const admitScript = redisScript(`${prelude}
local createdAtMs = redis.call('ZSCORE', allKey, ARGV[2]) or '0'
return refusal(ARGV[2], ARGV[3], ARGV[4], ARGV[5], createdAtMs) or 'admitted'
`);

/** ARGV: event. */
export const byEventScript = redisScript(`${prelude}
local id = redis.call('GET', eventKey(ARGV[2]))
return id and { id, hashOf(id) } or {}
`);

/** ARGV: ids. */
export const readScript = redisScript(`${prelude}
local records = {}
for index = 2, #ARGV do
  local record = hashOf(ARGV[index])
  records[index - 1] = record
  if #record == 0 then
    redis.call('ZREM', allKey, ARGV[index])
    redis.call('ZREM', unfinishedKey, ARGV[index])
  end
end
return records
`);

/** ARGV: limit, time and id to begin below ("" for none). Returns { id, record, time } of each. */
export const recentScript = redisScript(`${prelude}
local limit, beforeMs, records, offset = tonumber(ARGV[2]), tonumber(ARGV[3]), {}, 0
while #records < limit do
  local found = redis.call('ZRANGE', allKey, beforeMs or '+inf', '-inf', 'BYSCORE', 'REV', 'LIMIT', offset, limit, 'WITHSCORES')
  if #found == 0 then break end
  for index = 1, #found, 2 do
    local id, atMs = found[index], found[index + 1]
    local isBelow = not beforeMs or tonumber(atMs) < beforeMs or id < ARGV[4]
    if isBelow and #records < limit then records[#records + 1] = { id, hashOf(id), atMs } end
  end
  offset = offset + limit
end
return records
`);

/** ARGV: before, how many to skip, how many to check. Returns how many were deleted and how many retained. */
export const pruneScript = redisScript(`${prelude}
local deleted, kept = 0, 0
for _, id in ipairs(redis.call('ZRANGE', allKey, '-inf', '(' .. ARGV[2], 'BYSCORE', 'LIMIT', ARGV[3], ARGV[4])) do
  if redis.call('ZSCORE', unfinishedKey, id) then
    kept = kept + 1
  else
    remove(id)
    deleted = deleted + 1
  end
end
return { deleted, kept }
`);

/** ARGV: id. */
export const deleteScript = redisScript(`${prelude} remove(ARGV[2])`);

/** ARGV: before, ids of damaged records. Returns the ids of those that no longer exist. */
export const pruneDamagedScript = redisScript(`${prelude}
local gone = {}
for index = 3, #ARGV do
  local createdAtMs = redis.call('ZSCORE', allKey, ARGV[index])
  if createdAtMs and tonumber(createdAtMs) < tonumber(ARGV[2]) then remove(ARGV[index]) end
  if redis.call('EXISTS', recordKey(ARGV[index])) == 0 then table.insert(gone, ARGV[index]) end
end
return gone
`);
