/**
 * Measures the admin pages and the start of the real Parley over a store that `npm run demo` has filled. What an earlier
 * version left is read for good in these scenes, so a store serves once.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Measure } from "../measure.ts";
import { fillOlder } from "./older.ts";
import { type RunningParley, type Store, startParley } from "./parley.ts";

const startMs = 1_000;
const listMs = 300;
const chartMs = 500;
const searchMs = 200;
const blockMs = 50;
/** Of reading in the background. */
const watchedMs = 20_000;
const rounds = 15;
const startRounds = 7;
const mebibyte = 1_048_576;
const csvLines = 100_000;
const collectEvery = 10_000;
/** As many as rounds. */
const zones = [
  ...["UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Lima"],
  ...["Europe/Lisbon", "Asia/Dubai", "Asia/Seoul", "America/Denver", "Africa/Cairo", "Asia/Dhaka", "Europe/Athens"],
  "Pacific/Auckland",
];

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** In the background of an instance, in the order of /readyz. */
async function doing(parley: RunningParley): Promise<readonly string[]> {
  const checks = (await parley.ready())?.checks ?? {};
  return ["overview", "audit", "console"].flatMap((name) => checks[name]?.is ?? []);
}

/** Until nothing is done in the background, or the time is over. Returns what was said there. */
async function settled(parley: RunningParley, limitMs = Number.POSITIVE_INFINITY): Promise<string[]> {
  const said: string[] = [];
  const untilMs = performance.now() + limitMs;
  for (let quiet = 0; quiet < 10 && performance.now() < untilMs; ) {
    await sleep(200);
    const now = await doing(parley);
    quiet = now.length === 0 ? quiet + 1 : 0;
    for (const words of now) if (!said.includes(words)) said.push(words);
  }
  return said;
}

function blocked(
  what: string,
  { blockedMs, ownMs }: { readonly blockedMs: number; readonly ownMs: number },
): Measure[] {
  return [
    { name: `${what}: longest work without yielding`, value: ownMs, target: { atMost: blockMs }, unit: "ms of CPU" },
    { name: `${what}: longest delay of the event loop`, value: blockedMs, unit: "ms" },
  ];
}

/** A start over what an earlier version left, and some seconds of reading it. */
async function start(store: Store, what: string): Promise<Measure[]> {
  const parley = await startParley(store);
  const starting = await parley.look();
  await settled(parley, watchedMs);
  const { olderQuestions: share } = await json<{ readonly olderQuestions?: number }>(
    parley,
    "/api/admin/overview/status",
  );
  const reading = await parley.look();
  const said = await doing(parley);
  await parley.end();
  process.stdout.write(`        after ${watchedMs / 1_000} s: ${said.join("; ")}\n`);
  return [
    { name: `start with ${what}`, value: parley.startMs, target: { atMost: startMs }, unit: "ms" },
    { name: `start with ${what}, of the process`, value: parley.startCpuMs, unit: "ms of CPU" },
    ...blocked(`start with ${what}`, starting),
    ...blocked(`reading ${what}`, reading),
    ...(share === undefined ? [] : [{ name: `reading ${what}: share`, value: share, unit: "" }]),
  ];
}

/** In turn with starts of an empty folder, so that their ratio says what the store costs on any machine. */
async function restarts(store: Store): Promise<Measure[]> {
  const [full, bare]: [number[], number[]] = [[], []];
  const used: number[] = [];
  const emptyDir = await mkdtemp(join(tmpdir(), "parley-empty-"));
  await (await startParley({ dataDir: emptyDir })).end();
  for (let round = 0; round < startRounds; round += 1) {
    for (const [at, times] of [
      [{ dataDir: emptyDir }, bare],
      [store, full],
    ] as const) {
      const parley = await startParley(at);
      times.push(parley.startMs);
      if (at === store) used.push(parley.startCpuMs);
      await parley.end();
    }
  }
  await rm(emptyDir, { recursive: true });
  const target = { atMost: startMs };
  return [
    { name: `start again, median of ${startRounds}`, value: median(full), target, unit: "ms" },
    { name: "start again, slowest", value: Math.max(...full), target, unit: "ms" },
    { name: "start again, median of the process", value: median(used), unit: "ms of CPU" },
    { name: "start of an empty folder, median", value: median(bare), target, unit: "ms" },
    { name: "their ratio", value: median(full) / median(bare), target: { atMost: 1.2 }, unit: "times" },
  ];
}

type Asked = { readonly name: string; readonly path: (round: number) => string; readonly atMost: number };

