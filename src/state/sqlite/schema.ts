/** SQLite tables. `user_version` is the number of their schema; a database with another number isn't touched. */
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../../core/errors.ts";
import { halfRestored } from "../state-error.ts";

/** Lower numbers were never released. */
export const schemaVersion = 15;
/** While a restore has begun and not ended: every version refuses it, since it is higher than any of theirs. */
export const halfRestoredVersion = schemaVersion + 1_000_000;

const keyValues = `
  CREATE TABLE key_values (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at_ms INTEGER,
    UNIQUE (namespace, key)
  ) STRICT;
  CREATE INDEX key_values_by_expiry ON key_values (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
`;

/** asker: to count a person's waiting records; a Turn that waits for people to decide counts. */
const records = `
  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    event_key TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    record TEXT NOT NULL,
    asker TEXT,
    conversation TEXT
  ) STRICT;
  CREATE INDEX turns_by_state ON turns (state, created_at_ms);
  CREATE INDEX turns_by_age ON turns (created_at_ms, id);
  CREATE INDEX turns_by_conversation ON turns (conversation);
  CREATE INDEX turns_waiting_by_asker ON turns (asker) WHERE state IN ('queued', 'running', 'waiting', 'interrupted');

  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    event_key TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    record TEXT NOT NULL,
    asker TEXT,
    conversation TEXT
  ) STRICT;
  CREATE INDEX jobs_by_state ON jobs (state, created_at_ms);
  CREATE INDEX jobs_by_age ON jobs (created_at_ms, id);
  CREATE INDEX jobs_waiting_by_asker ON jobs (asker) WHERE state IN ('queued', 'running');

  CREATE TABLE starts (count INTEGER NOT NULL) STRICT;
  INSERT INTO starts (count) VALUES (0);
`;

/**
 * state: "waiting" (also until its time has come), "active" or "failed". due_at_ms: when it runs next, and since_at_ms:
 * when it was due at first. again_at_ms: it was added once more while it was active.
 */
const works = `
  CREATE TABLE works (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    due_at_ms INTEGER NOT NULL,
    since_at_ms INTEGER NOT NULL,
    first_at_ms INTEGER,
    again_at_ms INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    begun INTEGER NOT NULL DEFAULT 0,
    is_cancelled INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    payload TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;
  CREATE INDEX works_by_time ON works (kind, state, due_at_ms, key);
`;

const schema = [keyValues, records, works].join("");

/** 0 for an empty database. */
export function versionOf(db: DatabaseSync): number {
  const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
  return typeof version === "number" ? version : 0;
}

/** Throws state_unavailable for a database with another schema, before anything in it is changed. */
export function refuseOtherSchema(db: DatabaseSync, path: string, isForRestore: boolean): void {
  const found = versionOf(db);
  if (found === 0 || found === schemaVersion || (isForRestore && found === halfRestoredVersion)) return;
  if (found > 1_000_000) throw halfRestored(`the database in DATA_DIR (${path})`);
  const by = found > schemaVersion ? "a newer version of Parley" : "a version of Parley that was never released";
  throw new ParleyError("state_unavailable", {
    what: `The database in DATA_DIR was written by ${by} (schema ${found}; this version knows ${schemaVersion}): ${path}.`,
    hint: "Start that version again, or set DATA_DIR to another folder. Nothing was changed.",
  });
}

/** In one transaction, if the database is empty. */
export function createSchema(db: DatabaseSync): void {
  if (versionOf(db) !== 0) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(schema);
    db.exec(`PRAGMA user_version = ${schemaVersion}`);
    db.exec("COMMIT");
  } catch (thrown) {
    // A full disk has ended it already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}
