/** Lua scripts of collections. Each changes a record and everything that finds it atomically, in one round trip. */
import { redisScript } from "./connection.ts";

/**
 * KEYS[1] is the collection's prefix, in braces, so that all its keys share a hash slot. `records` has "VERSION FENCE
 * JSON" by id, `lines` the fields as "\tNAME=JSON\t…" for what a walk compares, `sets` the sorted sets that have the
 * record, and `words` its words. `values:INDEX` has the values of which an index has a sorted set.
 */
const prelude = `
local prefix = KEYS[1]
local records, lines, sets, words = prefix .. 'records', prefix .. 'lines', prefix .. 'sets', prefix .. 'words'
local worded = prefix .. 'worded'
local function versionOf(row) return row and (string.match(row, '^(%d+) ') or '0') end
local function leaveSet(set, id)
  redis.call('ZREM', prefix .. set, id)
  local index, value = string.match(set, '^index:(%d+):(.*)$')
  if redis.call('EXISTS', prefix .. set) == 0 then redis.call('ZREM', prefix .. 'values:' .. index, value) end
end
local function leaveWords(id)
  for word in string.gmatch(redis.call('HGET', words, id) or '', '[^\\n]+') do
    redis.call('ZREM', prefix .. 'word:' .. word, id)
  end
  redis.call('HDEL', words, id)
  redis.call('ZREM', worded, id)
end
local function leaveSets(id, but)
  for set in string.gmatch(redis.call('HGET', sets, id) or '', '[^\\n]+') do
    if not but[set] then leaveSet(set, id) end
  end
end
`;

/**
 * ARGV: id, what has to be there ("any", "absent" or a version), fence or "", JSON, line, the number of sets, the name and the
 * score of each, the score of the words, how many records have words at most, the words. Returns { version } or what is
 * there instead: { "", row }. What needs memory comes first: Redis refuses that before anything is changed.
 */
export const writeScript = redisScript(`${prelude}
local id = ARGV[1]
local before = redis.call('HGET', records, id)
if ARGV[2] ~= 'any' and ARGV[2] ~= (versionOf(before) or 'absent') then return { '', before } end
local version = string.format('%.0f', redis.call('INCR', prefix .. 'version'))
local fence = ARGV[3] ~= '' and ARGV[3] or before and string.match(before, '^%d+ (%d+) ') or '0'
redis.call('HSET', records, id, version .. ' ' .. fence .. ' ' .. ARGV[4])
redis.call('HSET', lines, id, ARGV[5])
local now, names, last = {}, {}, 6 + 2 * tonumber(ARGV[6])
for at = 7, last, 2 do
  now[ARGV[at]] = true
  names[#names + 1] = ARGV[at]
  if redis.call('ZADD', prefix .. ARGV[at], ARGV[at + 1], id) == 1 then
    local index, value = string.match(ARGV[at], '^index:(%d+):(.*)$')
    redis.call('ZADD', prefix .. 'values:' .. index, 0, value)
  end
end
leaveSets(id, now)
redis.call('HSET', sets, id, table.concat(names, '\\n'))
leaveWords(id)
if #ARGV > last + 2 then
  redis.call('ZADD', worded, ARGV[last + 1], id)
  for at = last + 3, #ARGV do redis.call('ZADD', prefix .. 'word:' .. ARGV[at], ARGV[last + 1], id) end
  redis.call('HSET', words, id, table.concat(ARGV, '\\n', last + 3))
  local spare = redis.call('ZCARD', worded) - tonumber(ARGV[last + 2])
  if spare > 0 then
    for _, oldest in ipairs(redis.call('ZRANGE', worded, 0, spare - 1)) do leaveWords(oldest) end
  end
end
return { version }
`);

