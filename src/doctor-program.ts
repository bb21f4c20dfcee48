/** `parley doctor`: checks everything that Parley needs, one line each. Exits with 0 if all is well, else with 1. */
import { join } from "node:path";
import { createAgentService } from "./agent-service/agent-service.ts";
import { inspectDatabase, databaseName as localDatabaseName } from "./agent-service/built-in/storage/database.ts";
import { loadConfig } from "./config/config.ts";
import { systemClock as clock } from "./core/tools/system-clock.ts";
import { examine } from "./findings.ts";
import { createLog, sendThroughProxy } from "./operations/operations.ts";
import { platformModules } from "./platforms.ts";
import { examineState } from "./state/examination.ts";

/** The findings are the only output, so nothing is logged. */
const log = createLog({ level: "silent" });

// As in program.ts: the doctor may be the first to write into DATA_DIR.
process.umask(0o077);

const findings = examine({
  loadConfig: () => {
    const config = loadConfig(platformModules);
    if (config.proxy !== undefined) sendThroughProxy(config.proxy);
    return config;
  },
  nodeVersion: process.versions.node,
  connectService: (baseUrl, { service, maxRuns, proxy }) =>
    createAgentService({ ...service, baseUrl, maxRuns, proxy, clock, log }),
  askModel: async (config) => (await import("./agent-service/built-in/model/local-model.ts")).askModel(config, clock),
  askEmbeddingModel: async (config) =>
    (await import("./agent-service/built-in/model/local-model.ts")).askEmbeddingModel(config, clock),
  askRerankModel: async (config) =>
    (await import("./agent-service/built-in/model/local-model.ts")).askRerankModel(config, clock),
  platforms: platformModules,
  examineState: async (settings, hasBuiltInService) => {
    const found = await examineState(settings, { clock, log });
    if (hasBuiltInService && found.access === "writable") inspectDatabase(join(settings.dataDir, localDatabaseName));
    return found;
  },
  clock,
  log,
});

let isWell = true;
for await (const { isOk, name, says } of findings) {
  isWell &&= isOk;
  process.stdout.write(`${isOk ? "ok  " : "FAIL"}  ${name.padEnd(9)} ${says}\n`);
}
// Not process.exit(), which could cut off output that is still on its way into a pipe.
process.exitCode = isWell ? 0 : 1;
