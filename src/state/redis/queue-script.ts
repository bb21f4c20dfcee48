/**
 * The Lua script behind lanes, permits and leases on Redis. An instance sends how its tickets stand; the script applies
 * it, grants what is free to the next callers, and returns what belongs to the instance. Its cost depends on the request,
 * not on how many wait. Times are by Redis's clock.
 *
 * A ticket is SESSION/NUMBER, in lanes ORDER 0 ENTRY 0 SESSION/NUMBER. All of a session's tickets live as long as it
 * exchanges. A queue is these keys:
 *   line:GROUP  sorted set: who waits, in lanes sorted by ticket, otherwise by arrival
 *   held        hash: ticket -> FENCE 0 GROUP
 *   next        sorted set: groups that wait, the next one first
 *   meta        hash: n; "last GROUP" -> fence of its last grant; "entry ENTRY" -> order, of those that keep their place
 *               when their caller gives up or dies. The place is ORDER 0 ENTRY 0 !TIME in the line, since that time
 */
import { comparedGroups, type QueueKind, spareGroup } from "../queues/queues.ts";
import { channel, keyPrefix, redisScript, settlingKey } from "./connection.ts";

/** Most tickets in one request, and most grants and clean-ups in one run: 1 to 2 ms of Redis. */
export const queueBatch = 50;
/**
 * The keys of a queue expire this long after its last exchange, so that dead instances leave nothing. Longer than a place
 * is kept. While callers wait for permits it is longer: of ten thousand, it takes minutes until each was asked about.
 */
export const heldTtlMs = 90_000;
export const queueTtlMs = (kind: QueueKind) => (kind === "permit" ? 600_000 : heldTtlMs);

export const queueKeyPrefix = `${keyPrefix}queue:`;
export const fenceKey = `${keyPrefix}fence`;
export const sessionsKey = `${keyPrefix}sessions`;

/** How a ticket stands: granted and given back, given up, or as it says. */
export type TicketState = "waiting" | "held" | "left" | "released";

export type QueueRequest = {
  readonly n: number;
  readonly tickets?: readonly {
    /** The newest last; under an earlier one Redis may still have it. */
    readonly names: readonly string[];
    readonly group: string;
    readonly state: TicketState;
    /** Of a held one. */
    readonly fence?: number | undefined;
  }[];
  /** Tickets whose indexes are requested, each with its group. */
  readonly asked?: readonly (readonly [ticket: string, group: string])[];
  readonly enqueued?: readonly [entry: string, order: string];
  readonly removed?: string;
  /** The session has nothing left, in any queue. */
  readonly isLast?: boolean;
};

export type QueueReply = readonly [
  /** Tickets that the session holds. */
  mine: readonly (readonly [ticket: string, fence: number])[],
  /** Of each asked one its index in its group, or -1. */
  indexes: readonly number[],
  /** The next ones; of permits only. */
  groups: readonly (readonly [name: string, held: number, waiting: number])[],
  /** Of all groups that wait. */
  groupCount: number,
  heldCount: number,
  /** Until something expires; negative: nothing does. */
  expiryMs: number,
];

/**
 * KEYS: the queue, the fence counter, the sessions. ARGV: QueueRequest with the kind, the session and the times. Returns a
 * QueueReply.
 */
export const queueScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local base, fences, sessions = KEYS[1], KEYS[2], KEYS[3]
local request = cjson.decode(ARGV[1])
local isLane, isPermit, spare = request.kind == 'lane', request.kind == 'permit', '${spareGroup}'
local HELD, NEXT, META = base .. ':held', base .. ':next', base .. ':meta'
local function lineOf(group) return base .. ':line:' .. group end
local function first(key) return redis.call('ZRANGE', key, 0, 0, 'WITHSCORES') end
local function text(number) return string.format('%.0f', number) end

redis.call('ZADD', sessions, now + request.leaseMs, request.session)
redis.call('ZREMRANGEBYSCORE', sessions, '-inf', now - request.ttlMs)

-- While it exists, nothing is granted, and nobody counts as dead: Redis may have forgotten who lives.
local settlingMs = redis.call('PTTL', '${settlingKey}')
local expiry = settlingMs
local function atMost(ms)
  if expiry < 0 or ms < expiry then expiry = math.max(0, ms) end
