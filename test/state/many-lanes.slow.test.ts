/** Thousands of lanes that are only held, each by a question that waits for the service: what that costs, and that none is lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { connectRedis, type RedisConnection } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { until } from "../reliability/towns/slack-town.ts";

const lanes = 500;
const times = { leaseMs: 3_000, renewEveryMs: 1_000, retryMs: 50, unattendedMs: 2_000 };
/** On a busy machine Redis takes seconds to start, and a renewal to arrive. */
const patientTimes = { ...times, leaseMs: 10_000 };

describe.skipIf(!hasRedisServer())("lanes on Redis that are only held", () => {
  let server: RedisServer;
  let connections: RedisConnection[];
  let coordinators: Coordinator[];
  let commands: number;

  beforeEach(async () => {
    server = await startRedisServer();
    [connections, coordinators, commands] = [[], [], 0];
  });

  afterEach(async () => {
    for (const coordinator of coordinators) await coordinator.close();
    for (const connection of connections) await connection.close();
    await server.stop();
  });

  async function instance(lasting: typeof times = times): Promise<Coordinator> {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log: silentLog, settleMs: 500 });
    const counting: RedisConnection = {
      ...connection,
      evaluate: (...args) => {
        commands += 1;
        return connection.evaluate(...args);
      },
    };
    const coordinator = createRedisCoordinator({
      ...{ connection: counting, clock: systemClock, log: silentLog, times: lasting },
    });
    connections.push(connection);
    coordinators.push(coordinator);
    return coordinator;
  }

  const hold = (coordinator: Coordinator) =>
    Promise.all(Array.from({ length: lanes }, (_, index) => coordinator.lanes.acquire(`lane${index}`, "t", "1")));

  it("are renewed many at a time, and stay held as long as their holder lives", async () => {
    const leases = await hold(await instance(patientTimes));
    commands = 0;

    await sleep(patientTimes.leaseMs + 500);

    expect(leases.filter((lease) => lease.isCurrent())).toHaveLength(lanes);
    expect(commands).toBeLessThan(lanes);
  });

  it("are held again after a restart of Redis that forgot them", async () => {
    const leases = await hold(await instance(patientTimes));

    await server.restart({ forgets: true });
    // By then they would have expired, had they not been renewed since.
    await sleep(patientTimes.leaseMs + 500);

    expect(leases.filter((lease) => lease.isCurrent())).toHaveLength(lanes);
  });

  it("go to a waiter on another instance, also long after it last heard of them", async () => {
    const [a, b] = [await instance(), await instance()];
    const leases = await hold(a);
    await sleep(times.leaseMs);

    const waiting = b.lanes.acquire("lane7", "later", "2");
    await sleep(times.leaseMs);
    await leases[7]?.release();

    expect((await waiting).fence).toBeGreaterThan(leases[7]?.fence ?? 0);
  });

  it("don't wait for a question of a dead instance for longer than its place lasts", async () => {
    const [a, b, c] = [await instance(), await instance(), await instance()];
    const held = await a.lanes.acquire("lane", "t1", "1");
    const positions: number[] = [];
    const gone = b.lanes.acquire("lane", "t2", "2", { onPosition: (position) => positions.push(position) });
    gone.catch(() => undefined);
    await until("its place in line", () => positions.length > 0);

    // As a killed process: nothing is given back.
    await connections[1]?.close();
    await sleep(times.leaseMs + 2 * times.renewEveryMs + times.unattendedMs);
    await held.release();
    const startedAtMs = performance.now();
    const next = await c.lanes.acquire("lane", "t3", "3");

    expect(performance.now() - startedAtMs).toBeLessThan(times.unattendedMs);
    await next.release();
  });
});
