import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { describeContents } from "../contracts/storage/contents.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const about = { clock: systemClock, log };

describeContents("SQLite", async () => {
  const dataDir = await temporaryFolder("contents");
  return { now: systemClock.now, open: (options) => openState({ dataDir, ...about, ...options }) };
});

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  const servers: RedisServer[] = [];
  beforeAll(async () => {
    servers.push(await startRedisServer(), await startRedisServer());
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  /** Each store is a database of the server. */
  let databases = 0;
  const openRedis = (url: string, options?: { readonly isForRestore: boolean }) =>
    openState({ dataDir: "unused", redisUrl: url, ...about, ...options });
  const freshUrl = () => {
    databases += 1;
    return `${servers[0]?.url}/${databases % 16}`;
  };

  describeContents("Redis", async () => {
    const url = freshUrl();
    return { now: systemClock.now, open: (options) => openRedis(url, options) };
  });

  it("sees another process on Redis, from its start to its end", async () => {
    const url = `${servers[1]?.url}`;
    const state = await openRedis(url);
    onTestFinished(() => state.close());
    expect(await state.contents.isShared()).toBe(false);

    const other = await openRedis(url);
    expect(await state.contents.isShared()).toBe(true);
    await other.close();

    await expect.poll(() => state.contents.isShared()).toBe(false);
  });
});
