/**
 * The composition root: settings, then ports, then the bridge, then the platforms. The only file that knows all rooms,
 * and the only one that imports adapters: a new platform is one folder and one line here.
 */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { createAgentService } from "./agent-service/mindsdb/client.ts";
import { clearLeftUploads } from "./agent-service/mindsdb/resources/upload.ts";
import { createBindings } from "./bridge/access/bindings.ts";
import { createContributions } from "./bridge/access/contributions.ts";
import { createReach } from "./bridge/access/reach.ts";
import { createBridge } from "./bridge/bridge.ts";
import { createConversations } from "./bridge/conversation/conversations.ts";
import { type BridgeSettings, defaultSettings } from "./bridge/settings.ts";
import { createCommands } from "./commands/commands.ts";
import { groupSummaries } from "./commands/definitions.ts";
import { feedCommands } from "./commands/knowledge/feed-commands.ts";
import type { Pending } from "./commands/knowledge/feed-ports.ts";
import { createNameCache } from "./commands/name-cache.ts";
import type { Registry } from "./commands/registry.ts";
import { type Config, ConfigError, type DiscordConfig, loadConfig, type SlackConfig } from "./config/config.ts";
import type { PlatformEntry } from "./config/forms.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { createKnowledge, type Knowledge } from "./knowledge/knowledge.ts";
import { createPageReading, type ReadPages } from "./knowledge/pages/page-reading.ts";
import type { LocalService } from "./local-service/local-service.ts";
import {
  addressToOpen,
  createAudit,
  createHealth,
  createHttpServer,
  createLog,
  createMetrics,
  createRedact,
  type HttpServer,
  watchForEnd,
  withFields,
  withLimit,
} from "./operations/operations.ts";
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { Forget } from "./ports/conversations.ts";
import type { Site } from "./ports/delivery.ts";
import { ParleyError, toParleyError } from "./ports/errors.ts";
import type { Log } from "./ports/log.ts";
import { systemClock as clock } from "./ports/tools/system-clock.ts";
import type { Conversation } from "./ports/words.ts";
import { openState, type State } from "./state/open-state.ts";
import { startRetention } from "./state/retention.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));
/** Running Turns get this long to end after SIGTERM; the whole end may take a little more. */
const drainMs = 25_000;
const endLimitMs = 40_000;
const dayMs = 86_400_000;
/** How often Turns are looked for that another instance left behind. */
const recoveryIntervalMs = 5_000;
/** So that questions which reached other instances at the same moment are journaled before the lane is taken. */
const laneSettleMs = 150;

