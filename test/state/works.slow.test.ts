/** Works on SQLite, whose time is a fake clock, and on two instances over Redis. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisWorks } from "../../src/state/redis/works/works.ts";
import { openSqlite } from "../../src/state/sqlite/database.ts";
import { createSqliteWorks } from "../../src/state/sqlite/works.ts";
import { describeWorks } from "../contracts/storage/works.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until, untilAdvanced } from "../doubles/until.ts";

describeWorks("SQLite", async () => {
  const clock = createFakeClock();
  const database = await openSqlite({ dataDir: await temporaryFolder("works"), clock, log });
  const works = createSqliteWorks({ database, clock, log });
  return {
    ...{ instances: [works], now: clock.now, pass: clock.advance },
    close: async () => {
      const drained = works.drain();
      // A run that ignores its signal is left after some seconds.
      await clock.advance(10_000);
      await drained;
      await database.close();
    },
  };
});

it("works on SQLite are refused on a full disk, and one that ends then isn't done again", async () => {
  const clock = createFakeClock();
  const database = await openSqlite({ dataDir: await temporaryFolder("works-full"), clock, log });
  const works = createSqliteWorks({ database, clock, log });
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  works.define<string>("letters", {
    ...{ concurrency: 5, attempts: 3, backoff: () => 100, giveUpAfterMs: 3_600_000 },
    run: async ({ key }) => {
      if (key === "held") await held.promise;
      done.push(key);
      return undefined;
    },
  });
  await works.start();
  await works.add("letters", "held", "x".repeat(10_000));
  await until("its beginning", async () => (await works.list("letters", "active", 10)).length === 1);
  const { page_count: pages } = database.handle.prepare("PRAGMA page_count").get() ?? {};
  const limit = (more: number) => database.handle.exec(`PRAGMA max_page_count = ${Number(pages) + more}`);
  limit(0);

  await expect(works.add("letters", "large", "x".repeat(900_000))).rejects.toMatchObject({ code: "state_unavailable" });
  // Also what ends a work can't be written.
  database.handle.exec("PRAGMA query_only = ON");
  held.resolve();
  await until("its run", () => done.length === 1);
  await clock.advance(5_000);
  expect(await works.list("letters", "active", 10)).toHaveLength(1);
  database.handle.exec("PRAGMA query_only = OFF");
  limit(100_000);

  await untilAdvanced(clock, "its end", async () => (await works.list("letters", "active", 10)).length === 0, 500);
  await works.add("letters", "large", "x".repeat(900_000));
  await until("the next", () => done.length === 2);
  expect(done).toEqual(["held", "large"]);
  await works.drain();
  expect(clock.pending()).toBe(0);
  await database.close();
});

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  async function instance() {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log });
    const coordinator = createRedisCoordinator({ connection, clock: systemClock, log });
    const works = createRedisWorks({ connection, coordinator, url: server.url, clock: systemClock, log });
    return {
      ...{ connection, works },
      close: async () => {
        await works.close();
        await coordinator.close();
        await connection.close();
      },
    };
  }

  describeWorks("Redis", async () => {
    const both = await Promise.all([instance(), instance()]);
    await both[0].connection.run((client) => client.flushAll());
    return {
      instances: both.map(({ works }) => works),
      now: systemClock.now,
      pass: (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      close: async () => {
        await Promise.all(both.map(({ close }) => close()));
      },
    };
  });
});
