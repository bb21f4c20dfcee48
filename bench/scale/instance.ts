/**
 * One of several instances over a Redis, in a process of its own: the real client, bridge, delivery and stores, between a
 * streaming service and a platform in memory with Slack's limits. Its parent orders questions in many workspaces.
 */
import { platformLimits } from "../../adapters/slack/limits.ts";
import { createMindsdbService } from "../../src/agent-service/mindsdb/request.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createMemoryPlatform } from "../../test/doubles/memory-platform.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { sentAtMs as sentIn } from "../bots/answers.ts";
import { obey } from "../bots/orders.ts";
import { openParley } from "../parley.ts";

/** A platform's write takes so long. */
const writeMs = 30;
const maxRuns = 10_000;

export type Order =
  | { readonly do: "start"; readonly redisUrl: string; readonly baseUrl: string }
  | { readonly do: "ask"; readonly questions: readonly Question[] }
  | { readonly do: "unfinished" }
  /** What was before doesn't count. */
  | { readonly do: "begin" }
  | { readonly do: "report" }
  | { readonly do: "close" };

export type Question = {
  readonly index: number;
  readonly workspace: string;
  readonly channel: string;
  readonly actorId: string;
  /** When somebody pressed Enter, so that waiting for this process counts. */
  readonly atMs: number;
};

/** Ms from the question, of each. */
export type Report = {
  readonly acknowledged: readonly number[];
  readonly firstEdits: readonly number[];
  readonly ends: readonly number[];
  readonly cpuMs: number;
  readonly violations: readonly string[];
};

type Parts = {
  readonly parley: Awaited<ReturnType<typeof openParley>>;
  readonly platform: ReturnType<typeof createMemoryPlatform>;
  readonly service: ReturnType<typeof createMindsdbService>;
};

let parts: Parts | undefined;
const askedAtMs = new Map<string, number>();
const acknowledged: number[] = [];
let cpu = process.cpuUsage();

async function start({ redisUrl, baseUrl }: Extract<Order, { do: "start" }>): Promise<void> {
  const service = createMindsdbService({ baseUrl, maxRuns, clock, log });
  const limits = { writes: platformLimits.writes };
  const platform = createMemoryPlatform({ clock, latencyMs: writeMs, maxChars: 12_000, limits });
  const parley = await openParley(service, platform, { redisUrl });
  parts = { parley, platform, service };
}

async function ask({ parley }: Parts, questions: readonly Question[]): Promise<void> {
  await Promise.all(
    questions.map(async ({ index, atMs, ...where }) => {
      askedAtMs.set(String(index), atMs);
      await parley.ask(index, { ...where, text: `question ${index}` });
      acknowledged.push(Date.now() - atMs);
    }),
  );
}

function reportOf({ platform }: Parts): Report {
  const firstEdits = new Map<string, number>();
  const ends = new Map<string, number>();
  for (const { kind, outcome, place, payload, endedAtMs = 0 } of platform.writes) {
    const { thread = "" } = place;
    const fromMs = askedAtMs.get(thread);
    if (outcome !== "ok" || fromMs === undefined || kind === "remove") continue;
    if (kind === "edit" && !firstEdits.has(thread)) firstEdits.set(thread, endedAtMs - fromMs);
    const isEnd = sentIn(payload?.text ?? "").sentAtMs !== undefined;
    if (isEnd && !ends.has(thread)) ends.set(thread, endedAtMs - fromMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...{ acknowledged, firstEdits: [...firstEdits.values()], ends: [...ends.values()] },
    ...{ cpuMs: (user + system) / 1_000, violations: platform.violations },
  };
}

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === "start") return start(order);
  if (parts === undefined) throw new Error("not started");
  switch (order.do) {
    case "ask":
      return ask(parts, order.questions);
    case "unfinished":
      return parts.parley.unfinished();
    case "begin":
      cpu = process.cpuUsage();
      askedAtMs.clear();
      acknowledged.length = 0;
      return;
    case "report":
      return reportOf(parts);
    case "close":
      await parts.parley.close();
      return parts.service.close();
    default:
      return order satisfies never;
  }
}

obey(carryOut);