async function start(config: Config, log: Log): Promise<void> {
  const metrics = createMetrics();
  const state = await openState({ ...config.state, clock, log });
  const { turns, jobs, coordinator, keyValue, claims } = state;
  const retentionMs = config.limits.retentionDays * dayMs;

  const http = createHttpServer({ ...config.http, clock, log });
  const baseUrl = addressToOpen(config.http.host, config.http.port);
  const { version } = packageJson;
  const reading = createPageReading({
    ...{ allowsPrivate: config.ingest.allowsPrivate, version, clock, log },
    ...(config.proxy === undefined ? {} : { proxy: config.proxy }),
  });
  const isLocal = config.service.url === undefined;
  const local = isLocal ? await startLocal(config, `${baseUrl}/docs/`, reading.readPages, log) : undefined;
  const { url, firstChunkMs, silenceMs, runMs, insertMs, project, defaultAgent, ...login } = config.service;
  const service = createAgentService({
    ...login,
    ...(local === undefined ? {} : { token: local.token }),
    baseUrl: url ?? local?.url ?? "",
    limits: { firstChunkMs, silenceMs, runMs, insertMs },
    clock,
    log,
    ...(config.proxy === undefined || local !== undefined ? {} : { proxy: config.proxy }),
    onMalformed: metrics.malformedChunk,
  });

  const settings = settingsOf(config);
  const bindings = createBindings({
    ...{ store: keyValue("bindings"), stamps: keyValue("binding-stamps"), service, clock },
    settings: { project, defaultAgent },
  });
  const conversations = createConversations({ store: keyValue<Conversation>("conversations"), retentionMs });
  const names = createNameCache({ service, project, clock, log });
  const audit = createAudit({
    ...{ store: keyValue("audit"), clock, log },
    keptMs: config.limits.auditDays * dayMs,
    redact: (text) => String(createRedact(config.secrets)(text)),
  });
  const sites = new Map<string, Site>();
  const contributions = createContributions({ store: keyValue("contributions"), clock });
  const reach = createReach({
    ...{ bindings, lists: names.current, contributions, settings },
    platformOf: (name) => sites.get(name)?.platform,
  });
  const { by, requiresDns, maxPages, maxDepth, saveEmoji } = config.ingest;
  const knowledge = createKnowledge({
    ...{ service, store: jobs, coordinator, reading, audit, metrics, clock, log },
    siteOf: (name) => sites.get(name),
    settings: { by, requiresDns, maxPages, maxDepth, jobsPerPerson: config.limits.jobsPerPerson },
  });
  const commandPorts = {
    ...{ service, bindings, conversations, names, reach, contributions, audit, coordinator, clock, log },
    counts: () => bridge.counts(),
    forget: ((...about) => bridge.forget(...about)) satisfies Forget,
    lacking: (name: string) => sites.get(name)?.platform.health().reason,
    settings: { project, commandPrefix: config.commandPrefix, version },
  };
  const feed = feedCommands({ ...commandPorts, knowledge, pending: keyValue<Pending>("pending") }, { saveEmoji });
  const commands = createCommands(commandPorts, feed.sets);

  const platforms = await connectPlatforms(config, {
    http,
    log,
    baseUrl,
    keyValue,
    coordinator,
    retentionMs,
    registry: commands.registry,
    channelsIn: bindings.channelsIn,
  });
  for (const platform of platforms) {
    const counted = metrics.ofPlatform(platform.name);
    const delivery = createDelivery({ platform, coordinator, clock, log, metrics: counted });
    sites.set(platform.name, { platform, delivery });
  }
  const bridge = createBridge({
    ...{ service, turns, coordinator, sites, clock, log, metrics, reach, conversations, settings, commands, claims },
    saving: feed.saving,
    latest: keyValue("latest-questions"),
    botTurns: keyValue("bot-turns"),
    modeOf: bindings.modeOf,
    retentionMs,
  });
  const health = createHealth({
    platforms,
    probeService: (signal) => service.status(signal),
    probeState: state.ping,
    stateNotices: state.notices,
    ...{ metrics, clock, log },
  });
  const stopRetention = startRetention({ turns, jobs, retentionDays: config.limits.retentionDays, clock, log });

  http.app.route("/", health.routes);
  let stopLooking = () => {};
  watchForEnd({
    process,
    limitMs: endLimitMs,
    clock,
    log,
    drain: async () => {
      health.drain();
      await Promise.all(platforms.map((platform) => platform.stopIntake()));
      stopLooking();
      await Promise.all([bridge.drain(drainMs), knowledge.jobs.drain(drainMs)]);
      stopRetention();
      health.close();
      await Promise.all(platforms.map((platform) => platform.close()));
      await http.close(1_000);
      // First the local service: it ends its runs, and the client has nothing to wait for.
      await local?.close();
      await reading.close();
      await service.close();
      await state.close();
    },
  });
  await http.listen();
  void clearLeftUploads();
  for (const platform of platforms) await platform.start(bridge);
  await bridge.recover();
  stopLooking = recoverJobs(knowledge, log);
  names.touch();
  if (config.console.isOn && config.console.token === undefined) {
    log.warn(
      {},
      "The page asks for no token: anyone who can reach it on this machine can do everything (CONSOLE_TOKEN)",
    );
  }
  if (config.console.isOn) log.info({ url: baseUrl }, `Parley is here: ${baseUrl}`);
  else log.info({ platforms: platforms.map((platform) => platform.name) }, "Parley is running");
}

/** Takes up Jobs that this or another instance left unfinished, now and from then on. */
function recoverJobs({ jobs }: Knowledge, log: Log): () => void {
  const ending = new AbortController();
  const keepLooking = async () => {
    for (let isStart = true; ; isStart = false) {
      await jobs.recover(isStart).catch((err: unknown) => log.warn({ err }, "Unfinished jobs could not be looked for"));
      await clock.sleep(recoveryIntervalMs, ending.signal);
    }
  };
  // What it ends with is the end of this process.
  keepLooking().catch(() => undefined);
  return () => ending.abort();
}

type PlatformParts = {
  readonly http: HttpServer;
  readonly log: Log;
  readonly baseUrl: string;
  readonly keyValue: State["keyValue"];
  readonly coordinator: State["coordinator"];
  readonly retentionMs: number;
  readonly registry: Registry;
  readonly channelsIn: ReturnType<typeof createBindings>["channelsIn"];
};

/** One line a platform: the place to add the next one. What is not switched on is not loaded: libraries are large. */
async function connectPlatforms(config: Config, parts: PlatformParts): Promise<readonly ChatPlatform[]> {
  return [
    ...(config.console.isOn ? [await consoleOf(config, parts)] : []),
    ...(config.slack === undefined ? [] : [await slackOf(config.slack, parts)]),
    ...(config.discord === undefined ? [] : [await discordOf(config.discord, parts)]),
  ];
}

