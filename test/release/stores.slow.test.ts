/** A store that an earlier release made, in SQLite and in Redis, under the present code: nothing of it is lost. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { State } from "../../src/core/ports/state.ts";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { hasRedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const kept = join(packageFolder, "test/fixtures/releases");
const releases = readdirSync(kept);
const databases = ["parley.db", "local-service.db"];

async function unpacked(release: string, names: readonly string[]): Promise<string> {
  const folder = await temporaryFolder("release");
  for (const name of names)
    writeFileSync(join(folder, name), gunzipSync(readFileSync(join(kept, release, `${name}.gz`))));
  return folder;
}

type Row = Readonly<Record<string, unknown>>;

/** What the release itself wrote: Turns, Jobs and small records that don't expire. */
function writtenIn(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, "parley.db"), { readOnly: true });
  const rows = (query: string) => db.prepare(query).all() as Row[];
  const records = (table: string) =>
    rows(`SELECT record FROM ${table} ORDER BY id`).map(({ record }) => JSON.parse(String(record)));
  const values = rows(
    "SELECT namespace, key, value FROM key_values WHERE expires_at_ms IS NULL AND namespace <> 'claims'",
  );
  const collections = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'collection_*'")
    .map(({ name }) => String(name))
    .filter((name) => !name.includes("_words"))
    .map((name) => [name, rows(`SELECT * FROM "${name}"`)] as const);
  const written = {
    turns: records("turns"),
    jobs: records("jobs"),
    values,
    collections: Object.fromEntries(collections),
  };
  db.close();
  return written;
}
type Written = ReturnType<typeof writtenIn>;

async function expectAllIn(state: State, { turns, jobs, values }: Written): Promise<void> {
  expect(turns.length).toBeGreaterThan(20);
  expect(jobs.length).toBeGreaterThan(2);
  expect(await Promise.all(turns.map(({ id }) => state.turns.get(id)))).toEqual(turns);
  expect(await Promise.all(jobs.map(({ id }) => state.jobs.get(id)))).toEqual(jobs);
  expect([await state.turns.count(), await state.jobs.count()]).toEqual([turns.length, jobs.length]);
  for (const namespace of new Set(values.map((row) => String(row["namespace"])))) {
    const wanted = values.filter((row) => row["namespace"] === namespace).map(({ key }) => String(key));
    const found = (await Array.fromAsync(state.keyValue(namespace).entries(""))).map(([key]) => key);
    expect([namespace, wanted.filter((key) => !found.includes(key))]).toEqual([namespace, []]);
  }
  expect(state.damage().count).toBe(0);
}

describe.each(releases)("a store of %s", (release) => {
  it("is whole on SQLite", async () => {
    const dataDir = await unpacked(release, databases);
    const before = writtenIn(dataDir);

    const state = await openState({ dataDir, clock, log });
    await state.readAll();
    await expectAllIn(state, before);
    await state.close();

    expect(Object.values(before.collections).flat().length).toBeGreaterThan(100);
    expect(writtenIn(dataDir)).toEqual(before);
  });

  it.skipIf(!hasRedisServer())("is whole on Redis", async () => {
    const dataDir = await unpacked(release, [...databases, "dump.rdb"]);
    const redis = await startRedisServer("--appendonly", "no", "--dir", dataDir, "--dbfilename", "dump.rdb");
    const state = await openState({ dataDir, redisUrl: redis.url, clock, log });
    try {
      await state.readAll();
      await expectAllIn(state, writtenIn(dataDir));
    } finally {
      await state.close();
      await redis.stop();
    }
  });

  it("starts, with the knowledge bases of the built-in service", async () => {
    const from = await unpacked(release, databases);
    const parley = await createParleyProcess({ CONSOLE: "on" });
    mkdirSync(parley.dataDir, { recursive: true });
    for (const name of databases) copyFileSync(join(from, name), join(parley.dataDir, name));

    await parley.start();
    const overview = await fetch(`${parley.url}/api/admin/overview`);
    const ended = await parley.end();
    await parley.close();

    expect(overview.status).toBe(200);
    expect(ended).toBe(0);
  });
});

it("is there for each release of CHANGELOG.md", () => {
  const changes = readFileSync(join(packageFolder, "CHANGELOG.md"), "utf8");
  const dated = [...changes.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-/gm)].map(([, version]) => version);

  expect(releases.toSorted()).toEqual(dated.toSorted());
});
