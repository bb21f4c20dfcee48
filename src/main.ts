/**
 * `npm start`: reads the settings, opens the state, the agent service and the HTTP server, and runs Parley. Shuts down in
 * order on a signal.
 */
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { clearLeftUploads, createAgentService } from "./agent-service/mindsdb/client.ts";
import { defaultSettings } from "./bridge/bridge.ts";
import { startBuiltInService } from "./built-in-service.ts";
import { type Config, ConfigError, loadConfig } from "./config/config.ts";
import { createPageReading } from "./knowledge/knowledge.ts";
import {
  addressToOpen,
  createHealth,
  createHttpServer,
  createLog,
  createMetrics,
  createRedact,
  watchForEnd,
  withLimit,
} from "./operations/operations.ts";
import { composeParley, type ParleySettings } from "./parley.ts";
import { platformModules } from "./platforms.ts";
import { ParleyError, toParleyError } from "./ports/errors.ts";
import type { Log } from "./ports/log.ts";
import { present } from "./ports/tools/present.ts";
import { systemClock as clock } from "./ports/tools/system-clock.ts";
import { errorText } from "./presentation/sentences.ts";
import { openState } from "./state/open-state.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));
/** Running Turns get this long to finish after SIGTERM; the whole shutdown may take a little longer. */
const drainMs = 25_000;
const endLimitMs = 40_000;
/** Interval of looking for unfinished Turns of other instances. */
const recoveryIntervalMs = 5_000;
/** Delay before a lane is acquired, so that other instances can journal questions of the same moment first. */
const laneSettleMs = 150;

async function start(config: Config, log: Log): Promise<void> {
  const { proxy, http: address } = config;
  const { version } = packageJson;
  const metrics = createMetrics();
  const state = await openState({ ...config.state, clock, log });
  const http = createHttpServer({ ...address, clock, log });
  const baseUrl = addressToOpen(address.host, address.port);
  const reading = createPageReading({
    allowsPrivate: config.ingest.allowsPrivate,
    version,
    clock,
    log,
    ...present({ proxy }),
  });
  const { url, firstChunkMs, silenceMs, runMs, insertMs, project, ...login } = config.service;
  const local =
    url === undefined
      ? await startBuiltInService({
          dataDir: config.state.dataDir,
          project,
          projectFolder,
          docsBaseUrl: `${baseUrl}/docs/`,
          readPages: reading.readPages,
          clock,
          log,
        })
      : undefined;
  const service = createAgentService({
    ...login,
    ...present({ token: local?.token ?? login.token }),
    baseUrl: url ?? local?.url ?? "",
    limits: { firstChunkMs, silenceMs, runMs, insertMs },
    clock,
    log,
    ...present({ proxy: local === undefined ? proxy : undefined }),
    onMalformed: metrics.malformedChunk,
  });
  const parley = await composeParley({
    settings: settingsOf(config, version),
    state,
    service,
    platforms: config.platforms.map(({ name, connect }) => ({
      name,
      connect: (parts) => connect({ ...parts, http: { ...http, baseUrl, host: address.host } }),
    })),
    reading,
    metrics,
    clock,
    log,
  });
  const health = createHealth({
    platforms: parley.platforms,
    probeService: (signal) => service.status(signal),
    probeState: state.ping,
    stateNotices: state.notices,
    metrics,
    clock,
    log,
  });
  http.app.route("/", health.routes);
  watchForEnd({
    process,
    limitMs: endLimitMs,
    clock,
    log,
    drain: async () => {
      health.drain();
      await parley.drain(drainMs);
      health.close();
      await parley.close();
      await http.close(1_000);
      // The local service closes first: this ends its runs, so that the client has nothing to wait for.
      await local?.close();
      await reading.close();
      await service.close();
      await state.close();
    },
  });
  await http.listen();
  void clearLeftUploads();
  await parley.start();
  log.info({ platforms: parley.platforms.map(({ name }) => name) }, `Parley is running at ${baseUrl}`);
}

function settingsOf(config: Config, version: string): ParleySettings {
  const { limits, roles, service, secrets } = config;
  const isShared = config.state.redisUrl !== undefined;
  const names = (entry: (typeof config.answerBots)[number]) =>
    entry === "*" ? entry : `${entry.platform}:${entry.id}`;
  const served = config.workspaces?.map(names);
  const checksItself = platformModules.filter((module) => module.checksWorkspaces).map(({ name }) => name);
  const redact = createRedact(secrets);
  return {
    bridge: {
      ...defaultSettings,
      project: service.project,
      history: { maxTurns: limits.historyTurns, maxChars: limits.historyChars },
      roles: {
        ...roles,
        trustedPlatforms: platformModules.filter((module) => module.isTrusted).map(({ name }) => name),
      },
      questionLimits: limits,
      agentScope: service.scope,
      answerBots: config.answerBots.map(names),
      serves: ({ platform, workspace }) =>
        checksItself.includes(platform) ||
        served === undefined ||
        served.includes("*") ||
        served.includes(`${platform}:${workspace}`),
      isShared,
      laneSettleMs: isShared ? laneSettleMs : 0,
      recoveryIntervalMs,
    },
    ingest: { ...config.ingest, jobsPerPerson: limits.jobsPerPerson },
    ...present({ defaultAgent: service.defaultAgent }),
    retentionDays: limits.retentionDays,
    auditDays: limits.auditDays,
    commandPrefix: config.commandPrefix,
    version,
    redact: (text) => String(redact(text)),
  };
}

// An existing DATA_DIR may be open to everybody. Files that Parley creates in it are for this user only.
process.umask(0o077);

try {
  const config = loadConfig(platformModules);
  const { logLevel, secrets } = config;
  const log = withLimit(createLog({ level: logLevel, isTerminal: process.stdout.isTTY === true, secrets }), clock);
  await start(config, log);
} catch (thrown) {
  // Invalid settings, or a HOST or PORT that can't be used: one line each.
  if (thrown instanceof ConfigError) {
    process.stderr.write(`${thrown.message}\n`);
    process.exit(thrown.exitCode);
  }
  const { what, hint } = errorText(toParleyError(thrown));
  process.stderr.write(`Parley can't start: ${what} ${hint}\n`);
  if (!(thrown instanceof ParleyError)) process.stderr.write(`${thrown instanceof Error ? thrown.stack : thrown}\n`);
  process.exit(1);
}
