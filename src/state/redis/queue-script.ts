/**
 * The Lua script behind lanes, permits and leases on Redis. An instance sends what changed of its tickets; the script
 * applies it, grants what is free to the next callers, and returns what belongs to the instance. Its cost depends on the
 * request, not on how many wait. Times are by Redis's clock.
 *
 * A ticket is OWNER/NUMBER, in lanes ORDER 0 ENTRY 0 OWNER/NUMBER. The owner is a name of an instance: it lives as long
 * as its instance exchanges, and with it all that it holds and waits for. A queue is these keys, which expire together:
 *   line:GROUP  sorted set: who waits. In lanes sorted by ticket, otherwise by arrival
 *   held        hash: ticket -> FENCE 0 GROUP
 *   next        sorted set: groups that wait, the next one first
 *   meta        hash: n, and "last GROUP" -> fence of its last grant
 *   entries     hash: entry -> order, of those that keep their place when their caller gives up or dies. The place is
 *               ORDER 0 ENTRY 0 !TIME in the line, since that time
 */
import { comparedGroups, type QueueKind, spareGroup } from "../queues/queues.ts";
import { channel, keyPrefix, redisScript, settlingKey } from "./connection.ts";

/** Most tickets in one request, and most grants and clean-ups in one run: 1 to 2 ms of Redis. */
export const queueBatch = 50;
/**
 * A queue expires this long after its last exchange, so what dead instances left is soon gone. Longer than the places in it
 * are kept after their instance died.
 */
export const queueTtlMs = 90_000;

/** Of a ticket: granted and given back, given up, or as it stands. */
export type TicketState = "waiting" | "held" | "left" | "released";

/** What an instance sends; with it its name, whether Redis has heard of that before, and whether nothing is left of it. */
export type QueueChanges = {
  readonly kind: QueueKind;
  readonly n: number;
  readonly tickets: readonly {
    /** Oldest first: under earlier names of the instance. */
    readonly names: readonly string[];
    readonly group: string;
    readonly entry: string;
    readonly order: string;
    readonly state: TicketState;
    readonly fence: number;
  }[];
  readonly enqueued: readonly (readonly [entry: string, order: string])[];
  readonly removed: readonly string[];
  /** Tickets whose positions are requested, each with its group. */
  readonly asked: readonly (readonly [ticket: string, group: string])[];
};

/**
 * KEYS: the queue, the fence counter, the instances. ARGV: QueueChanges with the owner, isKnown, isLast and the times.
 * False: Redis doesn't know that name, or has let it expire. Otherwise { own held tickets: ticket, fence, …; index in its
 * group of each asked one, or -1; the first groups: name, held, waiting, …; number of waiting groups; number of held; ms
 * until something expires, or -1 }.
 */
export const queueScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local base, fences, instances = KEYS[1], KEYS[2], KEYS[3]
local request = cjson.decode(ARGV[1])
local owner, isLane, spare = request.owner, request.kind == 'lane', '${spareGroup}'
local HELD, NEXT, META, ENTRIES = base .. ':held', base .. ':next', base .. ':meta', base .. ':entries'
local function lineOf(group) return base .. ':line:' .. group end
local function first(key) return redis.call('ZRANGE', key, 0, 0, 'WITHSCORES') end

-- Each exchange renews all that this instance has, in all queues.
if request.isKnown and tonumber(redis.call('ZSCORE', instances, owner) or 0) <= now then return false end
redis.call('ZADD', instances, now + request.leaseMs, owner)
local untils = {}
local function ownerOf(ticket) return string.match(ticket, '([^%z]*)/%d+$') or '' end
local function untilOf(name)
  untils[name] = untils[name] or tonumber(redis.call('ZSCORE', instances, name) or 0)
  return untils[name]
end
-- Since when nobody is there for it: it is the place of an entry, or its instance died. Nil while it has a caller.
local function leftAt(ticket)
  local since = string.match(ticket, '%z!(%d+)$')
  local untilMs = since and tonumber(since) or untilOf(ownerOf(ticket))
  return (since or untilMs <= now) and untilMs or nil
end

local expiry = -1
local function atMost(ms)
  if expiry < 0 or ms < expiry then expiry = math.max(0, ms) end
end

local held, count, heldBy, changed = {}, 0, {}, {}
local function hold(ticket, group, fence)
  held[ticket] = { group = group, fence = fence }
  count, heldBy[group], changed[group] = count + 1, (heldBy[group] or 0) + 1, true
