/**
 * Measures queues of ten thousand: what enqueuing costs in this process and in Redis, the longest that Redis is blocked
 * by one command, and when a freed permit reaches the next waiter. Redis' SLOWLOG includes the time other programs took
 * on a busy machine, so Redis' own work per command is printed beside it.
 */

import type { Coordinator, Lease } from "../src/core/ports/state.ts";
import { systemClock } from "../src/core/tools/system-clock.ts";
import { createLog } from "../src/operations/logging.ts";
import { createMemoryCoordinator } from "../src/state/memory/coordinator.ts";
import { connectRedis, type RedisConnection } from "../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../src/state/redis/coordinator.ts";
import { hasRedisServer, startRedisServer } from "../test/doubles/processes/redis-server.ts";
import type { Measure } from "./measure.ts";
import { usedMs } from "./own-work.ts";

const waiting = 10_000;
const permits = 2;
/** Workspaces that take turns. */
const groups = 50;
const freed = 200;
const log = createLog({ level: "silent" });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The work is the processor time of this process: the slowest of 200 grants is soon slow on a machine that others use. */
type Figures = { readonly joinMs: number; readonly worstGrantMs: number; readonly worstGrantWorkMs: number };

/** Fills the line over all instances in turn, frees permits one by one, and lets everybody go. */
async function fill(coordinators: readonly Coordinator[], afterJoining: () => Promise<void>): Promise<Figures> {
  const stop = new AbortController();
  const leases: Lease[] = [];
  const told = new Set<number>();
  const acquire = (index: number, onPosition?: () => void) =>
    coordinators[index % coordinators.length]?.permit("service", permits, `w${index % groups}`, {
      signal: stop.signal,
      ...(onPosition === undefined ? {} : { onPosition }),
    }) ?? Promise.reject(new Error("There is no coordinator."));
  for (let index = 0; index < permits; index += 1) leases.push(await acquire(index));

  const beganMs = performance.now();
  for (let index = 0; index < waiting; index += 1) {
    acquire(index, () => told.add(index)).then(
      (lease) => leases.push(lease),
      () => {},
    );
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  while (told.size < waiting) await pause(1);
  const joinMs = performance.now() - beganMs;
  await afterJoining();

  let worstGrantMs = 0;
  let worstGrantWorkMs = 0;
  for (let count = 0; count < freed; count += 1) {
    const lease = leases.shift();
    const had = leases.length;
    const releasedMs = performance.now();
    const workedMs = usedMs();
    void lease?.release();
    while (leases.length === had) await pause(1);
    worstGrantMs = Math.max(worstGrantMs, performance.now() - releasedMs);
    worstGrantWorkMs = Math.max(worstGrantWorkMs, usedMs() - workedMs);
  }
  stop.abort(new Error("The bench is over."));
  await Promise.all(leases.map((lease) => lease.release()));
  await Promise.all(coordinators.map((coordinator) => coordinator.close()));
  return { joinMs, worstGrantMs, worstGrantWorkMs };
}

async function inMemory(): Promise<Measure[]> {
  const coordinator = createMemoryCoordinator({ clock: systemClock });
  const { joinMs, worstGrantMs, worstGrantWorkMs } = await fill([coordinator], async () => {});
  return [
    { name: `lines: ${waiting} join in one process`, value: joinMs, target: { atMost: 500 }, unit: "ms" },
    {
      name: "lines: slowest grant of a freed permit there",
      value: worstGrantMs,
      target: { atMost: 1_000 },
      unit: "ms",
    },
    { name: "lines: own work for the longest of these grants", value: worstGrantWorkMs, unit: "ms" },
  ];
}

/** Milliseconds that Redis' main thread has worked since its start. */
async function workedMs(connection: RedisConnection): Promise<number> {
  const info = await connection.run((client) => client.info("cpu"));
  const seconds = (name: string) => Number(new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1]);
  return 1_000 * (seconds("used_cpu_user_main_thread") + seconds("used_cpu_sys_main_thread"));
}

/** One command after the other, each with what Redis itself worked for it: however busy the machine is. */
function measureWork(connection: RedisConnection) {
  const works: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  async function evaluate(...args: Parameters<RedisConnection["evaluate"]>): Promise<unknown> {
    const fromMs = await workedMs(connection);
    try {
      return await connection.evaluate(...args);
    } finally {
      works.push((await workedMs(connection)) - fromMs);
    }
  }
  const measured: RedisConnection = {
    ...connection,
    evaluate: (...args) => {
      const mine = last.then(() => evaluate(...args));
      last = mine.catch(() => {});
      return mine;
    },
  };
  return { measured, works };
}

async function overRedis(): Promise<Measure[]> {
  if (!hasRedisServer()) return [];
  const server = await startRedisServer();
  const connect = () => connectRedis({ url: server.url, clock: systemClock, log });
  const connections = [await connect(), await connect(), await connect()] as const;
  const [first, second, observer] = connections;
  const instance = (connection: RedisConnection) => createRedisCoordinator({ connection, clock: systemClock, log });

  const { measured, works } = measureWork(first);
  await fill([instance(measured), instance(measured)], async () => {});

  await observer.run((client) => client.configSet("slowlog-log-slower-than", "1000"));
  await observer.run((client) => client.configSet("slowlog-max-len", "100000"));
  let standingMs = 0;
  const { joinMs, worstGrantMs } = await fill([instance(first), instance(second)], async () => {
    const fromMs = await workedMs(observer);
    await pause(5_000);
    standingMs = ((await workedMs(observer)) - fromMs) / 5;
  });
  const entries = (await observer.run((client) => client.sendCommand(["SLOWLOG", "GET", "-1"]))) as unknown[][];
  const slowestMs = Math.max(1, ...entries.map((entry) => Number(entry[2]) / 1_000));
  for (const connection of connections) await connection.close();
  await server.stop();
  const meanMs = works.reduce((sum, ms) => sum + ms, 0) / works.length;
  return [
    {
      name: "lines: Redis' own work for its longest command",
      value: Math.max(...works),
      target: { atMost: 20 },
      unit: "ms",
    },
    { name: "lines: and for a command on average", value: meanMs, unit: "ms" },
    { name: "lines: slowest command by SLOWLOG, with what other programs took", value: slowestMs, unit: "ms" },
    { name: `lines: ${waiting} join over Redis, two instances`, value: joinMs, unit: "ms" },
    { name: "lines: Redis' work a second while all of them wait", value: standingMs, unit: "ms" },
    {
      name: "lines: slowest grant of a freed permit over Redis",
      value: worstGrantMs,
      target: { atMost: 1_000 },
      unit: "ms",
    },
  ];
}

export async function bench(): Promise<Measure[]> {
  return [...(await inMemory()), ...(await overRedis())];
}
