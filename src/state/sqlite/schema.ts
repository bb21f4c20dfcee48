/** SQLite tables. `user_version` is the number of their schema; a database with another number isn't touched. */
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../../core/errors.ts";

/** Lower numbers were never released. */
export const schemaVersion = 11;

const facets = "asked_at_ms, id, platform, workspace, channel, agent, outcome, why, up, down";
const kind = "platform, workspace, agent, outcome, why";

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

const rankings = `
  CREATE TABLE rankings (
    list TEXT NOT NULL,
    member TEXT NOT NULL,
    score REAL NOT NULL,
    PRIMARY KEY (list, member)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rankings_by_score ON rankings (list, score, member);
`;

/** question_words holds one word per scope, anchors and term, so that a query reads only questions that matter. */
const questions = `
  CREATE TABLE questions (
    number INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    anchors TEXT NOT NULL,
    terms TEXT NOT NULL,
    size INTEGER NOT NULL,
    UNIQUE (scope, id)
  ) STRICT;
  CREATE VIRTUAL TABLE question_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
`;

/** Counters by UTC day, and what each question has added to them. */
const tallies = `
  CREATE TABLE tallies (
    day INTEGER NOT NULL,
    list TEXT NOT NULL,
    counter TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, list, counter)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contributions (
    day INTEGER NOT NULL,
    contributor TEXT NOT NULL,
    contribution TEXT NOT NULL,
    PRIMARY KEY (day, contributor)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * The table is in the order of its lists. Indexes have every column that a filter compares, so that a walk reads no
 * whole rows: some thousand of them take 100 ms. The one by channel and outcome is for the newest failure of each
 * channel, which has some hundred questions for each failure.
 */
const questionLog = `
  CREATE TABLE question_log (
    asked_at_ms INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    ref TEXT NOT NULL,
    platform TEXT NOT NULL,
    workspace TEXT NOT NULL,
    channel TEXT NOT NULL,
    agent TEXT NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT NOT NULL,
    up INTEGER NOT NULL,
    down INTEGER NOT NULL,
    asker TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (asked_at_ms, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX question_log_by_ref ON question_log (ref, asked_at_ms, id);
  CREATE INDEX question_log_by_asker ON question_log (asker, asked_at_ms, id);
  CREATE INDEX question_log_facets ON question_log (${facets});
  CREATE INDEX question_log_by_channel ON question_log (channel, ${facets});
  CREATE INDEX question_log_by_channel_outcome ON question_log (channel, outcome, ${facets})
    WHERE outcome <> 'answered';
  CREATE INDEX question_log_by_outcome ON question_log (outcome, ${facets}) WHERE outcome <> 'answered';
  CREATE INDEX question_log_up ON question_log (${facets}) WHERE up > 0;
  CREATE INDEX question_log_down ON question_log (${facets}) WHERE down > 0;
`;

/** How many questions there are of each kind, so that a filter that nothing matches reads no index to its end. */
const questionLogCounts = `
  CREATE TABLE question_log_counts (
    platform TEXT NOT NULL,
    workspace TEXT NOT NULL,
    agent TEXT NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (platform, workspace, agent, outcome, why)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER question_log_added AFTER INSERT ON question_log BEGIN
    INSERT INTO question_log_counts (${kind}, count)
    VALUES (NEW.platform, NEW.workspace, NEW.agent, NEW.outcome, NEW.why, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER question_log_removed AFTER DELETE ON question_log BEGIN
    UPDATE question_log_counts SET count = count - 1
    WHERE (${kind}) = (OLD.platform, OLD.workspace, OLD.agent, OLD.outcome, OLD.why);
    DELETE FROM question_log_counts
    WHERE (${kind}) = (OLD.platform, OLD.workspace, OLD.agent, OLD.outcome, OLD.why) AND count <= 0;
  END;
`;

const schema = [keyValues, records, rankings, questions, tallies, questionLog, questionLogCounts].join("");

/** 0 for an empty database. */
export function versionOf(db: DatabaseSync): number {
  const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
  return typeof version === "number" ? version : 0;
}

/** Throws state_unavailable for a database with another schema, before anything in it is changed. */
export function refuseOtherSchema(db: DatabaseSync, path: string): void {
  const found = versionOf(db);
  if (found === 0 || found === schemaVersion) return;
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
    db.exec("ROLLBACK");
    throw thrown;
  }
}
