/**
 * Reads all settings from the environment into one typed Config. Nothing else reads `process.env`. The settings are
 * documented in settings.ts. Invalid ones are refused here, before anything starts. Valid ones that don't work fail, and
 * are retried, where they are used.
 */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { RoleEntry } from "../ports/access.ts";
import type { ConfiguredPlatform, PlatformModule, Setting, SettingTable, ValuesOf } from "../ports/platform-module.ts";
import { ConfigError, type SettingProblem } from "../ports/tools/config-error.ts";
import { type PlatformEntry, token } from "./formats.ts";
import { settingsInForce } from "./in-force.ts";
import { exampleOf, type SettingValues, settingsWith } from "./setting.ts";

export { ConfigError } from "../ports/tools/config-error.ts";

/** All settings, parsed. A setting that is off or left to its default elsewhere is absent. */
export type Config = ReturnType<typeof readConfig>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment and, for variables not set there, `.env` in the working directory. Throws ConfigError. */
export function loadConfig(platforms: readonly PlatformModule[]): Config {
  return readConfig({ ...readEnvFile(".env"), ...process.env }, platforms);
}

/** Throws ConfigError with all invalid settings. An empty variable counts as not set. */
export function readConfig(env: Environment, platforms: readonly PlatformModule[]) {
  const settings = settingsWith(platforms);
  const problems: SettingProblem[] = [];
  const report = (variable: string, why: string) => {
    const setting = settings.get(variable);
    problems.push({ variable, why, example: `${variable}=${setting === undefined ? "" : exampleOf(setting)}` });
  };
  const all = parse(env, settings, report);
  const wrong = new Set(problems.map((problem) => problem.variable));
  const isGiven = (name: string) => all[name] !== undefined || wrong.has(name);
  // Checked by the table's forms above. If some are invalid, only the valid ones are used below.
  const values = all as SettingValues;
  for (const name of ["MANAGERS", "INGESTERS", "ASKERS", "WORKSPACES", "ANSWER_BOTS"] as const) {
    const why = unmatchable(values[name] ?? [], platforms);
    if (why !== undefined) report(name, why);
  }
  const configured = configure(platforms, { values, problems, isGiven, report });
  reportService(values, isGiven, report);
  const modelKey = values.LOCAL_MODEL_KEY ?? keyIn(values.LOCAL_MODEL_KEY_FILE, report);
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
  return {
    service: {
      /** Absent: the built-in service. */
      url: values.AGENT_SERVICE_URL,
      /** Absent: found out. */
      kind: values.AGENT_SERVICE_KIND,
      token: values.AGENT_SERVICE_TOKEN,
      user: values.AGENT_SERVICE_USER,
      password: values.AGENT_SERVICE_PASSWORD,
      project: values.AGENT_PROJECT,
      defaultAgent: values.AGENT_DEFAULT,
      scope: values.AGENT_SCOPE,
      approvers: values.APPROVERS,
      /** Absent: the value of the service's profile. */
      maxRuns: values.AGENT_MAX_RUNS,
      firstChunkMs: values.AGENT_FIRST_CHUNK_SECONDS,
      silenceMs: values.AGENT_SILENCE_SECONDS,
      runMs: values.AGENT_RUN_SECONDS,
      insertMs: values.AGENT_INSERT_SECONDS,
    },
    /** The language model of the built-in service. Absent: it quotes. */
    localModel:
      values.LOCAL_MODEL_URL === undefined
        ? undefined
        : {
            url: values.LOCAL_MODEL_URL,
            name: values.LOCAL_MODEL,
            key: modelKey,
            embeddingModel: values.LOCAL_EMBEDDING_MODEL,
            rerankModel: values.LOCAL_RERANK_MODEL,
          },
    /** The enabled platforms. */
    platforms: configured,
    http: { host: values.HOST, port: values.PORT, basePath: basePathOf(values.PUBLIC_URL) },
    /** Without a trailing slash. */
    publicUrl: values.PUBLIC_URL,
    state: { dataDir: values.DATA_DIR, redisUrl: values.REDIS_URL },
    proxy: proxyOf(values, all),
    /** An absent role has its default. */
    roles: { managers: values.MANAGERS, ingesters: values.INGESTERS, askers: values.ASKERS },
    /** Absent: all. */
    workspaces: values.WORKSPACES,
    answerBots: values.ANSWER_BOTS ?? [],
    ingest: {
      by: values.INGEST_BY,
      allowsPrivate: values.INGEST_ALLOW_PRIVATE,
      requiresDns: values.INGEST_REQUIRE_DNS,
      maxPages: values.INGEST_MAX_PAGES,
      maxDepth: values.INGEST_MAX_DEPTH,
      saveEmoji: values.SAVE_EMOJI,
    },
    limits: {
      questionsPerPersonPerMinute: values.QUESTIONS_PER_PERSON,
      questionsPerChannelPerMinute: values.QUESTIONS_PER_CHANNEL,
      jobsPerPerson: values.JOBS_PER_PERSON,
      historyTurns: values.HISTORY_TURNS,
      historyChars: values.HISTORY_CHARS,
      retentionDays: values.RETENTION_DAYS,
      auditDays: values.AUDIT_DAYS,
      sourceOldDays: values.SOURCE_OLD_DAYS,
      logPrivate: values.LOG_PRIVATE,
      /** 0: never. */
      answerReviewDays: values.ANSWER_REVIEW_DAYS,
      /** 0: never. */
      notifyAfterMs: values.NOTIFY_AFTER_SECONDS * 1000,
    },
    /** Values that must never appear in a log. */
    secrets: [...secretsOf(all, settings), ...(modelKey === undefined ? [] : [modelKey])],
    commandPrefix: values.COMMAND_PREFIX ?? "",
    timeZone: values.TIME_ZONE,
    logLevel: values.LOG_LEVEL,
    /** For people to read: no secret is in it. */
    inForce: settingsInForce(env, platforms),
  };
}

