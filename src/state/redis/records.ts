/**
 * TurnStore and JobStore on Redis. A record is a hash with one JSON field per key, so that a script can check state and
 * fence and replace single keys in one round trip without parsing the record (Lua's JSON can't tell an empty list from
 * an empty object). Two sorted sets index them by creation time: all records, and the unfinished ones.
 */

import type { Job } from "../../ports/model/job.ts";
import { conversationKey } from "../../ports/model/place.ts";
import type { Turn } from "../../ports/model/turn.ts";
import {
  type JobStore,
  type RecordStore,
  type TurnOutline,
  type TurnStore,
  unfinishedJobStates,
  unfinishedTurnStates,
  type WaitingLimits,
} from "../../ports/state.ts";
import { createRecordReader, outlineFields, outlineOf } from "../record-check.ts";
import { conversationOf, type StoredRecord } from "../record-transition.ts";
import { keyPrefix, type RedisConnection, redisScript } from "./connection.ts";

const pageSize = 200;
/** Unfinished records read at once: 2 MB if each is 100 kB. */
const readPerTurn = 20;

/** Common to all scripts. KEYS[1] is the store's prefix; ARGV[1] the unfinished states as ",a,b,". */
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
-- For a key that isn't a hash, returns a list that no reader accepts as a record.
local function hashOf(id)
  local fields = redis.pcall('HGETALL', recordKey(id))
  return fields.err and { 'damaged', fields.err } or fields
end
local function decoded(json)
  local isJson, value = pcall(cjson.decode, json)
  return isJson and value or nil
end
-- The key of a record's Conversation. Ambiguous keys do no harm, because readers check the record.
local function conversationKeyOf(id)
  local place = decoded(redis.pcall('HGET', recordKey(id), 'conversation'))
  if type(place) ~= 'table' then return nil end
  -- A damaged record may lack any part.
  local function part(name) return type(place[name]) == 'string' and place[name] or '' end
  local parts = { part('platform'), part('workspace'), part('channel'), part('thread') }
  return prefix .. 'conversation:' .. table.concat(parts, '/')
end
local function indexConversation(id, before)
  local now = conversationKeyOf(id)
  if now == before then return end
  if before then redis.call('ZREM', before, id) end
  if now then redis.call('ZADD', now, 0, id) end
end
-- Counts an asker's waiting records. When there seem to be too many, removes finished ones first, so the count can't drift.
local function refusal(id, asker, ofAsker, all, createdAtMs)
  if redis.call('ZCARD', unfinishedKey) >= tonumber(all) then return 'all' end
  local ownKey = prefix .. 'waiting:' .. asker
  if redis.call('ZCARD', ownKey) >= tonumber(ofAsker) then
    for _, own in ipairs(redis.call('ZRANGE', ownKey, 0, -1)) do
      if not redis.call('ZSCORE', unfinishedKey, own) then redis.call('ZREM', ownKey, own) end
    end
    if redis.call('ZCARD', ownKey) >= tonumber(ofAsker) then return 'asker' end
  end
  redis.call('ZADD', ownKey, createdAtMs, id)
  redis.call('EXPIRE', ownKey, 604800)
  return nil
end
local function remove(id)
  local conversation = conversationKeyOf(id)
  if conversation then redis.call('ZREM', conversation, id) end
  local event = decoded(redis.pcall('HGET', recordKey(id), 'eventKey'))
  -- A damaged record's event may belong to another record by now.
  if type(event) == 'string' and redis.call('GET', eventKey(event)) == id then redis.call('DEL', eventKey(event)) end
  redis.call('DEL', recordKey(id))
  redis.call('ZREM', allKey, id)
  redis.call('ZREM', unfinishedKey, id)
