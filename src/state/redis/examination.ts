/** Reads everything in Redis for `npm run doctor`, to find all damaged records. */
import type { JobStore, KeyValueFactory, TurnStore } from "../../core/ports/state.ts";
import { readRow } from "../collections.ts";
import { collectionsPrefix, recordsOf, rowOf } from "./collection.ts";
import { keyPrefix, type RedisConnection, scanKeys } from "./connection.ts";

const pageSize = 200;

export async function readAllOfRedis(options: {
  readonly connection: RedisConnection;
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  readonly keyValue: KeyValueFactory;
}): Promise<void> {
  const { connection, turns, jobs, keyValue } = options;
  for (const [name, store] of [["turns", turns] as const, ["jobs", jobs] as const]) {
    const ids = await connection.run((client) => client.zRange(`${keyPrefix}${name}:all`, 0, -1));
    for (let from = 0; from < ids.length; from += pageSize) {
      await Promise.all(ids.slice(from, from + pageSize).map((id) => store.get(id)));
    }
  }
  const values = `${keyPrefix}kv:`;
  for await (const keys of scanKeys(connection, `${values}*`)) {
    await Promise.all(
      keys.map((key) => {
        const [namespace = "", ...rest] = key.slice(values.length).split("::");
        return keyValue(decodeURIComponent(namespace)).get(rest.join("::"));
      }),
    );
  }
  for await (const keys of scanKeys(connection, recordsOf("*"))) {
    for (const key of keys) await readRecords(connection, key);
  }
}

async function readRecords(connection: RedisConnection, key: string): Promise<void> {
  const name = key.slice(collectionsPrefix.length).split("}")[0] ?? "";
  let cursor = "0";
  do {
    const page = await connection.run((client) => client.hScan(key, cursor, { COUNT: pageSize }));
    for (const { field, value } of page.entries) {
      readRow(name, rowOf(field, value), undefined, connection.damaged);
    }
    cursor = String(page.cursor);
  } while (cursor !== "0");
}
