/**
 * Audit log: who changed what and where, with the outcome, and who was refused. Commands pass only names and numbers, but
 * people may have typed a key into a URL or a query, so values are redacted. Anyone can be refused any number of times,
 * so refusals are counted: one entry per hour, person and command.
 */
import type { Runtime } from "../app.ts";
import { type Audit, type AuditEntry, auditEntriesIn } from "../core/audit.ts";
import { personKey, workspaceKey } from "../core/model/place.ts";
import { newId } from "../core/tools/ids.ts";
import { createRedact } from "../operations/redact.ts";

export function createAudit({ settings, state, clock, log }: Runtime): Audit {
  const entries = auditEntriesIn(state);
  /** Removes keys, tokens and passwords. */
  const redact = createRedact(settings.secrets);

  async function count(refusal: AuditEntry): Promise<void> {
    const { place, actor, action, atMs } = refusal;
    const hour = Math.floor(atMs / hourMs);
    const key = `${personKey(place, actor)}/refused/${encodeURIComponent(action)}/${hour}`;
    const first = await entries.create(key, { ...refusal, count: 1, lastAtMs: atMs });
    const counted = first.created
      ? { ...refusal, count: 1 }
      : (await entries.update(key, ({ record }) => ({ ...record, count: (record.count ?? 1) + 1, lastAtMs: atMs })))
          ?.record;
    if (isRoundTime(counted?.count ?? 0)) log.info({ audit: counted }, "Audited a refusal");
  }

  async function keep(entry: AuditEntry): Promise<void> {
    if (entry.outcome === "refused") return count(entry);
    log.info({ audit: entry }, "Audited a change");
    await entries.put(`${workspaceKey(entry.place)}/${newId(entry.atMs)}`, entry);
  }

  return {
    record: async ({ actor, place }, entry) => {
      const about = Object.fromEntries(
        Object.entries(entry.about).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(redact(value))]],
        ),
      );
      const who = { id: actor.id, name: actor.name };
      const action = entry.action.slice(0, maxActionChars);
      const whole: AuditEntry = { version: 1, atMs: clock.now(), actor: who, place, ...entry, action, about };
      try {
        await keep(whole);
      } catch (err) {
        log.error({ err, audit: whole }, "Can't store an audit entry");
      }
    },
  };
}

/** Limit of an action's name, because the page can send any text. */
const maxActionChars = 100;
const hourMs = 3_600_000;

/** 1, 10, 100, …: repeated refusals are logged less and less often. */
function isRoundTime(times: number): boolean {
  return /^10*$/.test(String(times));
}
