/** Reads the whole database for `npm run doctor`, to find all damaged records. */
import { DatabaseSync } from "node:sqlite";
import type { DamagedRecords } from "../damaged-records.ts";
import { isStoredValue } from "../key-value.ts";
import { createRecordReader } from "../record-check.ts";
import { readAllCollections } from "./collection.ts";

/** Safe while a running Parley uses the database: it only reads. */
export function readAllOfSqlite(path: string, damaged: DamagedRecords): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    for (const table of ["turns", "jobs"] as const) {
      const read = createRecordReader<unknown>(table, damaged);
      for (const { id, record } of db.prepare(`SELECT id, record FROM ${table}`).iterate()) {
        read(String(id), () => JSON.parse(String(record)));
      }
    }
    // Claims have no value.
    const values = db.prepare("SELECT namespace, key, value FROM key_values WHERE namespace <> 'claims'");
    for (const { namespace, key, value } of values.iterate()) {
      if (!isStoredValue(String(value))) damaged.add(`${namespace}/${key}`, "It is not JSON with a value.");
    }
    readAllCollections(db, damaged);
  } finally {
    db.close();
  }
}
