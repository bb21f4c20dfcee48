/**
 * The environment as one typed, readonly Config; the only reader of `process.env`.
 * The settings themselves are documented in config/settings.ts. What is wrong in form is refused here, before anything
 * is started; what is right in form but does not work is found out, and tried again, where it is used.
 */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError, type SettingProblem } from "./config-error.ts";
import type { PlatformEntry, RoleEntry } from "./forms.ts";
import { type SettingName, type SettingValues, settings } from "./setting.ts";

export { ConfigError } from "./config-error.ts";

export type SlackConfig = {
  readonly botToken: string;
  readonly intake:
    | { readonly kind: "socket"; readonly appToken: string }
    | { readonly kind: "http"; readonly signingSecret: string };
  /** Without a slash at its end. */
  readonly apiUrl: string;
};

export type DiscordConfig = {
  readonly token: string;
  /** Up to `/api`. */
  readonly apiUrl: string;
  readonly guildId?: string;
  /** "*": every server that the bot is in. Absent: the one that it was in at its first start. */
  readonly servers?: "*" | readonly string[];
  readonly hasMessageContent: boolean;
};

export type ServiceConfig = {
  /** Absent: the service that Parley carries. Without a slash at its end. */
  readonly url?: string;
  readonly token?: string;
  /** Set together or not at all. */
  readonly user?: string;
  readonly password?: string;
  readonly project: string;
  readonly defaultAgent?: string;
  readonly scope: "bound" | "open";
  /** Absent: what the service's profile says. */
  readonly maxRuns?: number;
  readonly firstChunkMs: number;
  readonly silenceMs: number;
  readonly runMs: number;
  readonly insertMs: number;
};

export type ProxyConfig = {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  /** Always with this machine in it: the service that Parley carries is there. */
  readonly noProxy: string;
};

export type Config = {
  readonly service: ServiceConfig;
  readonly slack?: SlackConfig;
  readonly discord?: DiscordConfig;
  readonly console: { readonly isOn: boolean; readonly token?: string };
  readonly http: { readonly host: string; readonly port: number };
  readonly state: { readonly dataDir: string; readonly redisUrl?: string };
  readonly proxy?: ProxyConfig;
  /** Absent: the default of that role. */
  readonly roles: {
    readonly managers?: readonly RoleEntry[];
    readonly ingesters?: readonly RoleEntry[];
    readonly askers?: readonly RoleEntry[];
  };
  /** Absent: all. */
  readonly workspaces?: readonly PlatformEntry[];
  readonly answerBots: readonly PlatformEntry[];
  readonly ingest: {
    readonly by: "auto" | "service" | "parley";
    readonly allowsPrivate: boolean;
    readonly requiresDns: boolean;
    readonly maxPages: number;
    readonly maxDepth: number;
    /** "off" for none. */
    readonly saveEmoji: string;
  };
  readonly limits: {
    readonly questionsPerPersonPerMinute: number;
    readonly questionsPerChannelPerMinute: number;
    readonly jobsPerPerson: number;
    readonly historyTurns: number;
    readonly historyChars: number;
    readonly retentionDays: number;
    readonly auditDays: number;
  };
  /** What must never stand in a log, wherever it comes from. */
  readonly secrets: readonly string[];
  /** "" when there is none. */
  readonly commandPrefix: string;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** `.env` of the working directory, when there is one, under what the process was given. Throws ConfigError. */
export function loadConfig(): Config {
  return readConfig({ ...readEnvFile(".env"), ...process.env });
}

/** Throws ConfigError when anything is wrong in form. What is set to nothing counts as not set. */
export function readConfig(env: Environment): Config {
  const problems: SettingProblem[] = [];
  const values = parse(env, problems);
  problems.push(...contradictions(values, new Set(problems.map((problem) => problem.variable))));
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
  return present({
    service: present({
      url: values.AGENT_SERVICE_URL,
      token: values.AGENT_SERVICE_TOKEN,
      user: values.AGENT_SERVICE_USER,
      password: values.AGENT_SERVICE_PASSWORD,
      project: values.AGENT_PROJECT,
      defaultAgent: values.AGENT_DEFAULT,
      scope: values.AGENT_SCOPE,
      maxRuns: values.AGENT_MAX_RUNS,
      firstChunkMs: values.AGENT_FIRST_CHUNK_SECONDS,
      silenceMs: values.AGENT_SILENCE_SECONDS,
      runMs: values.AGENT_RUN_SECONDS,
      insertMs: values.AGENT_INSERT_SECONDS,
    }),
    slack: slackOf(values),
    discord: discordOf(values),
    console: present({ isOn: isConsoleOn(values), token: values.CONSOLE_TOKEN }),
    http: { host: values.HOST, port: values.PORT },
    state: present({ dataDir: values.DATA_DIR, redisUrl: values.REDIS_URL }),
    proxy: proxyOf(values),
    roles: present({ managers: values.MANAGERS, ingesters: values.INGESTERS, askers: values.ASKERS }),
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
    },
    secrets: secretsOf(values),
    commandPrefix: values.COMMAND_PREFIX ?? "",
    logLevel: values.LOG_LEVEL,
  });
}

