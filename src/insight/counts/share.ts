/** What one Turn adds to the counts, and how counters are named. Pure. */
import { channelKey, type Place, workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { entryOf } from "../derived/question-log.ts";
import type { ProjectedTurn } from "../derived/turn-work.ts";
import { bucketOf } from "./durations.ts";

/**
 * By name: `q` questions, `s` with a source, `f/CODE` failures, `t/BUCKET` durations of answers, `u` and `d` votes, `v`
 * questions with votes.
 */
export type Counters = Readonly<Record<string, number>>;

/** What the figures count in a channel of an agent, and then what the channel's digest counts. */
export type ChannelNumbers = readonly [
  questions: number,
  withSource: number,
  failed: number,
  inDigest: number,
  inDigestWithSource: number,
  up: number,
  down: number,
];

/**
 * As stored: no question, and no person. `where`: channel and agent. `digestIn`: where the digest's numbers are counted,
 * if not there.
 */
export type Share = {
  readonly where: string;
  readonly counters: Counters;
  readonly channel: ChannelNumbers;
  readonly digestIn?: string | undefined;
};

/** What it adds, by channel and agent. */
export function linesOf({
  where,
  channel,
  digestIn,
}: Omit<Share, "counters">): readonly (readonly [where: string, ChannelNumbers])[] {
  if (digestIn === undefined) return [[where, channel]];
  const [questions, withSource, failed, ...digest] = channel;
  return [
    [where, [questions, withSource, failed, 0, 0, 0, 0]],
    [digestIn, [0, 0, 0, ...digest]],
  ];
}

/** Which parts of a Turn are counted. */
export type Counted = {
  /** Only its asker and Parley read that place: its channel would say whose questions are counted. */
  readonly isDirect: boolean;
  readonly isInDigest: boolean;
};

export function shareOf(projected: ProjectedTurn, { isDirect, isInDigest }: Counted): Share {
  const { turn, votes } = projected;
  const all = { ...figuresOf(projected), u: votes.up, d: votes.down, v: votes.up + votes.down > 0 ? 1 : 0 };
  const counters: Counters = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
  const { q = 0, s = 0 } = counters;
  const failed = Object.keys(counters).some((name) => name.startsWith("f/")) ? 1 : 0;
  const digest = isInDigest ? ofDigest(projected) : ([0, 0, 0, 0] as const);
  const { askedIn, agent } = turn;
  // A channel of one person has a digest, and only that person reads it.
  const digestIn = isDirect && isInDigest ? whereOf(askedIn, false, agent) : undefined;
  return { where: whereOf(askedIn, isDirect, agent), counters, channel: [q, s, failed, ...digest], digestIn };
}

/** What is stopped, or found nothing and kept silent, is no question. */
function figuresOf(projected: ProjectedTurn): Counters {
  const { outcome, why, code = "internal", durationMs } = entryOf(projected);
  const isFailed = outcome === "failed" || outcome === "passages-only" || why === "failed" || why === "unshown";
  if (isFailed) return { q: 1, s: 0, [`f/${code}`]: 1 };
  const isAnswered = outcome === "answered" || outcome === "unsure" || outcome === "nothing";
  if (!isAnswered) return {};
  const sums = { q: 1, s: outcome === "answered" ? 1 : 0 };
  // The time people took to approve a tool is not the agent's time.
  if (durationMs === undefined || projected.turn.approval !== undefined) return sums;
  return { ...sums, [`t/${bucketOf(durationMs)}`]: 1 };
}

function ofDigest({ turn, votes }: ProjectedTurn): readonly [number, number, number, number] {
  const { agent, state, outcome, repeats } = turn;
  const isAnswered = state === "answered" && outcome !== undefined;
  // A second answer of another agent is no second question, and a question that was stopped is none.
  const isQuestion = agent !== undefined && (isAnswered || state === "failed") && repeats === undefined;
  const hasSource = isQuestion && isAnswered && outcome.grade === "sure";
  return [isQuestion ? 1 : 0, hasSource ? 1 : 0, votes.up, votes.down];
}

/** Direct messages of a workspace are counted together. */
function whereOf(place: Place, isDirect: boolean, agent: Turn["agent"]): string {
  const channel = isDirect ? `${workspaceKey(place)}/` : channelKey(place);
  const answered = agent === undefined ? "" : [agent.project, agent.name].map(encodeURIComponent).join("/");
  return `${channel} ${answered}`;
}

/** The reverse. Undefined for what is not such a text. */
export function readWhere(where: string): { readonly place: Place; readonly agent?: Turn["agent"] } | undefined {
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
