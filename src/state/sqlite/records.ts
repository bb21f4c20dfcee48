/**
 * TurnStore and JobStore on SQLite: one table each, with the record as JSON and only the columns that queries need.
 * Transitions are checked in the transaction that writes them.
 */
import type { SQLOutputValue } from "node:sqlite";
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { Job } from "../../core/model/job.ts";
import { conversationKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import {
  type JobStore,
  type RecordStore,
  type StoredRecord,
  type TurnStore,
  unfinishedJobStates,
  unfinishedTurnStates,
  type WaitingLimits,
} from "../../core/ports/state.ts";
import { createRecordReader } from "../record-check.ts";
import { applyTransition, conversationOf } from "../record-transition.ts";
import type { SqliteDatabase } from "./database.ts";

const pageSize = 500;
/** Records deleted in one write: a few ms if each is 100 kB. */
const prunedPerWrite = 50;
/** Records read before yielding to the event loop: a few ms if each is 100 kB. */
const readPerTurn = 10;

type Row = Record<string, SQLOutputValue>;

function createSqliteRecords<R extends StoredRecord, S extends R["state"] & string>(
  database: SqliteDatabase,
  table: "turns" | "jobs",
  unfinishedStates: readonly S[],
): RecordStore<R, S> {
  const { handle, read, write, damaged } = database;
  // Interpolated from constants only, never from input.
  const states = unfinishedStates.map((state) => `'${state}'`).join(", ");
  const insert = handle.prepare(
    `INSERT INTO ${table} (id, event_key, state, created_at_ms, fence, record, asker, conversation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (event_key) DO NOTHING`,
  );
  const byId = handle.prepare(`SELECT id, record FROM ${table} WHERE id = ?`);
  const byEventKey = handle.prepare(`SELECT id, record FROM ${table} WHERE event_key = ?`);
  const freeEventKey = handle.prepare(`UPDATE ${table} SET event_key = 'damaged/' || id WHERE id = ?`);
  // A finished record counts for nobody.
  const update = handle.prepare(
    `UPDATE ${table} SET state = ?1, fence = ?2, record = ?3, conversation = ?4,
       asker = CASE WHEN ?1 IN (${states}) THEN asker END WHERE id = ?5`,
  );
  const unfinishedPage = handle.prepare(
    `SELECT id, created_at_ms FROM ${table}
     WHERE state IN (${states}) AND (created_at_ms, id) > (?, ?) ORDER BY created_at_ms, id LIMIT ${pageSize}`,
  );
  const newest = handle.prepare(
    `SELECT id, created_at_ms, record FROM ${table} WHERE (created_at_ms, id) < (?, ?)
     ORDER BY created_at_ms DESC, id DESC LIMIT ?`,
  );
  const pruneOld = handle.prepare(
    `DELETE FROM ${table} WHERE id IN
     (SELECT id FROM ${table} WHERE created_at_ms < ? AND state NOT IN (${states}) LIMIT ${prunedPerWrite})`,
  );
  const pruneDamaged = handle.prepare(`DELETE FROM ${table} WHERE id = ? AND created_at_ms < ?`);
  const countAll = handle.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE state IN (${states}) LIMIT ?)`,
  );
  const countEvery = handle.prepare(`SELECT count(*) AS count FROM ${table}`);
  const countOfAsker = handle.prepare(
    `SELECT count(*) AS count FROM ${table} WHERE asker = ? AND state IN (${states})`,
  );
  const inConversation = handle.prepare(
    `SELECT id FROM ${table} WHERE conversation = ? OR conversation IS NULL ORDER BY created_at_ms, id`,
  );
  const removeAsker = handle.prepare(`UPDATE ${table} SET asker = NULL WHERE asker = ? AND state IN (${states})`);
  const setAsker = handle.prepare(`UPDATE ${table} SET asker = ? WHERE id = ?`);
  const deleteById = handle.prepare(`DELETE FROM ${table} WHERE id = ?`);

  const readRecord = createRecordReader<R>(table, damaged);
  const keyOf = (id: string) => `${table}/${id}`;

  function parse(row: Row | undefined): R | undefined {
    return row === undefined ? undefined : readRecord(String(row["id"]), () => JSON.parse(String(row["record"])));
  }

  /** Upper bound of the unfinished records. Counted again only when it reaches a limit, because counting reads them all. */
  let atMost = Number.POSITIVE_INFINITY;
  const isUnfinished = ({ state }: R) => unfinishedStates.some((unfinished) => unfinished === state);

  const placeOf = (record: R) => conversationOf(record) ?? null;

  function refusal({ asker, ofAsker, all }: WaitingLimits): "asker" | "all" | undefined {
    if (atMost >= all) atMost = Number(countAll.get(all)?.["count"]);
    if (atMost >= all) return "all";
    return Number(countOfAsker.get(asker)?.["count"]) >= ofAsker ? "asker" : undefined;
  }

  async function* unfinished(
    isWanted: (about: { readonly id: string; readonly createdAtMs: number }) => boolean = () => true,
  ): AsyncGenerator<R> {
    let after: readonly [number, string] = [Number.MIN_SAFE_INTEGER, ""];
    let readInARow = 0;
    for (;;) {
      const page = read(() => unfinishedPage.all(...after));
      for (const row of page) {
        after = [Number(row["created_at_ms"]), String(row["id"])];
        const [createdAtMs, id] = after;
        if (!isWanted({ id, createdAtMs })) continue;
        const record = read(() => parse(byId.get(id)));
        // It may have finished since the page was read.
        if (record !== undefined && isUnfinished(record)) yield record;
        readInARow += 1;
        if (readInARow % readPerTurn === 0) await nextLoopTurn();
      }
      if (page.length < pageSize) return;
      await nextLoopTurn();
    }
  }

  function create(record: R, limits?: WaitingLimits) {
    const json = JSON.stringify(record);
    return write(() => {
      const { id, eventKey, state, createdAtMs, fence } = record;
      const row = byEventKey.get(eventKey);
      const existing = parse(row);
      if (existing !== undefined) return { created: false as const, existing };
      const refused = limits === undefined ? undefined : refusal(limits);
      if (refused !== undefined) return { created: false as const, refused };
      // A damaged record can't be answered, so a new record takes over its event.
      if (row !== undefined) freeEventKey.run(String(row["id"]));
      const asker = limits?.asker ?? null;
      const { changes } = insert.run(id, eventKey, state, createdAtMs, fence, json, asker, placeOf(record));
      atMost += 1;
      if (changes > 0) return { created: true as const };
      throw new Error(`The record of ${eventKey} is neither new nor there.`);
    });
  }

  return {
    create,

    admit: (id, limits) =>
      write(() => {
        const refused = refusal(limits);
        if (refused === undefined) setAsker.run(limits.asker, id);
        return refused ?? "admitted";
      }),

    forgetAsker: async (asker) => {
      await write(() => removeAsker.run(asker));
    },

    get: async (id) => read(() => parse(byId.get(id))),

    getByEventKey: async (eventKey) => read(() => parse(byEventKey.get(eventKey))),

    transition: (id, from, to, patch, fence) =>
      write(() => {
        const record = parse(byId.get(id));
        if (record === undefined) return undefined;
        const changed = applyTransition(record, from, to, patch, fence);
        if (changed !== undefined) {
          if (isUnfinished(changed) && !isUnfinished(record)) atMost += 1;
          update.run(changed.state, changed.fence, JSON.stringify(changed), placeOf(changed), id);
        }
        return changed;
      }),

    unfinished,

    ofConversation: async function* (conversation) {
      const key = conversationKey(conversation);
      let readInARow = 0;
      for (const row of read(() => inConversation.all(key))) {
        const record = read(() => parse(byId.get(String(row["id"]))));
        if (record !== undefined && conversationOf(record) === key) yield record;
        readInARow += 1;
        if (readInARow % readPerTurn === 0) await nextLoopTurn();
      }
    },

    recent: async (limit, before) => {
      const found: R[] = [];
      let last = before ?? { createdAtMs: Number.MAX_SAFE_INTEGER, id: "" };
      while (found.length < limit) {
        const size = Math.min(limit - found.length, readPerTurn);
        const rows = read(() => newest.all(last.createdAtMs, last.id, size));
        for (const row of rows) {
          const record = parse(row);
          if (record !== undefined) found.push(record);
          last = { createdAtMs: Number(row["created_at_ms"]), id: String(row["id"]) };
        }
        if (rows.length < size) break;
        await nextLoopTurn();
      }
      return found;
    },

    count: async () => read(() => Number(countEvery.get()?.["count"])),

    prune: async (beforeMs) => {
      let count = 0;
      for (let pruned = prunedPerWrite; pruned === prunedPerWrite; count += pruned) {
        pruned = await write(() => Number(pruneOld.run(beforeMs).changes));
      }
      for (const id of damaged.keysOf(table)) {
        count += await write(() => Number(pruneDamaged.run(id, beforeMs).changes));
        if (read(() => byId.get(id)) === undefined) damaged.remove(keyOf(id));
      }
      return count;
    },

    delete: async (id) => {
      await write(() => deleteById.run(id));
      damaged.remove(keyOf(id));
    },
  };
}

export function createSqliteTurnStore(database: SqliteDatabase): TurnStore {
  return createSqliteRecords<Turn, Turn["state"]>(database, "turns", unfinishedTurnStates);
}

export function createSqliteJobStore(database: SqliteDatabase): JobStore {
  return createSqliteRecords<Job, Job["state"]>(database, "jobs", unfinishedJobStates);
}
