/** Durable state on one Redis, for many instances. Imported only if used: it would slow down other starts. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { State } from "../../core/ports/state.ts";
import { createCollections } from "../collections.ts";
import { createContents } from "../contents.ts";
import { describeDamage } from "../damaged-records.ts";
import { everyHour, soonAfterStartMs } from "../every-hour.ts";
import { createKeyValue } from "../key-value.ts";
import { createRedisClaims } from "./claims.ts";
import { createRedisCollection } from "./collection.ts";
import { connectRedis, describeEviction } from "./connection.ts";
import { createRedisContents } from "./contents.ts";
import { createRedisCoordinator } from "./coordinator.ts";
import { readAllOfRedis } from "./examination.ts";
import { createRedisKeyValueBackend } from "./keyv-redis.ts";
import { createRedisJobStore, createRedisTurnStore } from "./records.ts";
import { createRedisWorks } from "./works/works.ts";

/** Also resolves while Redis is down: it keeps reconnecting, and until then every call throws state_unavailable. */
export async function openRedisState(options: {
  readonly redisUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly isForRestore?: boolean;
}): Promise<State> {
  const { clock, log, redisUrl: url, ...rest } = options;
  const connection = await connectRedis({ url, clock, log, ...rest });
  const coordinator = createRedisCoordinator({ connection, clock, log });
  const works = createRedisWorks({ connection, coordinator, url, clock, log });
  const backend = createRedisKeyValueBackend(connection);
  const keyValue = createKeyValue(backend, log);
  const collections = createCollections((...about) => createRedisCollection(connection, ...about), connection.damaged);
  const turns = createRedisTurnStore(connection);
  const jobs = createRedisJobStore(connection);
  const claims = createRedisClaims(connection);
  const sweep = () => backend.sweep().catch((err: unknown) => log.debug({ err }, "Can't sweep the indexes in Redis"));
  const stopSweeping = everyHour(clock, sweep, soonAfterStartMs);
  const eviction = () => describeEviction(connection.evictionPolicy());

  return {
    kind: "Redis",
    bytes: async () => {
      const [, bytes] = /^used_memory:(\d+)/m.exec(await connection.run((client) => client.info("memory"))) ?? [];
      return bytes === undefined ? undefined : Number(bytes);
    },
    keyValue,
    collection: collections.collection,
    collections: collections.opened,
    turns,
    jobs,
    coordinator,
    claims,
    works,
    contents: createContents(
      { turns, jobs, collections, values: backend, keyValue, claims, works, clock },
      createRedisContents(connection, clock),
    ),
    notices: () => [eviction(), describeDamage(connection.damaged.seen())].filter((sentence) => sentence !== undefined),
    damage: connection.damaged.seen,
    eviction,
    scrub: async () => undefined,
    readAll: () => readAllOfRedis({ connection, turns, jobs, keyValue }),
    ping: connection.check,
    close: async () => {
      stopSweeping();
      await works.close();
      await coordinator.close();
      await connection.close();
    },
  };
}
