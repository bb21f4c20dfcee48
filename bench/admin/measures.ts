/** Measures the admin pages and the start of the real Parley over a store that `npm run demo` has filled. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measure } from "../measure.ts";
import { fillMore } from "./fill-more.ts";
import { type RunningParley, type Store, startParley } from "./parley.ts";

const startMs = 1_000;
const listMs = 300;
const searchMs = 200;
const blockMs = 50;
const delayMs = 100;
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

function blocked(
  what: string,
  { blockedMs, ownMs }: { readonly blockedMs: number; readonly ownMs: number },
): Measure[] {
  return [
    { name: `${what}: longest work without yielding`, value: ownMs, target: { atMost: blockMs }, unit: "ms of CPU" },
    { name: `${what}: longest delay of the event loop`, value: blockedMs, target: { atMost: delayMs }, unit: "ms" },
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
  const measures: Measure[] = [];
  const list = async (name: string, path: string, atMost = listMs) => {
    measures.push(...(await ask(parley, { name, path: () => path, atMost })));
  };
  // Figures are remembered for some seconds, by days and time zone.
  for (const days of [30, 7]) {
    const path = (round: number) => `/api/admin/overview?days=${days}&zone=${zones[round % zones.length]}`;
    const asked = { name: `charts of ${days} days`, path, atMost: listMs };
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

const more = { conversations: 10_000, auditEntries: 110_000, jobs: 10_000 };

/** In this order, each over what the one before left. */
export const scenes: Readonly<Record<string, (store: Store) => Promise<Measure[]>>> = {
  fill: async (store) => {
    await fillMore(store, more);
    return [];
  },
  restarts,
  pages,
};