end
`;

/**
 * ARGV: id, event, state, created, the id of a damaged record that loses the event or "", asker or "", the limit of
 * unfinished records per asker, the limit in all, then pairs of field and JSON. Returns { id, record } of the record that
 * has the event, or which limit is reached ("asker" or "all"), or {} if the record was created.
 */
const createScript = redisScript(`${prelude}
local id, event = ARGV[2], ARGV[3]
local winner = redis.call('GET', eventKey(event))
if winner and winner ~= ARGV[6] then
  local existing = hashOf(winner)
  if #existing > 0 then return { winner, existing } end
end
if ARGV[7] ~= '' then
  local refused = refusal(id, ARGV[7], ARGV[8], ARGV[9], ARGV[5])
  if refused then return refused end
end
redis.call('SET', eventKey(event), id)
redis.call('HSET', recordKey(id), unpack(ARGV, 10))
redis.call('ZADD', allKey, ARGV[5], id)
indexState(id, ARGV[4], ARGV[5])
indexConversation(id, nil)
redis.call('SET', prefix .. 'conversations-since', ARGV[5], 'NX')
return {}
`);

/**
 * ARGV: id, the expected states as ",a,b,", new state, fence or "", number of removed fields, these fields, then pairs of
 * field and JSON. Returns the new record, or {} if refused.
 */
const transitionScript = redisScript(`${prelude}
local id, key = ARGV[2], recordKey(ARGV[2])
local now = redis.pcall('HMGET', key, 'state', 'fence', 'createdAtMs')
local state, fence = decoded(now[1]), tonumber(now[2])
if type(state) ~= 'string' or not fence or not tonumber(now[3]) then return {} end
if not string.find(ARGV[3], ',' .. state .. ',', 1, true) then return {} end
if ARGV[5] ~= '' and tonumber(ARGV[5]) < fence then return {} end
local before = conversationKeyOf(id)
local removed = tonumber(ARGV[6])
if removed > 0 then redis.call('HDEL', key, unpack(ARGV, 7, 6 + removed)) end
if ARGV[5] ~= '' then redis.call('HSET', key, 'fence', ARGV[5]) end
redis.call('HSET', key, 'state', cjson.encode(ARGV[4]), unpack(ARGV, 7 + removed))
indexState(id, ARGV[4], now[3])
indexConversation(id, before)
return redis.call('HGETALL', key)
`);

/** ARGV: id, asker, the limit of unfinished records per asker, the limit in all. */
const admitScript = redisScript(`${prelude}
local createdAtMs = redis.call('ZSCORE', allKey, ARGV[2]) or '0'
return refusal(ARGV[2], ARGV[3], ARGV[4], ARGV[5], createdAtMs) or 'admitted'
`);

/** ARGV: event. */
const byEventScript = redisScript(`${prelude}
local id = redis.call('GET', eventKey(ARGV[2]))
return id and { id, hashOf(id) } or {}
`);

/** ARGV: ids. */
const readScript = redisScript(`${prelude}
local records = {}
for index = 2, #ARGV do
  local record = hashOf(ARGV[index])
  records[index - 1] = record
  if #record == 0 then
    redis.call('ZREM', allKey, ARGV[index])
    redis.call('ZREM', unfinishedKey, ARGV[index])
  end
end
return records
`);

const outlineNames = [...outlineFields, "state", "createdAtMs", "fence"] as const;

/** ARGV: ids. Returns the outline fields of each, without its texts. */
const outlineScript = redisScript(`${prelude}
local records = {}
for index = 2, #ARGV do
  local fields = redis.pcall('HMGET', recordKey(ARGV[index]), ${outlineNames.map((name) => `'${name}'`).join(", ")})
  records[index - 1] = fields.err and {} or fields
end
return records
`);

/** ARGV: limit. Returns { id, record } of each. */
const recentScript = redisScript(`${prelude}
local records = {}
for index, id in ipairs(redis.call('ZRANGE', allKey, 0, ARGV[2] - 1, 'REV')) do
  records[index] = { id, hashOf(id) }
