/**
 * Part of the queue script: reads the leases, and defines how leases, tickets and groups change.
 */

/** Sets `held` and `heldCount`. `changed` says whether others must be told, `dirty` which groups must be saved. */
export const ticketsLua = `
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
    -- What nobody waits for comes after all digits.
    group.member = (name == spare and '~' or '') .. pad(group.held) .. pad(group.last) .. string.sub(first, #name + 2) .. '\\0' .. name
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
`;
