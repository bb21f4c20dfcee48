/** What Redis and the library do to works when they fail; each row was seen with BullMQ 6.7.0. */
import { createClient } from "@redis/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { watchOwnWork } from "../../bench/own-work.ts";
import type { WorkDefinition, Works } from "../../src/core/ports/storage/works.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisWorks, type WorkTimes } from "../../src/state/redis/works/works.ts";
import { startLineProcess } from "../doubles/processes/child-process.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { until } from "../doubles/until.ts";
import { shortWorkTimes } from "./short-times.ts";

const kind = "letters";
const script = new URL("hold-work-child.ts", import.meta.url).pathname;
const unavailable = { name: "ParleyError", code: "state_unavailable" };
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** As in production: a restart of Redis is shorter than the lock. */
const longTimes: WorkTimes = { lockMs: 15_000, checkMs: 5_000 };

// Vitest fails the run on any unhandled rejection, so every test here is also the test that there is none.
describe.skipIf(!hasRedisServer())("works when Redis fails", () => {
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

  /** To change in Redis what nobody else changes. */
  async function command(...args: readonly string[]): Promise<unknown> {
    const client = createClient({ url: server.url });
    await client.connect();
    try {
      return await client.sendCommand([...args]);
    } finally {
      client.destroy();
    }
  }

  async function instance(
    run?: WorkDefinition<string>["run"],
    { times = shortWorkTimes, url = server.url, clock = systemClock, concurrency = 5 } = {},
  ): Promise<Works> {
    const connection = await connectRedis({ url, clock, log });
    const coordinator = createRedisCoordinator({ connection, clock, log });
    const works = createRedisWorks({ connection, coordinator, url, clock, log, times });
    clean.push(async () => {
      await works.close();
      await coordinator.close();
      await connection.close();
    });
    if (run !== undefined) {
      works.define(kind, { run, concurrency, attempts: 5, backoff: () => 100, giveUpAfterMs: 3_600_000 });
      await works.start();
    }
    return works;
  }

  async function isEmpty(works: Works): Promise<boolean> {
    const states = ["waiting", "delayed", "active", "failed"] as const;
    return (await Promise.all(states.map((state) => works.list(kind, state, 10)))).flat().length === 0;
  }

  /** Two instances that do twenty works while something happens. Resolves with the runs. */
  async function twentyDuring(event: () => Promise<void>, times: WorkTimes): Promise<readonly string[]> {
    const runs: string[] = [];
    const run = async ({ key }: { readonly key: string }) => {
      runs.push(key);
      await wait(400);
      return undefined;
    };
    const [works] = [await instance(run, { times }), await instance(run, { times })];
    for (let index = 0; index < 20; index += 1) await works.add(kind, `k${index}`, "");
    await wait(200);
    await event();
    await until("the end", () => isEmpty(works).catch(() => false));
    return runs;
  }

  const all = Array.from({ length: 20 }, (_, index) => `k${index}`).toSorted();

  it.each([1_000, 4_000])("are done once when it is down for %i ms and then back with its data", async (ms) => {
    const runs = await twentyDuring(async () => {
      await server.kill();
      await wait(ms);
      await server.restart();
    }, longTimes);
    expect(runs.toSorted()).toEqual(all);
  });

  it("are all added, ten thousand at once, and the process isn't blocked meanwhile", async () => {
    const works = await instance();
    works.define(kind, {
      run: async () => undefined,
      concurrency: 1,
      attempts: 1,
      backoff: () => 100,
      giveUpAfterMs: 1,
    });
    const work = watchOwnWork();
    const dueAtMs = Date.now() + 3_600_000;

    const added = Array.from({ length: 10_000 }, (_, index) => works.add(kind, `k${index}`, "", { dueAtMs }));
    const settled = await Promise.allSettled(added);

    expect(settled.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(work.worstMs()).toBeLessThan(100);
  });

  it("are done once when it answers nothing for a second", async () => {
    const runs = await twentyDuring(async () => {
      server.freeze();
      await wait(1_000);
      server.thaw();
    }, longTimes);
    expect(runs.toSorted()).toEqual(all);
  });

  it("that ended while it was away for longer than the lock are recorded as done", async () => {
    const runs = await twentyDuring(
      async () => {
        await server.kill();
        await wait(4_000);
        await server.restart();
        // Two checks come later than an instance needs to connect again, as in production.
      },
      { lockMs: 1_500, checkMs: 3_000 },
    );
    expect(runs.toSorted()).toEqual(all);
  });

  it("that still run when their lock is lost are stopped, and done again after a take-over", async () => {
    const begun: number[] = [];
    const works = await instance(async (work, signal) => {
      begun.push(work.begun);
      if (work.begun > 1) return undefined;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      throw signal.reason;
    });
    await works.add(kind, "a", "");
    await until("its run", () => begun.length === 1);
    await server.kill();
    await wait(3_000);
    await server.restart();
    await until("its end", () => isEmpty(works).catch(() => false));
    expect(begun).toEqual([1, 2]);
  });

  it("of an instance that stood still are taken over, and it changes nothing when it continues", async () => {
    const frozen = startLineProcess(script, [server.url]);
    clean.push(frozen.kill);
    const works = await instance();
    await works.add(kind, "a", "");
    expect(await frozen.line()).toBe("begun a");
    frozen.signal("SIGSTOP");
    const held = Promise.withResolvers<undefined>();
    const begun: number[] = [];
    const other = await instance(async (work) => {
      begun.push(work.begun);
      return await held.promise;
    });
    await until("the take-over", () => begun.length === 1);

    frozen.signal("SIGCONT");
    expect(await frozen.line()).toContain("stopped Error: Another instance may do it now.");
    await wait(500);
    expect((await other.list(kind, "active", 10)).map(({ key }) => key)).toEqual(["a"]);
    held.resolve(undefined);

    await until("its end", () => isEmpty(works));
    expect(begun).toEqual([2]);
  });

  it("are handed on however often an instance dies, within the lock and two checks", async () => {
    const works = await instance();
    await works.add(kind, "a", "");
    for (let death = 0; death < 3; death += 1) {
      const mortal = startLineProcess(script, [server.url]);
      expect(await mortal.line()).toBe("begun a");
      await mortal.kill();
    }
    const diedAtMs = Date.now();
    let tookMs = 0;
    const other = await instance(async ({ begun }) => {
      expect(begun).toBe(4);
      tookMs = Date.now() - diedAtMs;
      return undefined;
    });
    await until("its end", () => isEmpty(other));
    // And the time that a process takes here to start.
    expect(tookMs).toBeLessThan(shortWorkTimes.lockMs + 2 * shortWorkTimes.checkMs + 2_000);
  });

  it("are found when the library has lost their jobs, or has them in no list", async () => {
    const done: string[] = [];
    const works = await instance();
    for (const key of ["a", "b"]) await works.add(kind, key, "");
    await command("DEL", "parley:{works}:letters:wait");
    const jobs = (await command("KEYS", "parley:{works}:letters:*-*")) as string[];
    expect(jobs).toHaveLength(2);
    await command("DEL", String(jobs[0]));

    await instance(async ({ key }) => void done.push(key));

    await until("the end of both", () => isEmpty(works));
    expect(done.toSorted()).toEqual(["a", "b"]);
  });

  it("are refused soon while it is down or answers nothing, and then not half added", async () => {
    const done: string[] = [];
    const works = await instance(async ({ key }) => void done.push(key));
    await works.add(kind, "before", "");
    await until("the first", () => done.length === 1);
    await server.kill();
    const beganMs = performance.now();
    await expect(works.add(kind, "down", "")).rejects.toMatchObject(unavailable);
    await expect(works.cancel(kind, "down")).rejects.toMatchObject(unavailable);
    await expect(works.list(kind, "waiting", 10)).rejects.toMatchObject(unavailable);
    expect(performance.now() - beganMs).toBeLessThan(1_500);
    await server.restart();
    await until("that it is back", () => isEmpty(works).catch(() => false));
    expect(done).toEqual(["before"]);
    await works.add(kind, "after", "");
    await until("the next", () => done.includes("after"));
  });

  it("are stored when only the library can't be reached, and done when it can", async () => {
    const done: string[] = [];
    const works = await instance(async ({ key }) => void done.push(key));
    await works.add(kind, "before", "");
    await until("the first", () => done.length === 1);
    server.freeze();
    const added = works.add(kind, "a", "").catch((err: unknown) => err);
    await wait(1_100);
    server.thaw();
    // In time or not: if it was acknowledged, it is done.
    if ((await added) === true) await until("its end", () => done.includes("a"));
    await until("the end", () => isEmpty(works).catch(() => false));
  });

  it("can be added and done when it comes up after the instance", async () => {
    await server.kill();
    const done: string[] = [];
    const works = await instance(async ({ key }) => void done.push(key));
    await server.restart();
    await until("that it can be used", () =>
      works.add(kind, "a", "").then(
        () => true,
        () => false,
      ),
    );
    await until("its end", () => done.length === 1);
  });

  it("can be closed while it is down", async () => {
    const works = (await instance(async () => undefined)) as ReturnType<typeof createRedisWorks>;
    await server.kill();
    const beganMs = performance.now();
    await works.close();
    expect(performance.now() - beganMs).toBeLessThan(4_000);
    await server.restart();
  });

  it("are refused while it is full, and what is there is done", async () => {
    const done: string[] = [];
    const held = Promise.withResolvers<void>();
    const works = await instance(async ({ key }) => {
      await held.promise;
      done.push(key);
      return undefined;
    });
    for (const key of ["a", "b"]) await works.add(kind, key, "");
    await until("both", async () => (await works.list(kind, "active", 10)).length === 2);
    await command("CONFIG", "SET", "maxmemory", "1");
    await expect(works.add(kind, "c", "")).rejects.toMatchObject(unavailable);
    held.resolve();
    await until("their end", () => isEmpty(works));
    await command("CONFIG", "SET", "maxmemory", "0");
    await works.add(kind, "d", "");
    await until("the next", () => done.includes("d"));
    expect(done.toSorted()).toEqual(["a", "b", "d"]);
  });

  it("keep no payload where the library keeps its own, and nothing at all when they are done", async () => {
    const works = await instance();
    await works.add(kind, "a", "a secret of Alice");
    const ofLibrary = (await command("KEYS", "parley:{works}:*")) as string[];
    for (const key of ofLibrary) {
      const dump = (await command("DUMP", key)) as string;
      expect(dump, key).not.toContain("Alice");
    }
    await instance(async () => undefined);
    await until("its end", () => isEmpty(works));
    const left = async () =>
      ((await command("KEYS", "*")) as string[]).filter(
        (key) => key.startsWith("parley:work") || /[0-9a-f]{8}-/.test(key),
      );
    await until("that it is deleted", async () => (await left()).length === 0);
  });

  it("are done at their time when the clock of an instance is 30 s off, or soon after", async () => {
    const clock = { ...systemClock, now: () => Date.now() + 30_000 };
    const done: string[] = [];
    const ahead = await instance(async ({ key }) => void done.push(key), { clock });
    const works = await instance(async ({ key }) => void done.push(key));
    await works.add(kind, "a", "");
    await ahead.add(kind, "b", "");
    await works.add(kind, "soon", "", { dueAtMs: Date.now() + 500 });
    await until("their end", () => isEmpty(works));
    expect(done.toSorted()).toEqual(["a", "b", "soon"]);
  });

  it("work with a password", async () => {
    await command("CONFIG", "SET", "requirepass", "p%ss w0rd");
    const url = server.url.replace("//", `//:${encodeURIComponent("p%ss w0rd")}@`);
    const done: string[] = [];
    const works = await instance(async ({ key }) => void done.push(key), { url });
    await works.add(kind, "a", "");
    await until("its end", () => done.length === 1);
  });
});
