/** Reads everything that a store has, past Parley's own code: every table of SQLite, every key of Redis. */
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { connectRedis, scanKeys } from "../../../src/state/redis/connection.ts";
import type { RedisClient } from "../../../src/state/redis/link.ts";
import { databaseName } from "../../../src/state/sqlite/database.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);

/** Every row of every table as text, also those that full-text search keeps for itself. */
export function everythingOnSqlite(dataDir: string): readonly string[] {
  const db = new DatabaseSync(join(dataDir, databaseName), { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const select = db.prepare(`SELECT * FROM "${String(name)}"`);
      // Ids of rows that full-text search chooses are larger than a number.
      select.setReadBigInts(true);
      const rows = select.all();
      const line = (row: Record<string, SQLOutputValue>) => Object.values(row).map(textOf).join(" ");
      return rows.map((row) => `${String(name)} ${line(row)}`);
    });
  } finally {
    db.close();
  }
}

const readers: Readonly<Record<string, (client: RedisClient, key: string) => Promise<unknown>>> = {
  string: (client, key) => client.get(key),
  hash: (client, key) => client.hGetAll(key),
  set: (client, key) => client.sMembers(key),
  zset: (client, key) => client.zRange(key, 0, -1),
  list: (client, key) => client.lRange(key, 0, -1),
  stream: (client, key) => client.xRange(key, "-", "+"),
  // It has expired meanwhile.
  none: async () => "",
};

/** Every key with its value as text. Rejects for a type of value that it doesn't know. */
export async function everythingOnRedis(url: string): Promise<readonly string[]> {
  const connection = await connectRedis({ url, clock: systemClock, log: silentLog });
  try {
    const found: string[] = [];
    for await (const keys of scanKeys(connection, "*")) {
      for (const key of keys) {
        const type = await connection.run((client) => client.type(key));
        const read = readers[type];
        if (read === undefined) throw new Error(`A key has the type ${type}: ${key}`);
        found.push(`${key} ${JSON.stringify(await connection.run((client) => read(client, key)))}`);
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}
