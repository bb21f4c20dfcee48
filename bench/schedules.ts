/**
 * Measures schedules on a whole Parley: a minute with 10,000 idle ones beside a minute without any, and 500 due at once.
 * Each minute is alone in its process.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { settingsSchema } from "../src/config/settings.ts";
import { schedulesIn } from "../src/core/model/schedule.ts";
import type { AgentService } from "../src/core/ports/agent-service.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { createPageReading } from "../src/knowledge/knowledge.ts";
import { composeParley } from "../src/parley.ts";
import { openState } from "../src/state/open-state.ts";
import { createMemoryPlatform } from "../test/doubles/memory-platform.ts";
import { noMetrics } from "../test/doubles/nulls/no-metrics.ts";
import { createAgents } from "../test/doubles/service/agents.ts";
import { silentLog as log } from "../test/doubles/silent-log.ts";
import type { Measure } from "./measure.ts";

const idle = 10_000;
const due = 500;
const minuteMs = 60_000;
const mebibyte = 1_048_576;

type Minute = { readonly cpuMs: number; readonly heap: number; readonly heapFrom: number };
type Rush = { readonly allMs: number; readonly most: number; readonly doubled: number; readonly heap: number };

const service: AgentService = {
  ...createAgents(),
  async *ask() {
    yield { type: "started" };
    await sleep(20);
    yield { type: "answer", text: "Seven." };
    yield { type: "ended" };
  },
};

/** A schedule as its command stores it: the record, and its place among what is due. */
async function openWith(count: number, dueAtMs: (index: number) => number) {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-schedules-"));
  const state = await openState({ dataDir, clock, log });
  const store = schedulesIn(state);
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from) }, (_, at) => from + at);
    await Promise.all(
      batch.map(async (index) => {
        const place = { platform: "memory", workspace: `T${index % 20}`, channel: `C${index}` };
        const person = { isAdmin: false, isGuest: false, isExternal: false, isBot: false, roles: [] };
        const owner = { ...person, id: `U${index}`, workspace: place.workspace, name: `Person ${index}` };
        const id = `s${String(index).padStart(15, "0")}`;
        const at = dueAtMs(index);
        await state.works.add("schedules", `memory/${place.workspace}/${id}`, null, { dueAtMs: at });
        await store.put(`memory/${place.workspace}/${id}`, {
          ...{ version: 1, id, owner, place, state: "active", dueAtMs: at, createdAtMs: clock.now() },
          time: { cron: "0 9 * * *", timeZone: "UTC", text: "every day at 9:00" },
          what: { kind: "question", question: "How many orders?" },
        });
      }),
    );
  }
  const platform = createMemoryPlatform({ clock });
  const reading = createPageReading({ allowsPrivate: true, version: "bench", clock, log });
  const parley = await composeParley({
    ...{ state, service, clock, log, metrics: noMetrics },
    settings: { ...settingsSchema.parse({}), recoveryIntervalMs: 0, secrets: [], version: "bench" },
    platforms: [{ name: "memory", connect: async () => platform }],
    reading,
  });
  const close = async () => {
    await parley.drain(1_000);
    await parley.close();
    await reading.close();
    await state.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { parley, platform, close };
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

async function minuteWith(count: number): Promise<Minute> {
  const { parley, close } = await openWith(count, () => clock.now() + 86_400_000);
  await parley.start();
  await sleep(20_000);
  const heapFrom = heapInUse();
  const before = process.cpuUsage();
  await sleep(minuteMs);
  const { user, system } = process.cpuUsage(before);
  const minute = { cpuMs: (user + system) / 1_000, heap: heapInUse(), heapFrom };
  await close();
  return minute;
}

async function rushOf(count: number): Promise<Rush> {
  const { parley, platform, close } = await openWith(count, () => clock.now() - 1_000);
  const startedAtMs = clock.now();
  let most = 0;
  await parley.start();
  const answered = () =>
    new Set(
      platform.writes.filter(({ payload }) => payload?.text.includes("Seven.")).map(({ place }) => place.channel),
    );
  while (answered().size < count && clock.now() - startedAtMs < 5 * minuteMs) {
    most = Math.max(most, parley.bridge.counts().running);
    await sleep(50);
  }
  const allMs = clock.now() - startedAtMs;
  const posts = platform.writes.filter(({ kind, outcome }) => kind === "post" && outcome === "ok");
  const rush = { allMs, most, doubled: posts.length - answered().size, heap: heapInUse() };
  await close();
  return rush;
}

/** In a process of its own. */
function alone<T>(what: "minute" | "rush", count: number): T {
  const file = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [file, what, String(count)], { encoding: "utf8" })) as T;
}

export async function bench(): Promise<Measure[]> {
  const without = alone<Minute>("minute", 0);
  const many = alone<Minute>("minute", idle);
  const rush = alone<Rush>("rush", due);
  return [
    { name: "CPU of a minute without schedules", value: without.cpuMs, unit: "ms" },
    { name: "CPU of a minute with 10,000 idle schedules", value: many.cpuMs, unit: "ms" },
    {
      name: "its ratio to the minute without",
      value: many.cpuMs / without.cpuMs,
      target: { atMost: 1.2 },
      unit: "times",
    },
    {
      name: "heap in use with 10,000, less that without",
      value: (many.heap - without.heap) / mebibyte,
      target: { atMost: 1 },
      unit: "MiB",
    },
    {
      name: "its growth within the minute",
      value: (many.heap - many.heapFrom) / mebibyte,
      target: { atMost: 1 },
      unit: "MiB",
    },
    { name: "500 schedules due at once: all answered after", value: rush.allMs / 1_000, unit: "s" },
    { name: "most of them that ran at once", value: rush.most, unit: "runs" },
    { name: "answers that were posted twice", value: rush.doubled, target: { atMost: 0 }, unit: "posts" },
  ];
}

const [, , what, count] = process.argv;
if (what === "minute" || what === "rush") {
  const measured = await (what === "minute" ? minuteWith(Number(count)) : rushOf(Number(count)));
  process.stdout.write(JSON.stringify(measured));
}
