/**
 * Reads all settings from the environment into one typed Config. Nothing else reads `process.env`. The settings are
 * documented in settings.ts. Invalid ones are refused here, before anything starts. Valid ones that don't work fail, and
 * are retried, where they are used.
 */
import { accessSync, constants, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { z } from "zod";
import type { PlatformEntry, RoleEntry } from "../core/access.ts";
import type { ConfiguredPlatform, PlatformModule } from "../core/ports/platform-module.ts";
import { ConfigError, type SettingProblem } from "../core/tools/config-error.ts";
import { settingsInForce } from "./in-force.ts";
import { examplePath, fileSetting, readSecretFiles } from "./secret-files.ts";
import { type Environment, exampleOf, givenText, groupIn, type Setting, settingOf, settingsWith } from "./setting.ts";
import { type Settings, settingsSchema } from "./settings.ts";

export { ConfigError } from "../core/tools/config-error.ts";

/** The settings, and what follows from them. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the environment and, for variables not set there, `.env` in the working directory. Throws ConfigError. */
export function loadConfig(platforms: readonly PlatformModule[]): Config {
  return readConfig({ ...readEnvFile(".env"), ...process.env }, platforms);
}

/** Throws ConfigError with all invalid settings. */
export function readConfig(given: Environment, platforms: readonly PlatformModule[]) {
  const all = settingsWith(platforms);
  const problems: SettingProblem[] = [];
  const examples = new Map([...all].flatMap(([name, setting]) => examplesOf(name, setting)));
  const report = (variable: string, why: string) => {
    problems.push({ variable, why, example: `${variable}=${examples.get(variable) ?? ""}` });
  };
  const { env, names: fromFiles } = readSecretFiles(given, all, report);
  const isGiven = (name: string) => {
    const setting = all.get(name);
    return setting !== undefined && (fromFiles.has(name) || givenText(env, [name, setting]) !== undefined);
  };
  const read: Read = { env, fromFiles, values: new Map(), report };
  const ofPlatforms = platforms.map((module) => [module, parse(module.settings, read)] as const);
  const settings = parse(settingsSchema, read);
  // Checked by the schemas above. If some are invalid, only the valid ones are used below.
  const { roles, workspaces, workspaceProjects, answerBots } = settings;
  const lists = {
    MANAGERS: roles.managers,
    INGESTERS: roles.ingesters,
    ASKERS: roles.askers,
    WORKSPACES: workspaces,
    WORKSPACE_PROJECTS: workspaceProjects,
    ANSWER_BOTS: answerBots,
  };
  for (const [name, entries = []] of Object.entries(lists)) {
    const why = unmatchable(entries, platforms);
    if (why !== undefined) report(name, why);
  }
  const configured = configure(ofPlatforms, { settings, problems, isGiven, report });
  reportService(settings, isGiven, report);
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
  return {
    ...settings,
    /** The enabled platforms. */
    platforms: configured,
    proxy: proxyOf(settings, read.values),
    /** Values that must never appear in a log. */
    secrets: secretsOf(read.values, all),
    /** For people to read: no secret is in it. */
    inForce: settingsInForce(env, platforms),
  };
}

type Read = {
  readonly env: Environment;
  /** The settings that NAME_FILE gives. */
  readonly fromFiles: ReadonlySet<string>;
  /** By variable: what was read so far. */
  readonly values: Map<string, unknown>;
  readonly report: Report;
};
type Report = (variable: string, why: string) => void;

/** As `schema.parse` does it, but with one report for each invalid setting. */
function parse<T extends z.ZodObject>(schema: T, read: Read): z.infer<T> {
  const members = Object.entries(schema.shape).map(([key, field]) => {
    const group = groupIn(field);
    return [key, group === undefined ? parseSetting(field, read) : parse(group, read)] as const;
  });
  return Object.fromEntries(members) as z.infer<T>;
}

function parseSetting(field: z.core.$ZodType, { env, fromFiles, values, report }: Read): unknown {
  const [name, setting] = settingOf(field);
  const result = setting.format.safeParse(givenText(env, [name, setting]));
  if (result.success) {
    values.set(name, result.data);
    return result.data;
  }
  const why = result.error.issues[0]?.message ?? "isn't valid";
  if (fromFiles.has(name)) report(fileSetting(name), `names a file whose content ${why}`);
  else report(name, why);
  return undefined;
}

/** Of the setting and, for a secret, of the one that names its file. */
function examplesOf(name: string, setting: Setting): readonly (readonly [variable: string, example: string])[] {
  const own = [name, exampleOf(setting)] as const;
  return setting.isSecret === true ? [own, [fileSetting(name), examplePath(name)]] : [own];
}

function configure(
  modules: readonly (readonly [PlatformModule, Record<string, unknown>])[],
  given: {
    readonly settings: Settings;
    readonly problems: readonly SettingProblem[];
    readonly isGiven: (name: string) => boolean;
    readonly report: Report;
  },
): readonly ConfiguredPlatform[] {
  const { settings, problems, isGiven, report } = given;
  const { host, roles, workspaces } = settings;
  const configured: ConfiguredPlatform[] = [];
  for (const [{ name, configure }, values] of modules) {
    const entries = workspaces?.filter((entry) => entry === "*" || entry.platform === name);
    const ids = entries?.flatMap((entry) => (entry === "*" ? [] : [entry.id])) ?? [];
    const platform = configure(values, {
      host,
      isLoopback: host === undefined || isLoopback(host),
      roles,
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
function reportService({ service }: Settings, isGiven: (name: string) => boolean, report: Report): void {
  const { kind } = service;
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
  const ofModel = ["LOCAL_MODEL", "LOCAL_MODEL_KEY", "LOCAL_EMBEDDING_MODEL", "LOCAL_RERANK_MODEL"];
  for (const name of ofModel) needs(name, "LOCAL_MODEL_URL");
}

/** `slack:T123/console:ana@acme.example` is a person of Parley's own page, which has no workspaces itself. */
function isValidIn(
  platform: PlatformModule,
  entry: Exclude<RoleEntry | PlatformEntry, "*">,
  platforms: readonly PlatformModule[],
): boolean {
  const workspace = "workspace" in entry ? entry.workspace : undefined;
  if (workspace === undefined) return platform.idPattern.test(entry.id);
  if (platform.isTrusted === true || !platform.idPattern.test(workspace)) return false;
  const [, away, id] = /^([a-z]+):(.+)$/.exec(entry.id) ?? [];
  if (away === undefined) return platform.idPattern.test(entry.id);
  return platforms.some((other) => other.isTrusted === true && other.name === away && other.idPattern.test(id ?? ""));
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
    if (!isValidIn(platform, entry, platforms)) {
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
function proxyOf({ httpProxy, httpsProxy, noProxy: others }: Settings, all: ReadonlyMap<string, unknown>) {
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const hosts = [...all.values()].map((value) => URL.parse(String(value))?.hostname.replace(/^\[|\]$/g, "") ?? "");
  const own = new Set(["localhost", "127.0.0.1", "::1", ...hosts.filter(isLoopback)]);
  const noProxy = [...own, ...(others === undefined ? [] : [others])].join(",");
  return { httpProxy, httpsProxy, noProxy };
}

/** The values to redact. Only the password of a URL is secret: log lines need the rest. */
function secretsOf(values: ReadonlyMap<string, unknown>, settings: ReadonlyMap<string, Setting>): readonly string[] {
  return [...settings]
    .filter(([, setting]) => setting.isSecret)
    .map(([name]) => String(values.get(name) ?? ""))
    .map((value) => (value.includes("://") ? (URL.parse(value)?.password ?? "") : value))
    .filter((value) => value !== "");
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
    throw new ConfigError([whyUnreadable(path)], { cause: thrown });
  }
}

/** A volume that belongs to root is also the folder where a container starts. */
function whyUnreadable(path: string): SettingProblem {
  const folder = process.cwd();
  try {
    accessSync(folder, constants.X_OK);
  } catch {
    const user = process.geteuid?.() ?? "";
    const why = `is where Parley was started, and user ${user} can't read it`;
    return { variable: folder, why, example: `chown -R ${user} ${folder}` };
  }
  return { variable: path, why: "exists but can't be read", example: "chmod u+r .env" };
}
