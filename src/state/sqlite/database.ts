/**
 * SQLite database of one process, with all writes through one queue. A write is on disk (fsync) when its promise
 * resolves. Writes of the same moment share a commit, so that a thousand running Turns don't cost a thousand fsyncs.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { createDamagedRecords, type DamagedRecords } from "../damaged-records.ts";
import { lockDataDir, prepareDataDir, sqliteCode } from "../data-dir.ts";
import { stateError } from "../state-error.ts";
import { createSchema, refuseOtherSchema } from "./schema.ts";

export const databaseName = "parley.db";

/** A larger file isn't checked at the start, which would take too long. About 0.15 s at this size. */
const maxCheckedBytes = 256 * 1024 * 1024;

/** Most changes in one commit, about 3 ms: streams must not wait long for the event loop. */
const maxBatch = 64;
/** Ms per commit, for slow changes: a question of 100 kB is read and written whole with each new state. */
const maxBatchMs = 8;
/** A quicker commit is followed by no pause. */
const slowCommitMs = 2;

/** For another connection to end what it does. */
const busyMs = 5_000;

/** https://www.sqlite.org/rescode.html: SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes: ReadonlySet<number | undefined> = new Set([11, 26]);

export type SqliteDatabase = {
  readonly path: string;
  /** Number of starts with this folder so far. */
  readonly starts: number;
  /** For prepared statements. Writes go through `write`. */
  readonly handle: DatabaseSync;
  /** Shared by all stores of this database. */
  readonly damaged: DamagedRecords;
  /** Runs a query now. Throws state_unavailable. */
  readonly read: <T>(query: () => T) => T;
  /**
   * Runs a change in a transaction and resolves with its result when it is durable. Rejects with state_unavailable after
   * rolling it back. Changes run in the order of the calls; each must be synchronous and repeatable.
   */
  readonly write: <T>(change: () => T) => Promise<T>;
  /**
   * Like `write`, but doesn't wait for the disk: a power loss may undo the newest of these changes, with everything
   * written after them and nothing before. For what is derived from records, and derived again if its note is there.
   */
  readonly writeDerived: <T>(change: () => T) => Promise<T>;
  /**
   * Empties the write-ahead log, which has the pages from before they were overwritten. False: something is being read
   * from the log at this moment, so it stays.
   */
  readonly emptyLog: () => boolean;
  readonly close: () => Promise<void>;
};

export type SqliteOptions = {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the wait for a folder that another process is using. */
  readonly signal?: AbortSignal;
  /** Opens it also while a restore has begun and not ended. */
  readonly isForRestore?: boolean;
  /**
   * A commit blocks the event loop until the disk has it. A slow one is followed by a pause as long, at most this: what
   * people wait for is sent in between, and further changes join the next commit. Default: none.
   */
  readonly maxPauseMs?: number;
};

type Pending = {
  readonly isDerived: boolean;
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (reason: unknown) => void;
};

function damagedError(path: string, cause: unknown) {
  return stateError(cause, {
    what: `The database in DATA_DIR is damaged: ${path}.`,
    hint: "Restore it from a backup, or move it away to start fresh. Parley hasn't changed it.",
  });
}

/** Refuses a damaged database, and one with another schema. Read-only, since even closing a writable connection may move pages. */
function inspect(path: string, isForRestore: boolean): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    refuseOtherSchema(db, path, isForRestore);
    if (size > maxCheckedBytes) return;
    const finding = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (finding !== "ok") throw damagedError(path, new Error(String(finding)));
  } finally {
    db.close();
  }
}

