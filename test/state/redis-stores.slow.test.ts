import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createCollections } from "../../src/state/collections.ts";
import { createKeyValue } from "../../src/state/key-value.ts";
import { createRedisCollection } from "../../src/state/redis/collection.ts";
import { connectRedis, type RedisConnection } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisKeyValueBackend } from "../../src/state/redis/keyv-redis.ts";
import { createRedisJobStore, createRedisTurnStore } from "../../src/state/redis/records.ts";
import { createRedisWorks, type RedisWorks } from "../../src/state/redis/works/works.ts";
import { describeAccessStores } from "../contracts/storage/access-stores.ts";
import { describeAgentBases } from "../contracts/storage/agent-bases.ts";
import { describeCoordinator } from "../contracts/storage/coordination/coordinator.ts";
import { describeInstances } from "../contracts/storage/coordination/instances.ts";
import { describeSessionStarts } from "../contracts/storage/coordination/session-starts.ts";
import { describeTopics } from "../contracts/storage/coordination/topics.ts";
import { describeDigestCounts } from "../contracts/storage/insight/digest-counts.ts";
import { describeGapWords } from "../contracts/storage/insight/gap-words.ts";
import { describeGaps } from "../contracts/storage/insight/gaps.ts";
import { describeQuestionCounts } from "../contracts/storage/insight/question-counts.ts";
import { describeTokenDays } from "../contracts/storage/insight/token-days.ts";
import { describeKeyValue } from "../contracts/storage/key-value.ts";
import { describeLedger } from "../contracts/storage/ledger.ts";
import { describeNotices } from "../contracts/storage/notices.ts";
import { describeQuestionLog } from "../contracts/storage/overview/question-log.ts";
import { describeQuestionLogKeeping } from "../contracts/storage/overview/question-log-keeping.ts";
import { describeRecordStore } from "../contracts/storage/record-store.ts";
import { describeTidying } from "../contracts/storage/tidying.ts";
import { describeUploads } from "../contracts/storage/uploads.ts";
import { describeWatermarks } from "../contracts/storage/watermarks.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  const connect = () => connectRedis({ url: server.url, clock: systemClock, log: silentLog });
  /** As two processes do. */
  const connectTwice = async () => {
    const [connection, other] = await Promise.all([connect(), connect()]);
    await connection.run((client) => client.flushAll());
    const coordinatorOf = (own: typeof connection) =>
      createRedisCoordinator({ connection: own, clock: systemClock, log: silentLog });
    const coordinators = [coordinatorOf(connection), coordinatorOf(other)] as const;
    return {
      connection,
      coordinators,
      close: async () => {
        await Promise.all(coordinators.map((coordinator) => coordinator.close()));
        await Promise.all([connection.close(), other.close()]);
      },
    };
  };
  const collectionsOver = (connection: RedisConnection) =>
    createCollections((...about) => createRedisCollection(connection, ...about), connection.damaged);
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  describeRecordStore("Redis", async () => {
    const { log, text } = createCollectedLog();
    const connection = await connectRedis({ url: server.url, clock: systemClock, log });
    await connection.run((client) => client.flushAll());
    return {
      turns: createRedisTurnStore(connection),
      jobs: createRedisJobStore(connection),
      spoil: async (store, id, how) => {
        const key = `parley:${store}:record:${id}`;
        if (how === "cut") await connection.run((client) => client.hSet(key, "actor", '{"id":"U1","na'));
        else if (how === "incomplete") await connection.run((client) => client.hDel(key, "reply"));
        else await connection.run((client) => client.hSet(key, { conversation: "{}", askedIn: "{}" }));
      },
      damage: connection.damaged.seen,
      logged: text,
      close: connection.close,
    };
  });

  describeAccessStores("Redis", async () => {
    const connection = await connect();
    await connection.run((client) => client.flushAll());
    return { keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog), close: connection.close };
  });

  describeInstances("Redis", async () => {
    const connection = await connect();
    await connection.run((client) => client.flushAll());
    return { keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog), close: connection.close };
  });

  describeKeyValue("Redis", async () => {
    const connection = await connect();
    const keyValue = createKeyValue(createRedisKeyValueBackend(connection), silentLog);
    return {
      keyValue,
      spoil: async (namespace, key, text) => {
        await connection.run((client) => client.set(`parley:kv:${namespace}::${key}`, text));
      },
      damage: connection.damaged.seen,
      pass: wait,
      close: connection.close,
    };
  });

  describeLedger("Redis", async () => {
    const connection = await connect();
    await connection.run((client) => client.flushAll());
    return { keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog), close: connection.close };
  });

  describeGaps("Redis", async () => {
    const { connection, ...both } = await connectTwice();
    return {
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      turns: createRedisTurnStore(connection),
      ...collectionsOver(connection),
      ...both,
    };
  });

  describeDigestCounts("Redis", async () => {
    const { connection, ...both } = await connectTwice();
    return {
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      ...collectionsOver(connection),
      ...both,
    };
  });

  describeQuestionCounts("Redis", async () => {
    const { connection, ...both } = await connectTwice();
    return {
      ...collectionsOver(connection),
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      ...both,
    };
  });

  describeTokenDays("Redis", async () => {
    const [connection, other] = await Promise.all([connect(), connect()]);
    await connection.run((client) => client.flushAll());
    return {
      collections: [collectionsOver(connection).collection, collectionsOver(other).collection],
      close: async () => {
        await Promise.all([connection.close(), other.close()]);
      },
    };
  });

  describeQuestionLogKeeping("Redis", async () => {
    const { connection, ...both } = await connectTwice();
    return {
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      ...collectionsOver(connection),
      ...both,
    };
  });

  describeGapWords("Redis", async () => {
    const connection = await connect();
    await connection.run((client) => client.flushAll());
    return {
      ...collectionsOver(connection),
      spoil: (key, text) => connection.run((client) => client.hSet("parley:{gaps}:records", key, `1 0 ${text}`)),
      damage: connection.damaged.seen,
      close: connection.close,
    };
  });

  describeQuestionLog("Redis", async () => {
    const connection = await connect();
    await connection.run((client) => client.flushAll());
    return { ...collectionsOver(connection), close: connection.close };
  });

  describeWatermarks("Redis", async () => {
    const connection = await connect();
    return {
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      close: connection.close,
    };
  });

  describeSessionStarts("Redis", async () => {
    const connection = await connect();
    return {
      keyValue: createKeyValue(createRedisKeyValueBackend(connection), silentLog),
      close: connection.close,
    };
  });

  async function connectInstances() {
    const connections = [await connect(), await connect()] as const;
    const [one, other] = connections;
    await one.run((client) => client.flushAll());
    const [a, b] = [one, other].map((connection) =>
      createRedisCoordinator({ connection, clock: systemClock, log: silentLog }),
    );
    if (a === undefined || b === undefined) throw new Error("Two were asked for.");
    const all: RedisWorks[] = [];
    const worksOf = (index: 0 | 1) => {
      const [connection, coordinator] = index === 0 ? [one, a] : [other, b];
      const works = createRedisWorks({ connection, coordinator, url: server.url, clock: systemClock, log: silentLog });
      all.push(works);
      return works;
    };
    return {
      turns: createRedisTurnStore(one),
      keyValue: createKeyValue(createRedisKeyValueBackend(one), silentLog),
      coordinators: [a, b] as const,
      worksOf,
      close: async () => {
        await Promise.all(all.map((works) => works.close()));
        await Promise.all([a.close(), b.close()]);
        for (const connection of connections) await connection.close();
      },
    };
  }

  describeNotices("Redis", connectInstances);

  describeTidying("Redis", connectInstances);
  describeAgentBases("Redis", connectInstances);

  describeTopics("Redis", connectInstances);
  describeUploads("Redis", connectInstances);

  describeCoordinator("Redis", async () => {
    // Redis keeps the time here, so the times are short.
    const times = { leaseMs: 1_500, renewEveryMs: 400, retryMs: 100, unattendedMs: 800 };
    const connections = [await connect(), await connect()] as const;
    const [a, b] = connections.map((connection) =>
      createRedisCoordinator({ connection, clock: systemClock, log: silentLog, times }),
    );
    if (a === undefined || b === undefined) throw new Error("Two were asked for.");
    return {
      a,
      b,
      pass: wait,
      unattendedMs: times.unattendedMs,
      close: async () => {
        await Promise.all([a.close(), b.close()]);
        for (const connection of connections) await connection.close();
      },
    };
  });

  it("keeps nothing of idle lanes, permits and leases", async () => {
    const connection = await connect();
    const coordinator = createRedisCoordinator({ connection, clock: systemClock, log: silentLog });
    await connection.run((client) => client.flushAll());
    for (let index = 0; index < 20; index += 1) {
      for (const lease of [
        await coordinator.lanes.acquire(`l${index}`, "t1", "1"),
        await coordinator.permit(`p${index}`, 2, "w"),
        await coordinator.lease(`k${index}`),
      ]) {
        await lease.release();
      }
    }

    const keys = await connection.run((client) => client.keys("*"));

    expect(keys).toEqual(["parley:fence"]);
    await coordinator.close();
    await connection.close();
  });
});
