/**
 * The Lua script behind lanes, permits and leases on Redis. An instance sends its changes since the last request
 * (joins, leaves, releases) and the leases it holds. The script updates the queue, grants what is free and returns what
 * belongs to the instance. Its cost depends on the request, not on how many wait. Times are by Redis's clock.
 *
 * A queue is these keys, which expire together and are deleted as soon as nobody waits or holds:
 *   m  hash: n, seq, grants            t  hash: ticket id -> ticket as JSON
 *   q  sorted set by text: all tickets as GROUP 0 SORT 0 ID, so the first of a group and a ticket's index are one look-up
 *   w  sorted set by text: OWNER 0 ID, of tickets that a caller waits for
 *   o  sorted set: owner -> until when it counts as alive here     p  sorted set: id of a kept place -> its expiry
 *   h  hash: id -> lease as JSON        g  hash: group -> permits held, number of its last grant, its member in n
 *   n  sorted set by text: groups, the next one first      e  hash: number of tickets of an entry, and whether removed
 */
import { spareGroup } from "../../memory/queues.ts";
import { channel, keyPrefix, redisScript, settlingKey } from "../connection.ts";
import { changesLua, queueBatch } from "./script-changes.ts";
import { positionsLua } from "./script-positions.ts";
import { ticketsLua } from "./script-tickets.ts";

/** Letters of the keys above. */
export const queueKeyNames = "mtqwophgne";

export type QueueLimits = {
  /** A lease that isn't renewed for this long expires. */
  readonly leaseMs: number;
  /** An entry that nobody is acquiring expires after this long. */
  readonly unattendedMs: number;
};

/** All keys of a queue expire this long after its last request. */
export const queueTtlMs = ({ leaseMs, unattendedMs }: QueueLimits) => 2 * leaseMs + unattendedMs;

/**
 * KEYS: the queue, the fence counter. ARGV: the request as JSON (see exchange.ts).
 * Returns { grants: id, fence, …; positions: id, position, …; lost: id, …; ms until something expires, or -1;
 * number of tickets of this instance; number of all tickets }.
 */
export const queueScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local request = cjson.decode(ARGV[1])
local base = KEYS[1]
local M, T, Q, W, O = base .. ':m', base .. ':t', base .. ':q', base .. ':w', base .. ':o'
local P, H, G, N, E = base .. ':p', base .. ':h', base .. ':g', base .. ':n', base .. ':e'
local keys = { M, T, Q, W, O, P, H, G, N, E }
local batch = ${queueBatch}
local owner = request.owner
local spare = '${spareGroup}'
local changed, more = false, false
local seq = tonumber(redis.call('HGET', M, 'seq') or 0)
local settlingMs = redis.call('PTTL', '${settlingKey}')

${ticketsLua}
${changesLua}

-- Grants what is free, unless Redis must settle first.
local granted, grantedOwners = {}, {}
for _ = 1, batch do
  if settlingMs > 0 or heldCount >= n then break end
  local following = redis.call('ZRANGE', N, 0, 0)[1]
  if not following then break end
  local name = lastPart(following)
  -- Nobody else waits. Of several permits, one stays free.
  if name == spare and heldCount > 0 and heldCount + 1 >= n then break end
  local id = lastPart(firstOf(name))
  local ticket = cjson.decode(redis.call('HGET', T, id))
  -- A kept place blocks the queue until a caller acquires it or it expires.
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

-- What the instance holds now.
local grants = {}
for id, lease in pairs(held) do
  if lease.owner == owner then
    renew(id)
    table.insert(grants, id)
    table.insert(grants, string.format('%.0f', lease.fence))
  end
end

${positionsLua}

-- How long the instance can wait before it asks again.
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

-- Tells the others.
if changed and (#grantedOwners > 0 or redis.call('ZCARD', O) > (mine > 0 and 1 or 0)) then
  if #grantedOwners == 0 then grantedOwners = { '' } end
  redis.call('PUBLISH', '${channel}', cjson.encode({ 'queue', base, grantedOwners }))
end
local waiting = redis.call('ZCARD', Q)
if waiting == 0 and heldCount == 0 then
  redis.call('DEL', unpack(keys))
else
  for _, key in ipairs(keys) do redis.call('PEXPIRE', key, request.ttlMs) end
end
return { grants, positions, lost, expiry, mine, waiting }
`);

export const queueKeyPrefix = `${keyPrefix}queue:`;
export const fenceKey = `${keyPrefix}fence`;
