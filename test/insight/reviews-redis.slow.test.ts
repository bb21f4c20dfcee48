import { afterAll, beforeAll, describe } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { describeReviews } from "../contracts/storage/insight/reviews.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  describeReviews(async (clock) => {
    const connection = await connectRedis({ url: server.url, clock: systemClock, log });
    await connection.run((client) => client.flushAll());
    await connection.close();
    return openState({ dataDir: await temporaryFolder("reviews"), redisUrl: server.url, clock, log });
  });
});
