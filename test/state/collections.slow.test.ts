import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createCollections } from "../../src/state/collections.ts";
import { createRedisCollection } from "../../src/state/redis/collection.ts";
import { connectRedis, type RedisConnection, scanKeys } from "../../src/state/redis/connection.ts";
import { createSqliteCollection } from "../../src/state/sqlite/collection.ts";
import { databaseName, openSqlite } from "../../src/state/sqlite/database.ts";
import { describeCollection, expectWhole } from "../contracts/storage/collection.ts";
import { type Note, noteDefinition } from "../contracts/storage/collection-note.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const childScript = new URL("write-collection-child.ts", import.meta.url).pathname;

/** In the table's rows, and in the list of words, which has the numbers of rows. */
function indexedOnSqlite(handle: DatabaseSync, name: string): readonly string[] {
  const rows = handle.prepare(`SELECT id FROM "collection_${name}"`).all();
  const worded = handle.prepare(
    `SELECT coalesce(id, 'nothing') AS id FROM "words_${name}" AS words
     LEFT JOIN "collection_${name}" AS rows ON rows.number = words.rowid`,
  );
  return [...rows, ...worded.all()].map(({ id }) => String(id));
}

/** In every sorted set and hash of the collection. */
async function indexedOnRedis(connection: RedisConnection, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const keys of scanKeys(connection, `parley:{${name}}:*`)) {
    for (const key of keys) {
      if (/:version$|:values:/.test(key)) continue;
      const isHash = (await connection.run((client) => client.type(key))) === "hash";
      found.push(...(await connection.run((client) => (isHash ? client.hKeys(key) : client.zRange(key, 0, -1)))));
    }
  }
  return found;
}

describeCollection("SQLite", async () => {
  const { log, text } = createCollectedLog();
  const dataDir = await temporaryFolder("collections");
  const database = await openSqlite({ dataDir, clock: createFakeClock(), log });
  const { collection } = createCollections((...about) => createSqliteCollection(database, ...about), database.damaged);
  return {
    one: collection,
    other: collection,
    spoil: async (name, id, json) => {
      database.handle.prepare(`UPDATE "collection_${name}" SET record = ? WHERE id = ?`).run(json, id);
    },
    indexed: async (name) => indexedOnSqlite(database.handle, name),
    damage: database.damaged.seen,
    logged: text,
    limitsWords: false,
    close: database.close,
  };
});

/** A process that writes without end, killed at any moment: five times. */
async function killedWhileItWrites(args: readonly string[]): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    const child = spawn(process.execPath, [childScript, ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await wait(20 + 37 * time);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

it("has after a kill no index entry without its record, and no record without its entries, on SQLite", async () => {
  const dataDir = await temporaryFolder("collections-killed");
  await killedWhileItWrites([dataDir]);

  const database = await openSqlite({ dataDir, clock: systemClock, log: silentLog });
  const { collection } = createCollections((...about) => createSqliteCollection(database, ...about), database.damaged);
  const notes = collection("notes", noteDefinition);
  const stored = new Map<string, Note>();
  for await (const { id, record } of notes.entries()) stored.set(id, record);

  expect(stored.size).toBeGreaterThan(0);
  await expectWhole(notes, stored, false);
  expect(new Set(indexedOnSqlite(database.handle, "notes"))).toEqual(new Set(stored.keys()));
  await database.close();
  const db = new DatabaseSync(join(dataDir, databaseName), { readOnly: true });
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
});

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  const connect = (log = silentLog) => connectRedis({ url: server.url, clock: systemClock, log });
  const collectionsOver = (connection: RedisConnection) =>
    createCollections((...about) => createRedisCollection(connection, ...about), connection.damaged).collection;

  describeCollection("Redis", async () => {
    const { log, text } = createCollectedLog();
    const [own, another] = [await connect(log), await connect()];
    await own.run((client) => client.flushAll());
    return {
      one: collectionsOver(own),
      other: collectionsOver(another),
      spoil: async (name, id, json) => {
        await own.run((client) => client.hSet(`parley:{${name}}:records`, id, `1 0 ${json}`));
      },
      indexed: (name) => indexedOnRedis(own, name),
      damage: own.damaged.seen,
      logged: text,
      limitsWords: true,
      close: () => Promise.all([own.close(), another.close()]),
    };
  });

  it("has after a kill no index entry without its record, and no record without its entries, on Redis", async () => {
    await killedWhileItWrites(["", server.url]);

    const connection = await connect();
    const notes = collectionsOver(connection)("notes", noteDefinition);
    const stored = new Map<string, Note>();
    for await (const { id, record } of notes.entries()) stored.set(id, record);

    expect(stored.size).toBeGreaterThan(0);
    await expectWhole(notes, stored, true);
    expect(new Set(await indexedOnRedis(connection, "notes"))).toEqual(new Set(stored.keys()));
    await connection.close();
  });

  it("changes nothing when Redis has no memory left", async () => {
    const connection = await connect();
    const notes = collectionsOver(connection)("full", noteDefinition);
    await notes.put("a", { atMs: 1, team: "red", text: "one" });
    await connection.run((client) => client.configSet("maxmemory", "1"));

    await expect(notes.put("a", { atMs: 2, team: "blue", text: "two" })).rejects.toMatchObject({
      code: "state_unavailable",
    });
    await connection.run((client) => client.configSet("maxmemory", "0"));

    await expectWhole(notes, new Map([["a", { atMs: 1, team: "red", text: "one" }]]), true);
    expect(await notes.get("a")).toMatchObject({ record: { atMs: 1 } });
    await connection.close();
  });

  it("leaves nothing but its last version when everything is deleted", async () => {
    const connection = await connect();
    const notes = collectionsOver(connection)("gone", noteDefinition);
    for (let at = 0; at < 20; at += 1) await notes.put(`n${at}`, { atMs: at, team: "red", kind: at, text: "one two" });
    await notes.deleteWhere({ order: "atMs" });

    expect(await connection.run((client) => client.keys("parley:{gone}:*"))).toEqual(["parley:{gone}:version"]);
    await connection.close();
  });
});
