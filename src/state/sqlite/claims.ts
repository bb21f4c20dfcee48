/**
 * Claims in SQLite: the first caller for a key gets it. keyv can't do this (it reads, then writes), so this is one SQL
 * statement. Claims are rows of key_values, whose purge deletes expired ones.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { Claims } from "../../core/ports/state.ts";
import type { SqliteDatabase } from "./database.ts";

const namespace = "claims";

export function createSqliteClaims(database: SqliteDatabase, clock: Clock): Claims {
  const put = database.handle.prepare(
    `INSERT INTO key_values (namespace, key, value, expires_at_ms) VALUES (?1, ?2, '{}', ?3)
     ON CONFLICT (namespace, key) DO UPDATE SET expires_at_ms = ?3 WHERE expires_at_ms <= ?4`,
  );
  return {
    claim: (key, ttlMs) =>
      database.write(() => put.run(namespace, key, clock.now() + ttlMs, clock.now()).changes === 1),
  };
}