type Values = Readonly<Record<string, unknown>>;
type Report = (variable: string, why: string) => void;

function parse(env: Environment, settings: ReadonlyMap<string, Setting>, report: Report): Values {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of settings) {
    const twin = setting.hasLowerCaseTwin ? env[name.toLowerCase()] : undefined;
    const text = (env[name] || twin)?.trim() || setting.default;
    if (text === undefined) continue;
    const result = setting.format.safeParse(text);
    if (result.success) values[name] = result.data;
    else report(name, result.error.issues[0]?.message ?? "isn't valid");
  }
  return values;
}

function configure(
  modules: readonly PlatformModule[],
  given: {
    readonly values: SettingValues;
    readonly problems: readonly SettingProblem[];
    readonly isGiven: (name: string) => boolean;
    readonly report: Report;
  },
): readonly ConfiguredPlatform[] {
  const { values, problems, isGiven, report } = given;
  const configured: ConfiguredPlatform[] = [];
  for (const { name, configure } of modules) {
    const entries = values.WORKSPACES?.filter((entry) => entry === "*" || entry.platform === name);
    const ids = entries?.flatMap((entry) => (entry === "*" ? [] : [entry.id])) ?? [];
    const platform = configure(values as Values as ValuesOf<SettingTable>, {
      host: values.HOST,
      isLoopback: values.HOST === undefined || isLoopback(values.HOST),
      workspaces: entries?.includes("*") ? "*" : ids.length > 0 ? ids : undefined,
      // A platform with invalid settings is meant to be on.
      hasOthers: configured.length > 0 || problems.length > 0,
      isGiven,
      report,
    });
    if (platform !== undefined) configured.push(platform);
  }
  return configured;
}