end
local untils = {}
local function sessionOf(ticket) return string.match(ticket, '([^%z]*)/%d+$') end
local function untilOf(session)
  untils[session] = untils[session] or tonumber(redis.call('ZSCORE', sessions, session) or 0)
  return untils[session]
end
local function placeSince(ticket) return tonumber(string.match(ticket, '%z!(%d+)$')) end
-- Since when nobody is there for it: it is the place of an entry, or its session is over. Nil while it has a caller.
local function leftAt(ticket)
  local since = placeSince(ticket)
  if since or settlingMs > 0 then return since end
  local untilMs = untilOf(sessionOf(ticket))
  return untilMs <= now and untilMs or nil
end

local held, count, heldBy, changed, isChanged = {}, 0, {}, {}, false
local function keep(ticket, group, fence, by)
  held[ticket] = { group = group, fence = fence }
  count, heldBy[group] = count + by, (heldBy[group] or 0) + by
end
local stored = redis.call('HGETALL', HELD)
for index = 1, #stored, 2 do
  local fence, group = string.match(stored[index + 1], '^(%d+)%z(.*)$')
  keep(stored[index], group, tonumber(fence), 1)
end
local function hold(ticket, group, fence)
  keep(ticket, group, fence, 1)
  redis.call('HSET', HELD, ticket, text(fence) .. '\\0' .. group)
  changed[group] = true
end
-- No longer held or in line.
local function drop(ticket, group)
  if held[ticket] then
    group = held[ticket].group
    keep(ticket, group, nil, -1)
    held[ticket] = nil
    redis.call('HDEL', HELD, ticket)
    changed[group] = true
  elseif redis.call('ZREM', lineOf(group), ticket) == 1 then
    changed[group] = true
  end
end

