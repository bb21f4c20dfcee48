/**
 * The one script behind lanes, permits and leases on Redis. An instance sends everything that it wants of a line
 * (waits for, holds, gives back), and the script reconciles: so a lost answer is repaired by asking again, a Redis that
 * forgot everything is told again, and one round trip does whatever there is to do.
 *
 * A line is one JSON value: { n, seq, grants, served, tickets: [waiting], held: [granted] }. Its times are Redis's own.
 */
import { channel, keyPrefix, redisScript, settlingKey } from "./redis-connection.ts";

/**
 * KEYS: the line, the counter of fences. ARGV: the request as JSON (see redis-line.ts).
 * Answers { grants: id, fence, …; positions: id, position, …; lost: id, …; ms until something lapses }.
 */
export const lineScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local request = cjson.decode(ARGV[1])
local stored = redis.call('GET', KEYS[1])
local line = stored and cjson.decode(stored) or { seq = 0, grants = 0, served = {}, tickets = {}, held = {} }
local changed = false

local function indexOf(list, field, value)
  for index, item in ipairs(list) do
    if item[field] == value then return index end
  end
end

local function keepPlace(entry, order)
  if not request.keepsPlace then return end
  if indexOf(line.tickets, 'entry', entry) or indexOf(line.held, 'entry', entry) then return end
  line.seq = line.seq + 1
  table.insert(line.tickets, {
    id = 'place:' .. entry, owner = '', entry = entry, order = order, group = '', seq = line.seq,
    untilMs = now + request.unattendedMs
  })
  changed = true
end

for _, id in ipairs(request.released) do
  local index = indexOf(line.held, 'id', id)
  if index then
    table.remove(line.held, index)
    changed = true
  end
end

local lost = {}
for _, mine in ipairs(request.held) do
  local index = indexOf(line.held, 'id', mine.id)
  if index then
    line.held[index].untilMs = now + request.leaseMs
  elseif request.isCounted or #line.held < (line.n or request.n) then
    -- Redis has forgotten it, and nobody else has it; or it is work that goes on, whoever else has begun some meanwhile.
    mine.untilMs = now + request.leaseMs
    mine.owner = request.owner
    table.insert(line.held, mine)
    if tonumber(redis.call('GET', KEYS[2]) or '0') < mine.fence then
      redis.call('SET', KEYS[2], string.format('%.0f', mine.fence))
    end
  else
    table.insert(lost, mine.id)
  end
end

for index = #line.held, 1, -1 do
  local held = line.held[index]
  if held.untilMs <= now then
    table.remove(line.held, index)
    changed = true
    -- Whoever resumes it finds its old place.
    keepPlace(held.entry, held.order)
  end
end

for _, id in ipairs(request.left) do
  local index = indexOf(line.tickets, 'id', id)
  if index then
    local ticket = table.remove(line.tickets, index)
    changed = true
    if not ticket.removed then keepPlace(ticket.entry, ticket.order) end
  end
  -- Granted in the moment in which it was given up.
  index = indexOf(line.held, 'id', id)
  if index then
    local held = table.remove(line.held, index)
    changed = true
    keepPlace(held.entry, held.order)
  end
end

for _, entry in ipairs(request.removed) do
  for index = #line.tickets, 1, -1 do
    local ticket = line.tickets[index]
    if ticket.entry == entry then
      if ticket.owner == '' then
        table.remove(line.tickets, index)
        changed = true
      else
        ticket.removed = true
      end
    end
  end
end

for _, place in ipairs(request.enqueued) do
  keepPlace(place.entry, place.order)
end

for _, wanted in ipairs(request.waiting) do
  local index = indexOf(line.tickets, 'id', wanted.id)
  if index then
    line.tickets[index].untilMs = now + request.leaseMs
  elseif not indexOf(line.held, 'id', wanted.id) then
    local place = indexOf(line.tickets, 'id', 'place:' .. wanted.entry)
    if place then table.remove(line.tickets, place) end
    line.seq = line.seq + 1
    line.n = request.n
    table.insert(line.tickets, {
      id = wanted.id, owner = request.owner, entry = wanted.entry, order = wanted.order, group = wanted.group,
      seq = line.seq, untilMs = now + request.leaseMs
    })
    changed = true
  end