function parse(env: Environment, problems: SettingProblem[]): SettingValues {
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, setting] of settings) {
    const twin = setting.hasLowerCaseTwin ? env[name.toLowerCase()] : undefined;
    const text = (env[name] || twin)?.trim() || setting.default;
    if (text === undefined) continue;
    const result = setting.form.safeParse(text);
    if (result.success) values[name] = result.data;
    else problems.push(problem(name, result.error.issues[0]?.message ?? "is not understood"));
  }
  // Checked by the table's forms just now; with a problem among them, only what was parsed is looked at.
  return values as SettingValues;
}

/** What is wrong between settings that are right by themselves. */
function contradictions(values: SettingValues, wrong: ReadonlySet<string>): SettingProblem[] {
  const isMissing = (name: SettingName) => values[name] === undefined && !wrong.has(name);
  const isGiven = (name: SettingName) => values[name] !== undefined || wrong.has(name);
  const found: SettingProblem[] = [];
  const needs = (given: SettingName, missing: SettingName, because = "") => {
    if (isGiven(given) && isMissing(missing)) found.push(problem(missing, `is missing, but ${given} is set${because}`));
  };
  if (isMissing("SLACK_APP_TOKEN") && isMissing("SLACK_SIGNING_SECRET")) {
    needs("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", " (Slack over HTTP needs SLACK_SIGNING_SECRET instead)");
  }
  needs(isGiven("SLACK_APP_TOKEN") ? "SLACK_APP_TOKEN" : "SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN");
  needs("DISCORD_GUILD_ID", "DISCORD_TOKEN");
  needs("AGENT_SERVICE_USER", "AGENT_SERVICE_PASSWORD");
  needs("AGENT_SERVICE_PASSWORD", "AGENT_SERVICE_USER");
  needs(isGiven("AGENT_SERVICE_TOKEN") ? "AGENT_SERVICE_TOKEN" : "AGENT_SERVICE_USER", "AGENT_SERVICE_URL");
  if (values.HOST !== undefined && !isLoopback(values.HOST) && isConsoleOn(values) && isMissing("CONSOLE_TOKEN")) {
    found.push(
      problem("CONSOLE_TOKEN", "is missing, but HOST lets other machines reach the page (or set CONSOLE=off)"),
    );
  }
  if (values.CONSOLE === false && isMissing("SLACK_BOT_TOKEN") && isMissing("DISCORD_TOKEN") && found.length === 0) {
    found.push(problem("CONSOLE", "is off, and no platform is set: nobody could ask"));
  }
  return found;
}

function problem(variable: SettingName, why: string): SettingProblem {
  return { variable, why, example: `${variable}=${settings.get(variable)?.example ?? ""}` };
}

function slackOf(values: SettingValues): SlackConfig | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
  const apiUrl = values.SLACK_API_URL;
  if (botToken === undefined) return undefined;
  if (appToken !== undefined) return { botToken, intake: { kind: "socket", appToken }, apiUrl };
  return signingSecret === undefined ? undefined : { botToken, intake: { kind: "http", signingSecret }, apiUrl };
}

function discordOf(values: SettingValues): DiscordConfig | undefined {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, DISCORD_GUILD_ID: guildId } = values;
  if (token === undefined) return undefined;
  const servers = discordServers(values);
  return present({ token, apiUrl, guildId, servers, hasMessageContent: values.DISCORD_MESSAGE_CONTENT });
}

/** WORKSPACES decides where it names Discord servers, else DISCORD_GUILD_ID. */
function discordServers(values: SettingValues): DiscordConfig["servers"] | undefined {
  const { WORKSPACES: workspaces = [], DISCORD_GUILD_ID: guildId } = values;
  if (workspaces.includes("*")) return "*";
  const named = workspaces.flatMap((entry) => (entry !== "*" && entry.platform === "discord" ? [entry.id] : []));
  if (named.length > 0) return named;
  return guildId === undefined ? undefined : [guildId];
}

function isConsoleOn(values: SettingValues): boolean {
  return values.CONSOLE ?? (values.SLACK_BOT_TOKEN === undefined && values.DISCORD_TOKEN === undefined);
}

function proxyOf(values: SettingValues): ProxyConfig | undefined {
  const { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: others } = values;
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const noProxy = ["localhost", "127.0.0.1", "::1", ...(others === undefined ? [] : [others])].join(",");
  return present({ httpProxy, httpsProxy, noProxy });
}

/** Of an address, only its password is secret: the rest is what a log line needs. */
function secretsOf(values: SettingValues): readonly string[] {
  return [...settings]
    .filter(([, setting]) => setting.isSecret)
    .map(([name]) => String(values[name] ?? ""))
    .map((value) => (value.includes("://") ? (URL.parse(value)?.password ?? "") : value))
    .filter((value) => value !== "");
}

/** Whether only this machine can reach what listens there. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return {};
    const why = "is there but cannot be read";
    throw new ConfigError([{ variable: path, why, example: "chmod u+r .env" }], { cause: thrown });
  }
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without what is undefined, so that parts of the Config can be handed on where a key must be absent or have a value. */
function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
