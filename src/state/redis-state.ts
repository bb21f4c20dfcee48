/**
 * Everything on one Redis, shared by any number of instances. Opened only when REDIS_URL is set: what it imports would
 * lengthen every other start.
 */
import type { Clock } from "../bridge/ports/clock.ts";
import type { Log } from "../operations/log.ts";
import { createKeyValue } from "./key-value.ts";
import { createRedisKeyValueBackend } from "./keyv-redis.ts";
import type { State } from "./open-state.ts";
import { createRedisClaims } from "./redis-claims.ts";
import { connectRedis } from "./redis-connection.ts";
import { createRedisCoordinator } from "./redis-coordinator.ts";
import { createRedisJobStore, createRedisTurnStore } from "./redis-records.ts";

/** Resolves also when Redis is away: it will be tried for ever, and until then everything is state_unavailable. */
export async function openRedisState(options: {
  readonly redisUrl: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<State> {
  const { clock, log } = options;
  const connection = await connectRedis({ url: options.redisUrl, clock, log });
  const coordinator = createRedisCoordinator({ connection, clock, log });
  return {
    keyValue: createKeyValue(createRedisKeyValueBackend(connection), log),
    turns: createRedisTurnStore(connection),
    jobs: createRedisJobStore(connection),
    coordinator,
    claims: createRedisClaims(connection),
    damage: connection.damaged.seen,
    ping: async () => {
      await connection.run((client) => client.ping());
    },
    close: async () => {
      await coordinator.close();
      await connection.close();
    },
  };
}
