/**
 * The contract suite: its checks run one after another, because later ones use what earlier ones created, against any
 * service. It deletes what it created, whatever happened. It knows no test runner, so it runs from the command line
 * against any service, and under Vitest against the local one.
 */

import { ParleyError } from "../../src/core/errors.ts";
import type { AgentEvent } from "../../src/core/model/agent-event.ts";
import type { AgentService, Dialect, ServiceMessage } from "../../src/core/ports/agent-service.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import { errorText } from "../../src/presentation/sentences.ts";
import { askingChecks } from "./asking-checks.ts";
import { answerOf, type Check, type CheckContext, causeOf, NotAsExpected, type Scripted } from "./check.ts";
import { contentChecks, endChecks } from "./content-checks.ts";
import { harmful, known } from "./known.ts";
import { modelChecks } from "./model-checks.ts";
import { agentChecks, agentEndChecks, statusChecks } from "./resource-checks.ts";
import { scriptedChecks } from "./scripted-checks.ts";

export type CheckResult = {
  readonly id: string;
  readonly says: string;
  /** known: not as expected, and it is the service's own fault (known.ts). */
  readonly outcome: "ok" | "not ok" | "known";
  /** Why not, or why known. */
  readonly because?: string;
  readonly notes: readonly string[];
  readonly ms: number;
};

export type SuiteOptions = {
  readonly service: AgentService;
  readonly clock: Clock;
  readonly project: string;
  /** A word that makes the names of this run its own: lower-case letters and digits. */
  readonly mark: string;
  /** Of a service that makes no agents: the one to ask. The first that it lists if absent. */
  readonly agent?: string;
  readonly withKey?: CheckContext["withKey"];
  readonly scripted?: Scripted;
};

export const checks: readonly Check[] = [
  ...statusChecks,
  ...contentChecks,
  ...agentChecks,
  ...askingChecks,
  ...agentEndChecks,
  ...endChecks,
];

/** The section of each dialect. */
export const sections: Readonly<Record<Dialect, readonly Check[]>> = {
  mindsdb: checks,
  responses: [...modelChecks, ...scriptedChecks],
  chat: [...modelChecks, ...scriptedChecks],
};

/** 25.x loses an answer now and then, without a failure: 21 of 430 streams with a model that answers at once. */
const maxAsks = 3;
const maxRemovals = 4;
const busyWaitsMs = [1_000, 2_000, 4_000] as const;

export async function* runConformance(options: SuiteOptions): AsyncGenerator<CheckResult, void, undefined> {
  const { service, clock, project, mark, withKey, scripted } = options;
  const profile = await service.status();
  const isMindsdb = profile.dialect === "mindsdb";
  const names = {
    base: `check_${mark}_birds`,
    agent: isMindsdb ? `check_${mark}_guide` : (options.agent ?? (await firstAgent())),
    renamedAgent: `check_${mark}_renamed`,
    bareAgent: `check_${mark}_bare`,
    otherAgent: `check_${mark}_other`,
    file: `check_${mark}_file`,
    unknown: `check_${mark}_unknown`,
  };
  let notes: string[] = [];
  const context: CheckContext = {
    ...{ service, clock, profile, project, names, patiently, ask, note },
    ...{ withKey, scripted },
  };
  const isUsed = (check: Check) =>
    (scripted !== undefined || !scriptedChecks.includes(check)) && check.applies?.(context) !== false;
  try {
    for (const check of sections[profile.dialect].filter(isUsed)) {
      notes = [];
      const startedAt = clock.now();
      const { id, says } = check;
      if (harmful[profile.generation].includes(id)) {
        yield { id, says, outcome: "known", because: `${known[profile.generation][id]} (not run)`, notes, ms: 0 };
        continue;
      }
      const because = await failureOf(check);
      const ms = clock.now() - startedAt;
      const reason = known[profile.generation][check.id];
      if (because === undefined) {
        if (reason !== undefined) note("is known to fail, and did not this time");
        yield { id, says, outcome: "ok", notes, ms };
      } else if (reason === undefined) yield { id, says, outcome: "not ok", because, notes, ms };
      else yield { id, says, outcome: "known", because: reason, notes: [...notes, because], ms };
    }
  } finally {
    if (isMindsdb) await cleanUp();
  }

  async function firstAgent(): Promise<string> {
    const [first] = await service.listAgents(project);
    if (first === undefined) throw new ParleyError("no_agent");
    return first.name;
  }

  async function failureOf(check: Check): Promise<string | undefined> {
    try {
      await check.run(context);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof NotAsExpected) return thrown.message;
      if (thrown instanceof ParleyError) return `${thrown.code}: ${errorText(thrown).what}${causeOf(thrown)}`;
      throw thrown;
    }
  }

  async function ask(messages: readonly ServiceMessage[], agent = names.agent): Promise<readonly AgentEvent[]> {
    for (let attempt = 1; ; attempt += 1) {
      const events: AgentEvent[] = [];
      for await (const event of service.ask(project, agent, messages)) events.push(event);
      const failed = events.find((event) => event.type === "failed");
      if (failed !== undefined) throw failed.error;
      if (answerOf(events) !== "" || profile.generation !== "25.x" || attempt === maxAsks) return events;
      note("lost the answer without a failure, and was asked again");
    }
  }

  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    for (const waitMs of busyWaitsMs) {
      try {
        return await call();
      } catch (thrown) {
        if (!(thrown instanceof ParleyError) || thrown.code !== "knowledge_base_busy") throw thrown;
        note("the knowledge base was busy");
        await clock.sleep(waitMs);
      }
    }
    return call();
  }

  function note(text: string): void {
    notes.push(text);
  }

  /** Everything is tried, and tried again: 26.x may keep its own database locked for a minute. */
  async function cleanUp(): Promise<void> {
    const { agent, bareAgent, renamedAgent, otherAgent, base, file } = names;
    const removals = [
      ...[agent, bareAgent, renamedAgent, otherAgent].map((name) => () => service.deleteAgent(project, name)),
      () => service.deleteKnowledgeBase(project, base),
      () => service.deleteFile(file),
    ];
    for (const remove of removals) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await remove();
          break;
        } catch (thrown) {
          if (!(thrown instanceof ParleyError) || attempt === maxRemovals) throw thrown;
          await clock.sleep(5_000);
        }
      }
    }
  }
}
