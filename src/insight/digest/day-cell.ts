/** The counts of one channel and day, by agent and quarter of an hour: any time zone's day is a sum of quarters. Pure. */
import type { DayCount } from "../../core/content/digest.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";

export const dayMs = 86_400_000;
const quarterMs = 15 * 60_000;

/** In the order of DayCount's members. */
type Numbers = readonly [questions: number, withSource: number, up: number, down: number];

/** What one Turn adds to its day. */
export type Share = { readonly agent: string; readonly quarter: number; readonly numbers: Numbers };

export type DayCell = {
  readonly version: 1;
  /** By agent, then by quarter of the UTC day. No question, and no person. */
  readonly agents: Readonly<Record<string, Readonly<Record<string, Numbers>>>>;
  /** Shares, by Turn, that are in `agents` already, but perhaps not in their own records. */
  readonly unsettled?: Readonly<Record<string, Share>>;
};

export const emptyCell: DayCell = { version: 1, agents: {} };
const none: Numbers = [0, 0, 0, 0];

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Key of a channel and day. */
export function cellKeyOf(place: Place, day: number): string {
  return `${channelKey(place)}/${day}`;
}

/** Undefined while it is not known: the question has not ended, or was forgotten. */
export function shareOf(turn: Turn, votes: { readonly up: number; readonly down: number }): Share | undefined {
  const { agent, state, outcome, createdAtMs } = turn;
  if (turn.isForgotten === true || unfinishedTurnStates.includes(state)) return undefined;
  const isAnswered = state === "answered" && outcome !== undefined;
  // A second answer of another agent is no second question, and a question that was stopped is none.
  const isQuestion = agent !== undefined && (isAnswered || state === "failed") && turn.repeats === undefined;
  const hasSource = isQuestion && isAnswered && outcome.grade === "sure";
  return {
    agent: agent === undefined ? "" : `${agent.project}.${agent.name}`,
    quarter: Math.floor((createdAtMs % dayMs) / quarterMs),
    numbers: [isQuestion ? 1 : 0, hasSource ? 1 : 0, votes.up, votes.down],
  };
}

/** Nothing has to be written. */
export function isSame(before: Share | undefined, now: Share): boolean {
  if (before === undefined) return now.numbers.every((number) => number === 0);
  return JSON.stringify([before.agent, before.numbers]) === JSON.stringify([now.agent, now.numbers]);
}

/** Takes what a Turn added before out, and puts in what it adds now. */
export function exchanged(cell: DayCell, before: Share | undefined, now: Share): DayCell {
  return { ...cell, agents: plus(before === undefined ? cell.agents : plus(cell.agents, before, -1), now, 1) };
}

function plus(agents: DayCell["agents"], { agent, quarter, numbers }: Share, sign: 1 | -1): DayCell["agents"] {
  const quarters = Object.hasOwn(agents, agent) ? (agents[agent] ?? {}) : {};
  const before = quarters[quarter] ?? none;
  const [questions, withSource, up, down] = numbers;
  const sum: Numbers = [
    before[0] + sign * questions,
    before[1] + sign * withSource,
    before[2] + sign * up,
    before[3] + sign * down,
  ];
  return { ...agents, [agent]: { ...quarters, [quarter]: sum } };
}

/** Of that day, the quarters from one moment up to another. */
export function sumOf({ agents }: DayCell, day: number, fromMs: number, untilMs: number): DayCount {
  const found = Object.values(agents)
    .flatMap((quarters) => Object.entries(quarters))
    .filter(([quarter]) => {
      const ms = day * dayMs + Number(quarter) * quarterMs;
      return ms >= fromMs && ms < untilMs;
    });
  const add = (at: 0 | 1 | 2 | 3) => found.reduce((sum, [, numbers]) => sum + numbers[at], 0);
  return { questions: add(0), withSource: add(1), up: add(2), down: add(3) };
}