function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyMs });
  try {
    db.exec("PRAGMA journal_mode = WAL");
    // NORMAL survives a killed process; only FULL also survives a power loss. Measured at 0.2 ms per commit on an SSD.
    db.exec("PRAGMA synchronous = FULL");
    // What is deleted is overwritten with zeros, so that words of people who were erased don't stay in free pages.
    db.exec("PRAGMA secure_delete = ON");
    createSchema(db);
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function countStart(db: DatabaseSync): number {
  const count = db.prepare("UPDATE starts SET count = count + 1 RETURNING count").get()?.["count"];
  if (typeof count !== "number") throw new Error("The table of starts is empty.");
  return count;
}

/** Doesn't wait for a reader: the event loop would stand still. */
function emptyLog(db: DatabaseSync): boolean {
  db.exec("PRAGMA busy_timeout = 0");
  try {
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }
}

export async function openSqlite(options: SqliteOptions): Promise<SqliteDatabase> {
  const { maxPauseMs = 0, isForRestore = false } = options;
  const path = join(options.dataDir, databaseName);
  await prepareDataDir(options.dataDir, [databaseName]);
  const unlock = await lockDataDir(options);
  let db: DatabaseSync;
  let starts: number;
  try {
    inspect(path, isForRestore);
    db = openFile(path);
    starts = countStart(db);
  } catch (thrown) {
    unlock();
    if (damagedCodes.has(sqliteCode(thrown))) throw damagedError(path, thrown);
    throw stateError(thrown, { what: `The database in DATA_DIR can't be opened: ${path}.` });
  }

  const pending: Pending[] = [];
  let isWaitingForDisk = true;

  /** In a write-ahead log a commit is never durable without those before it. */
  function waitForDisk(isNeeded: boolean): void {
    if (isNeeded === isWaitingForDisk) return;
    db.exec(`PRAGMA synchronous = ${isNeeded ? "FULL" : "NORMAL"}`);
    isWaitingForDisk = isNeeded;
  }

  /** Commits until limitMs is over. The rest waits for the next commit, in order. */
  function commit(batch: readonly Pending[], limitMs = Number.POSITIVE_INFINITY): void {
    let done = 0;
    try {
      const beganMs = performance.now();
      waitForDisk(!batch.every(({ isDerived }) => isDerived));
      db.exec("BEGIN IMMEDIATE");
      for (const change of batch) {
        if (done > 0 && performance.now() - beganMs > limitMs) break;
        change.run();
        done += 1;
      }
      db.exec("COMMIT");
    } catch (thrown) {
      if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
      if (batch.length > 1) {
        // One failing change must not fail the others.
        for (const change of batch) commit([change]);
      } else {
        for (const change of batch) change.fail(stateError(thrown));
      }
      return;
    }
    for (const change of batch.slice(0, done)) change.settle();
    pending.unshift(...batch.slice(done));
  }

  let pausedUntilMs = 0;

  function flush(): void {
    const beganMs = performance.now();
    const batch = pending.splice(0, maxBatch);
    if (batch.length > 0) commit(batch, maxBatchMs);
    const nowMs = performance.now();
    const tookMs = nowMs - beganMs;
    pausedUntilMs = tookMs < slowCommitMs ? nowMs : nowMs + Math.min(tookMs, maxPauseMs);
    if (pending.length > 0) flushSoon();
  }

  function flushSoon(): void {
    const pauseMs = pausedUntilMs - performance.now();
    if (pauseMs <= 0) setImmediate(flush);
    else setTimeout(flush, pauseMs);
  }

  function enqueue<T>(change: () => T, isDerived: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T };
      const run = () => {
        result = { value: change() };
      };
      pending.push({ isDerived, run, settle: () => resolve(result.value), fail: reject });
      if (pending.length === 1) flushSoon();
    });
  }

  return {
    path,
    starts,
    handle: db,
    damaged: createDamagedRecords(options.log),
    read: (query) => {
      try {
        return query();
      } catch (thrown) {
        throw stateError(thrown);
      }
    },
    write: (change) => enqueue(change, false),
    writeDerived: (change) => enqueue(change, true),
    emptyLog: () => {
      try {
        return emptyLog(db);
      } catch (thrown) {
        throw stateError(thrown);
      }
    },
    close: async () => {
      if (!db.isOpen) return;
      commit(pending.splice(0));
      db.close();
      unlock();
    },
  };
}
