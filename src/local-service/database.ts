/**
 * The local service's own database file, apart from Parley's: what people put into knowledge bases here is theirs, and
 * outlives everything Parley keeps. Opened once a process; all calls are synchronous and short.
 */
import { DatabaseSync } from "node:sqlite";

const schemaVersion = 1;

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
  CREATE VIRTUAL TABLE passage_words USING fts5 (
    base, heading, above, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
`;

/** https://www.sqlite.org/rescode.html: SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes: readonly unknown[] = [11, 26];

/**
 * Opens the file or makes it; ":memory:" for none. Throws an Error with a message for whoever runs Parley when it is
 * damaged or was written by a newer one; the file is left as it is.
 */
export function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version > schemaVersion) throw new Error(`${path} was written by a newer version of Parley.`);
    if (version === 0) inTransaction(db, () => db.exec(`${schema} PRAGMA user_version = ${schemaVersion}`));
    return db;
  } catch (thrown) {
    db.close();
    if (!(thrown instanceof Error && "errcode" in thrown && damagedCodes.includes(thrown.errcode))) throw thrown;
    const remedy = "Restore it from a backup, or move it away to begin anew. Parley has left it as it is.";
    throw new Error(`The local service's database is damaged: ${path}. ${remedy}`, { cause: thrown });
  }
}

/** All of it or nothing. */
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

/** `YYYY-MM-DD HH:MM:SS.ffffff`, UTC, as the API document has it. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, -1).replace("T", " ")}000`;
}