end
local function free(ticket)
  local group = held[ticket] and held[ticket].group
  if not group then return false end
  held[ticket] = nil
  count, heldBy[group], changed[group] = count - 1, heldBy[group] - 1, true
  return redis.call('HDEL', HELD, ticket) == 1
end
local function leave(ticket, group)
  local wasHeld = free(ticket)
  if redis.call('ZREM', lineOf(group), ticket) == 0 then return wasHeld end
  changed[group] = true
  return true
end

-- Removes what waits for an entry with nobody there for it. Whether the entry still has a caller.
local function hasCaller(entry, order)
  local prefix, found = order .. '\\0' .. entry .. '\\0', false
  local bounds = { '[' .. prefix, '(' .. order .. '\\0' .. entry .. '\\1' }
  for _, ticket in ipairs(redis.call('ZRANGEBYLEX', lineOf(''), unpack(bounds))) do
    if leftAt(ticket) then leave(ticket, '') else found = true end
  end
  for ticket in pairs(held) do found = found or string.sub(ticket, 1, #prefix) == prefix end
  return found
end
-- The entry keeps its place since then, unless it has a caller. True if its place is in the line now.
local function keepPlace(entry, order, since)
  if not isLane or hasCaller(entry, order) then return false end
  if redis.call('HEXISTS', ENTRIES, entry) == 1 and since + request.unattendedMs > now then
    changed[''] = true
    return redis.call('ZADD', lineOf(''), 0, order .. '\\0' .. entry .. '\\0!' .. string.format('%.0f', since)) == 1
  end
  redis.call('HDEL', ENTRIES, entry)
  return false
end
local function keepPlaceOf(ticket, since)
  local order, entry = string.match(ticket, '^(.-)%z(.-)%z')
  return keepPlace(entry, order, since)
end

-- The next group: the fewest held, then the longest since its last grant, then the earliest caller.
local function sortGroups()
  for group in pairs(changed) do
    local waits, lastKey = first(lineOf(group))[2], 'last ' .. group
    if waits then
      local last = tonumber(redis.call('HGET', META, lastKey) or waits - 2 ^ 40)
      redis.call('ZADD', NEXT, (heldBy[group] or 0) * 2 ^ 41 + last + (group == spare and 2 ^ 52 or 0), group)
      redis.call('PEXPIRE', lineOf(group), ${queueTtlMs})
    else
      redis.call('ZREM', NEXT, group)
      if (heldBy[group] or 0) == 0 then redis.call('HDEL', META, lastKey) end
    end
    changed[group] = nil
  end
end

local stored = redis.call('HGETALL', HELD)
for index = 1, #stored, 2 do
  local fence, group = string.match(stored[index + 1], '^(%d+)%z(.*)$')
  hold(stored[index], group, fence)
end
changed = {}
for index = 1, #stored, 2 do
  local diedAt = leftAt(stored[index])
  if diedAt then
    free(stored[index])
    if isLane then keepPlaceOf(stored[index], diedAt) end
  end
end

local n = tonumber(redis.call('HGET', META, 'n') or request.n)
for _, ticket in ipairs(request.tickets) do
  local names, group = ticket.names, ticket.group
  local name, line, arrival = names[#names], lineOf(group), nil
  for index = 1, #names - 1 do
    arrival = arrival or redis.call('ZSCORE', line, names[index])
    leave(names[index], group)
  end
  if ticket.state == 'left' or ticket.state == 'released' then
    leave(name, group)
    keepPlace(ticket.entry, ticket.order, ticket.state == 'left' and now or 0)
  elseif ticket.state == 'held' and not held[name] then
    -- Redis has forgotten it and it is free; or it is counted work that continues even if others have started meanwhile.
    if request.kind == 'permit' or count < n then
      local fence = string.format('%.0f', ticket.fence)
      leave(name, group)
      hold(name, group, fence)
      redis.call('HSET', HELD, name, fence .. '\\0' .. group)
      if tonumber(redis.call('GET', fences) or 0) < ticket.fence then redis.call('SET', fences, fence) end
    end
  elseif not held[name] and not redis.call('ZSCORE', line, name) then
    n = request.n
    if isLane then
      hasCaller(ticket.entry, ticket.order)
      redis.call('HSET', ENTRIES, ticket.entry, ticket.order)
    end
    redis.call('ZADD', line, isLane and 0 or arrival or redis.call('INCR', fences), name)
    changed[group] = true
  end
end
for _, enqueued in ipairs(request.enqueued) do
  redis.call('HSET', ENTRIES, enqueued[1], enqueued[2])
  keepPlace(enqueued[1], enqueued[2], now)
end
for _, entry in ipairs(request.removed) do
  local order = redis.call('HGET', ENTRIES, entry)
  if order then
    redis.call('HDEL', ENTRIES, entry)
    hasCaller(entry, order)
  end
end
local isChanged = next(changed) ~= nil
sortGroups()
redis.call('HSET', META, 'n', n)

-- Grants what is free, unless holders have to report first what Redis may have forgotten.
local settlingMs, granted, rounds = redis.call('PTTL', '${settlingKey}'), {}, 0
if settlingMs > 0 then atMost(settlingMs) end
while settlingMs <= 0 and count < n and rounds < ${queueBatch} do
  rounds = rounds + 1
  local group = first(NEXT)[1]
  -- Work that nobody waits for leaves one of several permits free.
  if not group or group == spare and count > 0 and count + 1 >= n then break end
  local ticket = first(lineOf(group))[1]
  changed[group], isChanged = true, true
  local diedAt = ticket and leftAt(ticket)
  if ticket then redis.call('ZREM', lineOf(group), ticket) end
  if diedAt then
    if isLane and keepPlaceOf(ticket, diedAt) then
      -- It blocks the lane until a caller acquires it or it expires.
      atMost(diedAt + request.unattendedMs - now)
      sortGroups()
      break
    end
  elseif ticket then
    local fence = string.format('%.0f', redis.call('INCR', fences))
    hold(ticket, group, fence)
    redis.call('HSET', HELD, ticket, fence .. '\\0' .. group)
    redis.call('HSET', META, 'last ' .. group, fence)
    if ownerOf(ticket) ~= owner then table.insert(granted, ownerOf(ticket)) end
  end
  sortGroups()
end
if rounds == ${queueBatch} then atMost(0) end

local mine = {}
for ticket, about in pairs(held) do
  if ownerOf(ticket) == owner then
    table.insert(mine, ticket)
    table.insert(mine, about.fence)
  else
    atMost(untilOf(ownerOf(ticket)) - now)
  end
end
local indexes, groups = {}, {}
for _, asked in ipairs(request.asked) do
  table.insert(indexes, redis.call('ZRANK', lineOf(asked[2]), asked[1]) or -1)
  redis.call('PEXPIRE', lineOf(asked[2]), ${queueTtlMs})
end
local waiting = redis.call('ZCARD', NEXT)
if not isLane and #indexes > 0 then
  for _, group in ipairs(redis.call('ZRANGE', NEXT, 0, ${comparedGroups - 1})) do
    if group ~= spare then
      for _, about in ipairs({ group, heldBy[group] or 0, redis.call('ZCARD', lineOf(group)) }) do
        table.insert(groups, about)
      end
    end
  end
end

if waiting == 0 and count == 0 then
  redis.call('DEL', HELD, NEXT, META, ENTRIES)
else
  for _, key in ipairs({ HELD, NEXT, META, ENTRIES }) do redis.call('PEXPIRE', key, ${queueTtlMs}) end
end
if isChanged and (waiting > 0 or #granted > 0) then
  if #granted == 0 then granted = { '' } end
  redis.call('PUBLISH', '${channel}', cjson.encode({ 'queue', base, owner, granted }))
end
redis.call('ZREMRANGEBYSCORE', instances, '-inf', now - ${queueTtlMs})
if request.isLast then redis.call('ZREM', instances, owner) end
redis.call('PEXPIRE', instances, ${queueTtlMs})
return { mine, indexes, groups, waiting, count, expiry }
`);

export const queueKeyPrefix = `${keyPrefix}queue:`;
export const fenceKey = `${keyPrefix}fence`;
export const instancesKey = `${keyPrefix}instances`;

export type QueueReply = ReturnType<typeof parseReply>;

export function parseReply(reply: unknown) {
  const [mine, indexes, groups, groupCount, heldCount, expiryMs] = reply as [
    string[],
    number[],
    (string | number)[],
    number,
    number,
    number,
  ];
  /** Fences of the tickets held here, by number. */
  const grants = new Map<number, number>();
  for (let at = 0; at < mine.length; at += 2) grants.set(Number(mine[at]?.split("/").at(-1)), Number(mine[at + 1]));
  const counts = new Map<string, { held: number; waiting: number }>();
  for (let at = 0; at < groups.length; at += 3) {
    counts.set(String(groups[at]), { held: Number(groups[at + 1]), waiting: Number(groups[at + 2]) });
  }
  return { grants, indexes, groups: counts, groupCount, heldCount, expiryMs };
}
