import { afterAll, beforeAll, describe } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { describeClaims } from "../contracts/storage/coordination/claims.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

describeClaims("SQLite", async () => {
  const dataDir = await temporaryFolder("claims");
  const clock = createFakeClock();
  const { claims, close } = await openState({ dataDir, clock, log });
  return {
    claims,
    pass: clock.advance,
    close: async () => {
      await close();
    },
  };
});

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  describeClaims("Redis", async () => {
    const { claims, close } = await openState({ dataDir: "", redisUrl: server.url, clock: systemClock, log });
    return { claims, close, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
  });
});
