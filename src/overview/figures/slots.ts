/**
 * What is counted of Turns, and how the counters are named. Pure. Within a UTC day they count by quarter of an hour, so
 * that the day of any time zone is a sum of quarters.
 */
import { channelKey, type Place, workspaceKey } from "../../core/model/place.ts";
import type { FigureSums } from "../../core/overview/figures.ts";
import type { ProjectedTurn } from "../../core/overview/turn-projection.ts";
import type { TallyChange } from "../../core/ports/storage/tallies.ts";
import { entryOf } from "../questions/entry.ts";
import { bucketOf, quantileOf } from "./durations.ts";

export const dayMs = 86_400_000;
export const quarterMs = 900_000;

/** What one Turn adds, as stored: no question, and no person. */
export type Share = {
  /** Of the UTC day in which it was asked. */
  readonly quarter: number;
  /** Channel and agent. */
  readonly where: string;
  readonly questions: 0 | 1;
  readonly withSource: 0 | 1;
  readonly up: number;
  readonly down: number;
  /** Of a failure. */
  readonly code?: string;
  /** Of an answer. */
  readonly durationMs?: number;
};

/** The lists of a day: of the whole installation by quarter, by channel and agent, and these by quarter. */
export const lists = { all: "all", channels: "channels", quarters: "channel-quarters" } as const;

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Of its UTC day. */
export function quarterOf(ms: number): number {
  return Math.floor((ms % dayMs) / quarterMs);
}

/** What is stopped, or found nothing and kept silent, is no question; votes count in any case. */
export function shareOf(projected: ProjectedTurn, isDirect: boolean): Share {
  const { turn, votes } = projected;
  const { outcome, why, code, durationMs } = entryOf(projected);
  const isAnswered = outcome === "answered" || outcome === "unsure" || outcome === "nothing";
  const isFailed = outcome === "failed" || outcome === "passages-only" || why === "failed" || why === "unshown";
  const share = {
    quarter: quarterOf(turn.createdAtMs),
    where: whereOf(turn.askedIn, isDirect, turn.agent),
    questions: isAnswered || isFailed ? 1 : 0,
    withSource: outcome === "answered" ? 1 : 0,
    up: votes.up,
    down: votes.down,
  } as const;
  if (isFailed) return { ...share, code: code ?? "internal" };
  // What people took to approve a tool is not the agent's time.
  if (!isAnswered || durationMs === undefined || turn.approval !== undefined) return share;
  return { ...share, durationMs };
}

type AgentName = { readonly project: string; readonly name: string };

/** Direct messages of a workspace are counted together: their channel says whose they are. */
function whereOf(place: Place, isDirect: boolean, agent: AgentName | undefined): string {
  const channel = isDirect ? `${workspaceKey(place)}/` : channelKey(place);
  const answered = agent === undefined ? "" : [agent.project, agent.name].map(encodeURIComponent).join("/");
  return `${channel} ${answered}`;
}

/** The reverse. Undefined for what is not such a text. */
export function readWhere(where: string): { readonly place: Place; readonly agent?: AgentName } | undefined {
  try {
    const [places = "", agents = ""] = where.split(" ");
    const [platform = "", workspace = "", channel = ""] = places.split("/").map(decodeURIComponent);
    const [project = "", name = ""] = agents.split("/").map(decodeURIComponent);
    if (platform === "" || places.split("/").length !== 3) return undefined;
    const place = { platform, workspace, channel };
    return name === "" ? { place } : { place, agent: { project, name } };
  } catch {
    return undefined;
  }
}

/** Durations are counted by hour, which is close enough for them. */
function countersOf({ quarter, where, questions, withSource, up, down, code, durationMs }: Share): TallyChange[] {
  const { all, channels, quarters } = lists;
  const hour = quarter - (quarter % 4);
  const failed = code === undefined ? 0 : questions;
  const numbers = [["q", questions] as const, ["s", withSource] as const, ["f", failed] as const];
  const ofChannel = numbers.flatMap(([name, by]) => [
    { list: channels, counter: `${where} ${name}`, by },
    { list: quarters, counter: `${quarter} ${where} ${name}`, by },
  ]);
  return [
    { list: all, counter: `${quarter} q`, by: questions },
    { list: all, counter: `${quarter} s`, by: withSource },
    { list: all, counter: `${quarter} u`, by: up },
    { list: all, counter: `${quarter} d`, by: down },
    { list: all, counter: `${quarter} v`, by: up + down > 0 ? 1 : 0 },
    { list: all, counter: `${quarter} f/${code ?? ""}`, by: failed },
    { list: all, counter: `${hour} t/${bucketOf(durationMs ?? 0)}`, by: durationMs === undefined ? 0 : questions },
    ...ofChannel,
  ];
}

/** What changes when a Turn adds something else than before. */
export function changesOf(before: Share | undefined, now: Share): readonly TallyChange[] {
  const sums = new Map<string, TallyChange>();
  const put = ({ list, counter, by }: TallyChange, sign: 1 | -1) => {
    const key = `${list} ${counter}`;
    sums.set(key, { list, counter, by: (sums.get(key)?.by ?? 0) + sign * by });
  };
  for (const change of before === undefined ? [] : countersOf(before)) put(change, -1);
  for (const change of countersOf(now)) put(change, 1);
  return [...sums.values()].filter(({ by }) => by !== 0);
}

type Name = "q" | "s" | "u" | "d" | "v";

/** Counters of some time, added up. */
export type Added = {
  readonly numbers: Record<Name, number>;
  readonly failures: Map<string, number>;
  readonly durations: Map<number, number>;
};

export function nothingAdded(): Added {
  return { numbers: { q: 0, s: 0, u: 0, d: 0, v: 0 }, failures: new Map(), durations: new Map() };
}

/** `what`: a counter's name without its quarter, such as "q" and "f/stream_cut". Unknown ones are skipped. */
export function add(to: Added, what: string, count: number): void {
  const rest = what.slice(2);
  if (what.startsWith("t/")) to.durations.set(Number(rest), (to.durations.get(Number(rest)) ?? 0) + count);
  else if (what.startsWith("f/")) to.failures.set(rest, (to.failures.get(rest) ?? 0) + count);
  else if (what === "q" || what === "s" || what === "u" || what === "d" || what === "v") to.numbers[what] += count;
}

export function sumsOf({ numbers: { q, s, u, d, v }, failures, durations }: Added): FigureSums {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const sums = { questions: q, withSource: s, failed, up: u, down: d, voted: v };
  const medianMs = quantileOf(durations, 0.5);
  const p95Ms = quantileOf(durations, 0.95);
  return medianMs === undefined || p95Ms === undefined ? sums : { ...sums, medianMs, p95Ms };
}
