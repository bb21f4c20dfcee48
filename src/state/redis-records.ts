/**
 * TurnStore and JobStore on Redis. A record is a hash with one field per key, each as JSON, so that a script can check
 * state and fence and replace single keys in one round trip without ever parsing the record (Lua's JSON cannot tell an
 * empty list from an empty object). Two sorted sets beside it: all records, and the unfinished ones, by creation time.
 */
import {
  type JobStore,
  type RecordStore,
  type TurnStore,
  unfinishedJobStates,
  unfinishedTurnStates,
} from "../bridge/ports/state.ts";
import type { Job, Turn } from "../bridge/words.ts";
import type { StoredRecord } from "./record-transition.ts";
import { keyPrefix, type RedisConnection, redisScript } from "./redis-connection.ts";

const pageSize = 200;

/** Every script gets the same: KEYS[1] is the store's prefix; ARGV[1] the unfinished states as ",a,b,". */
const prelude = `
local prefix = KEYS[1]
local function recordKey(id) return prefix .. 'record:' .. id end
local function eventKey(event) return prefix .. 'event:' .. event end
local allKey, unfinishedKey = prefix .. 'all', prefix .. 'unfinished'
local function indexState(id, state, createdAtMs)
  if string.find(ARGV[1], ',' .. state .. ',', 1, true) then
    redis.call('ZADD', unfinishedKey, createdAtMs, id)
  else
    redis.call('ZREM', unfinishedKey, id)
  end
end
local function remove(id)
  local event = redis.call('HGET', recordKey(id), 'eventKey')
  if event then redis.call('DEL', eventKey(cjson.decode(event))) end
  redis.call('DEL', recordKey(id))
  redis.call('ZREM', allKey, id)
  redis.call('ZREM', unfinishedKey, id)
end
`;

/** ARGV: id, event, state, created, then field and JSON pairs. Answers the record that has the event, or nothing. */
const createScript = redisScript(`${prelude}
local id, event = ARGV[2], ARGV[3]
local winner = redis.call('GET', eventKey(event))
if winner then
  local existing = redis.call('HGETALL', recordKey(winner))
  if #existing > 0 then return existing end
end
redis.call('SET', eventKey(event), id)
redis.call('HSET', recordKey(id), unpack(ARGV, 6))
redis.call('ZADD', allKey, ARGV[5], id)
indexState(id, ARGV[4], ARGV[5])
return {}
`);

/**
 * ARGV: id, the expected states as ",a,b,", new state, fence or "", number of removed fields, these, then pairs.
 * Answers the new record, or nothing when refused.
 */
const transitionScript = redisScript(`${prelude}
local id, key = ARGV[2], recordKey(ARGV[2])
local now = redis.call('HMGET', key, 'state', 'fence', 'createdAtMs')
if not now[1] or not string.find(ARGV[3], ',' .. cjson.decode(now[1]) .. ',', 1, true) then return {} end
if ARGV[5] ~= '' and tonumber(ARGV[5]) < tonumber(now[2]) then return {} end
local removed = tonumber(ARGV[6])
if removed > 0 then redis.call('HDEL', key, unpack(ARGV, 7, 6 + removed)) end
if ARGV[5] ~= '' then redis.call('HSET', key, 'fence', ARGV[5]) end
redis.call('HSET', key, 'state', cjson.encode(ARGV[4]), unpack(ARGV, 7 + removed))
indexState(id, ARGV[4], now[3])
return redis.call('HGETALL', key)
`);

/** ARGV: event. */
const byEventScript = redisScript(`${prelude}
local id = redis.call('GET', eventKey(ARGV[2]))
return id and redis.call('HGETALL', recordKey(id)) or {}
`);

/** ARGV: ids. */
const readScript = redisScript(`${prelude}
local records = {}
for index = 2, #ARGV do records[index - 1] = redis.call('HGETALL', recordKey(ARGV[index])) end
return records
`);

/** ARGV: limit. */
const recentScript = redisScript(`${prelude}
local records = {}
for index, id in ipairs(redis.call('ZRANGE', allKey, 0, ARGV[2] - 1, 'REV')) do
  records[index] = redis.call('HGETALL', recordKey(id))
end
return records
`);

