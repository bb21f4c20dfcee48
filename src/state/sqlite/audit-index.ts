/** The index of audit entries in SQLite: a table in the order of time, read in windows. */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import {
  type AuditFilter,
  type AuditIndex,
  type AuditPosition,
  type IndexedEntry,
  maxAuditChoices,
} from "../../core/ports/storage/audit-index.ts";
import type { SqliteDatabase } from "./database.ts";

/** Entries looked at without a pause: about 4 ms. */
const windowSize = 20_000;
const removedAtOnce = 500;
const kinds = ["person", "action", "workspace"] as const;

/** Later than every entry. */
const end: AuditPosition = { atMs: Number.MAX_SAFE_INTEGER, key: "" };

export function createSqliteAuditIndex({ handle, read, write, writeDerived }: SqliteDatabase): AuditIndex {
  const put = handle.prepare(
    `INSERT INTO audit_index (at_ms, key, platform, workspace, person, action, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (at_ms, key) DO UPDATE SET platform = excluded.platform, workspace = excluded.workspace,
       person = excluded.person, action = excluded.action, outcome = excluded.outcome`,
  );
  const putChoice = handle.prepare(
    `INSERT INTO audit_choices (kind, value, label, last_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, value) DO UPDATE SET label = excluded.label, last_at_ms = excluded.last_at_ms
     WHERE excluded.last_at_ms >= last_at_ms`,
  );
  const remove = handle.prepare("DELETE FROM audit_index WHERE at_ms = ? AND key = ? AND person = ?");
  const lastOfWindow = handle.prepare(
    `SELECT at_ms, key FROM audit_index WHERE (at_ms, key) < (?, ?) AND at_ms >= ?
     ORDER BY at_ms DESC, key DESC LIMIT 1 OFFSET ${windowSize - 1}`,
  );
  const matching = handle.prepare(
    `SELECT at_ms, key FROM audit_index
     WHERE (at_ms, key) < (?1, ?2) AND (at_ms, key) >= (?3, ?4)
       AND (?5 IS NULL OR person = ?5) AND (?6 IS NULL OR action = ?6) AND (?7 IS NULL OR outcome = ?7)
       AND (?8 IS NULL OR platform = ?8) AND (?9 IS NULL OR workspace = ?9)
     ORDER BY at_ms DESC, key DESC LIMIT ?10`,
  );
  const choicesOf = handle.prepare(
    `SELECT value, label FROM audit_choices WHERE kind = ? ORDER BY last_at_ms DESC, value LIMIT ${maxAuditChoices}`,
  );
  const prune = handle.prepare(
    `DELETE FROM audit_index WHERE (at_ms, key) IN
       (SELECT at_ms, key FROM audit_index WHERE at_ms < ? ORDER BY at_ms, key LIMIT ${removedAtOnce})`,
  );
  const forgetChoice = handle.prepare("DELETE FROM audit_choices WHERE kind = 'person' AND value = ?");
  const pruneChoices = handle.prepare("DELETE FROM audit_choices WHERE last_at_ms < ?");

  const position = (row: Record<string, unknown>): AuditPosition => ({
    atMs: Number(row["at_ms"]),
    key: String(row["key"]),
  });

  function putNow({ atMs, key, platform, workspace, person, personName, action, outcome }: IndexedEntry): void {
    put.run(atMs, key, platform, workspace, person, action, outcome);
    const labels = { person: personName, action: "", workspace: "" };
    const values = { person, action, workspace };
    for (const kind of kinds) putChoice.run(kind, values[kind], labels[kind], atMs);
  }

  async function find(filter: AuditFilter, after: AuditPosition | undefined, limit: number): Promise<AuditPosition[]> {
    const { fromMs = 0, untilMs = end.atMs, person, action, outcome, platform, workspace } = filter;
    const wanted = [person, action, outcome, platform, workspace].map((value) => value ?? null);
    const found: AuditPosition[] = [];
    let from: AuditPosition = after !== undefined && after.atMs < untilMs ? after : { atMs: untilMs, key: "" };
    for (;;) {
      const last = read(() => lastOfWindow.get(from.atMs, from.key, fromMs));
      const until = last === undefined ? { atMs: fromMs, key: "" } : position(last);
      const rows = read(() =>
        matching.all(from.atMs, from.key, until.atMs, until.key, ...wanted, limit - found.length),
      );
      found.push(...rows.map(position));
      if (last === undefined || found.length >= limit) return found;
      from = until;
      await nextLoopTurn();
    }
  }

  return {
    put: async (entries) => {
      await writeDerived(() => {
        for (const entry of entries) putNow(entry);
      });
    },
    delete: async (entries) => {
      await write(() => {
        for (const { atMs, key, person } of entries) remove.run(atMs, key, person);
      });
    },
    find,
    choices: async () => {
      const [people, actions, workspaces] = kinds.map((kind) => read(() => choicesOf.all(kind)));
      const values = (rows: typeof people) => (rows ?? []).map(({ value }) => String(value));
      return {
        people: (people ?? []).map(({ value, label }) => ({ key: String(value), name: String(label) })),
        actions: values(actions),
        workspaces: values(workspaces),
      };
    },
    forget: async (person) => {
      await write(() => forgetChoice.run(person));
    },
    prune: async (beforeMs) => {
      let count = 0;
      for (;;) {
        const { changes } = await write(() => prune.run(beforeMs));
        count += Number(changes);
        if (Number(changes) < removedAtOnce) break;
      }
      await write(() => pruneChoices.run(beforeMs));
      return count;
    },
  };
}
