/**
 * Measures 1, 2 and 4 instances over one Redis: questions from 2,000 channels of 200 workspaces, handed to the instances
 * in turn, as Slack does. Load grows with the instances, because a question costs a process more while it has little
 * to do; all share one machine, so what a question costs is compared, not how many of them a second.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { quantile } from "../bots/answers.ts";
import { type Orders, startOrders } from "../bots/orders.ts";
import type { Measure } from "../measure.ts";
import { durationMs, startStream } from "../service/stream.ts";
import type { Order, Question, Report } from "./instance.ts";
import { openCounter, since } from "./redis.ts";

const workspaces = 200;
const channelsEach = 10;
const tickMs = 100;
const idleMs = 5_000;
/** For the last end. */
const patienceMs = 60_000;
const stream = { steps: 3, pauseMs: 500 } as const;

export type Load = {
  /** Of one instance alone. */
  readonly most: number;
  /** Of each instance, where their numbers are compared. */
  readonly each: number;
  readonly seconds: number;
  /** Questions that each instance answers before it counts: Node has compiled its code by then. */
  readonly warmUpEach: number;
};

type Pace = { readonly perSecond: number; readonly seconds: number };

type Figures = {
  readonly perSecond: number;
  readonly acknowledgedMs: { readonly p50: number; readonly p99: number };
  readonly firstEditMs: { readonly p50: number; readonly p99: number };
  readonly endMs: { readonly p50: number; readonly p99: number };
  readonly commands: number;
  readonly scripts: number;
  readonly cpuMs: number;
  readonly redisCpuMs: number;
  readonly missing: number;
  readonly violations: number;
};

function questionAt(index: number, atMs: number): Question {
  const channel = index % (workspaces * channelsEach);
  return {
    ...{ index, atMs, actorId: `U${index % 997}` },
    workspace: `T${channel % workspaces}`,
    channel: `C${channel}`,
  };
}

const spread = (values: readonly number[]) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });

