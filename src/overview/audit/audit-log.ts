/** Reads the audit log newest first: keys by the index, entries by their keys. */

import type { App } from "../../app.ts";
import type { AuditEntry } from "../../core/audit.ts";
import type { AuditLog, AuditPage } from "../../core/overview/audit-log.ts";
import type { AuditFilter, AuditPosition } from "../../core/ports/storage/audit-index.ts";

/** Of a file: so many are in memory at once. */
const readAtOnce = 500;

export function createAuditLog(app: App): AuditLog {
  const { auditIndex: index } = app.state;
  const store = app.state.keyValue<AuditEntry>("audit");

  /** An entry may have expired before it left the index, so there can be fewer than positions. */
  async function readAt(positions: readonly AuditPosition[]): Promise<AuditEntry[]> {
    const entries = await Promise.all(positions.map(({ key }) => store.get(key)));
    return entries.filter((entry) => entry !== undefined);
  }

  async function page(filter: AuditFilter, cursor: string | undefined, limit: number): Promise<AuditPage> {
    const entries: AuditEntry[] = [];
    let after = positionOf(cursor);
    for (;;) {
      const wanted = limit - entries.length;
      // One more tells whether there is another page.
      const found = await index.find(filter, after, wanted + 1);
      const shown = found.slice(0, wanted);
      entries.push(...(await readAt(shown)));
      const last = shown.at(-1);
      const hasMore = found.length > wanted;
      if (!hasMore || last === undefined || entries.length >= limit) {
        const next = hasMore && last !== undefined ? cursorOf(last) : undefined;
        return { entries, next };
      }
      after = last;
    }
  }

  async function* all(filter: AuditFilter): AsyncGenerator<AuditEntry, void> {
    for (let after: AuditPosition | undefined; ; ) {
      const found = await index.find(filter, after, readAtOnce);
      yield* await readAt(found);
      after = found.at(-1);
      if (found.length < readAtOnce || after === undefined) return;
    }
  }

  return { page, all, choices: index.choices };
}

const cursorOf = ({ atMs, key }: AuditPosition) => `${atMs}.${key}`;

function positionOf(cursor = ""): AuditPosition | undefined {
  const [, time, key] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  return time === undefined || key === undefined ? undefined : { atMs: Number(time), key };
}
