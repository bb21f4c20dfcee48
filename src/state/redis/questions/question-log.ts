/**
 * The question log on Redis: each entry is one line of text, and sorted sets hold the ids of what filters ask for most.
 * A script walks the smallest of the sets some thousand ids at a time, and compares the other parts with the line.
 */
import type { QuestionCursor, QuestionFilter, QuestionLogStore } from "../../../core/overview/question-log.ts";
import { entryRecord, readEntry } from "../../stored-entry.ts";
import { keyPrefix, type RedisConnection, redisScript } from "../connection.ts";
import { encode, filterParts, lineOf, parsedLine } from "./question-line.ts";

const prefix = `${keyPrefix}question-log:`;
const linesKey = `${prefix}lines`;
const allKey = `${prefix}all`;
const refsKey = `${prefix}refs`;

/** Ids looked at by one call: about 3 ms of Redis. Lua's unpack takes at most 8,000. */
const perStep = 3_000;
const perPage = 500;
const removedPerCall = 200;
const refsPerCall = 1_000;

/** Further sets that a line is in. Most questions are answered, so there is none of these. */
const setsOf = `
local function setsOf(line)
  local sets = {}
  for _, name in ipairs({ 'a', 'b', 'c', 'g', 'k', 'o', 'p', 'w' }) do
    local value = string.match(line, '\\t' .. name .. '=([^\\t]*)')
    if value and not (name == 'o' and value == 'answered') then
      table.insert(sets, ARGV[1] .. name .. ':' .. value)
    end
  end
  return sets
end
local function forget(id)
  local line = redis.call('HGET', KEYS[1], id)
  if line then
    for _, set in ipairs(setsOf(line)) do redis.call('ZREM', set, id) end
    local ref = string.match(line, '\\tr=([^\\t]*)')
    if ref then redis.call('ZREM', KEYS[3], ref .. '\\t' .. id) end
    redis.call('HDEL', KEYS[1], id)
  end
  redis.call('ZREM', KEYS[2], id)
end
`;

/** KEYS: lines, all, refs. ARGV: prefix, then id, time and line of each entry. */
const putScript = redisScript(`${setsOf}
for at = 2, #ARGV, 3 do
  local id, time, line = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  forget(id)
  redis.call('HSET', KEYS[1], id, line)
  redis.call('ZADD', KEYS[2], time, id)
  for _, set in ipairs(setsOf(line)) do redis.call('ZADD', set, time, id) end
  local ref = string.match(line, '\\tr=([^\\t]*)')
  if ref then redis.call('ZADD', KEYS[3], 0, ref .. '\\t' .. id) end
end
`);

/** KEYS: lines, all, refs. ARGV: prefix, ids. */
const removeScript = redisScript(`${setsOf}
for at = 2, #ARGV do forget(ARGV[at]) end
`);

/** KEYS: lines, all, refs. ARGV: prefix, before, the most to remove. Returns how many it removed. */
const pruneScript = redisScript(`${setsOf}
local ids = redis.call('ZRANGE', KEYS[2], '-inf', '(' .. ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do forget(id) end
return #ids
`);

/**
 * KEYS: lines, the set to walk. ARGV: the highest time, the lowest time, an id at the highest time that the walk comes
 * after or "", how many to skip, how many to look at, the most to find, "count" or "read", then what a line contains.
 * Returns how many it looked at, the time and id of the last one, how many match, and their ids and lines.
 */
const walkScript = redisScript(`
local ids = redis.call('ZRANGE', KEYS[2], ARGV[1], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', ARGV[4], ARGV[5], 'WITHSCORES')
local looked, wanted = {}, {}
for at = 1, #ids, 2 do
  if ARGV[3] == '' or ids[at + 1] ~= ARGV[1] or ids[at] < ARGV[3] then
    wanted[#wanted + 1] = ids[at]
    looked[#looked + 1] = at
  end
end
local found, count, most, last = {}, 0, tonumber(ARGV[6]), #ids - 1
if #wanted > 0 and count < most then
  local lines = redis.call('HMGET', KEYS[1], unpack(wanted))
  for index, line in ipairs(lines) do
    local matches = line ~= false
    for part = 8, #ARGV do
      if not matches then break end
      matches = string.find(line, ARGV[part], 1, true) ~= nil
    end
    if matches then
      count = count + 1
      if ARGV[7] == 'read' then
        found[#found + 1] = wanted[index]
        found[#found + 1] = line
      end
      if count == most then
        last = looked[index]
        break
      end
    end
  end
end
return { #ids / 2, ids[last + 1] or '', ids[last] or '', count, found }
`);

type Walked = readonly [number, string, string, number, readonly string[]];