async function consoleOf(config: Config, parts: PlatformParts): Promise<ChatPlatform> {
  const { http, log, baseUrl, keyValue, coordinator, retentionMs, registry } = parts;
  const { createConsole } = await import("../adapters/console/index.ts");
  const { describeCommands } = await import("../adapters/console/intake/command-list.ts");
  const page = createConsole({
    ...{ keyValue, coordinator, clock, baseUrl, projectFolder, retentionMs },
    ...(config.console.token === undefined ? {} : { token: config.console.token }),
    host: config.http.host,
    log: withFields(log, { platform: "console" }),
    commands: () => describeCommands(registry.definitions, registry.prefix),
  });
  await page.mount(http.app);
  return page;
}

async function slackOf({ intake, ...slack }: SlackConfig, parts: PlatformParts): Promise<ChatPlatform> {
  const { http, log, keyValue, coordinator } = parts;
  const { createSlack } = await import("../adapters/slack/index.ts");
  const platform = createSlack({
    ...slack,
    ...(intake.kind === "socket" ? { appToken: intake.appToken } : { signingSecret: intake.signingSecret }),
    clock,
    log: withFields(log, { platform: "slack" }),
    keyValue: keyValue("slack"),
    coordinator,
    boundChannels: (workspace) => parts.channelsIn({ platform: "slack", workspace }),
  });
  if (platform.httpMount !== undefined) http.handleNode(platform.httpMount.path, platform.httpMount.listener);
  return platform;
}

async function discordOf(
  discord: DiscordConfig,
  { log, keyValue, coordinator, registry }: PlatformParts,
): Promise<ChatPlatform> {
  const { createDiscord } = await import("../adapters/discord/index.ts");
  return createDiscord({
    ...discord,
    commands: { definitions: registry.definitions, groups: groupSummaries, prefix: registry.prefix },
    clock,
    log: withFields(log, { platform: "discord" }),
    keyValue: keyValue("discord"),
    coordinator,
  });
}

/**
 * The service that Parley carries, when the settings name none. It knows nothing of Parley's errors. Others on the same
 * machine can reach its port: they would have all that is in it, without a word to the page or its token.
 */
async function startLocal(
  config: Config,
  docsBaseUrl: string,
  readPages: ReadPages,
  log: Log,
): Promise<LocalService & { readonly token: string }> {
  const { startLocalService } = await import("./local-service/local-service.ts");
  const { DatabaseRefused } = await import("./local-service/storage/database.ts");
  const { readProjectDocuments } = await import("./local-service/answering/documents.ts");
  const docs = await readProjectDocuments({ root: projectFolder, baseUrl: docsBaseUrl });
  const { dataDir } = config.state;
  const { project } = config.service;
  const token = randomBytes(32).toString("base64url");
  try {
    const ownLog = withFields(log, { part: "local-service" });
    const local = await startLocalService({ dataDir, docs, project, readPages, token, clock, log: ownLog });
    return { ...local, token };
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRefused)) throw thrown;
    throw new ParleyError("state_unavailable", { what: thrown.message, hint: thrown.hint, cause: thrown });
  }
}

function settingsOf(config: Config): BridgeSettings {
  const { workspaces, limits, roles, answerBots, service } = config;
  const names = (entry: PlatformEntry) => (entry === "*" ? entry : `${entry.platform}:${entry.id}`);
  const served = workspaces?.map(names);
  const isShared = config.state.redisUrl !== undefined;
  return {
    ...defaultSettings,
    project: service.project,
    history: { maxTurns: limits.historyTurns, maxChars: limits.historyChars },
    roles: { ...roles, trustedPlatforms: ["console"] },
    pace: limits,
    agentScope: service.scope,
    answerBots: answerBots.map(names),
    // Discord's adapter decides about servers itself: without an entry here, other settings and the first start do.
    serves: ({ platform, workspace }) =>
      platform === "discord" ||
      served === undefined ||
      served.includes("*") ||
      served.includes(`${platform}:${workspace}`),
    isShared,
    laneSettleMs: isShared ? laneSettleMs : 0,
    recoveryIntervalMs,
  };
}

/** Settings that are wrong in form, and an address that cannot be listened on: one line, exit code 2. */
function refuse(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

// A folder that was there before may be open to everybody: what Parley writes into it is for this user alone.
process.umask(0o077);

try {
  const config = loadConfig();
  const { logLevel, secrets } = config;
  const log = withLimit(createLog({ level: logLevel, isTerminal: process.stdout.isTTY === true, secrets }), clock);
  await start(config, log);
} catch (failure) {
  if (failure instanceof ConfigError) refuse(failure);
  const { what, hint } = toParleyError(failure);
  process.stderr.write(`Parley cannot start: ${what} ${hint}\n`);
  if (!(failure instanceof ParleyError))
    process.stderr.write(`${failure instanceof Error ? failure.stack : failure}\n`);
  process.exit(1);
}
