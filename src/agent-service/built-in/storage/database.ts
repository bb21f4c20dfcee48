/**
 * Database file of the built-in service, separate from Parley's. The content of knowledge bases belongs to people and
 * outlives Parley's own records. Opened once per process; all calls are synchronous and short.
 */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../../../core/errors.ts";

/** In DATA_DIR. */
export const databaseName = "local-service.db";

/** Lower numbers were never released. */
const schemaVersion = 3;

const schema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE agents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE knowledge_bases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE files (name TEXT PRIMARY KEY, columns TEXT NOT NULL, rows TEXT NOT NULL) STRICT;
  CREATE TABLE passages (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    knowledge_base_id INTEGER NOT NULL REFERENCES knowledge_bases (id),
    row_id TEXT NOT NULL, origin TEXT NOT NULL,
    chunk_index INTEGER NOT NULL, chunk_count INTEGER NOT NULL, section_start INTEGER NOT NULL, level INTEGER NOT NULL,
    start_char INTEGER NOT NULL, end_char INTEGER NOT NULL, content TEXT NOT NULL,
    title TEXT NOT NULL, url TEXT NOT NULL, metadata TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX passages_by_row ON passages (knowledge_base_id, row_id, chunk_index);
  -- The rows of one file are found by their titles.
  CREATE INDEX passages_by_title ON passages (knowledge_base_id, title);
  CREATE VIRTUAL TABLE passage_words USING fts5 (
    base, heading, above, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TABLE embeddings (
    passage INTEGER PRIMARY KEY REFERENCES passages (rowid) ON DELETE CASCADE, vector BLOB NOT NULL
  ) STRICT;
`;

/** https://www.sqlite.org/rescode.html: SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes: readonly unknown[] = [11, 26];

/** A larger file isn't checked at the start, which would take too long. */
const maxCheckedBytes = 256 * 1024 * 1024;

/**
 * Opens or creates the file; ":memory:" for none. Throws state_unavailable, and leaves the file as it is, if it is
 * damaged or has another schema.
 */
export function openDatabase(path: string): DatabaseSync {
  inspectDatabase(path);
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    inTransaction(db, () => createSchema(db));
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/**
 * Throws state_unavailable if the file exists and can't be used. Read-only, since even closing a writable connection may
 * move pages.
 */
export function inspectDatabase(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  try {
    inspect(path, size);
  } catch (thrown) {
    if (!(thrown instanceof Error && "errcode" in thrown && damagedCodes.includes(thrown.errcode))) throw thrown;
    throw damagedError(path, thrown);
  }
}

/** How many passages of a file that may not exist have a vector of this model, for the doctor. */
export function countEmbeddings(path: string, model: string): { readonly done: number; readonly passages: number } {
  const none = { done: 0, passages: 0 };
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return none;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (versionOf(db) !== schemaVersion) return none;
    const passages = Number(db.prepare("SELECT count(*) AS n FROM passages").get()?.["n"]);
    const used = db.prepare("SELECT value FROM meta WHERE key = 'embeddings.model'").get()?.["value"];
    const done = Number(db.prepare("SELECT count(*) AS n FROM embeddings").get()?.["n"]);
    return { done: used === model ? done : 0, passages };
  } finally {
    db.close();
  }
}

function inspect(path: string, size: number): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const found = versionOf(db);
    if (found !== 0 && found !== schemaVersion) {
      const by = found > schemaVersion ? "a newer version of Parley" : "a version of Parley that was never released";
      throw new ParleyError("state_unavailable", {
        what: `The built-in service's database was written by ${by}: ${path}.`,
        hint: "Start that version again, or set DATA_DIR to another folder. Nothing was changed.",
      });
    }
    if (size > maxCheckedBytes) return;
    const finding = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (finding !== "ok") throw damagedError(path, new Error(String(finding)));
  } finally {
    db.close();
  }
}

function createSchema(db: DatabaseSync): void {
  if (versionOf(db) !== 0) return;
  db.exec(schema);
  db.exec(`PRAGMA user_version = ${schemaVersion}`);
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function damagedError(path: string, cause: unknown): ParleyError {
  return new ParleyError("state_unavailable", {
    what: `The built-in service's database is damaged: ${path}.`,
    hint: "Restore it from a backup, or move it away to start fresh. Parley hasn't changed it.",
    cause,
  });
}

/** Runs the change in a transaction. */
export function inTransaction<T>(db: DatabaseSync, change: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    db.exec("COMMIT");
    return result;
  } catch (thrown) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}

/** `YYYY-MM-DD HH:MM:SS.ffffff`, UTC. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, -1).replace("T", " ")}000`;
}
