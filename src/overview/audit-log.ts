/** Reads the audit log newest first. */
import type { App } from "../app.ts";
import { type AuditEntry, type AuditField, auditEntriesIn } from "../core/audit.ts";
import { type AuditFilter, type AuditLog, maxAuditChoices } from "../core/overview/audit-log.ts";
import type { Query } from "../core/ports/collection.ts";

export function createAuditLog({ state }: Pick<App, "state">): AuditLog {
  const entries = auditEntriesIn(state);

  /** The entries that were the last of a person, an action or a workspace, the newest first. */
  async function lastOfEach(field: AuditField) {
    const groups = await entries.groups({ by: [field], order: "atMs" });
    return groups
      .slice(0, maxAuditChoices)
      .map(({ values, newest }) => ({ value: String(values[field]), id: newest.id }));
  }

  return {
    page: async (filter, cursor, limit) => {
      const page = await entries.query(queryOf(filter), limit, cursor);
      return { entries: page.entries.map(({ record }) => record), next: page.next };
    },
    all: async function* (filter): AsyncGenerator<AuditEntry, void> {
      for await (const { record } of entries.all(queryOf(filter))) yield record;
    },
    choices: async () => {
      const [people, actions, workspaces] = await Promise.all([
        lastOfEach("person"),
        lastOfEach("action"),
        lastOfEach("workspace"),
      ]);
      const named = people.map(async ({ value, id }) => ({
        key: value,
        name: (await entries.get(id))?.record.actor.name ?? "",
      }));
      return {
        people: await Promise.all(named),
        actions: actions.map(({ value }) => value),
        workspaces: workspaces.map(({ value }) => value),
      };
    },
  };
}

function queryOf({ fromMs, untilMs, ...where }: AuditFilter): Query<AuditField> {
  return { order: "atMs", from: fromMs, until: untilMs, where };
}
