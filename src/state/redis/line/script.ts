/**
 * The Lua script behind lanes, permits and leases on Redis. An instance sends its changes since the last request (joins,
 * leaves, releases) and the leases it holds. The script updates the line, grants what is free and returns what belongs to
 * the instance. Its cost depends on the request, not on how many wait. Times are by Redis's clock.
 *
 * A line is these keys, which expire together and are deleted as soon as nobody waits or holds:
 *   m  hash: n, seq, grants            t  hash: ticket id -> ticket as JSON
 *   q  sorted set by text: all tickets as GROUP 0 SORT 0 ID, so the first of a group and a ticket's index are one look-up
 *   w  sorted set by text: OWNER 0 ID, of tickets that a caller waits for
 *   o  sorted set: owner -> until when it counts as alive here     p  sorted set: id of a kept place -> its expiry
 *   h  hash: id -> lease as JSON        g  hash: group -> permits held, number of its last grant, its member in n
 *   n  sorted set by text: groups, the next one first      e  hash: number of tickets of an entry, and whether removed
 */
import { channel, keyPrefix, redisScript, settlingKey, upgradingKey } from "../connection.ts";
import { positionsLua } from "./script-positions.ts";

/** Letters of the keys above. */
export const lineKeyNames = "mtqwophgne";

export type LineLimits = {
  /** A lease that isn't renewed for this long expires. */
  readonly leaseMs: number;
  /** An entry that nobody is acquiring expires after this long. */
  readonly unattendedMs: number;
};

/** All keys of a line expire this long after its last request. */
export const lineTtlMs = ({ leaseMs, unattendedMs }: LineLimits) => 2 * leaseMs + unattendedMs;

/** Most changes of each kind in one request, and most clean-ups in one run: 1 to 2 ms of Redis. */
export const lineBatch = 50;

/**
 * KEYS: the line, the fence counter. ARGV: the request as JSON (see line.ts).
 * Returns { grants: id, fence, …; positions: id, position, …; lost: id, …; ms until something expires, or -1;
 * number of tickets of this instance; number of all tickets }.
 */
export const lineScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local request = cjson.decode(ARGV[1])
local base = KEYS[1]
local M, T, Q, W, O = base .. ':m', base .. ':t', base .. ':q', base .. ':w', base .. ':o'
local P, H, G, N, E = base .. ':p', base .. ':h', base .. ':g', base .. ':n', base .. ':e'
local keys = { M, T, Q, W, O, P, H, G, N, E }
local batch = ${lineBatch}
local owner = request.owner
local changed, more = false, false
local seq = tonumber(redis.call('HGET', M, 'seq') or 0)

local held, heldCount = {}, 0
local flat = redis.call('HGETALL', H)
for index = 1, #flat, 2 do
  held[flat[index]] = cjson.decode(flat[index + 1])
  heldCount = heldCount + 1
end

local function pad(number) return string.format('%016.0f', number) end
local function lastPart(member) return string.match(member, '([^%z]*)$') end
local function memberOf(id, ticket)
  local sort = pad(ticket.seq)
  if request.keepsPlace then sort = ticket.order .. '\\0' .. ticket.entry .. '\\0' .. sort end
  return ticket.group .. '\\0' .. sort .. '\\0' .. id
end
local function firstOf(group)
  return redis.call('ZRANGEBYLEX', Q, '[' .. group .. '\\0', '(' .. group .. '\\1', 'LIMIT', 0, 1)[1]
end

local groups, dirty = {}, {}
local function groupOf(name)
  if not groups[name] then
    local stored = redis.call('HGET', G, name)
    groups[name] = stored and cjson.decode(stored) or { held = 0, last = 0, member = '' }
  end
  return groups[name]
