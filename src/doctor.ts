/**
 * `npm run doctor`: says in one line each whether what Parley needs is there. Exit code 0 when all is well, else 1.
 */
import { join } from "node:path";
import { createAgentService } from "./agent-service/mindsdb/client.ts";
import { loadConfig } from "./config/config.ts";
import { examine } from "./findings.ts";
import {
  DatabaseRefused,
  inspectDatabase,
  databaseName as localDatabaseName,
} from "./local-service/storage/database.ts";
import { createLog } from "./operations/operations.ts";
import { platformModules } from "./platforms.ts";
import { ParleyError } from "./ports/errors.ts";
import { present } from "./ports/tools/present.ts";
import { systemClock as clock } from "./ports/tools/system-clock.ts";
import { examineState } from "./state/examination.ts";

/** Findings are the only output: what a room would log stands in them. */
const log = createLog({ level: "silent", isTerminal: false });

// As in main: it may be the first to write into the folder.
process.umask(0o077);

const findings = examine({
  loadConfig: () => loadConfig(platformModules),
  nodeVersion: process.versions.node,
  connectService: (baseUrl, { service, proxy }) => {
    const { token, user, password, maxRuns } = service;
    return createAgentService({ baseUrl, ...present({ token, user, password, maxRuns, proxy }), clock, log });
  },
  platforms: platformModules,
  examineState: async (settings, hasBuiltInService) => {
    const found = await examineState(settings, { clock, log });
    if (hasBuiltInService && found.access === "writable") inspectLocalDatabase(settings.dataDir);
    return found;
  },
  clock,
  log,
});

/** Throws state_unavailable when the built-in service's database cannot be used. */
function inspectLocalDatabase(dataDir: string): void {
  try {
    inspectDatabase(join(dataDir, localDatabaseName));
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRefused)) throw thrown;
    throw new ParleyError("state_unavailable", { what: thrown.message, hint: thrown.hint, cause: thrown });
  }
}

let isWell = true;
for await (const { isOk, name, says } of findings) {
  isWell &&= isOk;
  process.stdout.write(`${isOk ? "ok  " : "FAIL"}  ${name.padEnd(9)} ${says}\n`);
}
// Not process.exit(): what was written may still be on its way into a pipe.
process.exitCode = isWell ? 0 : 1;
