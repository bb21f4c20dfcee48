/**
 * Measures real processes, as by `npm start`, over one Redis and one strict local Slack, which hands its events to their
 * sockets in turn. It is one workspace, whose limits allow about two answers a second: four processes stay at half of that, because each question costs more
 * where it waits for a limit.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createParleyProcess, type ParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { quantile } from "../bots/answers.ts";
import { memoryOf } from "../bots/memory.ts";
import { startOrders } from "../bots/orders.ts";
import type { Started, State } from "../bots/room.ts";
import type { Measure } from "../measure.ts";
import { startStream } from "../service/stream.ts";
import type { Acknowledged, Order } from "../slack/server.ts";
import { openCounter, since } from "./redis.ts";

const stream = { steps: 3, pauseMs: 500 } as const;
const idleMs = 5_000;
const patienceMs = 120_000;
const warmUpEach = 20;
const perSecondEach = 0.25;
const warmUpPerSecond = 1;
/** Of /proc/PID/stat, on Linux. */
const msPerTick = 10;
const megabyte = 1_000_000;

type Town = Awaited<ReturnType<typeof open>>;

async function open(count: number) {
  const redis = await startRedisServer("--appendfsync", "everysec");
  const counter = await openCounter(redis.url);
  const slack = startOrders<Order>(new URL("../slack/server.ts", import.meta.url));
  const { settings } = await slack.tell<Started>({ do: "start", options: {} });
  const service = await startStream(stream);
  const parleys = await Promise.all(
    Array.from({ length: count }, () =>
      createParleyProcess({
        ...settings,
        ...service.settings,
        ...{ REDIS_URL: redis.url, AGENT_MAX_RUNS: "1000", LOG_LEVEL: "error" },
        ...{ QUESTIONS_PER_PERSON: "1000", QUESTIONS_PER_CHANNEL: "1000" },
      }),
    ),
  );
  for (const parley of parleys) await parley.start();
  await slack.tell({ do: "wait", bot: "parley" });
  let asked = 0;
  return {
    parleys,
    counter,
    /** At an even pace; resolves when all are acknowledged. */
    ask: async (perSecond: number, questions: number): Promise<readonly Acknowledged[]> => {
      const found: Promise<readonly Acknowledged[]>[] = [];
      const beganMs = Date.now();
      for (let at = 0; at < questions; at += 1) {
        await sleep(Math.max(0, beganMs + (at * 1_000) / perSecond - Date.now()));
        found.push(slack.tell({ do: "ask", from: asked, count: 1, where: "own channels" }));
        asked += 1;
      }
      return (await Promise.all(found)).flat();
    },
    allEnded: async () => {
      const untilMs = Date.now() + patienceMs;
      while (Date.now() < untilMs && (await slack.tell<State>({ do: "state" })).finals < asked) await sleep(100);
      return (await slack.tell<State>({ do: "state" })).finals >= asked;
    },
    close: async () => {
      await Promise.all(parleys.map((parley) => parley.close()));
      await counter.close();
      slack.end();
      service.close();
      await redis.stop();
    },
  };
}

async function cpuMsOf(parleys: readonly ParleyProcess[]): Promise<number> {
  let ticks = 0;
  for (const parley of parleys) {
    const stat = await readFile(`/proc/${parley.pid()}/stat`, "utf8");
    // The name, in brackets, may hold anything; user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * msPerTick;
}

async function acknowledgement(perSecond: number, questions: number): Promise<Measure[]> {
  const town = await open(1);
  try {
    await town.ask(perSecond, perSecond);
    const acks = (await town.ask(perSecond, questions)).map(({ ackMs }) => ackMs);
    const of = (part: string) => `${perSecond} questions a second from Slack, one process: acknowledgement, ${part}`;
    return [
      { name: of("p50"), value: quantile(acks, 0.5), unit: "ms" },
      { name: of("p99"), value: quantile(acks, 0.99), target: { atMost: 300 }, unit: "ms" },
    ];
  } finally {
    await town.close();
  }
}

type Cost = {
  readonly commands: number;
  readonly cpuMs: number;
  readonly memory: number;
  readonly isAllEnded: boolean;
};

async function costIn(town: Town, seconds: number): Promise<Cost> {
  const { parleys, counter } = town;
  const perSecond = perSecondEach * parleys.length;
  const questions = Math.round(perSecond * seconds);
  // Node has compiled its code by then.
  await town.ask(warmUpPerSecond, warmUpEach * parleys.length);
  await town.allEnded();
  const usedFrom = async () => ({ redis: await counter.count(), cpuMs: await cpuMsOf(parleys), atMs: Date.now() });
  const before = await usedFrom();
  await sleep(idleMs);
  const idle = await usedFrom();
  await town.ask(perSecond, questions);
  const isAllEnded = await town.allEnded();
  const after = await usedFrom();
  const idleTimes = (after.atMs - idle.atMs) / (idle.atMs - before.atMs);
  const memory = await Promise.all(parleys.map(async (parley) => (await memoryOf(parley.pid())).peakBytes));
  const commands = since(after.redis, idle.redis).commands - since(idle.redis, before.redis).commands * idleTimes;
  const cpuMs = after.cpuMs - idle.cpuMs - (idle.cpuMs - before.cpuMs) * idleTimes;
  return { commands: commands / questions, cpuMs: cpuMs / questions, memory: Math.max(...memory), isAllEnded };
}

export async function processes(play: { readonly atFifty: number; readonly seconds: number }): Promise<Measure[]> {
  const measures = await acknowledgement(50, play.atFifty);
  const costs: Cost[] = [];
  for (const count of [1, 2, 4]) {
    process.stderr.write(`processes: ${count} …\n`);
    const town = await open(count);
    const cost = await costIn(town, play.seconds).finally(town.close);
    costs.push(cost);
    const of = (what: string) =>
      `${count} ${count === 1 ? "process" : "processes"}, ${count * perSecondEach} questions a second from Slack: ${what}`;
    measures.push(
      { name: of("all have their end"), value: Number(cost.isAllEnded), target: { atLeast: 1 }, unit: "" },
      { name: of("Redis, each question"), value: cost.commands, unit: "commands" },
      { name: of("CPU, each question"), value: cost.cpuMs, unit: "ms" },
      { name: of("peak memory of a process, most"), value: cost.memory / megabyte, unit: "MB" },
    );
  }
  const [one, , four] = costs;
  const growth = (of: (cost: Cost) => number) =>
    one === undefined || four === undefined ? Number.NaN : of(four) / of(one);
  const grown = (what: string, value: number): Measure => ({
    ...{ name: `from 1 to 4 processes: ${what}, each question`, value, target: { atMost: 1.1 }, unit: "times" },
  });
  return [
    ...measures,
    grown(
      "commands in Redis",
      growth(({ commands }) => commands),
    ),
    grown(
      "CPU",
      growth(({ cpuMs }) => cpuMs),
    ),
  ];
}
