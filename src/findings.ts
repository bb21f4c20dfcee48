/**
 * The checks of `parley doctor`: everything that a start depends on. Each check is independent, so that one run shows
 * everything that is wrong. Connections are passed in.
 */
import type { Config } from "./config/config.ts";
import { ParleyError } from "./core/errors.ts";
import type { AgentService, ServiceProfile } from "./core/ports/agent-service.ts";
import type { Clock } from "./core/ports/clock.ts";
import type { Log } from "./core/ports/log.ts";
import type { PlatformModule } from "./core/ports/platform-module.ts";
import { ConfigError } from "./core/tools/config-error.ts";
import { missingProjects } from "./missing-projects.ts";
import { neededNode } from "./needed-node.ts";
import { addressToOpen, checkAddress, describeForOperator } from "./operations/operations.ts";
import { serviceText } from "./presentation/sentences.ts";
import type { StateExamination } from "./state/examination.ts";
import type { StateSettings } from "./state/state.ts";

export type Finding = { readonly isOk: boolean; readonly name: string; readonly says: string };

export type ExaminationOptions = {
  /** Throws ConfigError. */
  readonly loadConfig: () => Config;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** A client of the service at AGENT_SERVICE_URL. */
  readonly connectService: (
    url: string,
    config: Config,
  ) => Pick<AgentService, "status" | "listAgents" | "listProjects" | "close">;
  /** Asks the model at LOCAL_MODEL_URL for a word, and says which one answered where. */
  readonly askModel: (config: Config) => Promise<string>;
  /** Asks the embedding model for a vector, and says how many passages have one. */
  readonly askEmbeddingModel: (config: Config) => Promise<string>;
  readonly askRerankModel: (config: Config) => Promise<string>;
  /** All platforms, enabled or not. */
  readonly platforms: readonly Pick<PlatformModule, "name" | "label" | "whenOff">[];
  /** Opens the state, writes to it and closes it. */
  readonly examineState: (settings: StateSettings, hasBuiltInService: boolean) => Promise<StateExamination>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Yields each finding as soon as it is known. Stops after invalid settings, because the other checks need them. */
export async function* examine(options: ExaminationOptions): AsyncGenerator<Finding> {
  yield await look("node", async () => nodeFinding(options.nodeVersion));

  let config: Config | undefined;
  yield await look("settings", async () => {
    config = options.loadConfig();
    return "valid";
  });
  if (config === undefined) return;
  const { service, host, port, dataDir, redisUrl, publicUrl } = config;

  let examined: StateExamination | undefined;
  yield await look("storage", async () => {
    const where = redisUrl === undefined ? `the folder ${dataDir}` : "Redis";
    examined = await options.examineState({ dataDir, redisUrl }, service.url === undefined);
    return `${where} is ${examined.access === "in use" ? "in use by a running Parley" : "writable"}`;
  });
  if (examined !== undefined) yield* stateFindings(examined);
  let isRunning = false;
  yield await look("port", async () => {
    isRunning = await isUsedByParley(host, port);
    const where = `${port} on ${host}`;
    return isRunning ? `${where} is in use by a running Parley` : `${where} is free`;
  });
  if (publicUrl !== undefined) yield await look("public", () => publicFinding(publicUrl, isRunning));
  yield* serviceFindings(options, config);
  yield* platformFindings(options, config.platforms);
}

function* stateFindings({ damage: { count, keys }, eviction }: StateExamination): Generator<Finding> {
  if (count > 0) {
    yield { isOk: true, name: "records", says: `${count} damaged (skipped), including ${keys.join(", ")}` };
  }
  if (eviction !== undefined) yield { isOk: false, name: "redis", says: eviction };
}

async function* platformFindings(
  { platforms, clock, log }: ExaminationOptions,
  configured: Config["platforms"],
): AsyncGenerator<Finding> {
  for (const { name, label, whenOff } of platforms) {
    const platform = configured.find((one) => one.name === name);
    if (platform === undefined) {
      if (whenOff !== undefined) yield { isOk: true, name: label, says: whenOff };
      continue;
    }
    const found = await platform
      .examine({ clock, log })
      .catch((thrown: unknown) => [{ isOk: false, says: describeForOperator(thrown) }]);
    for (const { isOk, says } of found) yield { isOk, name: label, says };
  }
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

/** A failed check whose message is the finding. */
class Refusal extends Error {}

function nodeFinding(version: string): string {
  if (Number.parseInt(version, 10) >= neededNode) return version;
  throw new Refusal(`${version}; Parley needs ${neededNode} or newer. In a clone, npm ci installs one for npm scripts`);
}

/** Throws ConfigError if the port can't be used. */
async function isUsedByParley(host: string, port: number): Promise<boolean> {
  try {
    await checkAddress(host, port);
    return false;
  } catch (thrown) {
    if (await isParley(host, port)) return true;
    throw thrown;
  }
}

/** Only a running Parley can answer under PUBLIC_URL. */
async function publicFinding(publicUrl: string, isRunning: boolean): Promise<string> {
  if (!isRunning) return `${publicUrl} was not checked, because Parley isn't running here`;
  const url = `${publicUrl}/docs/README.md`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  const advice = "Check PUBLIC_URL, and the proxy in front of Parley";
  if (response === undefined) throw new Refusal(`${url} can't be reached. ${advice}`);
  const isDocument = response.ok && /^text\/html/.test(response.headers.get("content-type") ?? "");
  const shown = isDocument ? await response.text().catch(() => "") : "";
  if (!shown.includes("Parley documentation"))
    throw new Refusal(`${url} answers ${response.status}, but not with Parley's documents. ${advice}`);
  return `${publicUrl} leads to this Parley's documents`;
}

/** Whether the program that listens there answers like Parley's /healthz. */
async function isParley(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${addressToOpen(host, port)}/healthz`, { signal: AbortSignal.timeout(2000) });
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "alive" in answer;
  } catch {
    // It isn't Parley.
    return false;
  }
}

async function* projectFindings(
  config: Config,
  service: Parameters<typeof missingProjects>[1],
): AsyncGenerator<Finding> {
  if (config.workspaceProjects === undefined) return;
  yield await look("projects", async () => {
    const missing = await missingProjects(config, service);
    if (missing !== undefined) throw new Refusal(missing);
    return "the service has all projects of WORKSPACE_PROJECTS";
  });
}

async function* serviceFindings(options: ExaminationOptions, config: Config): AsyncGenerator<Finding> {
  const { service: wanted, localModel, project, defaultAgent } = config;
  if (wanted.url === undefined) {
    yield { isOk: true, name: "service", says: "built-in (AGENT_SERVICE_URL isn't set)" };
    yield* projectFindings(config, { hasProjects: false, listProjects: async () => [] });
    if (localModel.url !== undefined) yield await look("model", () => options.askModel(config));
    if (localModel.url !== undefined && localModel.embeddingModel !== undefined) {
      yield await look("embedding", () => options.askEmbeddingModel(config));
    }
    if (localModel.url !== undefined && localModel.rerankModel !== undefined) {
      yield await look("rerank", () => options.askRerankModel(config));
    }
    return;
  }
  if (localModel.url !== undefined) {
    yield { isOk: true, name: "model", says: "LOCAL_MODEL_URL isn't used, because AGENT_SERVICE_URL is set" };
  }
  const service = options.connectService(wanted.url, config);
  let profile: ServiceProfile | undefined;
  try {
    yield await look("service", async () => {
      profile = await service.status();
      return serviceText(profile);
    });
    if (profile === undefined) return;
    const { offers } = profile;
    yield* projectFindings(config, {
      hasProjects: offers.includes("projects"),
      listProjects: () => service.listProjects(),
    });
    // Otherwise no workspace has AGENT_PROJECT, unless it is named there.
    if (config.workspaceProjects === undefined)
      yield await look("agents", async () => {
        const names = (await service.listAgents(project)).map((agent) => agent.name);
        if (defaultAgent !== undefined && !names.includes(defaultAgent)) {
          throw new ParleyError("agent_not_found", { hint: "Check AGENT_DEFAULT." });
        }
        const how = offers.includes("agent-changes") ? "create one with /agent create" : "add one in the service";
        const count = names.length === 1 ? "1 agent" : `${names.length} agents`;
        const where = offers.includes("projects") ? ` in the project ${project}` : "";
        return `${count}${where}${names.length === 0 ? `; ${how}` : ""}`;
      });
    if (!offers.includes("knowledge-bases")) {
      const folder = config.redisUrl === undefined ? "DATA_DIR" : "DATA_DIR, so each instance has its own";
      yield { isOk: true, name: "knowledge bases", says: `kept by Parley, in ${folder}` };
    }
  } finally {
    await service.close();
  }
}
