import { copyFile, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Log } from "../../src/core/ports/log.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { openSqlite } from "../../src/state/sqlite/database.ts";
import { createSqliteTurnStore } from "../../src/state/sqlite/records.ts";
import { createSchema, schemaVersion, versionOf } from "../../src/state/sqlite/schema.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { type LineProcess, startLineProcess } from "../doubles/processes/child-process.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const childScript = new URL("open-database-child.ts", import.meta.url).pathname;

describe("the database in DATA_DIR", () => {
  let dataDir: string;
  const children: LineProcess[] = [];
  beforeEach(async () => {
    dataDir = await temporaryFolder("data");
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
  });

  const open = () => openSqlite({ dataDir, clock: systemClock, log: silentLog });
  const path = () => join(dataDir, "parley.db");

  function startChild(): LineProcess {
    const child = startLineProcess(childScript, [dataDir]);
    children.push(child);
    return child;
  }

  async function nextLine(child: LineProcess, wanted: string): Promise<void> {
    expect(await child.line()).toBe(wanted);
  }

  it("keeps what was written over a restart", async () => {
    const first = await open();
    await createSqliteTurnStore(first).create(sampleTurn("t1"));
    await first.close();

    const second = await open();

    expect(await createSqliteTurnStore(second).get("t1")).toEqual(sampleTurn("t1"));
    expect(second.starts).toBe(first.starts + 1);
    await second.close();
  });

  it("gives way to the event loop between changes that take long, and makes them in their order", async () => {
    const database = await open();
    const made: number[] = [];
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const busy = (index: number) => () => {
      const untilMs = performance.now() + 10;
      while (performance.now() < untilMs);
      made.push(index);
      return index;
    };

    setImmediate(count);
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => database.write(busy(index))));
    isOver = true;

    expect(results).toEqual(made);
    expect(made).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(turns).toBeGreaterThan(10);
    await database.close();
  });

  it("lets other work run after a commit that took long, and commits what came meanwhile together", async () => {
    const database = await openSqlite({ dataDir, clock: systemClock, log: silentLog, maxPauseMs: 60_000 });
    const made: number[] = [];
    await database.write(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60));
    const committedAtMs = performance.now();
    const later = [1, 2].map((change) => database.write(() => made.push(change)));
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const early = performance.now() - committedAtMs < 50 ? [...made] : [];
    await Promise.all(later);

    expect(early).toEqual([]);
    expect(made).toEqual([1, 2]);
    expect(performance.now() - committedAtMs).toBeGreaterThanOrEqual(50);
    await database.close();
  });

  it("waits for the disk with what people rely on, and not with what is derived from it", async () => {
    const database = await open();
    const waits = () => database.handle.prepare("PRAGMA synchronous").get()?.["synchronous"] === 2;

    const alone = await database.writeDerived(waits);
    const [derived, together] = await Promise.all([database.writeDerived(waits), database.write(waits)]);
    const after = await database.write(waits);

    expect({ alone, derived, together, after }).toEqual({ alone: false, derived: true, together: true, after: true });
    await database.close();
  });

  it("loses what is derived only with everything written after it, wherever the disk's copy ends", async () => {
    const database = await open();
    const { handle } = database;
    handle.exec("CREATE TABLE made (number INTEGER)");
    const insert = handle.prepare("INSERT INTO made (number) VALUES (?)");
    for (let number = 1; number <= 20; number += 1) {
      const change = () => insert.run(number);
      await (number % 3 === 0 ? database.write(change) : database.writeDerived(change));
    }
    const whole = (await stat(`${path()}-wal`)).size;
    const seen: number[] = [];
    for (let bytes = whole; bytes > 0; bytes -= 3_000) {
      const copy = join(await temporaryFolder("copy"), "parley.db");
      await copyFile(path(), copy);
      await copyFile(`${path()}-wal`, `${copy}-wal`);
      await truncate(`${copy}-wal`, bytes);
      const cut = new DatabaseSync(copy);
      const isThere = cut.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'made'").get() !== undefined;
      const numbers = isThere ? cut.prepare("SELECT number FROM made ORDER BY rowid").all() : [];
      cut.close();
      expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
      seen.push(numbers.length);
    }

    expect(Math.max(...seen)).toBe(20);
    expect(new Set(seen).size).toBeGreaterThan(5);
    await database.close();
  });

  it("does not wait for the end of such a pause when it is closed", async () => {
    const database = await openSqlite({ dataDir, clock: systemClock, log: silentLog, maxPauseMs: 60_000 });
    await database.write(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000));
    const pausedAtMs = performance.now();
    const written = database.write(() => "written");
    await database.close();

    expect(await written).toBe("written");
    expect(performance.now() - pausedAtMs).toBeLessThan(1_500);
  });

  it("is opened in a folder that has to be created first, for this user only", async () => {
    const deep = join(dataDir, "a", "b");

    const database = await openSqlite({ dataDir: deep, clock: systemClock, log: silentLog });

    expect((await stat(deep)).mode & 0o777).toBe(0o700);
    await database.close();
  });

  it("keeps every write that was confirmed when its process is killed, and is free at once", async () => {
    const child = startChild();
    await nextLine(child, "open");
    const confirmed: string[] = [];
    for (let count = 0; count < 50; count += 1) child.send("write");
    for (let count = 0; count < 20; count += 1) confirmed.push((await child.line()).replace("written ", ""));
    await child.kill();

    const database = await open();

    const turns = createSqliteTurnStore(database);
    for (const id of confirmed) expect(await turns.get(id)).toBeDefined();
    await database.close();
  });

  it("is waited for while another process has it, also when that one is killed", async () => {
    const holder = startChild();
    await nextLine(holder, "open");
    const waiting = startChild();
    await nextLine(waiting, "Another Parley is using DATA_DIR; waiting for it to end");

    await holder.kill();

    await nextLine(waiting, "open");
  });

  it("gives fences that grow over restarts, so that records take later writers", async () => {
    const first = startChild();
    first.send("fence");
    await nextLine(first, "open");
    const before = Number((await first.line()).replace("fence ", ""));
    await first.kill();

    const state = await openState({ dataDir, clock: createFakeClock(0), log: silentLog });

    expect((await state.coordinator.lease("k")).fence).toBeGreaterThan(before);
    await state.close();
  });

  it("stops waiting when it is aborted, with the given reason", async () => {
    const holder = await open();
    const clock = createFakeClock();
    const warned = Promise.withResolvers<string>();
    const log: Log = { ...silentLog, warn: (_, message) => warned.resolve(message) };
    const stop = new AbortController();
    const waiting = openSqlite({ dataDir, clock, log, signal: stop.signal });
    waiting.catch(() => {});
    expect(await warned.promise).toContain("waiting");

    stop.abort(new Error("told to end"));

    await expect(waiting).rejects.toThrow("told to end");
    expect(clock.pending()).toBe(0);
    await holder.close();
  });

  it("is refused and left alone when it isn't a database", async () => {
    const rubbish = Buffer.from("This is not a database. ".repeat(500));
    await writeFile(path(), rubbish);

    await expect(open()).rejects.toMatchObject({ code: "state_unavailable", what: expect.stringContaining(path()) });

    await expect(open()).rejects.toMatchObject({ what: expect.stringContaining("damaged") });
    expect(await readFile(path())).toEqual(rubbish);
  });

  it("is refused and left alone when it is damaged in the middle", async () => {
    const database = await open();
    const turns = createSqliteTurnStore(database);
    for (let count = 0; count < 100; count += 1) await turns.create(sampleTurn(`t${count}`));
    await database.close();
    const bytes = await readFile(path());
    bytes.fill(0xa5, 3 * 4_096, 6 * 4_096);
    await writeFile(path(), bytes);

    await expect(open()).rejects.toMatchObject({ what: expect.stringContaining("damaged") });

    expect(await readFile(path())).toEqual(bytes);
  });

  it("is refused and left alone when its end is missing", async () => {
    const database = await open();
    const turns = createSqliteTurnStore(database);
    for (let count = 0; count < 100; count += 1) await turns.create(sampleTurn(`t${count}`));
    await database.close();
    await truncate(path(), Math.floor((await stat(path())).size / 2));
    const bytes = await readFile(path());

    await expect(open()).rejects.toMatchObject({ what: expect.stringContaining("damaged") });

    expect(await readFile(path())).toEqual(bytes);
  });

  it("can be opened again after a refusal, once the cause is gone", async () => {
    await (await open()).close();
    await copyFile(path(), `${path()}.good`);
    await writeFile(path(), "rubbish ".repeat(1_000));
    await expect(open()).rejects.toThrow("damaged");

    await copyFile(`${path()}.good`, path());

    await (await open()).close();
  });

  it("is refused and left alone when a newer Parley has written it", async () => {
    await (await open()).close();
    const newer = new DatabaseSync(path());
    newer.exec(`PRAGMA user_version = ${schemaVersion + 3}`);
    newer.close();
    const bytes = await readFile(path());

    await expect(open()).rejects.toMatchObject({
      code: "state_unavailable",
      what: expect.stringContaining("newer version of Parley"),
      hint: expect.stringContaining("Nothing was changed"),
    });

    expect(await readFile(path())).toEqual(bytes);
  });

  it("is refused and left alone when a version that was never released has written it", async () => {
    await (await open()).close();
    const old = new DatabaseSync(path());
    old.exec(`PRAGMA user_version = ${schemaVersion - 1}`);
    old.close();
    const bytes = await readFile(path());

    await expect(open()).rejects.toMatchObject({
      code: "state_unavailable",
      what: expect.stringContaining("never released"),
      hint: expect.stringContaining("Nothing was changed"),
    });

    expect(await readFile(path())).toEqual(bytes);
  });

  it("leaves the journal of a newer Parley that was killed where it is", async () => {
    const newer = new DatabaseSync(path());
    newer.exec("PRAGMA journal_mode = WAL");
    newer.exec(`CREATE TABLE future (x); PRAGMA user_version = ${schemaVersion + 1}`);
    const files = [path(), `${path()}-wal`];
    const bytes = await Promise.all(files.map((file) => readFile(file)));
    newer.close();
    for (const [index, file] of files.entries()) await writeFile(file, bytes[index] ?? "");

    await expect(open()).rejects.toThrow("newer version of Parley");

    expect(await Promise.all(files.map((file) => readFile(file)))).toEqual(bytes);
  });

  it("says so when the folder can't be created or written", async () => {
    const file = join(dataDir, "file");
    await writeFile(file, "");

    const opening = openSqlite({ dataDir: join(file, "data"), clock: systemClock, log: silentLog });

    await expect(opening).rejects.toMatchObject({
      code: "state_unavailable",
      what: `DATA_DIR isn't writable: ${join(file, "data")}.`,
    });
  });

  it("refuses everything once it is closed, without failing anything else", async () => {
    const database = await open();
    const turns = createSqliteTurnStore(database);
    await database.close();
    await database.close();

    await expect(turns.create(sampleTurn("t1"))).rejects.toMatchObject({ code: "state_unavailable" });
    await expect(turns.get("t1")).rejects.toMatchObject({ code: "state_unavailable" });
  });

  it("writes what is pending before it closes", async () => {
    const database = await open();
    const pending = createSqliteTurnStore(database).create(sampleTurn("t1"));

    await database.close();

    expect(await pending).toEqual({ created: true });
  });

  it("fails only the change that can't be made, not its neighbours in the same commit", async () => {
    const database = await open();
    const turns = createSqliteTurnStore(database);

    const results = await Promise.allSettled([
      turns.create(sampleTurn("t1")),
      database.write(() => database.handle.exec("INSERT INTO no_such_table VALUES (1)")),
      turns.create(sampleTurn("t2")),
    ]);

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await turns.get("t1")).toBeDefined();
    expect(await turns.get("t2")).toBeDefined();
    await database.close();
  });
});

describe("the schema", () => {
  it("is created in an empty database, with its version", () => {
    const db = new DatabaseSync(":memory:");
    expect(versionOf(db)).toBe(0);

    createSchema(db);

    expect(versionOf(db)).toBe(schemaVersion);
    expect(db.prepare("SELECT count(*) AS n FROM turns").get()?.["n"]).toBe(0);
  });

  it("leaves a database as it was when it can't be created", () => {
    const db = new DatabaseSync(":memory:");
    db.exec("CREATE TABLE works (x)");

    expect(() => createSchema(db)).toThrow("works");

    expect(versionOf(db)).toBe(0);
    expect(db.prepare("SELECT name FROM sqlite_master").all()).toHaveLength(1);
  });
});
