/**
 * Indexes the audit entries of earlier versions, in the background after the start. During an upgrade an instance of the
 * version before still writes entries without an index, so every start within a day looks through all of them again.
 */
import type { AuditEntry } from "../../ports/audit.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Coordinator, KeyValue } from "../../ports/state.ts";
import {
  type AuditIndex,
  auditIndexingLease,
  type IndexedEntry,
  indexedEntry,
} from "../../ports/storage/audit-index.ts";
import { createRest } from "../../ports/tools/pause.ts";

export type AuditIndexing = { readonly version: 1; readonly sinceMs: number; readonly doneAtMs?: number };

const recordKey = "entries";
const upgradeMs = 86_400_000;
const atOnce = 100;
const retryMs = 60_000;
/** What is known of the record is asked again then, while entries are being indexed. */
const knownMs = 5_000;

export type OlderEntries = {
  /** For /readyz. Undefined: all are indexed. Rejects with state_unavailable. */
  readonly progress: () => Promise<string | undefined>;
  /** From when on all entries are indexed; undefined: all are. */
  readonly sinceMs: () => Promise<number | undefined>;
  /** Resolves when all are indexed, by this instance or another, or when the signal aborts. Never rejects. */
  readonly index: (signal: AbortSignal) => Promise<void>;
};

export function createOlderEntries(deps: {
  readonly store: Pick<KeyValue<AuditEntry>, "entries">;
  readonly indexing: KeyValue<AuditIndexing>;
  readonly index: Pick<AuditIndex, "put">;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
  readonly log: Log;
}): OlderEntries {
  const { store, indexing, index, coordinator, clock, log } = deps;
  let count: number | undefined;
  let known: { readonly sinceMs: number | undefined; readonly atMs: number } | undefined;

  async function indexAll(signal: AbortSignal): Promise<void> {
    const lease = await coordinator.lease(auditIndexingLease, { signal });
    try {
      const before = await indexing.get(recordKey);
      if (before?.doneAtMs !== undefined && clock.now() - before.doneAtMs > upgradeMs) return;
      const { sinceMs } = before ?? { sinceMs: clock.now() };
      // Only the first time are entries missing from the list.
      if (before === undefined) await indexing.set(recordKey, { version: 1, sinceMs });
      let batch: IndexedEntry[] = [];
      const rest = createRest(clock, signal);
      count = 0;
      const put = async () => {
        await index.put(batch);
        count = (count ?? 0) + batch.length;
        batch = [];
      };
      for await (const [key, entry] of store.entries("")) {
        if (signal.aborted || lease.lost.aborted) return;
        batch.push(...indexable(key, entry));
        if (batch.length < atOnce) continue;
        await put();
        await rest();
      }
      await put();
      await indexing.set(recordKey, { version: 1, sinceMs, doneAtMs: before?.doneAtMs ?? clock.now() });
    } finally {
      count = undefined;
      await lease.release();
    }
  }

  async function incompleteBefore(): Promise<number | undefined> {
    const isKnown = known !== undefined && (known.sinceMs === undefined || clock.now() - known.atMs < knownMs);
    if (!isKnown) {
      const record = await indexing.get(recordKey);
      const sinceMs = record === undefined || record.doneAtMs !== undefined ? undefined : record.sinceMs;
      // Before the first entry is looked at there is no record, and that isn't the end.
      if (record === undefined) return undefined;
      known = { sinceMs, atMs: clock.now() };
    }
    return known?.sinceMs;
  }

  return {
    sinceMs: incompleteBefore,
    progress: async () => {
      // Another instance may be the one that indexes.
      if ((await incompleteBefore()) === undefined) return undefined;
      return `indexes entries of an earlier version${count === undefined ? "" : `: ${count} so far`}`;
    },
    index: async (signal) => {
      while (!signal.aborted) {
        try {
          await indexAll(signal);
          return;
        } catch (err) {
          if (signal.aborted) return;
          log.warn({ err }, "Can't index the older entries of the audit log; retrying in a minute");
          await clock.sleep(retryMs, signal).catch(() => undefined);
        }
      }
    },
  };
}

/** Nothing of a record that isn't an entry, so that one damaged record doesn't hold up the others. */
function indexable(key: string, entry: AuditEntry): readonly IndexedEntry[] {
  const { atMs, actor, place, action, outcome } = entry;
  const isEntry =
    Number.isSafeInteger(atMs) &&
    [actor?.id, actor?.name, place?.platform, place?.workspace, action, outcome].every(
      (part) => typeof part === "string",
    );
  return isEntry ? [indexedEntry(key, entry)] : [];
}
