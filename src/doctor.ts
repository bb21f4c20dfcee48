/**
 * `npm run doctor`: says in one line each whether what Parley needs is there. Exit code 0 when all is well, else 1.
 * Like main it may know every room; it starts none of them.
 */
import { join } from "node:path";
import { createAgentService } from "./agent-service/mindsdb/client.ts";
import { loadConfig } from "./config/config.ts";
import { examine, type Finding } from "./examination.ts";
import {
  DatabaseRefused,
  inspectDatabase,
  databaseName as localDatabaseName,
} from "./local-service/storage/database.ts";
import { createLog } from "./operations/operations.ts";
import { ParleyError } from "./ports/errors.ts";
import { systemClock } from "./ports/tools/system-clock.ts";
import { createDamagedRecords, type Damage } from "./state/damaged-records.ts";
import { openState } from "./state/open-state.ts";
import { databaseName } from "./state/sqlite/database.ts";
import { readAllOfSqlite } from "./state/sqlite/examination.ts";

/** Findings are the only output: what a room would log stands in them. */
const log = createLog({ level: "silent", isTerminal: false });
/** Long enough for Redis in another house, short enough for a person who waits. */
const storageLimitMs = 5000;

/** What the state has shown that could be opened. */
let seen: { readonly damage?: Damage; readonly eviction?: string | undefined } = {};

async function tryState(): Promise<"writable" | "in use"> {
  const { state, service } = loadConfig();
  const tooLong = new AbortController();
  const inUse = new Error("Another process has the folder.");
  const cancel = systemClock.after(storageLimitMs, () => tooLong.abort(inUse));
  try {
    const opened = await openState({ ...state, clock: systemClock, log, signal: tooLong.signal });
    try {
      await opened.ping();
      await opened.readAll();
      seen = { damage: opened.damage(), eviction: opened.eviction() };
    } finally {
      await opened.close();
    }
    if (service.url === undefined) inspectDatabase(join(state.dataDir, localDatabaseName));
    return "writable";
  } catch (thrown) {
    if (thrown instanceof DatabaseRefused) {
      throw new ParleyError("state_unavailable", { what: thrown.message, hint: thrown.hint, cause: thrown });
    }
    if (thrown === inUse && state.redisUrl === undefined) {
      const damaged = createDamagedRecords(log);
      readAllOfSqlite(join(state.dataDir, databaseName), damaged);
      seen = { damage: damaged.seen() };
      return "in use";
    }
    throw thrown;
  } finally {
    cancel();
  }
}

async function lookIntoState(): Promise<readonly Finding[]> {
  const { damage, eviction } = seen;
  return [
    ...(damage === undefined || damage.count === 0
      ? []
      : [
          {
            isOk: true,
            name: "records",
            says: `${damage.count} damaged and skipped, among them ${damage.keys.join(", ")}`,
          },
        ]),
    ...(eviction === undefined ? [] : [{ isOk: false, name: "redis", says: eviction }]),
  ];
}

// As in main: it may be the first to write into the folder.
process.umask(0o077);

const findings = examine({
  loadConfig,
  nodeVersion: process.versions.node,
  connectService: (url) => {
    const { service, proxy } = loadConfig();
    const { token, user, password } = service;
    return createAgentService({
      baseUrl: url,
      ...(token === undefined ? {} : { token }),
      ...(user === undefined || password === undefined ? {} : { user, password }),
      ...(service.maxRuns === undefined ? {} : { maxRuns: service.maxRuns }),
      ...(proxy === undefined ? {} : { proxy }),
      clock: systemClock,
      log,
    });
  },
  // Loaded only where it is needed: the libraries are large.
  examineSlack: async (slack) => {
    const { examineSlack } = await import("../adapters/slack/examination.ts");
    return examineSlack({ ...slack, log });
  },
  examineDiscord: async (discord) => {
    const { examineDiscord } = await import("../adapters/discord/examination.ts");
    return examineDiscord({ ...discord, clock: systemClock });
  },
  tryState,
  lookIntoState,
});

let isWell = true;
for await (const { isOk, name, says } of findings) {
  isWell &&= isOk;
  process.stdout.write(`${isOk ? "ok  " : "FAIL"}  ${name.padEnd(9)} ${says}\n`);
}
// Not process.exit(): what was written may still be on its way into a pipe.
process.exitCode = isWell ? 0 : 1;
