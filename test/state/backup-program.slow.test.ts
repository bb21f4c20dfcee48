/** `npm run backup` and `npm run restore` as people run them: beside a running Parley, killed, and without room. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { collections } from "../../src/kept-collections.ts";
import { openState } from "../../src/state/open-state.ts";
import { dumpOf } from "../contracts/storage/contents.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { main as program } from "../doubles/processes/built.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { hasRedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

const isThere = "There are records in this storage, and a restore needs an empty one";

type Settings = Readonly<Record<string, string>>;

/** `limit`: the most blocks of 512 bytes that a file may have, as on a disk that is full. */
function start(args: readonly string[], settings: Settings, limit?: number) {
  const env = { PATH: process.env["PATH"], ...settings };
  const direct = [process.execPath, program, ...args];
  const [command = "", ...rest] =
    limit === undefined ? direct : ["sh", "-c", `ulimit -f ${limit}; exec "$0" "$@"`, ...direct];
  const child = spawn(command, rest, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output: output.trimEnd() }));
  return { ended, kill: () => child.kill("SIGKILL") };
}

const run = (args: readonly string[], settings: Settings, limit?: number) => start(args, settings, limit).ended;

const newPath = async () => join(await temporaryFolder("backup-file"), "backup.gz");

async function openIn({ DATA_DIR: dataDir = "unused", REDIS_URL: redisUrl }: Settings) {
  const state = await openState({ dataDir, redisUrl, clock, log, isForRestore: true });
  for (const [name, definition] of Object.entries(collections)) state.collection(name, definition);
  return state;
}

async function dumpIn(settings: Settings) {
  const state = await openIn(settings);
  try {
    return await dumpOf(state);
  } finally {
    await state.close();
  }
}

/** A folder with so many questions of about that many characters. */
async function filled(questions: number, length = 2_000): Promise<Settings> {
  const settings = { DATA_DIR: await temporaryFolder("backup") };
  const state = await openIn(settings);
  for (let from = 0; from < questions; from += 1_000) {
    const size = Math.min(1_000, questions - from);
    const turns = Array.from({ length: size }, (_, at) =>
      sampleTurn(`t${from + at}`, {
        state: "answered",
        createdAtMs: 1_800_000_000_000 + at,
        question: "why ".repeat(length / 4),
      }),
    );
    await Promise.all(turns.map((turn) => state.turns.create(turn)));
  }
  await state.close();
  return settings;
}