/** ARGV: id, the version that has to be there or "". Returns 1 if it was there. */
export const removeScript = redisScript(`${prelude}
local id = ARGV[1]
local before = redis.call('HGET', records, id)
if not before or (ARGV[2] ~= '' and ARGV[2] ~= versionOf(before)) then return 0 end
leaveSets(id, {})
leaveWords(id)
redis.call('HDEL', records, id)
redis.call('HDEL', lines, id)
redis.call('HDEL', sets, id)
return 1
`);

/** Ids by their bytes: Lua compares by the locale of the server. */
const byBytes = `
local function isBefore(a, b)
  for at = 1, math.min(#a, #b) do
    local left, right = string.byte(a, at), string.byte(b, at)
    if left ~= right then return left < right end
  end
  return #a < #b
end
local function matches(line, first)
  if not line then return false end
  for part = first, #ARGV do
    if not string.find(line, ARGV[part], 1, true) then return false end
  end
  return true
end
`;

/**
 * Walks the smallest of some sorted sets. KEYS: prefix, the sets. ARGV: from, until, "up" or "down", the order and the
 * id that the walk comes after ("" for none), how many to look at, the most to find, "count", "ids" or "read", for each
 * set whether it has nothing but what matches ("1" or "0"), then what a line contains. Returns whether it came to the end,
 * the order and id of the last one looked at, how many were found, their ids and orders, and with "read" their rows.
 */
export const walkScript = redisScript(`${prelude}${byBytes}
local from, untilBound, isUp = ARGV[1], '(' .. ARGV[2], ARGV[3] == 'up'
local set, size, isWhole = nil, nil, false
local firstPart = 9 + #KEYS - 1
for at = 2, #KEYS do
  local card = redis.call('ZCARD', KEYS[at])
  if not size or card < size then set, size, isWhole = KEYS[at], card, ARGV[7 + at] == '1' end
end
local matching = redis.call('ZCOUNT', set, from, untilBound)
-- Ranks in the direction of the walk: of the first one in the range, of the last one, and of the first after the cursor.
local first = isUp and redis.call('ZCOUNT', set, '-inf', '(' .. from) or redis.call('ZCOUNT', set, ARGV[2], '+inf')
local last = first + matching - 1
local function range(start, stop)
  if isUp then return redis.call('ZRANGE', set, start, stop, 'WITHSCORES') end
  return redis.call('ZRANGE', set, start, stop, 'REV', 'WITHSCORES')
end
if ARGV[5] ~= '' then
  local score = redis.call('ZSCORE', set, ARGV[5])
  if score and tonumber(score) == tonumber(ARGV[4]) then
    first = redis.call(isUp and 'ZRANK' or 'ZREVRANK', set, ARGV[5]) + 1
  else
    -- It is gone: after all that come before its place.
    first = isUp and redis.call('ZCOUNT', set, '-inf', '(' .. ARGV[4]) or redis.call('ZCOUNT', set, '(' .. ARGV[4], '+inf')
    local ties = range(first, first + redis.call('ZCOUNT', set, ARGV[4], ARGV[4]) - 1)
    for at = 1, #ties, 2 do
      local isAfter = isUp and isBefore(ARGV[5], ties[at]) or (not isUp and isBefore(ties[at], ARGV[5]))
      if not isAfter then first = first + 1 end
    end
  end
end
local most = tonumber(ARGV[7])
if isWhole and ARGV[8] == 'count' then return { 1, '', '', math.max(0, last - first + 1), {} } end
local stop = math.min(last, first + (isWhole and most or tonumber(ARGV[6])) - 1)
local looked = stop < first and {} or range(first, stop)
local ids, found, count, seen = {}, {}, 0, #looked - 1
for at = 1, #looked, 2 do ids[#ids + 1] = looked[at] end
local about = (isWhole or #ids == 0) and {} or redis.call('HMGET', lines, unpack(ids))
for at, id in ipairs(ids) do
  if isWhole or matches(about[at], firstPart) then
    count = count + 1
    if ARGV[8] ~= 'count' then
      found[#found + 1] = id
      found[#found + 1] = looked[2 * at]
    end
    if ARGV[8] == 'read' then found[#found + 1] = redis.call('HGET', records, id) or '' end
    if count == most then
      seen = 2 * at - 1
      break
    end
  end
end
local isEnd = stop >= last and seen == #looked - 1
return { isEnd and 1 or 0, looked[seen + 1] or '', looked[seen] or '', count, found }
`);

