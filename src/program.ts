/**
 * `npm start`: reads the settings, opens the state, the agent service and the HTTP server, and runs Parley. Shuts down in
 * order on a signal.
 */
import packageJson from "../package.json" with { type: "json" };
import { createAgentService, createServiceWithKnowledge } from "./agent-service/agent-service.ts";
import { createBuiltInKnowledge, startBuiltInService } from "./agent-service/built-in/start-service.ts";
import { type Config, ConfigError, loadConfig } from "./config/config.ts";
import { ParleyError, toParleyError } from "./core/errors.ts";
import type { AgentService } from "./core/ports/agent-service.ts";
import type { Log } from "./core/ports/log.ts";
import { packageFolder } from "./core/tools/package-folder.ts";
import { systemClock as clock } from "./core/tools/system-clock.ts";
import { answerRequest } from "./insight/privacy/privacy.ts";
import { createInstallation } from "./installation.ts";
import { createPageReading } from "./knowledge/knowledge.ts";
import { missingProjects } from "./missing-projects.ts";
import {
  addressToOpen,
  createHealth,
  createHttpServer,
  createLog,
  createMetrics,
  createRedact,
  type HealthProbes,
  holdWarnings,
  linesForTerminal,
  type RecentErrors,
  sendThroughProxy,
  startControl,
  watchForEnd,
  withLimit,
  withRecentErrors,
} from "./operations/operations.ts";
import { composeParley } from "./parley.ts";
import { platformModules } from "./platforms.ts";
import { errorText, serviceText } from "./presentation/sentences.ts";
import { openState } from "./state/open-state.ts";
import { sqliteReason, stateError } from "./state/state-error.ts";

/** Running Turns get this long to finish after SIGTERM; the whole shutdown may take a little longer. */
const drainMs = 25_000;
const endLimitMs = 40_000;
/** Of a slow disk, between two commits. */
const maxPauseMs = 25;