end

for index = #line.tickets, 1, -1 do
  if line.tickets[index].untilMs <= now then
    local ticket = table.remove(line.tickets, index)
    changed = true
    if ticket.owner ~= '' and not ticket.removed then keepPlace(ticket.entry, ticket.order) end
  end
end

table.sort(line.tickets, function(a, b)
  if a.order ~= b.order then return a.order < b.order end
  if a.entry ~= b.entry and request.keepsPlace then return a.entry < b.entry end
  return a.seq < b.seq
end)

-- Whom the permits reach, in that order: the group that holds fewest, then the one served longest ago, then the first.
local counts = {}
local active = {}
for _, held in ipairs(line.held) do
  counts[held.group] = (counts[held.group] or 0) + 1
  active[held.group] = true
end
local queues, groups = {}, {}
for _, ticket in ipairs(line.tickets) do
  active[ticket.group] = true
  if not queues[ticket.group] then
    queues[ticket.group] = { next = 1 }
    table.insert(groups, ticket.group)
  end
  table.insert(queues[ticket.group], ticket)
end
for group in pairs(line.served) do
  if not active[group] then line.served[group] = nil end
end

local served = {}
for group, grant in pairs(line.served) do served[group] = grant end
local free = (line.n or request.n) - #line.held
local settlingMs = redis.call('PTTL', '${settlingKey}')
if settlingMs > 0 then free = 0 end
local position = 0
local positions, grants, granted = {}, {}, {}
local grantsAhead = line.grants
for _ = 1, #line.tickets do
  local best
  for _, group in ipairs(groups) do
    if queues[group][queues[group].next] then
      local count, last = counts[group] or 0, served[group] or 0
      if not best or count < (counts[best] or 0) or (count == (counts[best] or 0) and last < (served[best] or 0)) then
        best = group
      end
    end
  end
  local ticket = queues[best][queues[best].next]
  queues[best].next = queues[best].next + 1
  counts[best] = (counts[best] or 0) + 1
  grantsAhead = grantsAhead + 1
  served[best] = grantsAhead
  free = free - 1
  if free >= 0 and ticket.owner == request.owner then
    local fence = redis.call('INCR', KEYS[2])
    line.grants = line.grants + 1
    line.served[best] = line.grants
    granted[ticket.id] = true
    table.insert(line.held, {
      id = ticket.id, owner = ticket.owner, entry = ticket.entry, order = ticket.order, group = ticket.group,
      fence = fence, untilMs = now + request.leaseMs
    })
    changed = true
  else
    -- A free permit that is another instance's stays for it.
    position = position + 1
    if ticket.owner == request.owner then
      local shown = position
      if request.keepsPlace then shown = math.max(1, position - 1 + #line.held) end
      table.insert(positions, ticket.id)
      table.insert(positions, tostring(shown))
    end
  end
end
for index = #line.tickets, 1, -1 do
  if granted[line.tickets[index].id] then table.remove(line.tickets, index) end
end
for _, held in ipairs(line.held) do
  if held.owner == request.owner then
    table.insert(grants, held.id)
    table.insert(grants, string.format('%.0f', held.fence))
  end
end

local lapse, last = settlingMs > 0 and settlingMs or -1, now
local hasOthers = false
for _, list in ipairs({ line.held, line.tickets }) do
  for _, item in ipairs(list) do
    if item.owner ~= request.owner and (lapse < 0 or item.untilMs - now < lapse) then lapse = item.untilMs - now end
    if item.untilMs > last then last = item.untilMs end
  end
end
for _, ticket in ipairs(line.tickets) do
  if ticket.owner ~= '' and ticket.owner ~= request.owner then hasOthers = true end
end
if last == now then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], cjson.encode(line), 'PX', last - now)
end
if changed and hasOthers then redis.call('PUBLISH', '${channel}', cjson.encode({ 'line', KEYS[1] })) end
return { grants, positions, lost, lapse }
`);

export const lineKeyPrefix = `${keyPrefix}line:`;
export const fenceKey = `${keyPrefix}fence`;
