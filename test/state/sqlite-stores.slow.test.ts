import { expect, it } from "vitest";
import type { Clock } from "../../src/core/ports/clock.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createCollections } from "../../src/state/collections.ts";
import { createKeyValue } from "../../src/state/key-value.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createSqliteCollection } from "../../src/state/sqlite/collection.ts";
import { openSqlite } from "../../src/state/sqlite/database.ts";
import { createSqliteKeyValueBackend } from "../../src/state/sqlite/keyv-sqlite.ts";
import { createSqliteJobStore, createSqliteTurnStore } from "../../src/state/sqlite/records.ts";
import { createSqliteWorks } from "../../src/state/sqlite/works.ts";
import { describeAccessStores } from "../contracts/storage/access-stores.ts";
import { describeAgentBases } from "../contracts/storage/agent-bases.ts";
import { describeInstances } from "../contracts/storage/coordination/instances.ts";
import { describeSessionStarts } from "../contracts/storage/coordination/session-starts.ts";
import { describeTopics } from "../contracts/storage/coordination/topics.ts";
import { describeGapWords } from "../contracts/storage/insight/gap-words.ts";
import { describeKeyValue } from "../contracts/storage/key-value.ts";
import { describeLedger } from "../contracts/storage/ledger.ts";
import { describeNotices } from "../contracts/storage/notices.ts";
import { describeQuestionLog } from "../contracts/storage/overview/question-log.ts";
import { describeRecordStore } from "../contracts/storage/record-store.ts";
import { describeTidying } from "../contracts/storage/tidying.ts";
import { describeUploads } from "../contracts/storage/uploads.ts";
import { describeWatermarks } from "../contracts/storage/watermarks.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

async function openFresh() {
  const dataDir = await temporaryFolder("state");
  const clock = createFakeClock();
  const { log, text } = createCollectedLog();
  const database = await openSqlite({ dataDir, clock, log });
  return {
    clock,
    database,
    logged: text,
    close: () => database.close(),
  };
}

/** Real time for what waits; everything else moves the fake clock. */
async function openKeyValue(time?: Clock) {
  const { clock, database, close } = await openFresh();
  const backend = createSqliteKeyValueBackend({ database, clock: time ?? clock, log: silentLog });
  return {
    clock,
    database,
    keyValue: createKeyValue(backend, silentLog),
    close: async () => {
      backend.stop();
      await close();
    },
  };
}

describeRecordStore("SQLite", async () => {
  const { database, logged, close } = await openFresh();
  return {
    turns: createSqliteTurnStore(database),
    jobs: createSqliteJobStore(database),
    spoil: async (table, id, how) => {
      const spoiled = {
        cut: "substr(record, 1, 40)",
        incomplete: "json_remove(record, '$.reply')",
        placeless: "json_set(record, '$.conversation', json('{}'), '$.askedIn', json('{}'))",
      };
      database.handle.prepare(`UPDATE ${table} SET record = ${spoiled[how]} WHERE id = ?`).run(id);
    },
    damage: database.damaged.seen,
    logged,
    close,
  };
});

describeAccessStores("SQLite", () => openKeyValue());

describeInstances("SQLite", () => openKeyValue());

describeLedger("SQLite", openKeyValue);

describeGapWords("SQLite", async () => {
  const { database, close } = await openFresh();
  return {
    ...createCollections((...about) => createSqliteCollection(database, ...about), database.damaged),
    spoil: async (key, text) => {
      database.handle.prepare('UPDATE "collection_gaps" SET record = ? WHERE id = ?').run(text, key);
    },
    damage: database.damaged.seen,
    close,
  };
});

describeQuestionLog("SQLite", async () => {
  const { database, close } = await openFresh();
  return { ...createCollections((...about) => createSqliteCollection(database, ...about), database.damaged), close };
});

describeKeyValue("SQLite", async () => {
  const { clock, database, keyValue, close } = await openKeyValue();
  return {
    keyValue,
    spoil: async (namespace, key, text) => {
      const spoil = database.handle.prepare("UPDATE key_values SET value = ? WHERE namespace = ? AND key = ?");
      spoil.run(text, namespace, key);
    },
    damage: database.damaged.seen,
    pass: (ms) => clock.advance(ms),
    close,
  };
});

describeWatermarks("SQLite", () => openKeyValue());

describeSessionStarts("SQLite", () => openKeyValue(systemClock));

async function openForInstances() {
  const { database, keyValue, close } = await openKeyValue(systemClock);
  // One process, or several in turn: what coordinates them is in memory.
  const coordinator = createMemoryCoordinator({ clock: systemClock });
  const closeAll = async () => {
    await coordinator.close();
    await close();
  };
  const coordinators = [coordinator, coordinator] as const;
  const worksOf = () => createSqliteWorks({ database, clock: systemClock, log: silentLog });
  return { turns: createSqliteTurnStore(database), keyValue, coordinators, worksOf, close: closeAll };
}

describeNotices("SQLite", openForInstances);

describeTidying("SQLite", openForInstances);
describeAgentBases("SQLite", openForInstances);

describeTopics("SQLite", openForInstances);
describeUploads("SQLite", openForInstances);

it("purges all entries that have expired, however many", async () => {
  const { clock, database, keyValue, close } = await openKeyValue();
  const store = keyValue<number>("claims");
  await Promise.all(Array.from({ length: 1_050 }, (_, index) => store.set(`k${index}`, index, 1_000)));
  await store.set("kept", 1);
  const count = () => database.handle.prepare("SELECT count(*) AS rows FROM key_values").get()?.["rows"];

  await clock.advance(3_600_000);

  expect(count()).toBe(1);
  expect(await store.get("kept")).toBe(1);
  await close();
});
