/** The number of what is kept in Redis, and what Redis may evict. */
import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createKeyValue } from "../../src/state/key-value.ts";
import { openState } from "../../src/state/open-state.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisKeyValueBackend } from "../../src/state/redis/keyv-redis.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { until } from "../reliability/towns/slack-town.ts";

const newer = "The data in Redis was written by a newer version of Parley (schema 5; this version knows 4).";

describe.skipIf(!hasRedisServer())("Redis", () => {
  let server: RedisServer;
  let clean: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    server = await startRedisServer();
  });
  afterEach(async () => {
    for (const step of clean.reverse()) await step();
    clean = [];
    await server.stop();
  });

  async function open(log = silentLog, url = server.url): Promise<State> {
    const state = await openState({ dataDir: "", redisUrl: url, clock: systemClock, log });
    clean.push(state.close);
    return state;
  }

  async function redis(url = server.url) {
    const client = createClient({ url });
    client.on("error", () => {});
    await client.connect();
    clean.push(async () => {
      if (client.isOpen) client.destroy();
    });
    return client;
  }

  describe("that can't be used", () => {
    it("because it is full is reported by the check, until it has room", async () => {
      const state = await open();
      const client = await redis();
      await client.configSet("maxmemory", "1");

      await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable" });

      await client.configSet("maxmemory", "0");
      await state.ping();
    });

    it("because it takes no writes is reported by the check, until it takes them", async () => {
      const state = await open();
      const client = await redis();
      await client.configSet("min-replicas-to-write", "1");

      await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable" });

      await client.configSet("min-replicas-to-write", "0");
      await state.ping();
    });

    it("because it wants a password is said in the log, in one line for each connection", async () => {
      const client = await redis();
      await client.configSet("requirepass", "sesame");
      const { log, lines } = createCollectedLog();

      const state = await open(log);
      await until("some tries", async () => lines().length > 0);
      await new Promise((resolve) => setTimeout(resolve, 1_000));

      const warned = lines().filter(({ level }) => level === "warn");
      expect(warned.length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(warned[0])).toContain("NOAUTH");
      await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable" });
      await client.configSet("requirepass", "");
      await until("its use", () =>
        state.ping().then(
          () => true,
          () => false,
        ),
      );
    });
  });

  describe("with a schema number", () => {
    it("gets it with the first start, and grants at once", async () => {
      const state = await open();

      const lease = await state.coordinator.lease("k");

      expect(await (await redis()).get("parley:schema")).toBe("4");
      expect(state.notices()).toEqual([]);
      await lease.release();
    });

    it("of a newer Parley is refused at the start with one sentence, and isn't changed", async () => {
      const client = await redis();
      await client.set("parley:schema", "5");
      await client.set("parley:run", "earlier");

      await expect(open()).rejects.toMatchObject({ code: "state_unavailable", what: newer });

      expect(await client.keys("*")).toHaveLength(2);
      expect(await client.get("parley:run")).toBe("earlier");
    });

    it("of a newer Parley that starts beside this one: this one no longer stores anything there", async () => {
      const state = await open();
      await state.ping();
      await (await redis()).set("parley:schema", "5");

      await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable", what: newer });
      await expect(state.keyValue("ns").set("k", 1)).rejects.toMatchObject({ what: newer });
    });
  });

  it("of a Cluster is refused at the start with one sentence, and isn't changed", async () => {
    const node = await startRedisServer("--cluster-enabled", "yes");
    clean.push(node.stop);

    await expect(open(silentLog, node.url)).rejects.toMatchObject({
      code: "state_unavailable",
      what: "REDIS_URL leads to a node of a Redis Cluster, which Parley doesn't support.",
    });

    expect(await (await redis(node.url)).dbSize()).toBe(0);
  });

  it("that may evict its data is warned about at the start, also without the right to CONFIG", async () => {
    const client = await redis();
    await client.configSet("maxmemory-policy", "volatile-lru");
    await client.sendCommand(["ACL", "SETUSER", "parley", "on", ">pw", "~*", "&*", "+@all", "-config"]);
    const { log, lines } = createCollectedLog();

    const state = await open(log, server.url.replace("redis://", "redis://parley:pw@"));

    expect(state.notices()[0]).toMatch(/maxmemory-policy volatile-lru.*Set maxmemory-policy noeviction/);
    expect(lines().filter(({ msg }) => String(msg).includes("volatile-lru"))).toHaveLength(1);
  });

  it("keeps no dead keys in its indexes once they were swept", async () => {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log: silentLog });
    clean.push(connection.close);
    const backend = createRedisKeyValueBackend(connection);
    const store = createKeyValue(backend, silentLog)<number>("latest-questions");
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => store.set(`w/${index}`, index, 20)));
    await store.set("w/kept", 1);
    await store.set("w/long", 1, 60_000);
    const members = () => connection.run((client) => client.zRange("parley:kv-index:latest-questions", 0, -1));
    await until("their end", async () => (await connection.run((client) => client.dbSize())) < 10);
    expect((await members()).length).toBe(1_202);

    await backend.sweep();

    expect(await members()).toEqual(["w/kept", "w/long"]);
  });
});
