/** Backups and restores between stores of both kinds, and what is wrong with files, without their programs. */
import { randomUUID } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { onPage } from "../../bench/demo/company.ts";
import { fill } from "../../bench/demo/fill.ts";
import type { State } from "../../src/core/ports/state.ts";
import type { Contents } from "../../src/core/ports/storage/contents.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { collections } from "../../src/kept-collections.ts";
import { backUp } from "../../src/state/backup/backup.ts";
import { checkBackup, restore as restoreFile } from "../../src/state/backup/restore.ts";
import { openState } from "../../src/state/open-state.ts";
import { dumpOf, fillStore, itemsOf, notes } from "../contracts/storage/contents.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

/** Not what the state opens. */
const besides = "beside.db";

type Opened = { readonly state: State; readonly dataDir: string };

async function open(dataDir: string, redisUrl?: string): Promise<Opened> {
  const state = await openState({ dataDir, redisUrl, clock, log, isForRestore: true });
  onTestFinished(() => state.close());
  for (const [name, definition] of Object.entries({ ...collections, notes })) state.collection(name, definition);
  return { state, dataDir };
}

const openNew = async (redisUrl?: string) => open(await temporaryFolder("backup"), redisUrl);

/** A month of a company, and what it lacks: works, claims, what waits, what expires. */
async function fillAll({ state, dataDir }: Opened): Promise<void> {
  const month = { company: onPage, seed: 3, untilMs: clock.now(), days: 20, questions: 100, moreChannels: 0 };
  await fill(state, month, clock, log);
  await fillStore(state, clock.now());
  const database = new DatabaseSync(join(dataDir, besides));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (v); INSERT INTO t VALUES (hex(randomblob(400000)))");
  // A killed process leaves its last writes beside the file.
  onTestFinished(() => database.close());
}

async function backUpInto(path: string, { state, dataDir }: Opened) {
  return await backUp({ state, path, files: [besides], dataDir, version: "1.2.3", clock });
}

const restore = async ({
  path,
  ...rest
}: Omit<Parameters<typeof restoreFile>[0], "file"> & { readonly path: string }) =>
  restoreFile({ ...rest, file: await checkBackup(path) });

const newPath = async () => join(await temporaryFolder("backup-file"), "backup.gz");
const readBesides = ({ dataDir }: Opened) => {
  const database = new DatabaseSync(join(dataDir, besides));
  const value = database.prepare("SELECT v FROM t").get()?.["v"];
  database.close();
  return value;
};

