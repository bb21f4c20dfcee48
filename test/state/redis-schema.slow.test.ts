/** The number of what is kept in Redis, the upgrade from 0.1.0, and what Redis may evict. */
import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/ports/tools/system-clock.ts";
import { createKeyValue } from "../../src/state/key-value.ts";
import { openState } from "../../src/state/open-state.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisKeyValueBackend } from "../../src/state/redis/keyv-redis.ts";
import type { State } from "../../src/state/state.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { startOldRedis } from "../reliability/towns/old-town.ts";
import { until } from "../reliability/towns/slack-town.ts";

const newer = "The data in Redis was written by a newer version of Parley (schema 3; this version knows 2).";

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

  describe("with a schema number", () => {
    it("gets it with the first start, and grants at once", async () => {
      const state = await open();

      const lease = await state.coordinator.lease("k");

      expect(await (await redis()).get("parley:schema")).toBe("2");
      expect(state.notices()).toEqual([]);
      await lease.release();
    });

    it("of a newer Parley is refused at the start with one sentence, and isn't changed", async () => {
      const client = await redis();
      await client.set("parley:schema", "3");
      await client.set("parley:run", "earlier");

      await expect(open()).rejects.toMatchObject({ code: "state_unavailable", what: newer });

      expect(await client.keys("*")).toHaveLength(2);
      expect(await client.get("parley:run")).toBe("earlier");
    });

    it("of a newer Parley that starts beside this one: this one no longer stores anything there", async () => {
      const state = await open();
      await state.ping();
      await (await redis()).set("parley:schema", "3");

      await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable", what: newer });
      await expect(state.keyValue("ns").set("k", 1)).rejects.toMatchObject({ what: newer });
    });
  });

  describe("of 0.1.0", { timeout: 60_000 }, () => {
    beforeEach(async () => {
      await server.stop();
      server = await startOldRedis();
    });

    it("is upgraded as soon as the leases there have expired, and nothing is granted before", async () => {
      const client = await redis();
      // Fresh from a process that died just now.
      const seconds = Number((await client.sendCommand<string[]>(["TIME"]))[0]);
      const key = "parley:line:permit:service-runs";
      const line = JSON.parse((await client.get(key)) ?? "{}") as { held: { untilMs: number }[] };
      for (const held of line.held) held.untilMs = (seconds + 3) * 1_000;
      await client.set(key, JSON.stringify(line), { PX: 3_000 });
      const state = await open();

      const permit = await state.coordinator.permit("service-runs", 6, "slack/T0ACME");

      await permit.release();
      expect(await client.get("parley:schema")).toBe("2");
      expect(Number((await client.sendCommand<string[]>(["TIME"]))[0])).toBeGreaterThanOrEqual(seconds + 3);
    });

    it("is waited for while an instance of 0.1.0 is connected, which is said", async () => {
      const old = await redis();
      await old.subscribe("parley:messages", () => {});
      const { log, text } = createCollectedLog();
      const state = await open(log);
      const lease = state.coordinator.lease("k");
      await until("the notice", () => state.notices().length > 0);

      expect(state.notices()).toEqual([
        "An instance of Parley 0.1.0 uses the same Redis. Stop it: this instance asks nothing until then.",
      ]);
      expect(text()).toContain("Stop it");
      expect(await Promise.race([lease, new Promise((go) => setTimeout(go, 500, "waiting"))])).toBe("waiting");

      old.destroy();
      await (await lease).release();
      expect(state.notices()).toEqual([]);
    });
  });

  it("grants nothing while an instance of 0.1.0 is connected again beside this one", async () => {
    const state = await open();
    await state.ping();
    const old = await redis();
    await old.subscribe("parley:messages", () => {});
    await state.ping();

    const lease = state.coordinator.lease("k");

    expect(await Promise.race([lease, new Promise((go) => setTimeout(go, 500, "waiting"))])).toBe("waiting");
    expect(state.notices()[0]).toMatch(/0.1.0 uses the same Redis/);
    await state.coordinator.close();
    await lease.catch(() => {});
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
