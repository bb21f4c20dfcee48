import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createKeyValue } from "../../src/state/key-value.ts";
import { connectRedis, type RedisConnection } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisKeyValueBackend } from "../../src/state/redis/keyv-redis.ts";
import { createRedisTurnStore } from "../../src/state/redis/records.ts";
import { sampleTurn } from "../contracts/storage/sample-records.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { startTcpProxy } from "../doubles/network/tcp-proxy.ts";
import { startLineProcess } from "../doubles/processes/child-process.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { until } from "../doubles/until.ts";
import { shortTimes } from "./short-times.ts";

const unavailable = { name: "ParleyError", code: "state_unavailable" };
const holdLaneScript = new URL("hold-lane-child.ts", import.meta.url).pathname;

/** Long enough to hold on over a restart without a renewal that happens to be due. */
const longTimes = { ...shortTimes, leaseMs: 20_000, renewEveryMs: 15_000 };

// Vitest fails the run on any unhandled rejection, so every test here is also the test that there is none.
describe.skipIf(!hasRedisServer())("when Redis fails", () => {
  let server: RedisServer;
  let clean: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());
  beforeEach(() => server.restart({ forgets: true }));
  afterEach(async () => {
    server.thaw();
    for (const step of clean.reverse()) await step();
    clean = [];
  });

  async function connect(url = server.url): Promise<RedisConnection> {
    const connection = await connectRedis({ url, clock: systemClock, log: silentLog, settleMs: 1_500 });
    clean.push(connection.close);
    return connection;
  }

  async function instance(times = shortTimes): Promise<Coordinator> {
    const connection = await connect();
    const coordinator = createRedisCoordinator({ connection, clock: systemClock, log: silentLog, times });
    clean.push(coordinator.close);
    return coordinator;
  }

  /** Messages are heard at most once, and not before the listener is connected again: so they are said until they are. */
  async function sayUntilHeard(say: () => Promise<void>, heard: Promise<unknown>): Promise<void> {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50, "unheard"));
    await until("a listener", async () => {
      await say().catch(() => {});
      return (await Promise.race([heard, pause()])) !== "unheard";
    });
  }

  function readyAgain(connection: RedisConnection): Promise<void> {
    return new Promise((resolve) => connection.onReady(resolve));
  }

  it("refuses everything while it is down, and continues with its data when it is back", async () => {
    const connection = await connect();
    const turns = createRedisTurnStore(connection);
    const store = createKeyValue(createRedisKeyValueBackend(connection), silentLog)("ns");
    await turns.create(sampleTurn("t1"));
    await store.set("k", "v");

    await server.kill();
    await expect(turns.create(sampleTurn("t2"))).rejects.toMatchObject(unavailable);
    await expect(turns.transition("t1", ["queued"], "running")).rejects.toMatchObject(unavailable);
    await expect(turns.unfinished()[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
    await expect(store.get("k")).rejects.toMatchObject(unavailable);
    await expect(store.set("k", "w")).rejects.toMatchObject(unavailable);
    await expect(store.delete("k")).rejects.toMatchObject(unavailable);
    await expect(store.entries("")[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
    const ready = readyAgain(connection);
    await server.restart();
    await ready;

    expect(await turns.get("t1")).toEqual(sampleTurn("t1"));
    expect(await turns.create(sampleTurn("t2"))).toEqual({ created: true });
    expect(await store.get("k")).toBe("v");
  });

  it("refuses a command that gets no answer", async () => {
    const turns = createRedisTurnStore(await connect());
    server.freeze();

    await expect(turns.create(sampleTurn("t1"))).rejects.toMatchObject(unavailable);

    server.thaw();
  });

  it("can be down when an instance starts", async () => {
    await server.kill();
    const connection = await connect();
    const turns = createRedisTurnStore(connection);
    await expect(turns.create(sampleTurn("t1"))).rejects.toMatchObject(unavailable);

    const ready = readyAgain(connection);
    await server.restart();
    await ready;

    expect(await turns.create(sampleTurn("t1"))).toEqual({ created: true });
  });

  it("replaces a connection that stays open and is silent", async () => {
    const proxy = await startTcpProxy(server.port);
    clean.push(proxy.stop);
    const clock = createFakeClock();
    const connection = await connectRedis({ url: `redis://127.0.0.1:${proxy.port}`, clock, log: silentLog });
    clean.push(connection.close);
    const heard = Promise.withResolvers<string>();
    connection.onMessage(heard.resolve);
    proxy.silence();
    const isReady = readyAgain(connection);

    // Two probes, five seconds each to come and to fail.
    for (let step = 0; step < 4; step += 1) await clock.advance(5_000);
    await isReady;

    // What was held may have lapsed meanwhile: its holders speak up first.
    expect(await connection.run((client) => client.exists("parley:settling"))).toBe(1);
    expect(await connection.run((client) => client.ping())).toBe("PONG");
    await sayUntilHeard(() => connection.broadcast("hello"), heard.promise);
    expect(await heard.promise).toBe("hello");
  });

  it("reaches subscribers again after a restart", async () => {
    const [a, b] = [await instance(), await instance()];
    const heard = Promise.withResolvers<string>();
    b.subscribe("stop", heard.resolve);
    await server.restart();

    await sayUntilHeard(() => a.publish("stop", "t1"), heard.promise);

    expect(await heard.promise).toBe("t1");
  });

  it("notifies listeners of the same instance also while it is down, and tells the publisher so", async () => {
    const a = await instance();
    const heard = Promise.withResolvers<string>();
    a.subscribe("stop", heard.resolve);
    await server.kill();

    await expect(a.publish("stop", "t1")).rejects.toMatchObject(unavailable);

    expect(await heard.promise).toBe("t1");
  });

  it("makes a holder lose what it couldn't renew in time", async () => {
    const a = await instance();
    const lease = await a.lanes.acquire("lane", "t1", "1");
    const lost = new Promise((resolve) => lease.lost.addEventListener("abort", resolve));

    await server.kill();
    await lost;

    expect(lease.lost.reason).toMatchObject(unavailable);
    await lease.release();
  });

  it("still counts permits that couldn't be renewed in time, and grants nobody one of them", async () => {
    const [a, b] = [await instance(), await instance()];
    const held = [await a.permit("service", 2, "w"), await a.permit("service", 2, "w")];
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, shortTimes.leaseMs + 500));
    await server.restart();

    const next = b.permit("service", 2, "w");
    // Given after the moment in which holders speak up.
    await (await b.lease("settled")).release();

    expect(held.map(({ lost }) => lost.aborted)).toEqual([false, false]);
    expect(await Promise.race([next, "waiting"])).toBe("waiting");
    await held[0]?.release();
    await (await next).release();
    await held[1]?.release();
  });

  it("counts permits beyond their number, where others got some while their holder was cut off", async () => {
    const proxy = await startTcpProxy(server.port);
    clean.push(proxy.stop);
    const cut = createRedisCoordinator({
      connection: await connect(`redis://127.0.0.1:${proxy.port}`),
      ...{ clock: systemClock, log: silentLog, times: shortTimes },
    });
    clean.push(cut.close);
    const b = await instance();
    const held = await cut.permit("service", 1, "w");
    proxy.away(true);
    const second = await b.permit("service", 1, "w");
    const later = b.permit("service", 1, "w");
    proxy.away(false);
    // Whoever is given something has been heard of, with all that is held there.
    await (await cut.lease("heard of")).release();
    await new Promise((resolve) => setTimeout(resolve, 2 * shortTimes.renewEveryMs));

    await second.release();
    const waited = await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 500, "waiting"))]);

    expect(held.lost.aborted).toBe(false);
    expect(waited).toBe("waiting");
    await held.release();
    await (await later).release();
  });

  it("leaves a lease with its holder when it forgot everything in between", async () => {
    const [a, b] = [await instance(longTimes), await instance(longTimes)];
    const lease = await a.lease("k");

    await server.restart({ forgets: true });
    const next = b.lease("k");
    const other = await b.lease("other");

    // Whoever is given something now shows that those who held something have said so.
    expect(lease.lost.aborted).toBe(false);
    expect(await Promise.race([next, "waiting"])).toBe("waiting");
    await lease.release();
    const later = await next;
    expect(later.fence).toBeGreaterThan(lease.fence);
    await later.release();
    await other.release();
  });

  it("grants nothing for a moment after a restart, in which holders report themselves", async () => {
    const a = await instance();
    const connection = await connect();
    const settling = () => connection.run((client) => client.exists("parley:settling"));
    expect(await settling()).toBe(0);
    const ready = readyAgain(connection);
    await server.restart();
    await ready;
    expect(await settling()).toBe(1);

    const lease = await a.lease("k");

    expect(await settling()).toBe(0);
    await lease.release();
  });

  it("keeps everyone's place in line when it forgot everything in between", async () => {
    const [a, b] = [await instance(longTimes), await instance(longTimes)];
    const holder = await a.lanes.acquire("lane", "t0", "0");
    const order: string[] = [];
    const run = async (coordinator: Coordinator, entry: string) => {
      const lease = await coordinator.lanes.acquire("lane", entry, entry);
      order.push(entry);
      await lease.release();
    };
    const runs = [run(b, "t2"), run(a, "t1"), run(b, "t3")];

    await server.restart({ forgets: true });
    await (await a.lease("settled")).release();
    await holder.release();
    await Promise.all(runs);

    expect(order).toEqual(["t1", "t2", "t3"]);
  });

  it("lets a wait that began while it was down succeed when it is back", async () => {
    const a = await instance();
    await server.kill();
    const waiting = a.permit("service", 1, "w");
    await expect(a.lanes.enqueue("lane", "t1", "1")).rejects.toMatchObject(unavailable);

    await server.restart();

    await (await waiting).release();
  });

  it("leaves each instance with write budgets of its own while it is down", async () => {
    const a = await instance();
    await server.kill();
    const bucket = { capacity: 2, refillPerMinute: 1 };

    const taken = [];
    for (let count = 0; count < 3; count += 1) taken.push((await a.takeToken("w", bucket, 0)).taken);
    await a.penalise("v", 60_000);

    expect(taken).toEqual([true, true, false]);
    expect((await a.takeToken("v", bucket, 0)).taken).toBe(false);
  });

  it("passes on what a killed instance held, and keeps the places of what it left unfinished", async () => {
    const child = startLineProcess(holdLaneScript, [server.url]);
    clean.push(child.kill);
    const [, laneFence, permitFence] = (await child.line()).split(" ").map(Number);
    const a = await instance({ ...shortTimes, unattendedMs: 1_500 });
    const order: string[] = [];
    const run = async (entry: string) => {
      const lease = await a.lanes.acquire("lane", entry, entry.slice(1));
      order.push(entry);
      await lease.release();
      return lease.fence;
    };
    const [early, late] = [run("t1.5"), run("t3")];
    const permit = a.permit("service", 1, "w");

    await child.kill();
    expect((await permit).fence).toBeGreaterThan(permitFence ?? Number.NaN);
    // t1 was held and t2 waited; now somebody comes for them.
    expect(await run("t1")).toBeGreaterThan(laneFence ?? Number.NaN);
    await early;
    await run("t2");
    await late;

    expect(order).toEqual(["t1", "t1.5", "t2", "t3"]);
  });

  it("costs one round trip where someone waits for it", async () => {
    const proxy = await startTcpProxy(server.port);
    clean.push(proxy.stop);
    const connection = await connect(`redis://127.0.0.1:${proxy.port}`);
    const turns = createRedisTurnStore(connection);
    const store = createKeyValue(createRedisKeyValueBackend(connection), silentLog)("ns");
    const coordinator = createRedisCoordinator({ connection, clock: systemClock, log: silentLog });
    clean.push(coordinator.close);
    const bucket = { capacity: 9, refillPerMinute: 9 };
    const use = async () => {
      const counts: number[] = [];
      const count = async (call: () => Promise<unknown>) => {
        proxy.takeRequestCount();
        await call();
        counts.push(proxy.takeRequestCount());
      };
      const id = crypto.randomUUID();
      await count(() => turns.create(sampleTurn(id)));
      await count(() => turns.transition(id, ["queued"], "running", { attempt: 2 }));
      await count(() => turns.get(id));
      await count(() => turns.recent(10));
      await count(() => store.set(id, { any: "thing" }));
      await count(() => store.get(id));
      await count(() => coordinator.takeToken("w", bucket, 0));
      await count(async () => (await coordinator.permit("service", 2, "w")).release());
      return counts;
    };
    // The first use of each script costs one more.
    await use();

    expect(await use()).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  });
});