describe.skipIf(!hasRedisServer())("between SQLite and Redis", () => {
  const servers: RedisServer[] = [];
  beforeAll(async () => {
    servers.push(await startRedisServer(), await startRedisServer());
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  it("everything moves to Redis and back, and to another Redis and SQLite", async () => {
    const source = await openNew();
    await fillAll(source);
    const [lines, value] = [await dumpOf(source.state), readBesides(source)];
    expect(lines.length).toBeGreaterThan(500);

    const targets = [await openNew(servers[0]?.url), await openNew(), await openNew(servers[1]?.url), await openNew()];
    for (let from = source; targets.length > 0; ) {
      const path = await newPath();
      await backUpInto(path, from);
      const target = targets.shift() ?? source;
      await restore({ state: target.state, path, dataDir: target.dataDir, clock });

      expect(await dumpOf(target.state)).toEqual(lines);
      expect(readBesides(target)).toBe(value);
      expect(await target.state.contents.restoring()).toBeUndefined();
      const fences = (await Promise.all([from, target].map(({ state }) => itemsOf(state)))).map(
        (items) => items.find((item) => item.in === "fences")?.highest ?? 0,
      );
      expect(fences[1]).toBeGreaterThanOrEqual(fences[0] ?? 0);
      from = target;
    }
  });

  it.each(["SQLite", "Redis"])(
    "a restore into %s that dies between any two of its steps continues, with nothing lost and nothing twice",
    async (kind) => {
      const source = await openNew();
      await fillStore(source.state, clock.now());
      for (let at = 0; at < 150; at += 1) await source.state.keyValue<number>("many").set(`k${at}`, at);
      const lines = await dumpOf(source.state);
      const path = await newPath();
      await backUpInto(path, source);

      let diesAt = 1;
      for (; ; diesAt += 1) {
        const isAfter = diesAt % 2 === 0;
        await servers[0]?.restart({ forgets: true });
        const { state, dataDir } = await openNew(kind === "Redis" ? servers[0]?.url : undefined);
        const mortal = mortalContents(state.contents, diesAt, isAfter);
        await restore({ state: { contents: mortal.contents }, path, dataDir, clock }).catch((thrown: unknown) => {
          if (!String(thrown).includes("is dead")) throw thrown;
        });
        if (!mortal.hasDied()) break;

        await restore({ state, path, dataDir, clock });

        expect(await dumpOf(state), `step ${diesAt}`).toEqual(lines);
        await state.close();
      }
      expect(diesAt).toBeGreaterThan(8);
    },
    300_000,
  );
});

/** Those of a process that dies at that step, before or after it. */
function mortalContents(contents: Contents, diesAt: number, isAfter: boolean) {
  let steps = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    steps += 1;
    if (steps >= diesAt && !(isAfter && steps === diesAt)) throw new Error("It is dead.");
    const result = await work();
    if (steps >= diesAt) throw new Error("It is dead.");
    return result;
  };
  const mortal: Contents = {
    ...contents,
    write: (items) =>
      step(async () => {
        // Half of what is written at once can be there.
        if (steps === diesAt) await contents.write(items.filter((_, at) => at % 2 === 0));
        else await contents.write(items);
      }),
    setRestoring: (note) => step(() => contents.setRestoring(note)),
  };
  return { contents: mortal, hasDied: () => steps >= diesAt };
}

describe("a restore", () => {
  it("is refused in a storage that has something, and leaves it as it is", async () => {
    const source = await openNew();
    await fillStore(source.state, clock.now());
    const path = await newPath();
    await backUpInto(path, source);
    const target = await openNew();
    await target.state.keyValue("settings").set("own", 1);
    const before = await dumpOf(target.state);

    const restoring = restore({ state: target.state, path, dataDir: target.dataDir, clock });

    await expect(restoring).rejects.toThrow("a restore needs an empty one");
    expect(await dumpOf(target.state)).toEqual(before);
    expect(await target.state.contents.restoring()).toBeUndefined();
    // Its own file would be no second restore either.
    await expect(restore({ state: source.state, path, dataDir: source.dataDir, clock })).rejects.toThrow(
      "an empty one",
    );
  });

  it("of another file is refused while one hasn't ended", async () => {
    const source = await openNew();
    await fillStore(source.state, clock.now());
    const paths = [await newPath(), await newPath()] as const;
    await backUpInto(paths[0], source);
    await source.state.keyValue("settings").set("later", 1);
    await backUpInto(paths[1], source);
    const { state, dataDir } = await openNew();
    const { contents } = mortalContents(state.contents, 4, false);
    await expect(restore({ state: { contents }, path: paths[0], dataDir, clock })).rejects.toThrow("dead");

    await expect(restore({ state, path: paths[1], dataDir, clock })).rejects.toThrow("A restore of another file");
    await restore({ state, path: paths[0], dataDir, clock });
    expect(await state.keyValue("settings").get("later")).toBeUndefined();
  });

  it("leaves a database beside the storage as it is if there is one, and says so", async () => {
    const source = await openNew();
    await fillAll(source);
    const path = await newPath();
    await backUpInto(path, source);
    const { state, dataDir } = await openNew();
    await writeFile(join(dataDir, besides), "mine");

    const { stayed } = await restore({ state, path, dataDir, clock });

    expect(stayed).toEqual([besides]);
    expect(await readFile(join(dataDir, besides), "utf8")).toBe("mine");
  });

  it("says that records are missing if the storage doesn't have all of them afterwards", async () => {
    const source = await openNew();
    await fillStore(source.state, clock.now());
    const path = await newPath();
    await backUpInto(path, source);
    const { state, dataDir } = await openNew();
    const write: Contents["write"] = (items) => state.contents.write(items.filter((item) => item.in !== "jobs"));

    const restoring = restore({ state: { contents: { ...state.contents, write } }, path, dataDir, clock });

    await expect(restoring).rejects.toThrow("there are 0 of 1 records of the kind “jobs”");
    expect(await state.contents.restoring()).toBeDefined();
  });
});

describe("a backup", () => {
  it("is a file that only its owner can read, and never takes the place of another file", async () => {
    const source = await openNew();
    await fillStore(source.state, clock.now());
    const path = await newPath();

    const { counts } = await backUpInto(path, source);

    expect(counts).toMatchObject({ turns: 2, jobs: 1, collections: 2, values: 2, expiring: 1, claims: 1, works: 2 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const before = await readFile(path);
    await expect(backUpInto(path, source)).rejects.toThrow("exists");
    expect(await readFile(path)).toEqual(before);
  });

  it("of nothing isn't written", async () => {
    const path = await newPath();
    await expect(backUpInto(path, await openNew())).rejects.toThrow("nothing to back up");
    expect(await readdir(join(path, ".."))).toEqual([]);
  });

  it("ends without a file if an instance starts meanwhile, or the storage goes away", async () => {
    const { state, dataDir } = await openNew();
    await fillStore(state, clock.now());
    const path = await newPath();
    let asked = 0;
    const isShared = async () => {
      asked += 1;
      return asked > 1;
    };
    const about = { path, files: [], dataDir, version: "1", clock };

    const shared = backUp({ ...about, state: { kind: state.kind, contents: { ...state.contents, isShared } } });
    await expect(shared).rejects.toThrow("nothing was backed up");
    const read: Contents["read"] = async function* () {
      yield* (await itemsOf(state)).slice(0, 5);
      throw new Error("The storage is gone.");
    };
    const lost = backUp({ ...about, state: { kind: state.kind, contents: { ...state.contents, read } } });
    await expect(lost).rejects.toThrow("The storage is gone.");
    expect(await readdir(join(path, ".."))).toEqual([]);
  });
});

describe("a file", () => {
  let good: Buffer;
  beforeAll(async () => {
    const dataDir = await temporaryFolder("backup");
    const state = await openState({ dataDir, clock, log });
    state.collection("notes", notes);
    await fillStore(state, clock.now());
    const path = await newPath();
    await backUp({ state, path, files: [], dataDir, version: "1", clock });
    await state.close();
    good = await readFile(path);
  });

  /** Refused before anything is written. */
  async function expectRefused(bytes: Buffer | string, sentence: RegExp): Promise<void> {
    const path = await newPath();
    await writeFile(path, bytes);
    const { state, dataDir } = await openNew();
    const contents: Contents = {
      ...state.contents,
      write: () => Promise.reject(new Error("It was written.")),
      setRestoring: () => Promise.reject(new Error("It was begun.")),
    };
    await expect(restore({ state: { contents }, path, dataDir, clock })).rejects.toThrow(sentence);
    await state.close();
  }

  const lines = () => gunzipSync(good).toString().trimEnd().split("\n");
  const zipped = (text: readonly string[]) => gzipSync(`${text.join("\n")}\n`);

  it("that was cut anywhere is refused", async () => {
    for (const share of [0.2, 0.5, 0.9]) {
      await expectRefused(good.subarray(0, Math.floor(good.length * share)), /ends in the middle/);
    }
    await expectRefused(good.subarray(0, good.length - 1), /ends in the middle/);
    await expectRefused(zipped(lines().slice(0, -1)), /ends in the middle/);
    await expectRefused(gzipSync(lines().join("\n").slice(0, -20)), /ends in the middle/);
  });

  it("with a changed byte is refused", async () => {
    for (const at of [30, Math.floor(good.length / 2), good.length - 6]) {
      const bytes = Buffer.from(good);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
      await expectRefused(bytes, /has changed since it was written|ends in the middle|isn't a backup/);
    }
    const [first = "", second = "", ...rest] = lines();
    await expectRefused(zipped([first, second.replace("Slack", "Slick"), ...rest]), /has changed/);
    await expectRefused(zipped([first, ...rest]), /has changed/);
    await expectRefused(zipped([first, second, second, ...rest]), /has changed/);
    await expectRefused(zipped([first, '{"in":"turns","record":7}', ...rest]), /has changed/);
    await expectRefused(zipped([...lines(), second]), /something after its end/);
  });

  it("of another kind is refused", async () => {
    await expectRefused("", /ends in the middle|isn't a backup/);
    await expectRefused("SQLite format 3\0", /isn't a backup/);
    await expectRefused(gzipSync("hello"), /isn't a backup|ends in the middle/);
    await expectRefused(gzipSync(`{"format":"another"}\n`), /isn't a backup/);
    await expectRefused(gzipSync(`${randomUUID()}\n`), /isn't a backup/);
  });

  it("of a newer version is refused", async () => {
    const [first = "", ...rest] = lines();
    const newer = zipped([first.replace('"version":1', '"version":2'), '{"in":"dreams"}', ...rest]);
    await expectRefused(newer, /written by a newer version of Parley \(format 2; this one reads 1\)/);
  });
});
