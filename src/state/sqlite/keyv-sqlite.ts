/**
 * KeyValue backend on SQLite: a keyv store over the database of this process. The published store brings its own SQLite,
 * and two libraries must not write to one file. Expired entries are hidden, and deleted once an hour.
 */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { everyHour } from "../every-hour.ts";
import type { KeyValueBackend } from "../key-value.ts";
import type { SqliteDatabase } from "./database.ts";

const pageSize = 200;
/** Namespaces of the table that aren't keyv's. */
const notValues = "('claims', 'restoring')";
/** Derived from other records, and again after a power loss: what is noted to be derived is removed later. */
const derivedNamespaces: ReadonlySet<string> = new Set(["counted", "console-texts"]);

export type SqliteKeyValueBackend = KeyValueBackend & { readonly stop: () => void };

export function createSqliteKeyValueBackend(options: {
  readonly database: SqliteDatabase;
  readonly clock: Clock;
  readonly log: Log;
}): SqliteKeyValueBackend {
  const { clock, log } = options;
  const { handle, read, write, writeDerived, damaged } = options.database;
  const alive = "(expires_at_ms IS NULL OR expires_at_ms > ?)";
  const get = handle.prepare(`SELECT value FROM key_values WHERE namespace = ? AND key = ? AND ${alive}`);
  const set = handle.prepare(
    `INSERT INTO key_values (namespace, key, value, expires_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms`,
  );
  const remove = handle.prepare("DELETE FROM key_values WHERE namespace = ? AND key = ?");
  const purge = handle.prepare(
    `DELETE FROM key_values WHERE rowid IN (SELECT rowid FROM key_values WHERE expires_at_ms <= ? LIMIT ${pageSize})`,
  );
  // A prefix's range ends at the prefix plus a byte that no UTF-8 text contains.
  const page = handle.prepare(
    `SELECT key, value FROM key_values
     WHERE namespace = ?1 AND key >= ?2 AND key < CAST(CAST(?2 AS BLOB) || x'FF' AS TEXT)
       AND (?3 IS NULL OR key > ?3) AND (expires_at_ms IS NULL OR expires_at_ms > ?4)
     ORDER BY key LIMIT ${pageSize}`,
  );

  const namespaces = handle.prepare(`SELECT DISTINCT namespace FROM key_values WHERE namespace NOT IN ${notValues}`);

  async function purgeExpired(signal: AbortSignal): Promise<void> {
    try {
      // In pages, so that many expired entries after a long downtime don't block everything else.
      while (!signal.aborted && Number((await write(() => purge.run(clock.now()))).changes) === pageSize);
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, "Can't purge expired entries");
    }
  }

  async function* scan(namespace: string, prefix: string): AsyncGenerator<[string, string], void> {
    let after: string | null = null;
    for (;;) {
      const rows = read(() => page.all(namespace, prefix, after, clock.now()));
      for (const row of rows) {
        const key = String(row["key"]);
        after = key;
        yield [key, String(row["value"])];
      }
      if (rows.length < pageSize) return;
      await nextLoopTurn();
    }
  }

  return {
    storeFor: (namespace) => ({
      get: async (key) => read(() => get.get(namespace, key, clock.now())?.["value"]),
      set: (key, value, ttlMs) => {
        const put = derivedNamespaces.has(namespace) ? writeDerived : write;
        return put(() => set.run(namespace, key, value, ttlMs === undefined ? null : clock.now() + ttlMs));
      },
      delete: (key) => write(() => remove.run(namespace, key).changes > 0),
    }),
    scan,
    namespaces: async () => read(() => namespaces.all()).map((row) => String(row["namespace"])),
    damaged,
    stop: everyHour(clock, purgeExpired),
  };
}
