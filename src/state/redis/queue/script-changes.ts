/**
 * Part of the queue script: applies what the instance sent, and cleans up after leases and instances that expired.
 */

/** Most changes of each kind in one request, and most clean-ups in one run: 1 to 2 ms of Redis. */
export const queueBatch = 50;

/** Sets `lost` and `n`, and `more` if there is more to clean up. */
export const changesLua = `
for _, id in ipairs(request.released) do removeHeld(id) end

local lost = {}
local n = tonumber(redis.call('HGET', M, 'n') or request.n)
-- Redis came back with older data: a lease that was granted later shows that what it remembers is over.
local function endEarlier(fence)
  for id, lease in pairs(held) do
    if lease.fence < fence then removeHeld(id) end
  end
end
for _, mine in ipairs(request.held) do
  if not held[mine.id] and settlingMs > 0 and not request.isCounted then endEarlier(mine.fence) end
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
`;
