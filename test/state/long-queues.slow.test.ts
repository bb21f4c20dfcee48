/** Lines of ten thousand: what they cost Redis and this process, and that nobody in them is lost. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Coordinator, Lease } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { connectRedis, type RedisConnection } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { until } from "../reliability/towns/slack-town.ts";
import { shortTimes } from "./short-times.ts";

const many = 10_000;
/** Each takes Redis some microseconds; one by one, 10,000 in line would be as many. */
const maxSteps = 1_500;
/** Ten thousand can't all be renewed within the short lease while other tests use the cores. */
const patientTimes = { ...shortTimes, leaseMs: 15_000 };

type Line = { readonly told: () => number; readonly leases: Lease[]; readonly positions: Map<number, number> };

/** So many requests for a permit, from `groups` workspaces in turn. */
function joinMany(coordinators: readonly Coordinator[], count: number, groups: number, signal?: AbortSignal): Line {
  const leases: Lease[] = [];
  const positions = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    coordinators[index % coordinators.length]
      ?.permit("service", 2, `w${index % groups}`, {
        ...(signal === undefined ? {} : { signal }),
        onPosition: (position) => positions.set(index, position),
      })
      .then(
        (lease) => leases.push(lease),
        () => {},
      );
  }
  return { told: () => positions.size, leases, positions };
}

/**
 * Twenty thousand of one workspace wait on `busy`, which has both permits; then one of another workspace on `other`.
 * Its first position, and who got the first permit that was freed after how long.
 */
async function besideTwentyThousand(busy: Coordinator, other: Coordinator, pass: () => Promise<void>) {
  const served: string[] = [];
  const held = [await busy.permit("service", 2, "busy"), await busy.permit("service", 2, "busy")];
  let told = 0;
  for (let index = 0; index < 20_000; index += 1) {
    let isTold = false;
    const onPosition = () => {
      told += isTold ? 0 : 1;
      isTold = true;
    };
    busy.permit("service", 2, "busy", { onPosition }).then(
      () => served.push("busy"),
      () => {},
    );
  }
  await until("everybody's position", () => told === 20_000);
  const positions: number[] = [];
  const onPosition = (position: number) => positions.push(position);
  void other.permit("service", 2, "calm", { onPosition }).then(() => served.push("calm"));
  await until("its position", () => positions.length > 0);
  await pass();

  const startedAtMs = performance.now();
  await held[0]?.release();
  await until("a grant", () => served.length > 0);
  return { positions, served: served[0], afterMs: performance.now() - startedAtMs };
}

describe("twenty thousand of one workspace in one line of this process", () => {
  it("delay nobody of another one: it gets the next permit, and is told so soon", async () => {
    const clock = createFakeClock();
    const coordinator = createMemoryCoordinator({ clock });

    const { positions, served, afterMs } = await besideTwentyThousand(coordinator, coordinator, () =>
      clock.advance(1_000),
    );

    expect(served).toBe("calm");
    expect(afterMs).toBeLessThan(1_000);
    expect(positions.at(-1)).toBe(1);
    await coordinator.close();
  });
});

describe("ten thousand in one line of this process", () => {
  it.each(["permits", "a lane"])("of %s join, learn their places, and advance in near-linear time", async (kind) => {
    const clock = createFakeClock();
    const coordinator = createMemoryCoordinator({ clock });
    const acquire = (index: number, onPosition?: (position: number) => void) => {
      const options = onPosition === undefined ? {} : { onPosition };
      return kind === "permits"
        ? coordinator.permit("service", 1, `w${index % 7}`, options)
        : coordinator.lanes.acquire("lane", `t${index}`, String(index).padStart(6, "0"), options);
    };
    const holder = await acquire(0);
    let told = 0;
    const last = new Map<number, number>();
    const granted: Promise<Lease>[] = [];
    for (let index = 1; index <= many; index += 1) {
      granted.push(
        acquire(index, (position) => {
          told += 1;
          last.set(index, position);
        }),
      );
    }
    expect(last.size).toBe(many);
    await clock.advance(1_000);
    expect([...last.values()].sort((x, y) => x - y)).toEqual(Array.from({ length: many }, (_, index) => index + 1));

    await holder.release();
    for (let count = 0; count < many; count += 1) await (await granted.shift())?.release();

    // Everybody twice, and the last hundred on each step of theirs: not all of them on each of all steps.
    expect(told).toBeLessThan(5 * many);
    await coordinator.close();
  });
});