/**
 * Finds by words. KEYS: prefix. ARGV: from, until, "up" or "down", the order and the id to come after ("" for none), the
 * most to find, the number of parts, what a line contains, then lists of words, one in a line each. Returns ids, orders
 * and rows. Redis has words of a limited number of records only, so one call looks at all.
 */
export const wordsScript = redisScript(`${prelude}${byBytes}
local from, untilBound, isUp, most = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == 'up', tonumber(ARGV[6])
local firstList = 8 + tonumber(ARGV[7])
local orders, found, ids = {}, {}, {}
-- Lua passes at most 8,000 values to a call.
local atOnce = 1000
for at = firstList, #ARGV do
  local keys, calls, seen = {}, 0, {}
  local function intersect()
    local count = #keys
    for _, option in ipairs({ 'AGGREGATE', 'MAX', 'WITHSCORES' }) do keys[#keys + 1] = option end
    local both = redis.call('ZINTER', count, unpack(keys))
    for place = 1, #both, 2 do
      local id, order = both[place], tonumber(both[place + 1])
      if (seen[id] or 0) == calls then
        seen[id] = calls + 1
        if order >= from and order < untilBound then orders[id] = order end
      end
    end
    keys, calls = {}, calls + 1
  end
  for word in string.gmatch(ARGV[at], '[^\\n]+') do
    keys[#keys + 1] = prefix .. 'word:' .. word
    if #keys == atOnce then intersect() end
  end
  if #keys > 0 then intersect() end
  for id, times in pairs(seen) do
    if times == calls and orders[id] then found[id] = true end
  end
end
for id in pairs(found) do ids[#ids + 1] = id end
local function comesBefore(aOrder, a, bOrder, b)
  if aOrder == bOrder then
    if isUp then return isBefore(a, b) end
    return isBefore(b, a)
  end
  if isUp then return aOrder < bOrder end
  return aOrder > bOrder
end
table.sort(ids, function(a, b) return comesBefore(orders[a], a, orders[b], b) end)
found = {}
for _, id in ipairs(ids) do
  if #found == 3 * most then break end
  if ARGV[5] == '' or comesBefore(tonumber(ARGV[4]), ARGV[5], orders[id], id) then
    local line = redis.call('HGET', lines, id)
    local isWanted = line
    for part = 8, firstList - 1 do isWanted = isWanted and string.find(line, ARGV[part], 1, true) end
    if isWanted then
      found[#found + 1] = id
      found[#found + 1] = redis.call('ZSCORE', worded, id)
      found[#found + 1] = redis.call('HGET', records, id) or ''
    end
  end
end
return found
`);

/** ARGV: the index, from, until, the value to begin after or "", how many values. Returns value, count, order, id of each. */
export const groupsScript = redisScript(`${prelude}
local values = prefix .. 'values:' .. ARGV[1]
local start = ARGV[4] == '' and '-' or '(' .. ARGV[4]
local found = {}
for _, value in ipairs(redis.call('ZRANGE', values, start, '+', 'BYLEX', 'LIMIT', 0, ARGV[5])) do
  local set = prefix .. 'index:' .. ARGV[1] .. ':' .. value
  local count = redis.call('ZCOUNT', set, ARGV[2], '(' .. ARGV[3])
  local newest = count > 0 and redis.call('ZRANGE', set, '(' .. ARGV[3], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES') or { '', '0' }
  found[#found + 1] = { value, count, newest[2], newest[1] }
end
return found
`);
