import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyValue } from "../../src/state/key-value.ts";
import { createSqliteKeyValueBackend } from "../../src/state/keyv-sqlite.ts";
import { openSqlite } from "../../src/state/sqlite-database.ts";
import { createSqliteJobStore, createSqliteTurnStore } from "../../src/state/sqlite-records.ts";
import { describeKeyValue } from "../contracts/key-value.ts";
import { describeRecordStore } from "../contracts/record-store.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "./silent-log.ts";

async function openFresh() {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-state-"));
  const clock = createFakeClock();
  const database = await openSqlite({ dataDir, clock, log: silentLog });
  return {
    clock,
    database,
    close: async () => {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

describeRecordStore("SQLite", async () => {
  const { database, close } = await openFresh();
  return { turns: createSqliteTurnStore(database), jobs: createSqliteJobStore(database), close };
});

describeKeyValue("SQLite", async () => {
  const { clock, database, close } = await openFresh();
  const backend = createSqliteKeyValueBackend({ database, clock, log: silentLog });
  return {
    keyValue: createKeyValue(backend, silentLog),
    pass: (ms) => clock.advance(ms),
    close: async () => {
      backend.stop();
      await close();
    },
  };
});