end
return records
`);

/** ARGV: before, how many to skip, how many to check. Returns how many were deleted and how many retained. */
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

/** ARGV: before, ids of damaged records. Returns the ids of those that no longer exist. */
const pruneDamagedScript = redisScript(`${prelude}
local gone = {}
for index = 3, #ARGV do
  local createdAtMs = redis.call('ZSCORE', allKey, ARGV[index])
  if createdAtMs and tonumber(createdAtMs) < tonumber(ARGV[2]) then remove(ARGV[index]) end
  if redis.call('EXISTS', recordKey(ARGV[index])) == 0 then table.insert(gone, ARGV[index]) end
end
return gone
`);

/** Builds a record from HGETALL's flat list. */
function parse(flat: readonly string[]): unknown {
  const entries: [string, unknown][] = [];
  for (let index = 0; index < flat.length; index += 2) {
    entries.push([String(flat[index]), JSON.parse(String(flat[index + 1]))]);
  }
  return Object.fromEntries(entries);
}

/** { id, record } as scripts return it; {} or an empty record if there is none. */
type Found = readonly [id: string, flat: readonly string[]] | readonly [id?: undefined, flat?: undefined];

function jsonOf(text: string | null | undefined): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Pairs of field and JSON, without undefined values. */
function fields(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [key, JSON.stringify(value)]));
}

const asList = (states: readonly string[]) => `,${states.join(",")},`;

function createRedisRecords<R extends StoredRecord, S extends R["state"] & string>(
  connection: RedisConnection,
  name: "turns" | "jobs",
  unfinishedStates: readonly S[],
): RecordStore<R, S> & Pick<TurnStore, "outline" | "outlines"> {
  const prefix = `${keyPrefix}${name}:`;
  const evaluate = (script: typeof createScript, ...args: readonly string[]) =>
    connection.evaluate(script, [prefix], [asList(unfinishedStates), ...args]);

  const { damaged } = connection;
  const readRecord = createRecordReader<R>(name, damaged);

  function readOne([id, flat]: Found): R | undefined {
    return id === undefined || flat === undefined || flat.length === 0 ? undefined : readRecord(id, () => parse(flat));
  }

  async function read(ids: readonly string[]): Promise<R[]> {
    const records = (await evaluate(readScript, ...ids)) as readonly (readonly string[])[];
    return records.flatMap((flat, index) => readOne([ids[index] ?? "", flat]) ?? []);
  }

  async function outlines(ids: readonly string[]): Promise<TurnOutline[]> {
    const found = (await evaluate(outlineScript, ...ids)) as readonly (readonly (string | null)[])[];
    const known: TurnOutline[] = [];
    for (const [index, id] of ids.entries()) {
      const values = found[index] ?? [];
      const entries = outlineNames.map((name, at) => [name, jsonOf(values[at])] as const);
      const outline = outlineOf({ ...Object.fromEntries(entries), id });
      if (outline !== undefined) known.push(outline);
      // Reading the whole record reports what is wrong, or that it is gone.
      else await read([id]);
    }
    return known;
  }

  async function* unfinished<T extends { readonly state: string }>(
    isWanted: (about: { readonly id: string; readonly createdAtMs: number }) => boolean,
    readSome: (ids: readonly string[]) => Promise<readonly T[]>,
  ): AsyncGenerator<T> {
    const all = await connection.run((client) => client.zRangeWithScores(`${prefix}unfinished`, 0, -1));
    const ids = all.flatMap(({ value: id, score }) => (isWanted({ id, createdAtMs: score }) ? [id] : []));
    for (let start = 0; start < ids.length; start += readPerTurn) {
      for (const record of await readSome(ids.slice(start, start + readPerTurn))) {
        // It may have finished since the list was read.
        if (unfinishedStates.some((state) => state === record.state)) yield record;
      }
    }
  }

  async function create(record: R, limits: WaitingLimits | undefined) {
    const { id, eventKey, state, createdAtMs } = record;
    const { asker = "", ofAsker = 0, all = 0 } = limits ?? {};
    const insert = async (replaced: string) =>
      (await evaluate(
        createScript,
        ...[id, eventKey, state, String(createdAtMs), replaced, asker, String(ofAsker), String(all)],
        ...fields(record),
      )) as Found | "asker" | "all";
    let winner = await insert("");
    if (typeof winner === "string") return { created: false as const, refused: winner };
    if (winner[0] === undefined) return { created: true as const };
    const existing = readOne(winner);
    if (existing !== undefined) return { created: false as const, existing };
    // A damaged record can't be answered, so a new record takes over its event.
    winner = await insert(winner[0]);
    if (typeof winner === "string") return { created: false as const, refused: winner };
    const other = readOne(winner);
    return other === undefined ? { created: true as const } : { created: false as const, existing: other };
  }

  return {
    create: async (record) => {
      const outcome = await create(record, undefined);
      if (!("refused" in outcome)) return outcome;
      throw new Error("A record without limits was refused.");
    },

    createWithin: create,

    admit: async (id, { asker, ofAsker, all }) =>
      (await evaluate(admitScript, id, asker, String(ofAsker), String(all))) as "admitted" | "asker" | "all",

    get: async (id) => (await read([id]))[0],

    getByEventKey: async (eventKey) => readOne((await evaluate(byEventScript, eventKey)) as Found),

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
      return readOne([id, reply as readonly string[]]);
    },

    unfinished: () => unfinished(() => true, read),

    outline: async (id) => (await outlines([id]))[0],

    outlines: (isWanted) => unfinished(isWanted, outlines),

    ofConversation: async function* (conversation) {
      const { platform, workspace, channel, thread = "" } = conversation;
      const key = `${prefix}conversation:${[platform, workspace, channel, thread].join("/")}`;
      const since = (await connection.run((client) => client.get(`${prefix}conversations-since`))) ?? "+inf";
      const found = await connection.run(async (client) => [
        ...(await client.zRange(key, 0, -1)),
        // Records of 0.1.0 aren't in any Conversation's index.
        ...(await client.zRange(`${prefix}all`, "-inf", `(${since}`, { BY: "SCORE" })),
      ]);
      const ids = [...new Set(found)];
      for (let start = 0; start < ids.length; start += readPerTurn) {
        for (const record of await read(ids.slice(start, start + readPerTurn))) {
          if (conversationOf(record) === conversationKey(conversation)) yield record;
        }
      }
    },

    recent: async (limit) => {
      if (limit <= 0) return [];
      const records = (await evaluate(recentScript, String(limit))) as readonly Found[];
      return records.flatMap((found) => readOne(found) ?? []);
    },

    prune: async (beforeMs) => {
      let deletedInAll = 0;
      for (let keptInAll = 0; ; ) {
        const args = [beforeMs, keptInAll, pageSize].map(String);
        const [deleted = 0, kept = 0] = (await evaluate(pruneScript, ...args)) as readonly number[];
        deletedInAll += deleted;
        keptInAll += kept;
        if (deleted + kept < pageSize) break;
      }
      const known = damaged.keysOf(name);
      if (known.length === 0) return deletedInAll;
      const gone = (await evaluate(pruneDamagedScript, String(beforeMs), ...known)) as readonly string[];
      for (const id of gone) damaged.remove(`${name}/${id}`);
      return deletedInAll + gone.length;
    },

    delete: async (id) => {
      await evaluate(deleteScript, id);
      damaged.remove(`${name}/${id}`);
    },
  };
}

export function createRedisTurnStore(connection: RedisConnection): TurnStore {
  return createRedisRecords<Turn, Turn["state"]>(connection, "turns", unfinishedTurnStates);
}

export function createRedisJobStore(connection: RedisConnection): JobStore {
  return createRedisRecords<Job, Job["state"]>(connection, "jobs", unfinishedJobStates);
}
