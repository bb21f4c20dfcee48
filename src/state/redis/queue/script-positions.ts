/**
 * Part of the queue script: computes positions of tickets without reading the tickets before them.
 *
 * Permits reach groups in rounds: in round r, one ticket of every group that would then hold r. Within a round, groups
 * that begin later come first; the others keep their current order. So a ticket's position follows from its index in its
 * group and from how many tickets each group holds and has waiting. Beyond maxGroups it is an estimate, exact at the
 * front.
 */
const maxGroups = 64;

/** Reads request.asked; sets `positions`. */
export const positionsLua = `
local function tableOfGroups()
  local rows = {}
  for _, member in ipairs(redis.call('ZRANGE', N, 0, -1)) do
    local name = lastPart(member)
    if name ~= spare then
      local waits = redis.call('ZLEXCOUNT', Q, '[' .. name .. '\\0', '(' .. name .. '\\1')
      table.insert(rows, { name = name, held = groupOf(name).held, waits = waits })
    end
  end
  return rows
end
local groupCount = redis.call('ZCARD', N)
if #request.asked > 0 and groupOf(spare).member ~= '' then groupCount = groupCount - 1 end
local rows = #request.asked > 0 and groupCount > 1 and groupCount <= ${maxGroups} and tableOfGroups()
local ranks = {}
if rows then
  for rank, row in ipairs(rows) do row.rank = rank end
  table.sort(rows, function(a, b)
    if a.held ~= b.held then return a.held > b.held end
    return a.rank < b.rank
  end)
  for rank, row in ipairs(rows) do ranks[row.name] = rank end
end
-- Places in all earlier rounds, and in this one up to each rank.
local rounds = {}
local function inRound(number)
  if not rounds[number] then
    local before, places, upTo = 0, 0, {}
    for rank, row in ipairs(rows) do
      before = before + math.min(row.waits, math.max(0, number - row.held))
      if row.held <= number and number < row.held + row.waits then places = places + 1 end
      upTo[rank] = places
    end
    rounds[number] = { before = before, upTo = upTo }
  end
  return rounds[number]
end
local function positionOf(id, ticket)
  local name = ticket.group
  local member = memberOf(id, ticket)
  local index = redis.call('ZLEXCOUNT', Q, '[' .. name .. '\\0', '(' .. member)
  if groupCount <= 1 then return index + 1 end
  if not rows then
    local rank = redis.call('ZRANK', N, groupOf(name).member) or 0
    return math.min(redis.call('ZCARD', Q), index * groupCount + rank + 1)
  end
  local round = inRound(groupOf(name).held + index)
  return round.before + round.upTo[ranks[name]]
end
local positions = {}
for _, id in ipairs(request.asked) do
  local stored = redis.call('HGET', T, id)
  local ticket = stored and cjson.decode(stored)
  if ticket and ticket.group ~= spare then
    local position = positionOf(id, ticket)
    if request.keepsPlace then position = math.max(1, position - 1 + heldCount) end
    table.insert(positions, id)
    table.insert(positions, string.format('%.0f', position))
  end
end
`;