describe.skipIf(!hasRedisServer())("the programs", () => {
  it.each(["SQLite", "Redis"])(
    "continue a restore into %s however often it is killed, until everything is there once",
    async (kind) => {
      const source = await filled(3_000);
      const path = await newPath();
      expect(await run(["backup", path], source)).toMatchObject({ code: 0 });
      const redis = kind === "Redis" ? await startRedisServer() : undefined;
      onTestFinished(async () => redis?.stop());
      const target: Settings = { DATA_DIR: await temporaryFolder("backup") };
      const settings = redis === undefined ? target : { ...target, REDIS_URL: redis.url };
      let kills = 0;
      let said = "";
      for (let atMs = 300; kills < 12; atMs += 200) {
        const { ended, kill } = start(["restore", path], settings);
        const cancel = clock.after(atMs + ((kills * 137) % 400), kill);
        const { code, output } = await ended;
        cancel();
        said = output;
        // It may be killed after its last step, before it says so.
        if (code === 0 || output.startsWith(isThere)) break;
        kills += 1;
      }
      if (kills === 12) said = (await run(["restore", path], settings)).output;

      expect(kills).toBeGreaterThan(0);
      const restored = `Restored 3,000 records (3,000 questions, 0 jobs) into ${kind}.`;
      expect(
        [restored, isThere].some((sentence) => said.includes(sentence)),
        said,
      ).toBe(true);
      expect(await dumpIn(settings)).toEqual(await dumpIn(source));
    },
    300_000,
  );

  it("are refused while a Parley runs, and a Parley while a restore hasn't ended", async () => {
    const redis = await startRedisServer();
    const parley = await createParleyProcess({});
    const shared = await createParleyProcess({ REDIS_URL: redis.url });
    onTestFinished(async () => {
      await parley.close();
      await shared.close();
      await redis.stop();
    });
    await parley.start();
    await shared.start();
    const path = await newPath();

    for (const [settings, sentence] of [
      [{ DATA_DIR: parley.dataDir }, "A Parley is using DATA_DIR"],
      [{ DATA_DIR: shared.dataDir, REDIS_URL: redis.url }, "A Parley uses this storage, so nothing was"],
    ] as const) {
      const backedUp = await run(["backup", path], settings);
      expect(backedUp.code).toBe(2);
      expect(backedUp.output).toContain(sentence);
      expect(backedUp.output.split("\n")).toHaveLength(1);
    }
    expect(existsSync(path)).toBe(false);
    expect(await run(["backup", path], await filled(1))).toMatchObject({ code: 0 });
    expect(await run(["restore", path], { DATA_DIR: shared.dataDir, REDIS_URL: redis.url })).toMatchObject({ code: 2 });
    await parley.end();
    await shared.end();

    const state = await openIn({ DATA_DIR: parley.dataDir });
    await state.contents.setRestoring("half");
    await state.close();
    await expect(parley.start()).rejects.toThrow();
    expect(parley.output()).toContain("A restore into the database in DATA_DIR");
  });

  it("say in one line what is wrong, and leave nothing behind", async () => {
    const source = await filled(1_000);
    const path = await newPath();
    const empty = { DATA_DIR: await temporaryFolder("backup") };
    await mkdir(join(path, "..", "folder"));
    await writeFile(join(path, "..", "text"), "hello");
    const inFolder = (name: string) => join(path, "..", name);

    const refusals = [
      [run(["backup"], source), "Name one file"],
      [run(["backup", "a", "b"], source), "Name one file"],
      [run(["backup", path], empty), "There is no data of Parley in DATA_DIR"],
      [run(["backup", inFolder("missing/a.gz")], source), "There is no file or folder at"],
      [run(["backup", "/sys/parley.gz"], source), "isn't allowed to use /sys/parley.gz"],
      [run(["backup", path], { ...source, REDIS_URL: "redis://127.0.0.1:9" }), "can't reach its storage"],
      [run(["restore", inFolder("missing.gz")], empty), "There is no file or folder at"],
      [run(["restore", inFolder("folder")], empty), "is a folder"],
      [run(["restore", inFolder("text")], empty), "isn't a backup of Parley"],
    ] as const;
    for (const [running, sentence] of refusals) {
      const { code, output } = await running;
      expect(output).toContain(sentence);
      expect(output.split("\n"), output).toHaveLength(1);
      expect(code).toBe(2);
    }
    expect(await readdir(empty.DATA_DIR)).toEqual([]);
    // The storage has its files already: only what is written grows.
    const full = await run(["backup", path], source, 4);
    expect(full).toMatchObject({ code: 2 });
    expect(full.output).toMatch(/no room|file too large|disk/);
    expect((await readdir(join(path, ".."))).sort()).toEqual(["folder", "text"]);
    expect(await run(["backup", path], source)).toMatchObject({ code: 0 });

    const target = { DATA_DIR: await temporaryFolder("backup") };
    const stopped = await run(["restore", path], target, 2_000);
    expect(stopped).toMatchObject({ code: 2 });
    expect(stopped.output).toMatch(/The restore isn't complete: run it again to continue\.$/);
    expect(await run(["restore", path], target)).toMatchObject({ code: 0 });
    expect(await dumpIn(target)).toEqual(await dumpIn(source));
  });

  it("say that a restore isn't complete when Redis goes away, and continue it", async () => {
    const source = await filled(3_000);
    const path = await newPath();
    await run(["backup", path], source);
    const redis = await startRedisServer();
    onTestFinished(() => redis.stop());
    const target = { DATA_DIR: await temporaryFolder("backup"), REDIS_URL: redis.url };
    const watching = await createClient({ url: redis.url })
      .on("error", () => undefined)
      .connect();
    onTestFinished(() => watching.destroy());
    const { ended } = start(["restore", path], target);
    await until("some of it is there", async () => /"done":[1-9]/.test((await watching.get("parley:restoring")) ?? ""));

    await redis.kill();
    const { code, output } = await ended;
    expect(code).toBe(2);
    expect(output).toBe(
      "Parley can't reach its storage. Try again in a minute. The restore isn't complete: run it again to continue.",
    );
    await redis.restart();
    expect(await run(["restore", path], target)).toMatchObject({ code: 0 });
    expect(await dumpIn(target)).toEqual(await dumpIn(source));
  });

  it("need no more memory when there is more than fits into it", async () => {
    const source = { ...(await filled(2_000, 40_000)), NODE_OPTIONS: "--max-old-space-size=80" };
    const path = await newPath();
    expect(await run(["backup", path], source)).toMatchObject({ code: 0 });
    const target = { DATA_DIR: await temporaryFolder("backup"), NODE_OPTIONS: source.NODE_OPTIONS };
    expect(await run(["restore", path], target)).toMatchObject({ code: 0 });
    expect(await dumpIn(target)).toHaveLength(2_000);
  }, 300_000);
});