/** ARGV: before, how many to pass over, how many to look at. Answers how many were deleted, how many were kept. */
const pruneScript = redisScript(`${prelude}
local deleted, kept = 0, 0
for _, id in ipairs(redis.call('ZRANGE', allKey, '-inf', '(' .. ARGV[2], 'BYSCORE', 'LIMIT', ARGV[3], ARGV[4])) do
  if redis.call('ZSCORE', unfinishedKey, id) then
    kept = kept + 1
  else
    remove(id)
    deleted = deleted + 1
  end
end
return { deleted, kept }
`);

/** ARGV: id. */
const deleteScript = redisScript(`${prelude} remove(ARGV[2])`);

/** A record of HGETALL's flat list; undefined for an empty one. */
function parse<R>(reply: unknown): R | undefined {
  const flat = reply as readonly string[];
  if (flat.length === 0) return undefined;
  const entries: [string, unknown][] = [];
  for (let index = 0; index < flat.length; index += 2) {
    entries.push([String(flat[index]), JSON.parse(String(flat[index + 1]))]);
  }
  // Written by this module from an R.
  return Object.fromEntries(entries) as R;
}

/** Field and JSON pairs of what is set. */
function fields(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [key, JSON.stringify(value)]));
}

const asList = (states: readonly string[]) => `,${states.join(",")},`;

function createRedisRecords<R extends StoredRecord, S extends R["state"] & string>(
  connection: RedisConnection,
  name: "turns" | "jobs",
  unfinishedStates: readonly S[],
): RecordStore<R, S> {
  const prefix = `${keyPrefix}${name}:`;
  const evaluate = (script: typeof createScript, ...args: readonly string[]) =>
    connection.evaluate(script, [prefix], [asList(unfinishedStates), ...args]);

  async function read(ids: readonly string[]): Promise<R[]> {
    const records = (await evaluate(readScript, ...ids)) as readonly unknown[];
    return records.flatMap((record) => parse<R>(record) ?? []);
  }

  return {
    create: async (record) => {
      const { id, eventKey, state, createdAtMs } = record;
      const reply = await evaluate(createScript, id, eventKey, state, String(createdAtMs), ...fields(record));
      const existing = parse<R>(reply);
      return existing === undefined ? { created: true } : { created: false, existing };
    },

    get: async (id) => (await read([id]))[0],

    getByEventKey: async (eventKey) => parse<R>(await evaluate(byEventScript, eventKey)),

    transition: async (id, from, to, patch = {}, fence) => {
      const { id: _, eventKey: __, createdAtMs: ___, state: ____, fence: _____, ...changes } = patch;
      const removed = Object.entries(changes).flatMap(([key, value]) => (value === undefined ? [key] : []));
      const reply = await evaluate(
        transitionScript,
        id,
        asList(from),
        to,
        fence === undefined ? "" : String(fence),
        String(removed.length),
        ...removed,
        ...fields(changes),
      );
      return parse<R>(reply);
    },

    unfinished: async function* () {
      const ids = await connection.run((client) => client.zRange(`${prefix}unfinished`, 0, -1));
      for (let start = 0; start < ids.length; start += pageSize) {
        for (const record of await read(ids.slice(start, start + pageSize))) {
          // It may have ended since the list was made.
          if (unfinishedStates.some((state) => state === record.state)) yield record;
        }
      }
    },

    recent: async (limit) => {
      if (limit <= 0) return [];
      const records = (await evaluate(recentScript, String(limit))) as readonly unknown[];
      return records.flatMap((record) => parse<R>(record) ?? []);
    },

    prune: async (beforeMs) => {
      let deletedInAll = 0;
      for (let keptInAll = 0; ; ) {
        const args = [beforeMs, keptInAll, pageSize].map(String);
        const [deleted = 0, kept = 0] = (await evaluate(pruneScript, ...args)) as readonly number[];
        deletedInAll += deleted;
        keptInAll += kept;
        if (deleted + kept < pageSize) return deletedInAll;
      }
    },

    delete: async (id) => {
      await evaluate(deleteScript, id);
    },
  };
}

export function createRedisTurnStore(connection: RedisConnection): TurnStore {
  return createRedisRecords<Turn, Turn["state"]>(connection, "turns", unfinishedTurnStates);
}

export function createRedisJobStore(connection: RedisConnection): JobStore {
  return createRedisRecords<Job, Job["state"]>(connection, "jobs", unfinishedJobStates);
}