/** Reports settings of the service that are valid but don't fit together. */
function reportService(
  { AGENT_SERVICE_KIND: kind }: SettingValues,
  isGiven: (name: string) => boolean,
  report: Report,
): void {
  const needs = (given: string, missing: string) => {
    if (isGiven(given) && !isGiven(missing)) report(missing, `is missing, but ${given} is set`);
  };
  needs("AGENT_SERVICE_USER", "AGENT_SERVICE_PASSWORD");
  needs("AGENT_SERVICE_PASSWORD", "AGENT_SERVICE_USER");
  const [about] = ["AGENT_SERVICE_TOKEN", "AGENT_SERVICE_USER", "AGENT_SERVICE_KIND"].filter(isGiven);
  if (about !== undefined) needs(about, "AGENT_SERVICE_URL");
  if (kind !== undefined && kind !== "mindsdb" && isGiven("AGENT_SERVICE_USER")) {
    const why = `is needed instead of AGENT_SERVICE_USER, because a service of the kind ${kind} has no users`;
    report("AGENT_SERVICE_TOKEN", why);
  }
  const ofModel = ["LOCAL_MODEL", "LOCAL_MODEL_KEY", "LOCAL_MODEL_KEY_FILE", "LOCAL_EMBEDDING_MODEL"];
  for (const name of [...ofModel, "LOCAL_RERANK_MODEL"]) needs(name, "LOCAL_MODEL_URL");
  if (isGiven("LOCAL_MODEL_KEY") && isGiven("LOCAL_MODEL_KEY_FILE")) {
    report("LOCAL_MODEL_KEY_FILE", "is set, but so is LOCAL_MODEL_KEY: set one of them");
  }
}

function keyIn(path: string | undefined, report: Report): string | undefined {
  if (path === undefined) return undefined;
  const name = "LOCAL_MODEL_KEY_FILE";
  try {
    const key = token.safeParse(readFileSync(path, "utf8").trim());
    if (key.success) return key.data;
    report(name, "names a file whose content isn't a single key");
  } catch {
    report(name, "names a file that can't be read");
  }
  return undefined;
}

/** Why an entry can never match, if it can't. Obeyed silently, it would lock everyone out. */
function unmatchable(
  entries: readonly (RoleEntry | PlatformEntry)[],
  platforms: readonly PlatformModule[],
): string | undefined {
  for (const [at, entry] of entries.entries()) {
    if (entry === "*") continue;
    const which = `entry ${at + 1}`;
    const platform = platforms.find(({ name }) => name === entry.platform);
    if (platform === undefined) {
      return `${which} names an unknown platform; known are ${platforms.map(({ name }) => name).join(", ")}`;
    }
    if (!platform.idPattern.test(entry.id)) {
      return `${which} isn't a valid ${platform.name} ID (use the ID, not the display name)`;
    }
    if ("kind" in entry && entry.kind === "role" && !platform.hasRoles) {
      return `${which} names a role, but ${platform.name} has no roles`;
    }
  }
  return undefined;
}

/**
 * NO_PROXY always includes this machine, where the built-in service runs. It can't hold ranges, so of the other loopback
 * addresses it names those that occur in the settings.
 */
function proxyOf(values: SettingValues, all: Values) {
  const { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: others } = values;
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const hosts = Object.values(all).map((value) => URL.parse(String(value))?.hostname.replace(/^\[|\]$/g, "") ?? "");
  const own = new Set(["localhost", "127.0.0.1", "::1", ...hosts.filter(isLoopback)]);
  const noProxy = [...own, ...(others === undefined ? [] : [others])].join(",");
  return { httpProxy, httpsProxy, noProxy };
}

/** The values to redact. Only the password of a URL is secret: log lines need the rest. */
function secretsOf(values: Values, settings: ReadonlyMap<string, Setting>): readonly string[] {
  return [...settings]
    .filter(([, setting]) => setting.isSecret)
    .map(([name]) => String(values[name] ?? ""))
    .map((value) => (value.includes("://") ? (URL.parse(value)?.password ?? "") : value))
    .filter((value) => value !== "");
}

/** "/parley", or "" for the root of the site. */
function basePathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
}

/** Whether only this machine can reach a server on that host. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return {};
    const why = "exists but can't be read";
    throw new ConfigError([{ variable: path, why, example: "chmod u+r .env" }], { cause: thrown });
  }
}