async function start(config: Config, { log, newest: errors }: RecentErrors): Promise<void> {
  const { proxy, host, port, publicUrl, dataDir, redisUrl, project, maxRuns, serviceLimits } = config;
  if (proxy !== undefined) sendThroughProxy(proxy);
  const { version } = packageJson;
  const metrics = createMetrics();
  const state = await openState({ dataDir, redisUrl, maxPauseMs, clock, log });
  const http = createHttpServer({ host, port, publicUrl, clock, log });
  const baseUrl = addressToOpen(host, port);
  const reading = createPageReading({
    allowsPrivate: config.ingest.allowsPrivate,
    version,
    clock,
    log,
    proxy,
  });
  const { url } = config.service;
  const { readPages } = reading;
  const builtIn = { dataDir, project, readPages, insertMs: serviceLimits.insertMs, clock, log };
  const refusals = state.keyValue<true>("refusals");
  const usesModel = url === undefined && config.localModel.url !== undefined;
  const connected = usesModel
    ? (await import("./agent-service/built-in/model/local-model.ts")).connectModel(config, clock, { refusals, log })
    : undefined;
  const documents = { projectFolder: packageFolder, baseUrl: `${baseUrl}/docs/` };
  const local =
    url === undefined
      ? await startBuiltInService({
          ...builtIn,
          documents,
          model: connected?.model,
          embedder: connected?.embedder,
          reranker: connected?.reranker,
          maxRuns,
        })
      : undefined;
  const beside = createBuiltInKnowledge(async () => {
    if (redisUrl !== undefined) {
      log.warn(
        {},
        "Knowledge bases are in DATA_DIR, so each instance has its own: run one instance, or a service with some",
      );
    }
    return startBuiltInService(builtIn);
  });
  const connect = (baseUrl: string) =>
    createServiceWithKnowledge({
      main: createAgentService({
        ...config.service,
        baseUrl,
        maxRuns,
        proxy,
        limits: serviceLimits,
        clock,
        log,
        onMalformed: metrics.malformedChunk,
        refusals,
      }),
      knowledge: beside.knowledge,
      store: state.keyValue("agent-bases"),
      log,
    });
  const service = local ?? connect(url ?? "");
  if (publicUrl !== undefined) {
    // Before the page, which may ask for its token: links in answers lead to these documents.
    const { createDocuments } = await import("../adapters/console/drawing/assets.ts");
    http.app.route(
      "/",
      await createDocuments(packageFolder, { hasPage: config.platforms.some(({ name }) => name === "console") }),
    );
  }
  let latencyMs: number | undefined;
  const parley = await composeParley({
    settings: { ...config, version, ownDocsBase: local?.docsBase },
    modules: platformModules,
    state,
    service,
    platforms: config.platforms.map(({ name, connect }) => ({
      name,
      connect: (parts) =>
        connect({
          ...parts,
          http: {
            ...http,
            baseUrl: publicUrl ?? baseUrl,
            host,
            publicUrl,
            trustedProxy: config.trustedProxy,
          },
        }),
    })),
    reading,
    metrics,
    installation: createInstallation({
      config,
      state,
      service,
      latencyMs: () => latencyMs,
      readiness: () => health.readiness(),
      errors,
      clock,
      log,
    }),
    clock,
    log,
  });
  const health: HealthProbes = createHealth({
    platforms: parley.platforms,
    probeService: async (signal) => {
      const beganMs = performance.now();
      const text = serviceText(await service.status(signal));
      latencyMs = performance.now() - beganMs;
      return text;
    },
    probeState: state.ping,
    stateNotices: () => [...state.notices(), ...(local?.notices() ?? [])],
    publicUrl,
    metrics,
    clock,
    log,
  });
  http.app.route("/", health.routes);
  let stopControl: (() => Promise<void>) | undefined;
  watchForEnd({
    process,
    limitMs: endLimitMs,
    clock,
    log,
    drain: async () => {
      health.drain();
      await stopControl?.();
      await parley.drain(drainMs);
      health.close();
      await parley.close();
      await http.close(1_000);
      await service.close();
      await connected?.close();
      await beside.close();
      await reading.close();
      await state.close();
    },
  });
  await http.listen();
  // On Redis, other programs work over the store itself.
  const handle = (request: unknown) => answerRequest(parley.privacy, request);
  stopControl = redisUrl === undefined ? await startControl({ dataDir, handle, log }) : undefined;
  await parley.start();
  void warnOfProjects(config, service, log);
  log.info({ platforms: parley.platforms.map(({ name }) => name) }, `Parley is running at ${baseUrl}`);
}

/** Once the service says which projects it has; while it is down, the doctor tells it later. */
async function warnOfProjects(config: Config, service: AgentService, log: Log): Promise<void> {
  if (config.workspaceProjects === undefined) return;
  try {
    const { offers } = await service.profile();
    const { listProjects } = service;
    const missing = await missingProjects(config, { listProjects, hasProjects: offers.includes("projects") });
    if (missing !== undefined) log.warn({}, `WORKSPACE_PROJECTS: ${missing}`);
  } catch (err) {
    log.info({ err }, "The agent service can't say yet whether it has all projects of WORKSPACE_PROJECTS");
  }
}

// An existing DATA_DIR may be open to everyone. Files that Parley creates in it are for this user only.
process.umask(0o077);

try {
  const config = loadConfig(platformModules);
  const { logLevel, secrets } = config;
  const destination = process.stdout.isTTY ? await linesForTerminal() : undefined;
  const { log, release } = holdWarnings(createLog({ level: logLevel, secrets, destination }), clock);
  const limited = withLimit(log, clock);
  await start(config, withRecentErrors(limited, createRedact(secrets), clock)).finally(release);
} catch (thrown) {
  // Invalid settings, or a HOST or PORT that can't be used: one line each.
  if (thrown instanceof ConfigError) {
    process.stderr.write(`${thrown.message}\n`);
    process.exit(thrown.exitCode);
  }
  const reason = sqliteReason(thrown);
  const { what, hint } = errorText(reason === undefined ? toParleyError(thrown) : stateError(thrown));
  const why = reason === undefined ? "" : ` SQLite says: ${reason}.`;
  process.stderr.write(`Parley can't start: ${what} ${hint}${why}\n`);
  if (!(thrown instanceof ParleyError) && reason === undefined)
    process.stderr.write(`${thrown instanceof Error ? thrown.stack : thrown}\n`);
  process.exit(1);
}
