/** Turns the Config into the settings of the composition. */
import { defaultSettings } from "./bridge/bridge.ts";
import type { Config } from "./config/config.ts";
import { addressToOpen, createRedact } from "./operations/operations.ts";
import type { ParleySettings } from "./parley.ts";
import { platformModules } from "./platforms.ts";

const dayMs = 86_400_000;
/** Interval of looking for unfinished Turns of other instances. */
const recoveryIntervalMs = 5_000;
/** Delay before a lane is acquired, so that other instances can journal questions of the same moment first. */
const laneSettleMs = 150;

/** Adds what the platform modules declare about themselves. `ownDocsBase`: of the built-in service, if it answers. */
export function parleySettings(config: Config, version: string, ownDocsBase?: string): ParleySettings {
  const { limits, roles, service, secrets } = config;
  const isShared = config.state.redisUrl !== undefined;
  const entryText = (entry: (typeof config.answerBots)[number]) =>
    entry === "*" ? entry : `${entry.platform}:${entry.id}`;
  const served = config.workspaces?.map(entryText);
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
      approvers: service.approvers,
      answerBots: config.answerBots.map(entryText),
      serves: ({ platform, workspace }) =>
        checksItself.includes(platform) ||
        served === undefined ||
        served.includes("*") ||
        served.includes(`${platform}:${workspace}`),
      isShared,
      laneSettleMs: isShared ? laneSettleMs : 0,
      recoveryIntervalMs,
      sourceOldMs: limits.sourceOldDays * dayMs,
      notifyAfterMs: limits.notifyAfterMs,
      publicUrl: config.publicUrl,
      ownDocsBase,
    },
    ingest: { ...config.ingest, jobsPerPerson: limits.jobsPerPerson },
    defaultAgent: service.defaultAgent,
    retentionDays: limits.retentionDays,
    auditDays: limits.auditDays,
    answerReviewDays: limits.answerReviewDays,
    logPrivate: limits.logPrivate,
    commandPrefix: config.commandPrefix,
    timeZone: config.timeZone,
    baseUrl: addressToOpen(config.http.host, config.http.port),
    version,
    redact: (text) => String(redact(text)),
  };
}