end
-- The next group: the fewest permits held, then the longest since its last grant, then the earliest ticket.
local function saveGroup(name)
  local group, first = groupOf(name), firstOf(name)
  if group.member ~= '' then redis.call('ZREM', N, group.member) end
  group.member = ''
  if first then
    group.member = pad(group.held) .. pad(group.last) .. string.sub(first, #name + 2) .. '\\0' .. name
    redis.call('ZADD', N, 0, group.member)
  elseif group.held <= 0 then
    redis.call('HDEL', G, name)
    groups[name] = nil
    return
  end
  redis.call('HSET', G, name, cjson.encode(group))
end
local function saveGroups()
  for name in pairs(dirty) do saveGroup(name) end
  dirty = {}
end

local function addHeld(id, lease)
  held[id] = lease
  heldCount = heldCount + 1
  groupOf(lease.group).held = groupOf(lease.group).held + 1
  dirty[lease.group] = true
end
local function removeHeld(id)
  local lease = held[id]
  if not lease then return nil end
  held[id] = nil
  heldCount = heldCount - 1
  redis.call('HDEL', H, id)
  groupOf(lease.group).held = groupOf(lease.group).held - 1
  dirty[lease.group] = true
  changed = true
  return lease
end
local function renew(id)
  held[id].untilMs = now + request.leaseMs
  redis.call('HSET', H, id, cjson.encode(held[id]))
end

local function addTicket(id, ticket)
  seq = seq + 1
  ticket.seq = seq
  redis.call('HSET', T, id, cjson.encode(ticket))
  redis.call('ZADD', Q, 0, memberOf(id, ticket))
  dirty[ticket.group] = true
  changed = true
end
local function removeTicket(id)
  local stored = redis.call('HGET', T, id)
  if not stored then return nil end
  local ticket = cjson.decode(stored)
  redis.call('HDEL', T, id)
  redis.call('ZREM', Q, memberOf(id, ticket))
  if ticket.owner == '' then
    redis.call('ZREM', P, id)
  else
    redis.call('ZREM', W, ticket.owner .. '\\0' .. id)
    if request.keepsPlace and redis.call('HINCRBY', E, 'n' .. ticket.entry, -1) <= 0 then
      ticket.isRemoved = redis.call('HGET', E, 'r' .. ticket.entry)
      redis.call('HDEL', E, 'n' .. ticket.entry, 'r' .. ticket.entry)
    end
  end
  dirty[ticket.group] = true
  changed = true
  return ticket
end

local function keepPlace(entry, order)
  local id = 'place:' .. entry
  if not request.keepsPlace then return end
  if redis.call('HEXISTS', E, 'n' .. entry) == 1 or redis.call('HEXISTS', T, id) == 1 then return end
  for _, lease in pairs(held) do
    if lease.entry == entry then return end
  end
  addTicket(id, { owner = '', entry = entry, order = order, group = '' })
  redis.call('ZADD', P, now + request.unattendedMs, id)
end
local function leave(id)
  local ticket = removeTicket(id)
  if ticket and ticket.owner ~= '' and not ticket.isRemoved then keepPlace(ticket.entry, ticket.order) end
end
local function isAlive(other)
  return other == owner or tonumber(redis.call('ZSCORE', O, other) or 0) > now
end

for _, id in ipairs(request.released) do removeHeld(id) end

local lost = {}
local n = tonumber(redis.call('HGET', M, 'n') or request.n)
for _, mine in ipairs(request.held) do
  if held[mine.id] then
    renew(mine.id)
  elseif request.isCounted or heldCount < n then
    -- Redis has forgotten it and it is free; or it is counted work that continues even if others have started meanwhile.
    mine.owner = owner
    addHeld(mine.id, mine)
    renew(mine.id)
    if tonumber(redis.call('GET', KEYS[2]) or '0') < mine.fence then
      redis.call('SET', KEYS[2], string.format('%.0f', mine.fence))
    end
  else
    table.insert(lost, mine.id)
  end
end

local expired = {}
for id, lease in pairs(held) do
  if lease.untilMs <= now then table.insert(expired, id) end
end
for _, id in ipairs(expired) do
  local lease = removeHeld(id)
  -- Keeps its place for the instance that resumes it.
  keepPlace(lease.entry, lease.order)
end

for _, id in ipairs(request.left) do
  leave(id)
  -- Granted just when it was given up.
  local lease = removeHeld(id)
  if lease then keepPlace(lease.entry, lease.order) end
end
for _, entry in ipairs(request.removed) do
  removeTicket('place:' .. entry)
  if redis.call('HEXISTS', E, 'n' .. entry) == 1 then redis.call('HSET', E, 'r' .. entry, 1) end
end
for _, place in ipairs(request.enqueued) do
  redis.call('HDEL', E, 'r' .. place.entry)
  keepPlace(place.entry, place.order)
end

for _, wanted in ipairs(request.joined) do
  if redis.call('HEXISTS', T, wanted.id) == 0 and not held[wanted.id] then
    n = request.n
    if request.keepsPlace then
      removeTicket('place:' .. wanted.entry)
      redis.call('HINCRBY', E, 'n' .. wanted.entry, 1)
      redis.call('HDEL', E, 'r' .. wanted.entry)
    end
    redis.call('ZADD', W, 0, owner .. '\\0' .. wanted.id)
    addTicket(wanted.id, { owner = owner, entry = wanted.entry, order = wanted.order, group = wanted.group })
  end
end
local function ticketsOf(one) return redis.call('ZLEXCOUNT', W, '[' .. one .. '\\0', '(' .. one .. '\\1') end
if ticketsOf(owner) > 0 then redis.call('ZADD', O, now + request.leaseMs, owner) end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', P, '-inf', now, 'LIMIT', 0, batch)) do removeTicket(id) end
local dead = redis.call('ZRANGEBYSCORE', O, '-inf', now, 'LIMIT', 0, 1)[1]
if dead then
  local left = redis.call('ZRANGEBYLEX', W, '[' .. dead .. '\\0', '(' .. dead .. '\\1', 'LIMIT', 0, batch)
  for _, member in ipairs(left) do leave(lastPart(member)) end
  if #left < batch then redis.call('ZREM', O, dead) end
  more = true
end
saveGroups()

local settlingMs = math.max(redis.call('PTTL', '${settlingKey}'), redis.call('PTTL', '${upgradingKey}'))
local granted, grantedOwners = {}, {}
for _ = 1, batch do
  if settlingMs > 0 or heldCount >= n then break end
  local following = redis.call('ZRANGE', N, 0, 0)[1]
  if not following then break end
  local name = lastPart(following)
  local id = lastPart(firstOf(name))
  local ticket = cjson.decode(redis.call('HGET', T, id))
  -- A kept place blocks the line until a caller acquires it or it expires.
  if ticket.owner == '' then break end
  if isAlive(ticket.owner) then
    removeTicket(id)
    local lease = {
      owner = ticket.owner, entry = ticket.entry, order = ticket.order, group = name,
      fence = redis.call('INCR', KEYS[2])
    }
    addHeld(id, lease)
    renew(id)
    groupOf(name).last = redis.call('HINCRBY', M, 'grants', 1)
    if ticket.owner ~= owner and not granted[ticket.owner] then
      granted[ticket.owner] = true
      table.insert(grantedOwners, ticket.owner)
    end
  else
    leave(id)
  end
  saveGroups()
end

redis.call('HSET', M, 'n', n, 'seq', seq)

local grants = {}
for id, lease in pairs(held) do
  if lease.owner == owner then
    renew(id)
    table.insert(grants, id)
    table.insert(grants, string.format('%.0f', lease.fence))
  end
end

${positionsLua}

local expiry = settlingMs > 0 and settlingMs or -1
local function atMost(untilMs)
  if expiry < 0 or untilMs - now < expiry then expiry = math.max(0, untilMs - now) end
end
for _, lease in pairs(held) do
  if lease.owner ~= owner then atMost(lease.untilMs) end
end
local mine = ticketsOf(owner)
if mine == 0 then redis.call('ZREM', O, owner) end
local owners = redis.call('ZRANGE', O, 0, 1, 'WITHSCORES')
for index = 1, #owners, 2 do
  if owners[index] ~= owner then atMost(tonumber(owners[index + 1])) end
end
local place = redis.call('ZRANGE', P, 0, 0, 'WITHSCORES')
if place[2] then atMost(tonumber(place[2])) end
if more then expiry = 0 end

if changed and (#grantedOwners > 0 or redis.call('ZCARD', O) > (mine > 0 and 1 or 0)) then
  if #grantedOwners == 0 then grantedOwners = { '' } end
  redis.call('PUBLISH', '${channel}', cjson.encode({ 'line', base, grantedOwners }))
end
local waiting = redis.call('ZCARD', Q)
if waiting == 0 and heldCount == 0 then
  redis.call('DEL', unpack(keys))
else
  for _, key in ipairs(keys) do redis.call('PEXPIRE', key, request.ttlMs) end
end
return { grants, positions, lost, expiry, mine, waiting }
`);

export const lineKeyPrefix = `${keyPrefix}queue:`;
export const fenceKey = `${keyPrefix}fence`;
