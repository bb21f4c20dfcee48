/**
 * Claims in SQLite: whoever says a key first has it. keyv cannot say that (it reads, then writes), so it is said to the
 * database itself. They lie among the small records, whose purge then cleans up after them.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Claims } from "../../ports/state.ts";
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
