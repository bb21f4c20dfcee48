/** What a backup needs of SQLite alone: claims, works, fences, and the mark of a restore that hasn't ended. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { Clock } from "../../core/ports/clock.ts";
import type { StoredWork } from "../../core/ports/storage/contents.ts";
import type { OwnContents } from "../contents.ts";
import { decodePayload, encodePayload } from "../works/attempt.ts";
import { collectionNames } from "./collection.ts";
import type { SqliteDatabase } from "./database.ts";
import { halfRestoredVersion, schemaVersion } from "./schema.ts";

const pageSize = 200;
/** In key_values, like the claims. */
const noteKey = ["restoring", "note"] as const;

/** `perStart`: the fences of one start. */
export function createSqliteContents(database: SqliteDatabase, perStart: number, clock: Clock): OwnContents {
  const { handle, read, write, starts } = database;
  const note = handle.prepare("SELECT value FROM key_values WHERE namespace = ? AND key = ?");
  const setNote = handle.prepare("INSERT OR REPLACE INTO key_values (namespace, key, value) VALUES (?, ?, ?)");
  const removeNote = handle.prepare("DELETE FROM key_values WHERE namespace = ? AND key = ?");
  const claimsAfter = handle.prepare(
    `SELECT key, expires_at_ms FROM key_values WHERE namespace = 'claims' AND key > ? AND expires_at_ms > ?
     ORDER BY key LIMIT ${pageSize}`,
  );
  const worksAfter = handle.prepare(
    `SELECT * FROM works WHERE (kind, key) > (?, ?) ORDER BY kind, key LIMIT ${pageSize}`,
  );
  const putWork = handle.prepare(
    `INSERT INTO works (kind, key, payload, state, due_at_ms, since_at_ms, first_at_ms, attempts, begun, error)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
     ON CONFLICT (kind, key) DO UPDATE SET payload = ?3, state = ?4, due_at_ms = ?5, since_at_ms = ?6,
       first_at_ms = ?7, attempts = ?8, begun = ?9, error = ?10`,
  );
  const raise = handle.prepare("UPDATE starts SET count = max(count, ?)");

  return {
    collectionNames: async () => read(() => collectionNames(handle)),

    claims: async function* () {
      for (let after = ""; ; await nextLoopTurn()) {
        const rows = read(() => claimsAfter.all(after, clock.now()));
        for (const row of rows) {
          after = String(row["key"]);
          yield { key: after, expiresAtMs: Number(row["expires_at_ms"]) };
        }
        if (rows.length < pageSize) return;
      }
    },

    works: async function* () {
      for (let [kind, key] = ["", ""]; ; await nextLoopTurn()) {
        const rows = read(() => worksAfter.all(kind, key));
        for (const row of rows) {
          [kind, key] = [String(row["kind"]), String(row["key"])];
          const work = storedWork(kind, key, row);
          if (work !== undefined) yield work;
        }
        if (rows.length < pageSize) return;
      }
    },

    putWork: async ({ kind, key, payload, state, dueAtMs, sinceAtMs, firstAtMs, attempts, begun, error }) => {
      const json = encodePayload(kind, payload);
      const rest = [firstAtMs ?? null, attempts, begun, error ?? null] as const;
      await write(() => putWork.run(kind, key, json, state, dueAtMs, sinceAtMs, ...rest));
    },

    highestFence: async () => (starts + 1) * perStart,

    raiseFence: async (above) => {
      await write(() => raise.run(Math.ceil(above / perStart)));
    },

    restoring: async () => {
      const found = read(() => note.get(...noteKey))?.["value"];
      return typeof found === "string" ? found : undefined;
    },

    setRestoring: async (text) => {
      await write(() => {
        if (text === undefined) removeNote.run(...noteKey);
        else setNote.run(...noteKey, text);
        handle.exec(`PRAGMA user_version = ${text === undefined ? schemaVersion : halfRestoredVersion}`);
      });
    },

    isShared: async () => false,
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Undefined: it was cancelled, or its payload can't be read. What is active was left by a process that died. */
function storedWork(kind: string, key: string, row: Row): StoredWork | undefined {
  const { again_at_ms: againAtMs, is_cancelled: isCancelled } = row;
  const payload = decodePayload(String(row["payload"]));
  if (payload === undefined || (isCancelled === 1 && againAtMs === null)) return undefined;
  const begun = Number(row["begun"]);
  if (againAtMs !== null) {
    const atMs = Number(againAtMs);
    return { kind, key, payload, state: "waiting", dueAtMs: atMs, sinceAtMs: atMs, attempts: 0, begun };
  }
  return {
    kind,
    key,
    payload,
    begun,
    attempts: Number(row["attempts"]),
    state: row["state"] === "failed" ? "failed" : "waiting",
    dueAtMs: Number(row["due_at_ms"]),
    sinceAtMs: Number(row["since_at_ms"]),
    firstAtMs: row["first_at_ms"] === null ? undefined : Number(row["first_at_ms"]),
    error: row["error"] === null ? undefined : String(row["error"]),
  };
}
