/** The page over two instances, on either backend. */
import { afterAll, beforeAll, describe } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { describeMcp } from "../contracts/storage/mcp.ts";
import { describePage } from "../contracts/storage/page.ts";
import { describePersonalTokens } from "../contracts/storage/personal-tokens.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const clock = systemClock;

type Opened = Awaited<ReturnType<Parameters<typeof describePage>[1]>>;

async function openSqlite(): Promise<Opened> {
  const state = await openState({ dataDir: await temporaryFolder("two-pages"), clock, log });
  return { states: [state, state], close: state.close };
}
describePage("SQLite", openSqlite, false);
describePersonalTokens("SQLite", openSqlite);
describeMcp("SQLite", openSqlite);

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  async function openRedis(): Promise<Opened> {
    const connection = await connectRedis({ url: server.url, clock, log });
    await connection.run((client) => client.flushAll());
    await connection.close();
    const open = () => openState({ dataDir: "", redisUrl: server.url, clock, log });
    const [first, second] = await Promise.all([open(), open()]);
    const close = async () => {
      await Promise.all([first.close(), second.close()]);
    };
    return { states: [first, second], close };
  }
  describePage("Redis", openRedis, true);
  describePersonalTokens("Redis", openRedis);
  describeMcp("Redis", openRedis);
});
