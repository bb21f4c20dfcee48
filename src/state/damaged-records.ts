/**
 * Registry of damaged records: those that don't parse or lack a required field. A damaged record is skipped, so that it
 * never blocks the records behind it. It is logged once with its key, and counted for /readyz.
 */

import type { Log } from "../core/ports/log.ts";
import type { Damage } from "../core/ports/state.ts";

/** Most keys remembered, so that a badly damaged store doesn't fill the memory too. */
const maxKeys = 10_000;
const shownKeys = 5;

export type DamagedRecords = ReturnType<typeof createDamagedRecords>;

export function createDamagedRecords(log: Log) {
  const keys = new Set<string>();
  return {
    /** `reason` goes to the log, so it must not quote the record, which holds people's messages. */
    add: (key: string, reason: string): void => {
      if (keys.has(key) || keys.size >= maxKeys) return;
      keys.add(key);
      log.error({ key, reason }, "Skipping a damaged record");
    },
    /** The record is readable, replaced or gone. */
    remove: (key: string): void => {
      keys.delete(key);
    },
    has: (key: string) => keys.has(key),
    keysOf: (store: string) =>
      [...keys].flatMap((key) => (key.startsWith(`${store}/`) ? [key.slice(store.length + 1)] : [])),
    seen: (): Damage => ({ count: keys.size, keys: [...keys].slice(0, shownKeys) }),
  };
}

/** The sentence for operators; undefined if nothing is damaged. */
export function describeDamage({ count }: Damage): string | undefined {
  if (count === 0) return undefined;
  const records = count === 1 ? "1 stored record is" : `${count} stored records are`;
  return `${records} damaged and skipped. The log and npm run doctor name the keys.`;
}
