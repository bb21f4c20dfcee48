/** The store of a chaos run: what instances are told of it, and what is in it, as anyone beside them can read it. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Job } from "../../src/core/model/job.ts";
import type { Turn } from "../../src/core/model/turn.ts";
import { unfinishedTurnStates } from "../../src/core/ports/state.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createDamagedRecords } from "../../src/state/damaged-records.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisJobStore, createRedisTurnStore } from "../../src/state/redis/records.ts";
import { databaseName, type SqliteDatabase } from "../../src/state/sqlite/database.ts";
import { createSqliteJobStore, createSqliteTurnStore } from "../../src/state/sqlite/records.ts";
import { type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog as log } from "../doubles/silent-log.ts";

export type StoreKind = "sqlite" | "redis";

export type ChaosStore = {
  /** Of each instance. */
  readonly settings: Readonly<Record<string, string>>;
  readonly redis?: RedisServer;
  /** Once an instance has begun. `dataDir`: its folder. */
  readonly read: (dataDir: string) => Promise<StoreReader>;
  readonly stop: () => Promise<void>;
};

export type StoreReader = {
  readonly turns: () => Promise<readonly Turn[]>;
  readonly jobs: () => Promise<readonly Job[]>;
  /** Questions and jobs that have not ended, progress beside an answer, and what queues hold. */
  readonly open: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const all = 1_000_000;

export async function openChaosStore(kind: StoreKind): Promise<ChaosStore> {
  if (kind === "sqlite") return { settings: {}, read: async (dataDir) => readSqlite(dataDir), stop: async () => {} };
  const redis = await startRedisServer();
  return { settings: { REDIS_URL: redis.url }, redis, read: () => readRedis(redis.url), stop: () => redis.stop() };
}

type Stores = {
  readonly turns: ReturnType<typeof createRedisTurnStore>;
  readonly jobs: ReturnType<typeof createRedisJobStore>;
  readonly held: () => Promise<readonly string[]>;
};

function readerOf({ turns, jobs, held }: Stores): Omit<StoreReader, "close"> {
  return {
    turns: () => turns.recent(all),
    jobs: () => jobs.recent(all),
    open: async () => {
      const found = [...(await held())];
      for (const { id, state, reply } of await turns.recent(all)) {
        if (unfinishedTurnStates.includes(state)) found.push(`question ${id}`);
        if (reply.superseded !== undefined) found.push(`progress beside ${id}`);
      }
      for await (const { id } of jobs.unfinished()) found.push(`job ${id}`);
      return found;
    },
  };
}

async function readRedis(url: string): Promise<StoreReader> {
  const connection = await connectRedis({ url, clock, log });
  const reader = readerOf({
    turns: createRedisTurnStore(connection),
    jobs: createRedisJobStore(connection),
    held: () => connection.run((client) => client.keys("parley:queue:*")),
  });
  return { ...reader, close: () => connection.close() };
}

/** Beside the process that has the folder, which keeps its queues in memory. */
function readSqlite(dataDir: string): StoreReader {
  const handle = new DatabaseSync(join(dataDir, databaseName), { readOnly: true });
  handle.exec("PRAGMA busy_timeout = 5000");
  const database = {
    handle,
    damaged: createDamagedRecords(log),
    read: <T>(query: () => T): T => query(),
    write: async () => {
      throw new Error("It is only read.");
    },
  } as unknown as SqliteDatabase;
  const reader = readerOf({
    turns: createSqliteTurnStore(database),
    jobs: createSqliteJobStore(database),
    held: async () => [],
  });
  return { ...reader, close: async () => handle.close() };
}
