/**
 * TurnStore and JobStore on Redis. A record is a hash with one JSON field per key, so that a script can check state and
 * fence and replace single keys in one round trip without parsing the record (Lua's JSON can't tell an empty list from
 * an empty object). Two sorted sets index them by creation time: all records, and the unfinished ones.
 */
import type { Job } from "../../core/model/job.ts";
import { conversationKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import {
  type JobStore,
  type RecordCursor,
  type RecordStore,
  type StoredRecord,
  type TurnStore,
  unfinishedJobStates,
  unfinishedTurnStates,
  type WaitingLimits,
} from "../../core/ports/state.ts";
import { createRecordReader } from "../record-check.ts";
import { conversationOf } from "../record-transition.ts";
import { keyPrefix, type RedisConnection } from "./connection.ts";
import { type Found, fieldPairs, parseRecord, stateList } from "./record-format.ts";
import {
  admitScript,
  byEventScript,
  createScript,
  deleteScript,
  pruneDamagedScript,
  pruneScript,
  readScript,
  recentScript,
  transitionScript,
} from "./record-scripts.ts";

const pageSize = 200;
/** Unfinished records read at once: 2 MB if each is 100 kB. */
const readPerTurn = 20;

/** Fields that a transition's patch can't change. */
const fixedFields: ReadonlySet<string> = new Set(["id", "eventKey", "createdAtMs", "state", "fence"]);

function createRedisRecords<R extends StoredRecord, S extends R["state"] & string>(
  connection: RedisConnection,
  name: "turns" | "jobs",
  unfinishedStates: readonly S[],
): RecordStore<R, S> {
  const prefix = `${keyPrefix}${name}:`;
  const evaluate = (script: typeof createScript, ...args: readonly string[]) =>
    connection.evaluate(script, [prefix], [stateList(unfinishedStates), ...args]);

  const { damaged } = connection;
  const readRecord = createRecordReader<R>(name, damaged);

  function readOne([id, flat]: Found): R | undefined {
    return id === undefined || flat === undefined || flat.length === 0
      ? undefined
      : readRecord(id, () => parseRecord(flat));
  }

  async function read(ids: readonly string[]): Promise<R[]> {
    const records = (await evaluate(readScript, ...ids)) as readonly (readonly string[])[];
    return records.flatMap((flat, index) => readOne([ids[index] ?? "", flat]) ?? []);
  }

  async function* unfinished(
    isWanted: (about: { readonly id: string; readonly createdAtMs: number }) => boolean = () => true,
  ): AsyncGenerator<R> {
    const all = await connection.run((client) => client.zRangeWithScores(`${prefix}unfinished`, 0, -1));
    const ids = all.flatMap(({ value: id, score }) => (isWanted({ id, createdAtMs: score }) ? [id] : []));
    for (let start = 0; start < ids.length; start += readPerTurn) {
      for (const record of await read(ids.slice(start, start + readPerTurn))) {
        // It may have finished since the list was read.
        if (unfinishedStates.some((state) => state === record.state)) yield record;
      }
    }
  }

  async function create(record: R, limits?: WaitingLimits) {
    const { id, eventKey, state, createdAtMs } = record;
    const { asker = "", ofAsker = 0, all = 0 } = limits ?? {};
    const about = [id, eventKey, state, String(createdAtMs)];
    const most = [asker, String(ofAsker), String(all)];
    for (let damagedId = ""; ; ) {
      const reply = await evaluate(createScript, ...about, damagedId, ...most, ...fieldPairs(record));
      const winner = reply as Found | "asker" | "all";
      if (typeof winner === "string") return { created: false as const, refused: winner };
      const existing = readOne(winner);
      if (existing !== undefined) return { created: false as const, existing };
      if (winner[0] === undefined || damagedId !== "") return { created: true as const };
      // A damaged record can't be answered, so a new record takes over its event.
      damagedId = winner[0];
    }
  }

  return {
    create,

    admit: async (id, { asker, ofAsker, all }) =>
      (await evaluate(admitScript, id, asker, String(ofAsker), String(all))) as "admitted" | "asker" | "all",

    forgetAsker: async (asker) => {
      await connection.run((client) => client.del(`${prefix}waiting:${asker}`));
    },

    get: async (id) => (await read([id]))[0],

    getByEventKey: async (eventKey) => readOne((await evaluate(byEventScript, eventKey)) as Found),

    transition: async (id, from, to, patch = {}, fence) => {
      const changes = Object.entries(patch).filter(([key]) => !fixedFields.has(key));
      const removed = changes.flatMap(([key, value]) => (value === undefined ? [key] : []));
      const move = [id, stateList(from), to, fence === undefined ? "" : String(fence)];
      const set = fieldPairs(Object.fromEntries(changes));
      const reply = await evaluate(transitionScript, ...move, String(removed.length), ...removed, ...set);
      return readOne([id, reply as readonly string[]]);
    },

    unfinished,

    ofConversation: async function* (conversation) {
      const { platform, workspace, channel, thread = "" } = conversation;
      const key = `${prefix}conversation:${[platform, workspace, channel, thread].join("/")}`;
      const ids = await connection.run((client) => client.zRange(key, 0, -1));
      for (let start = 0; start < ids.length; start += readPerTurn) {
        for (const record of await read(ids.slice(start, start + readPerTurn))) {
          if (conversationOf(record) === conversationKey(conversation)) yield record;
        }
      }
    },

    recent: async (limit, before) => {
      const found: R[] = [];
      let last: RecordCursor | undefined = before;
      while (found.length < limit) {
        const size = Math.min(limit - found.length, readPerTurn);
        const below = last === undefined ? ["", ""] : [String(last.createdAtMs), last.id];
        const page = (await evaluate(recentScript, String(size), ...below)) as readonly (readonly [
          ...Required<Found>,
          atMs: string,
        ])[];
        for (const [id, flat, atMs] of page) {
          const record = readOne([id, flat]);
          if (record !== undefined) found.push(record);
          last = { id, createdAtMs: Number(atMs) };
        }
        if (page.length < size) break;
      }
      return found;
    },

    count: () => connection.run((client) => client.zCard(`${prefix}all`)),

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