async function ask(parley: RunningParley, { name, path, atMost }: Asked): Promise<Measure[]> {
  const times: number[] = [];
  await parley.look();
  for (let round = 0; round < rounds; round += 1) {
    const beganMs = performance.now();
    const response = await fetch(`${parley.url}${path(round)}`);
    await response.text();
    times.push(performance.now() - beganMs);
    if (!response.ok) throw new Error(`${path(round)}: ${response.status}`);
  }
  const looked = await parley.look();
  return [
    { name: `${name}, first`, value: times[0] ?? Number.NaN, target: { atMost }, unit: "ms" },
    { name: `${name}, median`, value: median(times), target: { atMost }, unit: "ms" },
    { name: `${name}, slowest`, value: Math.max(...times), target: { atMost }, unit: "ms" },
    { name: `${name}, of the process`, value: looked.usedMs / rounds, target: { atMost }, unit: "ms of CPU" },
    ...blocked(name, looked),
  ];
}

/** Reads a file to its end, and looks at the heap after every ten thousand lines. */
async function file(parley: RunningParley, name: string, path: string): Promise<Measure[]> {
  const before = (await parley.look("collect")).heapBytes ?? 0;
  const beganMs = performance.now();
  const { body } = await fetch(`${parley.url}${path}`);
  let lines = -1;
  let most = 0;
  let next = collectEvery;
  for await (const part of body ?? []) {
    for (const byte of part) if (byte === 10) lines += 1;
    if (lines < next) continue;
    next += collectEvery;
    most = Math.max(most, ((await parley.look("collect")).heapBytes ?? 0) - before);
    if (lines >= csvLines) break;
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  return [
    { name: `${name}: lines`, value: lines, target: { atLeast: csvLines }, unit: "lines" },
    { name: `${name}: time`, value: seconds, unit: "s" },
    { name: `${name}: growth of the heap`, value: most / mebibyte, target: { atMost: 16 }, unit: "MiB" },
  ];
}

async function json<T>(parley: RunningParley, path: string): Promise<T> {
  return (await (await fetch(`${parley.url}${path}`)).json()) as T;
}

type Questions = { readonly rows: readonly { readonly id: string; readonly ref: string }[]; readonly next?: string };

async function pages(store: Store): Promise<Measure[]> {
  const parley = await startParley(store);
  await settled(parley);
  const measures: Measure[] = [];
  const list = async (name: string, path: string, atMost = listMs) => {
    measures.push(...(await ask(parley, { name, path: () => path, atMost })));
  };
  // Figures are remembered for some seconds, by days and time zone.
  for (const days of [30, 7]) {
    const path = (round: number) => `/api/admin/overview?days=${days}&zone=${zones[round % zones.length]}`;
    const asked = { name: `charts of ${days} days`, path, atMost: chartMs };
    measures.push(...(await ask(parley, asked)));
  }
  await list("status", "/api/admin/overview/status");
  const { rows, next } = await json<Questions>(parley, "/api/admin/questions");
  const [first] = rows;
  await list("questions", "/api/admin/questions");
  await list("questions, second page", `/api/admin/questions?after=${next}`);
  await list("questions that failed", "/api/admin/questions?outcome=failed");
  await list("questions of an agent with 👎", "/api/admin/questions?feedback=down&agent=mindsdb.support");
  await list("questions by reference", `/api/admin/questions?ref=${first?.ref}`);
  await list("questions, nothing found", "/api/admin/questions?platform=slack&workspace=T0NONE&agent=mindsdb.support");
  await list("questions' filters", "/api/admin/questions/choices");
  await list("one question", `/api/admin/questions/${first?.id}`);
  await list("gaps", "/api/admin/gaps");
  await list("knowledge", "/api/admin/knowledge");
  await list("jobs", "/api/admin/knowledge/jobs");
  for (const status of ["running", "failed", "cancelled", "done"]) {
    await list(`jobs: ${status}`, `/api/admin/knowledge/jobs?status=${status}`);
  }
  await list("agents and channels", "/api/admin/agents");
  await list("schedules", "/api/admin/schedules");
  await list("audit", "/api/admin/audit");
  await list("audit: refused", "/api/admin/audit?outcome=refused");
  await list("audit: nothing found", "/api/admin/audit?action=nothing");
  await list("audit's filters", "/api/admin/audit/choices");
  await list("system", "/api/admin/system");
  await list("conversations", "/api/conversations");
  await list("search, found in all", "/api/search?q=single+sign-on", searchMs);
  await list("search, found in one", "/api/search?q=needle", searchMs);
  measures.push(...(await file(parley, "questions as a file", "/api/admin/questions.csv")));
  measures.push(...(await file(parley, "audit log as a file", "/api/admin/audit.csv")));
  await parley.end();
  return measures;
}

const older = { conversations: 10_000, auditEntries: 110_000, jobs: 10_000 };

/** In this order, each over what the one before left. */
export const scenes: Readonly<Record<string, (store: Store) => Promise<Measure[]>>> = {
  first: (store) => start(store, "200,000 questions without an index"),
  again: restarts,
  fill: async (store) => {
    await fillOlder(store, older);
    return [];
  },
  others: (store) => start(store, "10,000 conversations and 110,000 audit entries without an index"),
  pages,
};