-- The place of an entry and its dead callers leave the line. True if someone still waits for it or holds it.
local function hasCaller(prefix)
  local found = false
  for _, ticket in ipairs(redis.call('ZRANGEBYLEX', lineOf(''), '[' .. prefix, '(' .. prefix .. '\\255')) do
    if leftAt(ticket) then drop(ticket, '') else found = true end
  end
  for ticket in pairs(held) do found = found or string.sub(ticket, 1, #prefix) == prefix end
  return found
end
local function prefixOf(ticket) return string.match(ticket, '^(.*%z)') end
local function entryKey(prefix) return 'entry ' .. string.match(prefix, '%z(.*)%z$') end
-- The entry keeps its place since then, unless it has a caller.
local function keepPlace(prefix, since)
  if hasCaller(prefix) then return end
  if since + request.unattendedMs > now and redis.call('HEXISTS', META, entryKey(prefix)) == 1 then
    redis.call('ZADD', lineOf(''), 0, prefix .. '!' .. text(since))
    changed[''] = true
  else
    redis.call('HDEL', META, entryKey(prefix))
  end
end
local function noteEntry(prefix) redis.call('HSET', META, entryKey(prefix), string.match(prefix, '^[^%z]*')) end

-- The next group: the fewest held, then the longest since its last grant, then the earliest caller.
local function sortGroups()
  for group in pairs(changed) do
    local arrival, lastKey = first(lineOf(group))[2], 'last ' .. group
    if arrival then
      local last = tonumber(redis.call('HGET', META, lastKey) or arrival - 2 ^ 40)
      redis.call('ZADD', NEXT, (heldBy[group] or 0) * 2 ^ 41 + last + (group == spare and 2 ^ 52 or 0), group)
      redis.call('PEXPIRE', lineOf(group), request.ttlMs)
    else
      redis.call('ZREM', NEXT, group)
      if (heldBy[group] or 0) == 0 then redis.call('HDEL', META, lastKey) end
    end
    changed[group], isChanged = nil, true
  end
end

for index = 1, #stored, 2 do
  local ticket = stored[index]
  local diedAt = leftAt(ticket)
  if diedAt then
    drop(ticket)
    if isLane then keepPlace(prefixOf(ticket), diedAt) end
  end
end

local n = tonumber(redis.call('HGET', META, 'n') or request.n)
for _, ticket in ipairs(request.tickets or {}) do
  local names, group, fence, arrival = ticket.names, ticket.group, ticket.fence, nil
  local name, line = names[#names], lineOf(group)
  for index = 1, #names - 1 do
    arrival = arrival or redis.call('ZSCORE', line, names[index])
    -- Granted under an earlier name, and its instance has not heard of it.
    fence = fence or held[names[index]] and held[names[index]].fence
    drop(names[index], group)
  end
  if ticket.state == 'left' or ticket.state == 'released' then
    drop(name, group)
    if isLane then keepPlace(prefixOf(name), ticket.state == 'left' and now or 0) end
  elseif fence and not held[name] then
    for other, lease in pairs(held) do
      -- The same lease under another name; or Redis came back with older data, and that one was given back since.
      if lease.fence == fence or lease.fence < fence and not isPermit then drop(other) end
    end
    -- Redis has forgotten it and it is free; or it is counted work that continues even if others have started meanwhile.
    if isPermit or count < n then
      drop(name, group)
      if isLane then noteEntry(prefixOf(name)) end
      hold(name, group, fence)
      if tonumber(redis.call('GET', fences) or 0) < fence then redis.call('SET', fences, text(fence)) end
    end
  elseif not held[name] and not redis.call('ZSCORE', line, name) then
    n = request.n
    if isLane then hasCaller(prefixOf(name)) end
    if isLane and not arrival then noteEntry(prefixOf(name)) end
    redis.call('ZADD', line, isLane and 0 or arrival or redis.call('INCR', fences), name)
    changed[group] = true
  end
end
if request.enqueued then
  local prefix = request.enqueued[2] .. '\\0' .. request.enqueued[1] .. '\\0'
  noteEntry(prefix)
  keepPlace(prefix, now)
end
local order = request.removed and redis.call('HGET', META, 'entry ' .. request.removed)
if order then
  redis.call('HDEL', META, 'entry ' .. request.removed)
  hasCaller(order .. '\\0' .. request.removed .. '\\0')
end
redis.call('HSET', META, 'n', n)
sortGroups()

local granted, rounds = {}, 0
while settlingMs <= 0 and count < n and rounds < ${queueBatch} do
  rounds = rounds + 1
  local group = first(NEXT)[1]
  -- Work that nobody waits for leaves one of several permits free.
  if not group or group == spare and count > 0 and count + 1 >= n then break end
  local ticket = first(lineOf(group))[1]
  local since, diedAt = ticket and placeSince(ticket), ticket and leftAt(ticket)
  if since and since + request.unattendedMs > now then
    -- It blocks the lane until a caller acquires it or it expires.
    atMost(since + request.unattendedMs - now)
    break
  end
  changed[group] = true
  if ticket then drop(ticket, group) end
  if ticket and not diedAt then
    local fence = redis.call('INCR', fences)
    hold(ticket, group, fence)
    redis.call('HSET', META, 'last ' .. group, fence)
    if sessionOf(ticket) ~= request.session then table.insert(granted, sessionOf(ticket)) end
  elseif ticket and isLane then
    keepPlace(prefixOf(ticket), diedAt)
  end
  sortGroups()
end
if rounds == ${queueBatch} then atMost(0) end

local mine, indexes, groups = {}, {}, {}
for ticket, lease in pairs(held) do
  if sessionOf(ticket) == request.session then
    table.insert(mine, { ticket, lease.fence })
  else
    atMost(untilOf(sessionOf(ticket)) - now)
  end
end
for _, asked in ipairs(request.asked or {}) do
  table.insert(indexes, redis.call('ZRANK', lineOf(asked[2]), asked[1]) or -1)
  redis.call('PEXPIRE', lineOf(asked[2]), request.ttlMs)
end
local waiting = redis.call('ZCARD', NEXT)
if isPermit and #indexes > 0 then
  for _, group in ipairs(redis.call('ZRANGE', NEXT, 0, ${comparedGroups - 1})) do
    if group ~= spare then
      table.insert(groups, { group, heldBy[group] or 0, redis.call('ZCARD', lineOf(group)) })
    end
  end
end

if waiting == 0 and count == 0 then redis.call('DEL', HELD, NEXT, META) end
if request.isLast then redis.call('ZREM', sessions, request.session) end
redis.call('PEXPIRE', sessions, request.ttlMs)
local keptMs = waiting == 0 and ${heldTtlMs} or request.ttlMs
for _, key in ipairs({ HELD, NEXT, META }) do redis.call('PEXPIRE', key, keptMs) end
if isChanged and (waiting > 0 or #granted > 0) then
  if #granted == 0 then granted = { '' } end
  redis.call('PUBLISH', '${channel}', cjson.encode({ 'queue', request.kind, base, request.session, granted }))
end
return { mine, indexes, groups, waiting, count, expiry }
`);