describe.skipIf(!hasRedisServer())("ten thousand in one line on Redis", () => {
  let server: RedisServer;
  let clean: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());
  beforeEach(() => server.restart({ forgets: true }));
  afterEach(async () => {
    const steps = clean.reverse();
    clean = [];
    for (const step of steps) await step();
  });

  async function connect(): Promise<RedisConnection> {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log: silentLog, settleMs: 1_500 });
    clean.push(connection.close);
    return connection;
  }

  async function instance(connection?: RedisConnection, times = shortTimes): Promise<Coordinator> {
    const coordinator = createRedisCoordinator({
      ...{ connection: connection ?? (await connect()), clock: systemClock, log: silentLog, times },
    });
    clean.push(coordinator.close);
    return coordinator;
  }

  it("cost Redis the same few steps in every single command, however many wait", async () => {
    const connection = await connect();
    /** What Redis has executed so far, within scripts too. */
    const steps = async () => {
      const info = await connection.run((client) => client.info("commandstats"));
      return [...info.matchAll(/^cmdstat_[^:]+:calls=(\d+)/gm)].reduce((sum, [, calls]) => sum + Number(calls), 0);
    };
    let [worst, commands] = [0, 0];
    let last = Promise.resolve();
    // One after the other, so that what Redis executed in between is this command's.
    const measured: RedisConnection = {
      ...connection,
      evaluate: async (...args) => {
        const turn = Promise.withResolvers<void>();
        const mine = last;
        last = turn.promise;
        await mine;
        const before = await steps();
        try {
          return await connection.evaluate(...args);
        } finally {
          worst = Math.max(worst, (await steps()) - before);
          commands += 1;
          turn.resolve();
        }
      },
    };
    const [a, b] = [await instance(measured, patientTimes), await instance(measured, patientTimes)];
    const held = [await a.permit("service", 2, "w0"), await a.permit("service", 2, "w1")];
    const stop = new AbortController();
    const line = joinMany([a, b], many, 300, stop.signal);
    await until("everybody's position", () => line.told() === many);
    for (const lease of held) await lease.release();
    for (let count = 0; count < 50; count += 1) {
      await until("a grant", () => line.leases.length > 0);
      await line.leases.shift()?.release();
    }
    stop.abort(new Error("gone"));
    await Promise.all([a.close(), b.close()]);

    expect(commands).toBeGreaterThan(many / 100);
    expect(worst).toBeLessThan(maxSteps);
    expect(await connection.run((client) => client.keys("parley:queue:*"))).toEqual([]);
  });

  it("get a freed permit within a second, on whichever instance they wait", async () => {
    const [a, b] = [await instance(undefined, patientTimes), await instance(undefined, patientTimes)];
    const held = [await a.permit("service", 2, "w0"), await b.permit("service", 2, "w1")];
    const line = joinMany([a, b], many, 5);
    await until("everybody's position", () => line.told() === many);

    const waits: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const freed = held.shift() ?? line.leases.shift();
      const startedAtMs = performance.now();
      const had = line.leases.length;
      void freed?.release();
      await until("the next grant", () => line.leases.length > had);
      waits.push(performance.now() - startedAtMs);
    }

    // The usual one: on a busy machine a single one says nothing.
    expect(waits.toSorted((x, y) => x - y)[waits.length / 2]).toBeLessThan(1_000);
  });

  it("of one workspace, and ten thousand more, delay nobody of another one", async () => {
    const [a, b] = [await instance(undefined, patientTimes), await instance(undefined, patientTimes)];

    const { positions, served, afterMs } = await besideTwentyThousand(a, b, async () => {});

    expect(served).toBe("calm");
    expect(afterMs).toBeLessThan(1_000);
    expect(positions).toEqual([1]);
  });

  it("are reported again to a Redis that forgot them, and each is served once", async () => {
    const [a, b] = [await instance(), await instance()];
    const holder = await a.permit("service", 2, "w0");
    const line = joinMany([a, b], 500, 3);
    await until("everybody's position", () => line.told() === 499);

    await server.restart({ forgets: true });
    await holder.release();
    let served = 0;
    while (served < 500) {
      await until("the next grant", () => line.leases.length > 0);
      await line.leases.shift()?.release();
      served += 1;
    }

    expect(line.leases).toEqual([]);
  });

  it("leave the line when their instance dies, and delay nobody", async () => {
    const dying = await connect();
    const dead = createRedisCoordinator({ connection: dying, clock: systemClock, log: silentLog, times: shortTimes });
    const gone = [await dead.permit("service", 2, "w0"), await dead.permit("service", 2, "w0")];
    const line = joinMany([dead], 500, 3);
    await until("everybody's position", () => line.told() === 500);

    // As a killed process: nothing is given back.
    await dying.close();
    const alive = await instance();
    const next = await Promise.all([alive.permit("service", 2, "w1"), alive.permit("service", 2, "w2")]);

    expect(gone).toHaveLength(2);
    for (const lease of next) await lease.release();
    await dead.close();
  });

  it("expire in Redis within 90 s when what is held is all that a dead instance had", async () => {
    const dying = await connect();
    const dead = createRedisCoordinator({ connection: dying, clock: systemClock, log: silentLog, times: shortTimes });
    await dead.permit("service", 2, "w1");
    await dying.close();
    const observer = await connect();

    const keys = await observer.run((client) => client.keys("parley:queue:*"));

    expect(keys).toContain("parley:queue:permit:service:held");
    for (const key of keys) expect(await observer.run((client) => client.pTTL(key))).toBeLessThanOrEqual(90_000);
    await dead.close();
  });

  it("expire in Redis when nobody is left to clean up", async () => {
    const dying = await connect();
    const dead = createRedisCoordinator({ connection: dying, clock: systemClock, log: silentLog, times: shortTimes });
    await dead.lanes.acquire("lane", "t0", "0");
    const inLine = Promise.withResolvers<unknown>();
    const wait = dead.lanes.acquire("lane", "t1", "1", { onPosition: inLine.resolve }).catch(() => {});
    const observer = await connect();
    await inLine.promise;
    await dying.close();

    const keys = await observer.run((client) => client.keys("parley:queue:*"));
    expect(keys).not.toEqual([]);
    for (const key of keys) expect(await observer.run((client) => client.pTTL(key))).toBeGreaterThan(0);
    await dead.close();
    await wait;
  });
});
