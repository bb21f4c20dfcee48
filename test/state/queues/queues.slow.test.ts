/** Lanes, permits and leases on a Redis that loses data, and under random use and random faults. */
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../../src/state/redis/coordinator.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { simulate } from "./simulation.ts";

/** Long enough to hold on over a restart without a renewal that happens to be due. */
const times = { leaseMs: 20_000, renewEveryMs: 15_000, retryMs: 50, unattendedMs: 300 };

describe.skipIf(!hasRedisServer())("queues on a Redis that comes back with older data", () => {
  let server: RedisServer;
  let clean: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of clean.reverse()) await step();
    clean = [];
  });

  async function instance() {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log, settleMs: 1_500 });
    const coordinator = createRedisCoordinator({ connection, clock: systemClock, log, times });
    clean.push(connection.close, coordinator.close);
    return { connection, coordinator };
  }

  it("leave a lane with its newest holder", () => restartWithOlderData("lane"));

  it("leave a lease with its newest holder", () => restartWithOlderData("lease"));

  async function restartWithOlderData(kind: "lane" | "lease") {
    server = await startRedisServer("--appendonly", "no");
    clean.push(server.stop);
    const [one, other, third] = [await instance(), await instance(), await instance()];
    const take = ({ coordinator }: typeof one, entry: string) =>
      kind === "lane" ? coordinator.lanes.acquire("k", entry, entry) : coordinator.lease("k");
    const earlier = await take(one, "1");
    await other.connection.run((client) => client.sendCommand(["SAVE"]));
    await earlier.release();
    const newest = await take(other, "2");

    await server.restart();
    const next = take(third, "3");
    // Granted after the moment in which holders report themselves.
    await (await other.coordinator.lease("settled")).release();

    expect(newest.lost.aborted).toBe(false);
    expect(await Promise.race([next, "waiting"])).toBe("waiting");
    await newest.release();
    expect((await next).fence).toBeGreaterThan(newest.fence);
    await (await next).release();
  }
});

describe.skipIf(!hasRedisServer())("queues on Redis under random use and random faults", () => {
  it("keep their promises", async () => {
    const outcomes = await Promise.all([1, 2, 3].map((seed) => simulate(seed, 6_000)));

    for (const { seed, found, trace } of outcomes) expect(found, `seed ${seed}\n${trace.join("\n")}`).toEqual([]);
  });
});
