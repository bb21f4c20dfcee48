/**
 * What `npm run doctor` looks at: every thing that a start depends on, each by itself, so that one look shows all that
 * is wrong. What needs a connection is handed in.
 */

import { ConfigError } from "./config/config-error.ts";
import { addressToOpen, checkAddress, describeForOperator } from "./operations/operations.ts";
import type { AgentService } from "./ports/agent-service.ts";
import { ParleyError } from "./ports/errors.ts";

/** What is looked at of the Config. */
type Examined = {
  readonly service: { readonly url?: string; readonly project: string; readonly defaultAgent?: string };
  readonly slack?: {
    readonly botToken: string;
    readonly apiUrl: string;
    readonly intake: { readonly kind: "socket" | "http" };
  };
  readonly discord?: {
    readonly token: string;
    readonly apiUrl: string;
    readonly servers?: "*" | readonly string[];
  };
  readonly console: { readonly isOn: boolean };
  readonly http: { readonly host: string; readonly port: number };
  readonly state: { readonly dataDir: string; readonly redisUrl?: string };
};

export type Finding = { readonly isOk: boolean; readonly name: string; readonly says: string };

export type ExaminationOptions = {
  /** Throws ConfigError. */
  readonly loadConfig: () => Examined;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** A client of the service at AGENT_SERVICE_URL. */
  readonly connectService: (url: string) => Pick<AgentService, "status" | "listAgents" | "close">;
  /** Asks Slack about the app. Each sentence goes after the name. */
  readonly examineSlack: (
    slack: NonNullable<Examined["slack"]>,
  ) => Promise<readonly { readonly isOk: boolean; readonly says: string }[]>;
  /** Asks Discord about the bot. Each sentence goes after the name. */
  readonly examineDiscord: (
    discord: NonNullable<Examined["discord"]>,
  ) => Promise<readonly { readonly isOk: boolean; readonly says: string }[]>;
  /** Opens the state, writes to it and closes it. Resolves with "in use" when another process has the folder. */
  readonly tryState: () => Promise<"writable" | "in use">;
  /** What is wrong with the state that can be opened; asked after `tryState`. Each is a finding, with its remedy. */
  readonly lookIntoState: () => Promise<readonly Finding[]>;
};

const neededNode = 24;

/** Yields a finding as soon as it is made. Settings that cannot be read end it: nothing else can be looked at then. */
export async function* examine(options: ExaminationOptions): AsyncGenerator<Finding> {
  yield await look("node", async () => nodeFinding(options.nodeVersion));

  let config: Examined | undefined;
  yield await look("settings", async () => {
    config = options.loadConfig();
    return "are right in form";
  });
  if (config === undefined) return;
  const { service, slack, discord, console: page, http, state } = config;

  const storage = await look("storage", async () => {
    const where = state.redisUrl === undefined ? `the folder ${state.dataDir}` : "Redis";
    return (await options.tryState()) === "in use" ? `a running Parley has ${where}` : `${where} can be written`;
  });
  yield storage;
  if (storage.isOk) yield* await options.lookIntoState();
  yield await look("port", () => portFinding(http.host, http.port));
  yield* serviceFindings(options, service);
  if (slack !== undefined) {
    for (const { isOk, says } of await options.examineSlack(slack)) yield { isOk, name: "slack", says };
  }
  if (discord !== undefined) {
    const seen = await options
      .examineDiscord(discord)
      .catch((thrown: unknown) => [{ isOk: false, says: describeForOperator(thrown) }]);
    for (const { isOk, says } of seen) yield { isOk, name: "discord", says };
  }
  yield { isOk: true, name: "page", says: page.isOn ? "is on" : "is off (CONSOLE=on turns it on)" };
}

async function look(name: string, find: () => Promise<string>): Promise<Finding> {
  try {
    return { isOk: true, name, says: await find() };
  } catch (thrown) {
    const says =
      thrown instanceof ConfigError || thrown instanceof Refusal ? thrown.message : describeForOperator(thrown);
    return { isOk: false, name, says };
  }
}

/** A finding in its own words. */
class Refusal extends Error {}

function nodeFinding(version: string): string {
  if (Number.parseInt(version, 10) >= neededNode) return version;
  throw new Refusal(`is ${version}; Parley needs ${neededNode} or newer. npm ci brings one for npm's own scripts`);
}

async function portFinding(host: string, port: number): Promise<string> {
  try {
    await checkAddress(host, port);
    return `${port} on ${host} is free`;
  } catch (thrown) {
    if (await isParley(host, port)) return `a running Parley has ${port} on ${host}`;
    throw thrown;
  }
}

/** Whether what listens there answers Parley's own probe. */
async function isParley(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${addressToOpen(host, port)}/healthz`, { signal: AbortSignal.timeout(2000) });
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "alive" in answer;
  } catch {
    // Whatever it is, it is not Parley.
    return false;
  }
}

async function* serviceFindings(options: ExaminationOptions, wanted: Examined["service"]): AsyncGenerator<Finding> {
  if (wanted.url === undefined) {
    yield { isOk: true, name: "service", says: "the one that Parley carries (AGENT_SERVICE_URL is not set)" };
    return;
  }
  const service = options.connectService(wanted.url);
  try {
    const reached = await look("service", async () => {
      const { generation, version, maxRuns } = await service.status();
      const kind = generation === "unknown" ? "of a generation that Parley does not know" : generation;
      return `${kind}${version === "" ? "" : ` (${version})`}, ${maxRuns} questions at once`;
    });
    yield reached;
    if (!reached.isOk) return;
    yield await look("agents", async () => {
      const names = (await service.listAgents(wanted.project)).map((agent) => agent.name);
      if (wanted.defaultAgent !== undefined && !names.includes(wanted.defaultAgent)) {
        throw new ParleyError("agent_not_found", { hint: "Check AGENT_DEFAULT." });
      }
      const count = names.length === 1 ? "1 agent" : `${names.length} agents`;
      return `${count} in the project ${wanted.project}${names.length === 0 ? "; make one with /agent create" : ""}`;
    });
  } finally {
    await service.close();
  }
}
