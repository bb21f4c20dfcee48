/**
 * Audit log: who changed what and where, with the outcome, and who was refused. Commands pass only names and numbers, but
 * people may have typed a key into a URL or a query, so values are redacted. Anyone can be refused any number of times,
 * so refusals are counted: one entry per hour, person and command.
 */
import type { Runtime } from "../app.ts";
import type { Audit, AuditEntry } from "../core/audit.ts";
import { personKey, workspaceKey } from "../core/model/place.ts";
import { indexedEntry } from "../core/ports/storage/audit-index.ts";
import { newId } from "../core/tools/ids.ts";
import { createRedact } from "../operations/redact.ts";

export function createAudit({ settings, state, clock, log }: Runtime): Audit {
  const store = state.keyValue<AuditEntry>("audit");
  const index = state.auditIndex;
  /** Removes keys, tokens and passwords. */
  const redact = createRedact(settings.secrets);
  /** The last pending update of each refusal's count, by key: updates of a key run one after the other. */
  const counting = new Map<string, Promise<void>>();

  async function count(refusal: AuditEntry): Promise<void> {
    const { place, actor, action, atMs } = refusal;
    const hour = Math.floor(atMs / hourMs);
    const key = `${personKey(place, actor)}/refused/${encodeURIComponent(action)}/${hour}`;
    const after = (counting.get(key) ?? Promise.resolve()).then(async () => {
      const before = await store.get(key);
      const times = (before?.count ?? 0) + 1;
      const entry = { ...refusal, ...before, count: times, lastAtMs: atMs };
      if (isRoundTime(times)) log.info({ audit: entry }, "Audited a refusal");
      await put(key, entry);
    });
    const ended = after.catch(() => undefined);
    counting.set(key, ended);
    await after.finally(() => {
      if (counting.get(key) === ended) counting.delete(key);
    });
  }

  async function keep(entry: AuditEntry): Promise<void> {
    if (entry.outcome === "refused") return count(entry);
    log.info({ audit: entry }, "Audited a change");
    await put(`${workspaceKey(entry.place)}/${newId(entry.atMs)}`, entry);
  }

  /** The index first: a process that dies in between leaves no entry that isn't found. */
  async function put(key: string, entry: AuditEntry): Promise<void> {
    await index.put([indexedEntry(key, entry)]);
    await store.set(key, entry, settings.auditMs);
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