async function unfinishedIn(instances: readonly Orders<Order>[]): Promise<number> {
  const counts = await Promise.all(instances.map(({ tell }) => tell<number>({ do: "unfinished" })));
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Questions with these numbers at an even pace; resolves when all are answered. */
async function play(instances: readonly Orders<Order>[], from: number, { perSecond, seconds }: Pace): Promise<void> {
  const each = Math.max(1, Math.round((perSecond * tickMs) / 1_000));
  const all = perSecond * seconds;
  const asked: Promise<unknown>[] = [];
  const beganMs = Date.now();
  for (let done = 0; done < all; done += each) {
    const atMs = beganMs + (done / each) * tickMs;
    await sleep(Math.max(0, atMs - Date.now()));
    for (let at = done; at < Math.min(all, done + each); at += 1) {
      const index = from + at;
      asked.push(
        instances[index % instances.length]?.tell({ do: "ask", questions: [questionAt(index, Date.now())] }) ??
          Promise.resolve(),
      );
    }
  }
  await Promise.all(asked);
  const untilMs = Date.now() + durationMs(stream) + patienceMs;
  while ((await unfinishedIn(instances)) > 0 && Date.now() < untilMs) await sleep(100);
}

async function withInstances(count: number, pace: Pace, warmUpEach: number): Promise<Figures> {
  const { perSecond } = pace;
  const redis = await startRedisServer("--appendfsync", "everysec");
  const counter = await openCounter(redis.url);
  const service = await startStream(stream);
  const instances = Array.from({ length: count }, () => startOrders<Order>(new URL("instance.ts", import.meta.url)));
  const inAll = <T>(order: Order) => Promise.all(instances.map(({ tell }) => tell<T>(order)));
  try {
    for (const { tell } of instances) await tell({ do: "start", redisUrl: redis.url, baseUrl: service.baseUrl });
    await play(instances, 1_000_000, { perSecond, seconds: (count * warmUpEach) / perSecond });
    const idleFrom = await counter.count();
    await inAll({ do: "begin" });
    await sleep(idleMs);
    const idle = since(await counter.count(), idleFrom);
    const idleCpuMs = sum((await inAll<Report>({ do: "report" })).map(({ cpuMs }) => cpuMs));

    await inAll({ do: "begin" });
    const from = await counter.count();
    const beganMs = Date.now();
    await play(instances, 0, pace);
    const tookMs = Date.now() - beganMs;
    const used = since(await counter.count(), from);
    const reports = await inAll<Report>({ do: "report" });
    const asked = perSecond * pace.seconds;
    const each = (value: number, whileIdle: number) => (value - (whileIdle * tookMs) / idleMs) / asked;
    const ends = reports.flatMap((report) => report.ends);
    return {
      perSecond: (asked * 1_000) / (tookMs - durationMs(stream)),
      acknowledgedMs: spread(reports.flatMap(({ acknowledged }) => acknowledged)),
      firstEditMs: spread(reports.flatMap(({ firstEdits }) => firstEdits)),
      endMs: spread(ends),
      commands: each(used.commands, idle.commands),
      scripts: each(used.scripts, idle.scripts),
      cpuMs: each(sum(reports.map(({ cpuMs }) => cpuMs)), idleCpuMs),
      redisCpuMs: each(used.cpuMs, idle.cpuMs),
      missing: asked - ends.length,
      violations: sum(reports.map(({ violations }) => violations.length)),
    };
  } finally {
    await inAll({ do: "close" }).catch(() => undefined);
    for (const { end } of instances) end();
    await counter.close();
    service.close();
    await redis.stop();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function measuresOf(count: number, perSecond: number, figures: Figures): readonly Measure[] {
  const { acknowledgedMs, firstEditMs, endMs } = figures;
  const of = (what: string) =>
    `${count} ${count === 1 ? "instance" : "instances"}, ${perSecond} questions a second: ${what}`;
  return [
    { name: of("answered a second"), value: figures.perSecond, unit: "questions" },
    { name: of("questions without an end"), value: figures.missing, target: { atMost: 0 }, unit: "questions" },
    { name: of("what the platform would refuse"), value: figures.violations, target: { atMost: 0 }, unit: "writes" },
    { name: of("acknowledgement, p50"), value: acknowledgedMs.p50, unit: "ms" },
    { name: of("acknowledgement, p99"), value: acknowledgedMs.p99, target: { atMost: 300 }, unit: "ms" },
    { name: of("first edit, p50"), value: firstEditMs.p50, unit: "ms" },
    { name: of("first edit, p99"), value: firstEditMs.p99, unit: "ms" },
    { name: of("end, p50"), value: endMs.p50, unit: "ms" },
    { name: of("end, p99"), value: endMs.p99, unit: "ms" },
    { name: of("Redis, each question"), value: figures.commands, unit: "commands" },
    { name: of("scripts among them"), value: figures.scripts, unit: "scripts" },
    { name: of("CPU of Parley, each question"), value: figures.cpuMs, unit: "ms" },
    { name: of("CPU of Redis, each question"), value: figures.redisCpuMs, unit: "ms" },
  ];
}

export async function instances({ most, each, seconds, warmUpEach }: Load): Promise<Measure[]> {
  const measures: Measure[] = [];
  const figuresAt = async (count: number, perSecond: number): Promise<Figures> => {
    process.stderr.write(`instances: ${count}, questions a second: ${perSecond} …\n`);
    const figures = await withInstances(count, { perSecond, seconds }, warmUpEach);
    measures.push(...measuresOf(count, perSecond, figures));
    return figures;
  };
  await figuresAt(1, most);
  const one = await figuresAt(1, each);
  await figuresAt(2, 2 * each);
  const four = await figuresAt(4, 4 * each);
  const growth = (what: string, of: (figures: Figures) => number): Measure => ({
    ...{ name: `from 1 to 4 instances: ${what}, each question`, unit: "times", target: { atMost: 1.1 } },
    value: of(four) / of(one),
  });
  return [
    ...measures,
    growth("commands in Redis", ({ commands }) => commands),
    growth("CPU of Parley", ({ cpuMs }) => cpuMs),
    growth("CPU of Redis", ({ redisCpuMs }) => redisCpuMs),
  ];
}
