/** Opens durable state: SQLite in DATA_DIR with a coordinator in memory, or everything on Redis. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../core/errors.ts";
import type { State } from "../core/ports/state.ts";
import { createCollections } from "./collections.ts";
import { createContents } from "./contents.ts";
import { describeDamage } from "./damaged-records.ts";
import { createKeyValue } from "./key-value.ts";
import { createMemoryCoordinator } from "./memory/coordinator.ts";
import { createSqliteClaims } from "./sqlite/claims.ts";
import { createSqliteCollection, textIndexes } from "./sqlite/collection.ts";
import { createSqliteContents } from "./sqlite/contents.ts";
import { databaseName, openSqlite } from "./sqlite/database.ts";
import { readAllOfSqlite } from "./sqlite/examination.ts";
import { createSqliteKeyValueBackend } from "./sqlite/keyv-sqlite.ts";
import { createSqliteJobStore, createSqliteTurnStore } from "./sqlite/records.ts";
import { createSqliteWorks } from "./sqlite/works.ts";
import type { OpenStateOptions } from "./state.ts";

/** Fences reserved for each start: more than a process can issue before the next one. */
const fencesPerStart = 2 ** 32;

/** While something reads the log, such as a backup that runs. */
const scrubTries = 5;
const scrubPauseMs = 200;
/** Pages of the full-text index that are merged in one commit, about 5 ms: all at once take 0.5 s with 100,000 questions. */
const pagesPerMerge = 16;

/** False: no Parley has ever run on that folder. On Redis nobody knows. */
export function hasState({ dataDir, redisUrl }: Pick<OpenStateOptions, "dataDir" | "redisUrl">): boolean {
  return redisUrl !== undefined || existsSync(join(dataDir, databaseName));
}

/** On SQLite it waits while another process has the folder. Throws state_unavailable with a sentence for admins. */
export async function openState(options: OpenStateOptions): Promise<State> {
  const { clock, log, redisUrl, isForRestore = false } = options;
  if (redisUrl !== undefined) {
    const { openRedisState } = await import("./redis/state.ts");
    return await openRedisState({ redisUrl, clock, log, isForRestore });
  }
  const database = await openSqlite(options);
  const backend = createSqliteKeyValueBackend({ database, clock, log });
  const collections = createCollections((...about) => createSqliteCollection(database, ...about), database.damaged);
  const coordinator = createMemoryCoordinator({ clock, log, firstFence: database.starts * fencesPerStart });
  const works = createSqliteWorks({ database, clock, log });
  const keyValue = createKeyValue(backend, log);
  const turns = createSqliteTurnStore(database);
  const jobs = createSqliteJobStore(database);
  const claims = createSqliteClaims(database, clock);
  const touch = database.handle.prepare("UPDATE starts SET count = count");
  const changes = database.handle.prepare("SELECT total_changes() AS count");

  /**
   * A full-text index without content only marks what is deleted; its words go when its parts are merged. A negative
   * number begins that. False: nothing was left to merge (https://www.sqlite.org/fts5.html#the_merge_command).
   */
  const merge = (table: string, pages: number): Promise<boolean> =>
    database.write(() => {
      const before = Number(changes.get()?.["count"]);
      database.handle.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
      return Number(changes.get()?.["count"]) - before >= 2;
    });

  return {
    kind: "SQLite",
    bytes: async () => {
      const sizes = [database.path, `${database.path}-wal`].map(
        (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
      );
      return sizes.reduce((sum, size) => sum + size, 0);
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
      createSqliteContents(database, fencesPerStart, clock),
    ),
    notices: () => [describeDamage(database.damaged.seen())].filter((sentence) => sentence !== undefined),
    damage: database.damaged.seen,
    eviction: () => undefined,
    readAll: async () => readAllOfSqlite(database.path, database.damaged),
    scrub: async () => {
      for (const table of textIndexes(database.handle)) {
        for (let pages = -pagesPerMerge; await merge(table, pages); pages = pagesPerMerge);
      }
      for (let tries = 1; !database.emptyLog(); tries += 1) {
        if (tries === scrubTries) throw new ParleyError("state_unavailable");
        await clock.sleep(scrubPauseMs);
      }
    },
    ping: async () => {
      await database.write(() => touch.run());
    },
    close: async () => {
      works.stop();
      backend.stop();
      await coordinator.close();
      await database.close();
    },
  };
}
