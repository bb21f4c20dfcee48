/**
 * Measures the question log with 200,000 questions on SQLite and on Redis: its lists, combined filters, counts by
 * channel, and the file of half of them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Turn } from "../../src/core/model/turn.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { type QuestionEntry, questionLogIn, questionOutcomes } from "../../src/insight/derived/question-log.ts";
import { pagesOf } from "../../src/overview/pages.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../../test/contracts/storage/sample-records.ts";
import { appOf } from "../../test/doubles/app.ts";
import { overviewAppOf } from "../../test/doubles/overview-app.ts";
import { alice } from "../../test/doubles/people.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import type { Measure } from "../measure.ts";
import { watchOwnWork } from "../own-work.ts";

const count = 200_000;
const perWrite = 100;
const listMs = 300;
const fromMs = Date.parse("2027-01-01T00:00:00Z");
const apartMs = 30_000;
const mebibyte = 1_048_576;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function entryAt(at: number): QuestionEntry {
  const id = `0${(fromMs + at * apartMs).toString(36)}${String(at).padStart(7, "0")}`;
  const platform = at % 3 === 0 ? "discord" : "slack";
  return {
    id,
    ref: (at * 7_919).toString(36).slice(-4).padStart(4, "0"),
    askedAtMs: fromMs + at * apartMs,
    endedAtMs: fromMs + at * apartMs + 6_000,
    durationMs: 6_000,
    place: { platform, workspace: `T${at % 5}`, channel: `C${(at * 31) % 200}`, thread: `${at}.1` },
    visibility: "public",
    agent: at % 10 === 0 ? "mindsdb.sales" : "mindsdb.support",
    outcome: at % 5 === 0 ? (questionOutcomes[(at / 5) % 5] ?? "answered") : "answered",
    ...(at % 5 === 0 && (at / 5) % 5 === 4 ? { why: "nothing" as const } : {}),
    hasSource: true,
    up: at % 9 === 0 ? 1 : 0,
    down: at % 40 === 0 ? 1 : 0,
    asker: `${platform}/T${at % 5}/U${at % 900}`,
  };
}

/** From the widest to those that hardly anything matches. */
const filters: readonly (readonly [name: string, query: Readonly<Record<string, unknown>>])[] = [
  ["everything", {}],
  ["one reference", { ref: "7kq2" }],
  ["a channel's failures", { platform: "slack", workspace: "T1", channel: "C31", outcome: "failed" }],
  ["down votes on one agent's failures", { feedback: "down", agent: "mindsdb.sales", outcome: "failed" }],
  [
    "an agent on one platform in a day",
    { agent: "mindsdb.sales", platform: "slack", from: fromMs, until: fromMs + 8.64e7 },
  ],
  // Nothing is both, and neither is rare.
  ["nothing, among common ones", { platform: "slack", workspace: "T9", agent: "mindsdb.support", outcome: "answered" }],
];

function turnOf(id: string): Turn {
  return sampleTurn(id, {
    state: "answered",
    visibility: "public",
    question: "How long does a refund take? ".repeat(8),
  });
}

async function measureOn(name: string, state: Pick<State, "collection">): Promise<Measure[]> {
  const questionLog = questionLogIn(state);
  for (let at = 0; at < count; at += perWrite) {
    const entries = Array.from({ length: perWrite }, (_, index) => entryAt(at + index));
    await Promise.all(entries.map((entry) => questionLog.put(entry.id, entry)));
  }
  const app = overviewAppOf(
    appOf({
      ...state,
      turns: {
        get: async (id) => turnOf(id),
        unfinished: async function* () {},
        ofConversation: async function* () {},
      },
      reach: { lists: { agents: async () => [] } as never },
      keyValue: () => ({ entries: async function* () {} }) as never,
      siteOf: () => ({ platform: { visibility: async () => "public" as const, permalink: async () => undefined } }),
      clock,
    }),
    {
      places: { kindOf: () => "shared", all: async () => [], nameOf: async ({ channel }) => ({ name: channel }) },
    },
  );
  const page = pagesOf(app).find(({ name }) => name === "questions");
  const list = (input: object) => page?.get?.[""]?.({ viewer: alice, input });
  const measures: Measure[] = [];
  const work = watchOwnWork();
  for (const [what, query] of filters) {
    await list(query);
    const beganMs = performance.now();
    await list(query);
    const value = performance.now() - beganMs;
    measures.push({ name: `${name}: list of ${what}, with its count`, value, target: { atMost: listMs }, unit: "ms" });
  }
  const byChannel = { by: ["channel"], order: "askedAtMs" } as const;
  const countedFromMs = performance.now();
  const groups = await questionLog.groups(byChannel, { from: fromMs + count * apartMs - 30 * 86_400_000 });
  const groupedMs = performance.now() - countedFromMs;
  const counted = {
    name: `${name}: 30 days counted by channel, ${groups.length} of them`,
    value: groupedMs,
    unit: "ms",
  };
  measures.push({ ...counted, target: { atMost: listMs } });
  const blocked = { name: `${name}: longest work in lists without yielding`, value: work.worstMs(), unit: "ms of CPU" };
  measures.push({ ...blocked, target: { atMost: 50 } });

  collect();
  const heapFrom = process.memoryUsage().heapUsed;
  const beganMs = performance.now();
  let lines = 0;
  let most = 0;
  const file = page?.files?.[".csv"]?.({ viewer: alice, input: { until: fromMs + (count / 2) * apartMs } });
  for await (const _line of file?.text ?? []) {
    lines += 1;
    if (lines % 10_000 !== 0) continue;
    collect();
    most = Math.max(most, process.memoryUsage().heapUsed - heapFrom);
  }
  measures.push({ name: `${name}: lines of a file`, value: lines, target: { atLeast: count / 2 }, unit: "lines" });
  measures.push({ name: `${name}: time for that file`, value: (performance.now() - beganMs) / 1_000, unit: "s" });
  const grown = { name: `${name}: memory that file needs`, value: most / mebibyte, unit: "MiB" };
  measures.push({ ...grown, target: { atMost: 16 } });
  return measures;
}

export async function bench(): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-question-log-"));
  const sqlite = await openState({ dataDir, clock, log });
  const measures = await measureOn("SQLite", sqlite);
  await sqlite.close();
  await rm(dataDir, { recursive: true });
  if (hasRedisServer()) {
    const server = await startRedisServer();
    const redis = await openState({ dataDir, redisUrl: server.url, clock, log });
    measures.push(...(await measureOn("Redis", redis)));
    await redis.close();
    await server.stop();
  }
  return measures;
}
