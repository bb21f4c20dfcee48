/**
 * Tells the overview what only the program knows: its storage, its settings, its latest errors, and what the doctor finds
 * wrong. The doctor's checks run in the background, only while people look, and nobody waits for them.
 */
import { hostname } from "node:os";
import type { Config } from "./config/config.ts";
import type { AgentService } from "./core/ports/agent-service.ts";
import type { Clock } from "./core/ports/clock.ts";
import type { Log } from "./core/ports/log.ts";
import type { State } from "./core/ports/state.ts";
import { createRedact, type HealthProbes, type Redact } from "./operations/operations.ts";
import type { RecentError } from "./operations/recent-errors.ts";
import type { Installation, Problem } from "./overview/installation.ts";
import { platformModules } from "./platforms.ts";

/** Each platform and the service are asked a few things. */
const checkEveryMs = 10 * 60_000;

export function createInstallation(deps: {
  readonly config: Config;
  readonly state: Pick<State, "kind" | "bytes" | "damage" | "eviction">;
  readonly service: Pick<AgentService, "status" | "listAgents" | "listProjects" | "profile">;
  /** Of the last probe. */
  readonly latencyMs: () => number | undefined;
  readonly readiness: () => ReturnType<HealthProbes["readiness"]>;
  readonly errors: () => readonly RecentError[];
  readonly clock: Clock;
  readonly log: Log;
}): Installation {
  // A secret can also be part of another setting.
  const redact = createRedact(deps.config.secrets);
  const settings = deps.config.inForce.map((group) => ({
    ...group,
    settings: group.settings.map((row) => ({ ...row, value: cleaned(row.value, redact) })),
  }));
  const { config, state, service, latencyMs, readiness, errors, clock, log } = deps;
  let problems: readonly Problem[] = [];
  let checkedAtMs: number | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    // Loaded only once people look.
    const { examine } = await import("./findings.ts");
    const found: Problem[] = [];
    const examination = examine({
      loadConfig: () => config,
      nodeVersion: process.versions.node,
      connectService: () => ({ ...service, close: async () => {} }),
      askModel: async (examined) =>
        (await import("./agent-service/built-in/model/local-model.ts")).askModel(examined, clock),
      askEmbeddingModel: async (examined) =>
        (await import("./agent-service/built-in/model/local-model.ts")).askEmbeddingModel(examined, clock),
      askRerankModel: async (examined) =>
        (await import("./agent-service/built-in/model/local-model.ts")).askRerankModel(examined, clock),
      platforms: platformModules,
      // This process has it open, and has counted what is damaged.
      examineState: async () => ({ access: "in use", damage: state.damage(), eviction: state.eviction() }),
      clock,
      log,
    });
    for await (const { isOk, name, says } of examination) {
      if (!isOk || name === "records") found.push({ name, says });
    }
    problems = found;
    checkedAtMs = clock.now();
  }

  function checkSoon(): void {
    if (clock.now() - askedAtMs < checkEveryMs) return;
    askedAtMs = clock.now();
    check().catch((err: unknown) => log.warn({ err }, "Can't look for problems"));
  }

  return {
    startedAtMs: clock.now(),
    host: hostname(),
    labelOf: (platform) => platformModules.find(({ name }) => name === platform)?.label ?? platform,
    isShared: config.redisUrl !== undefined,
    service: async () => {
      const { ok = false, is, reason } = (await readiness()).checks["service"] ?? {};
      const { failing } = await service.profile().catch(() => ({ failing: undefined }));
      return { isOk: ok, is, reason, failing, latencyMs: ok ? roundedMs(latencyMs()) : undefined };
    },
    storage: async () => {
      const { ok = false, reason } = (await readiness()).checks["state"] ?? {};
      const bytes = ok ? await state.bytes().catch(() => undefined) : undefined;
      return { kind: state.kind, isOk: ok, reason, bytes };
    },
    problems: () => {
      checkSoon();
      return { problems, checkedAtMs };
    },
    settings,
    errors,
  };
}

const roundedMs = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms));

const cleaned = (value: string | undefined, redact: Redact) =>
  value === undefined ? undefined : String(redact(value));