export function createRedisQuestionLog({ run, evaluate, damaged }: RedisConnection): QuestionLogStore {
  const keys = [linesKey, allKey, refsKey];

  const entryOf = (id: string, line: string) => readEntry(parsedLine(id, line), id, damaged);

  /** The smallest of the sets that hold all that match, and what a line of it must contain. */
  async function walkOf(filter: QuestionFilter) {
    const parts = filterParts(filter);
    const sets = parts.flatMap(({ set }) => (set === undefined ? [] : [prefix + set]));
    const sizes = await Promise.all(sets.map((set) => run((client) => client.zCard(set))));
    const [smallest] = sets.map((set, at) => ({ set, size: sizes[at] ?? 0 })).sort((a, b) => a.size - b.size);
    const set = smallest?.set ?? allKey;
    const contains = parts.flatMap((part) =>
      part.set !== undefined && prefix + part.set === set ? [] : [part.contains],
    );
    return { set, contains };
  }

  /** Calls back with each piece of the walk until it returns false. */
  async function walk(
    filter: QuestionFilter,
    after: QuestionCursor | undefined,
    how: "count" | "read",
    most: (soFar: number) => number,
    onFound: (found: readonly string[]) => void,
  ): Promise<number> {
    const { set, contains } = await walkOf(filter);
    const lowest = String(filter.fromMs ?? "-inf");
    let highest = filter.untilMs === undefined ? "+inf" : `(${filter.untilMs}`;
    let afterId = "";
    if (after !== undefined && (filter.untilMs === undefined || after.askedAtMs < filter.untilMs)) {
      [highest, afterId] = [String(after.askedAtMs), after.id];
    }
    if (how === "count" && contains.length === 0) return run((client) => client.zCount(set, lowest, highest));
    let skip = 0;
    let count = 0;
    for (;;) {
      const args = [highest, lowest, afterId, String(skip), String(perStep), String(most(count)), how, ...contains];
      const [looked, time, id, matched, found] = (await evaluate(walkScript, [linesKey, set], args)) as Walked;
      count += matched;
      onFound(found);
      if (most(count) <= 0 || looked < perStep) return count;
      // All of them were asked at the same moment and came before.
      const isStuck = time === highest && afterId !== "" && id >= afterId;
      skip = isStuck ? skip + perStep : 0;
      if (!isStuck) [highest, afterId] = [time, id];
    }
  }

  async function find(filter: QuestionFilter, limit: number, after: QuestionCursor | undefined) {
    const found: string[] = [];
    await walk(
      filter,
      after,
      "read",
      (soFar) => limit - soFar,
      (more) => found.push(...more),
    );
    return pairs(found);
  }

  /** Few questions share a reference. */
  async function findByRef(filter: QuestionFilter & { readonly ref: string }, after: QuestionCursor | undefined) {
    const { ref, fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = filter;
    const found: { readonly id: string; readonly line: string }[] = [];
    for (let offset = 0, read = refsPerCall; read === refsPerCall; offset += read) {
      const limit = { BY: "LEX", LIMIT: { offset, count: refsPerCall } } as const;
      const members = await run((client) => client.zRange(refsKey, `[${encode(ref)}\t`, `(${encode(ref)}\n`, limit));
      const ids = members.map((member) => member.slice(encode(ref).length + 1));
      const lines = ids.length === 0 ? [] : await run((client) => client.hmGet(linesKey, ids));
      found.push(...ids.map((id, at) => ({ id, line: lines[at] ?? "" })));
      read = members.length;
    }
    const contains = filterParts(filter).map((part) => part.contains);
    return found
      .filter(({ line }) => contains.every((part) => line.includes(part)))
      .map((one) => ({ ...one, askedAtMs: timeOf(one.line) }))
      .filter(({ askedAtMs, id }) => askedAtMs >= fromMs && askedAtMs < untilMs && isAfter({ askedAtMs, id }, after))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  }

  const page: QuestionLogStore["page"] = async (filter, limit, after) => {
    const { ref } = filter;
    const found = ref === undefined ? await find(filter, limit + 1, after) : await findByRef({ ...filter, ref }, after);
    const shown = found.slice(0, limit);
    const entries = shown.flatMap(({ id, line }) => entryOf(id, line));
    const last = found.length > limit ? shown.at(-1) : undefined;
    return last === undefined ? { entries } : { entries, next: { askedAtMs: timeOf(last.line), id: last.id } };
  };

  return {
    put: async (entries) => {
      for (let from = 0; from < entries.length; from += removedPerCall) {
        const args = entries
          .slice(from, from + removedPerCall)
          .flatMap((entry) => [entry.id, String(entry.askedAtMs), lineOf(entry)]);
        await evaluate(putScript, keys, [prefix, ...args]);
      }
      for (const { id } of entries) damaged.remove(entryRecord(id));
    },
    remove: async (ids) => {
      if (ids.length > 0) await evaluate(removeScript, keys, [prefix, ...ids]);
      for (const id of ids) damaged.remove(entryRecord(id));
    },
    get: async (id) => {
      const line = await run((client) => client.hGet(linesKey, id));
      return typeof line === "string" ? entryOf(id, line)[0] : undefined;
    },
    page,
    count: async (filter, most) => {
      const { ref } = filter;
      const count =
        ref === undefined
          ? await walk(
              filter,
              undefined,
              "count",
              (soFar) => most + 1 - soFar,
              () => {},
            )
          : (await findByRef({ ...filter, ref }, undefined)).length;
      return count > most ? { count: most, isMore: true } : { count, isMore: false };
    },
    all: async function* (filter) {
      let after: QuestionCursor | undefined;
      do {
        const { entries, next } = await page(filter, perPage, after);
        yield* entries;
        after = next;
      } while (after !== undefined);
    },
    prune: async (beforeMs) => {
      let count = 0;
      for (let pruned = removedPerCall; pruned === removedPerCall; count += pruned) {
        pruned = Number(await evaluate(pruneScript, keys, [prefix, String(beforeMs), String(removedPerCall)]));
      }
      return count;
    },
  };
}

function pairs(flat: readonly string[]): readonly { readonly id: string; readonly line: string }[] {
  return flat.flatMap((id, at) => (at % 2 === 0 ? [{ id, line: flat[at + 1] ?? "" }] : []));
}

function timeOf(line: string): number {
  return Number(/\tt=(\d+)/.exec(line)?.[1] ?? 0);
}

/** In the order of pages, newest first. */
function isAfter(one: QuestionCursor, other: QuestionCursor | undefined): boolean {
  if (other === undefined || one.askedAtMs < other.askedAtMs) return true;
  return one.askedAtMs === other.askedAtMs && one.id < other.id;
}
