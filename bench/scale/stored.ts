/** Measures a store that holds very many Turns: the start, the search for unfinished ones, a list and the hourly deletion. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { memoryOf } from "../bots/memory.ts";
import { onPlatforms } from "../demo/company.ts";
import { monthOf } from "../demo/month.ts";
import type { Measure } from "../measure.ts";
import { watchOwnWork } from "../own-work.ts";

const dayMs = 86_400_000;
const days = 30;
/** Deleted at the end: the oldest tenth. */
const deletedDays = 3;
const unfinished = 200;
const listed = 50;
/** Written at once: a commit of SQLite takes 64, Redis one after the other. */
const atOnce = 128;
const gigabyte = 1e9;

type Store = { readonly dataDir: string; readonly redisUrl?: string; readonly bytes: () => Promise<number> };

/** A month of questions at a made-up company, a few of them unfinished. */
async function fill({ turns }: State, count: number, untilMs: number): Promise<number> {
  let written = 0;
  let writing: Promise<unknown>[] = [];
  const each = Math.floor(count / unfinished);
  for (const { turn } of monthOf({
    company: onPlatforms,
    seed: 1,
    untilMs,
    days,
    questions: count,
    moreChannels: 2_000,
  })) {
    const { outcome: _outcome, endedAtMs: _endedAtMs, ...open } = turn;
    writing.push(turns.create(written % each === each - 1 ? { ...open, state: "queued" } : turn));
    written += 1;
    if (writing.length < atOnce) continue;
    await Promise.all(writing);
    writing = [];
  }
  await Promise.all(writing);
  return written;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return performance.now() - fromMs;
}

/** From `npm start` to the first 200 of /readyz: the second of two starts, so that Node's code cache is there. */
async function startMs({ dataDir, redisUrl }: Partial<Store>): Promise<number> {
  const parley = await createParleyProcess({
    LOG_LEVEL: "error",
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  });
  try {
    await parley.start();
    await parley.end();
    return await timed(() => parley.start());
  } finally {
    await parley.end();
    await parley.close();
  }
}

async function measure(name: string, store: Store, count: number): Promise<Measure[]> {
  const untilMs = Date.now();
  const open = () => openState({ dataDir: store.dataDir, clock, log, ...(store.redisUrl === undefined ? {} : store) });
  const emptyMs = await startMs(store.redisUrl === undefined ? {} : store);
  const filling = await open();
  let written = 0;
  const fillMs = await timed(async () => {
    written = await fill(filling, count, untilMs);
  });
  await filling.close();
  const fullMs = await startMs(store);

  let state: State | undefined;
  const openMs = await timed(async () => {
    state = await open();
  });
  if (state === undefined) throw new Error("not opened");
  const { turns } = state;
  let found = 0;
  const findMs = await timed(async () => {
    for await (const _turn of turns.unfinished()) found += 1;
  });
  const newest = await turns.recent(listed);
  const listMs = await timed(() => turns.recent(listed));
  const middle = { id: newest.at(-1)?.id ?? "", createdAtMs: untilMs - (days / 2) * dayMs };
  const middleMs = await timed(() => turns.recent(listed, middle));
  const bytes = await store.bytes();
  const work = watchOwnWork();
  let deleted = 0;
  const pruneMs = await timed(async () => {
    deleted = await turns.prune(untilMs - (days - deletedDays) * dayMs);
  });
  const worstMs = work.worstMs();
  await state.close();

  const of = (what: string) => `${written.toLocaleString("en")} Turns on ${name}: ${what}`;
  return [
    { name: of("stored in"), value: fillMs / 1_000, unit: "s" },
    { name: of("size"), value: bytes / gigabyte, unit: "GB" },
    { name: of("start to ready"), value: fullMs, unit: "ms" },
    {
      name: of("start to ready, beside an empty store"),
      value: fullMs / emptyMs,
      target: { atMost: 1.5 },
      unit: "times",
    },
    { name: of("the store opened"), value: openMs, unit: "ms" },
    { name: of(`the ${found} unfinished ones found`), value: findMs, target: { atMost: 500 }, unit: "ms" },
    { name: of(`the newest ${listed}`), value: listMs, target: { atMost: 50 }, unit: "ms" },
    { name: of(`${listed} from the middle`), value: middleMs, target: { atMost: 50 }, unit: "ms" },
    { name: of(`${deleted.toLocaleString("en")} deleted`), value: pruneMs / 1_000, unit: "s" },
    { name: of("longest block while deleting"), value: worstMs, target: { atMost: 50 }, unit: "ms of CPU" },
  ];
}

async function onSqlite(count: number): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-scale-"));
  try {
    return await measure(
      "SQLite",
      { dataDir, bytes: async () => (await stat(join(dataDir, "parley.db"))).size },
      count,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function onRedis(count: number): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-scale-"));
  const redis = await startRedisServer("--appendfsync", "everysec");
  try {
    const bytes = async () => (await memoryOf(redis.pid())).nowBytes;
    return await measure("Redis", { dataDir, redisUrl: redis.url, bytes }, count);
  } finally {
    await redis.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function storedTurns(count: number): Promise<Measure[]> {
  return [...(await onSqlite(count)), ...(await onRedis(count))];
}
