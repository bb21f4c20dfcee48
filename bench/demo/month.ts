/** A month of questions at a made-up company, the same for the same seed: who asked what, where, and how it ended. Pure. */

import type { Feedback, FeedbackReason } from "../../src/core/model/insight.ts";
import type { Turn } from "../../src/core/model/turn.ts";
import type { Channel, Company } from "./company.ts";
import { createRandom, type Random } from "./random.ts";
import { comments, failureCodes, type Topic, topics } from "./topics.ts";
import { type Asked, type End, turnOf } from "./turn.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export type MonthOptions = {
  readonly company: Company;
  readonly seed: number;
  readonly untilMs: number;
  readonly days: number;
  readonly questions: number;
  /** Beside those of the company: channels with a number, for measurements. */
  readonly moreChannels: number;
};

export type AskedTurn = { readonly turn: Turn; readonly votes: readonly Feedback[] };

/** From Sunday. */
const weekdays = [0.22, 1, 1.12, 1.08, 1.1, 0.9, 0.3];
/** From midnight, by the clock of the office. */
const hours = [0, 0, 0, 0, 0, 1, 2, 6, 18, 30, 34, 28, 16, 22, 31, 28, 22, 14, 6, 4, 3, 2, 1, 0];
const officeMs = hourMs;
const directShare = 0.06;

/** Oldest first. */
export function* monthOf(options: MonthOptions): Generator<AskedTurn> {
  const { company, seed, untilMs, days, questions } = options;
  const random = createRandom(seed);
  const places = channelsOf(options);
  const today = Math.floor((untilMs + officeMs) / dayMs) * dayMs - officeMs;
  const shares = Array.from({ length: days }, (_, index) => {
    const startMs = today - (days - 1 - index) * dayMs;
    const weekday = new Date(startMs + dayMs / 2).getUTCDay();
    // A little more each week.
    return {
      startMs,
      weight: (weekdays[weekday] ?? 1) * (0.85 + (0.3 * index) / days) * (0.92 + 0.16 * random.next()),
    };
  });
  const all = shares.reduce((sum, { weight }) => sum + weight, 0);
  for (const [index, { startMs, weight }] of shares.entries()) {
    const times = Array.from({ length: Math.round((questions * weight) / all) }, () => startMs + timeOfDay(random));
    for (const atMs of times.sort((one, other) => one - other)) {
      if (atMs >= untilMs - 60_000) continue;
      const asked = askedAt(atMs, index / days, company, random.weighted(places), random);
      const turn = turnOf(asked, random);
      yield { turn, votes: votesOn(turn, asked, company, random) };
    }
  }
}

/** With those for measurements. */
export function channelsOf({ company: { channels }, moreChannels: count }: MonthOptions): readonly Channel[] {
  const first = channels[0];
  if (first === undefined) return channels;
  const weight = channels.reduce((sum, channel) => sum + channel.weight, 0) / Math.max(1, count);
  const more = Array.from({ length: count }, (_, index) => ({
    ...first,
    ...{ place: { ...first.place, channel: `C0TEAM${index}` }, name: `team-${index}`, weight },
    agent: ["support", "sales", "product_guide"][index % 3] ?? "support",
  }));
  return [...channels, ...more];
}

function timeOfDay(random: Random): number {
  const hour = random.weighted(hours.map((weight, at) => ({ weight, at }))).at;
  return hour * hourMs + random.between(0, hourMs - 1);
}

function askedAt(atMs: number, progress: number, company: Company, channel: Channel, random: Random): Asked {
  const { actor, alone } = random.weighted(company.peopleIn(channel.place));
  // Somebody's direct messages with Parley, which only the support agent answers.
  const isDirect = alone !== undefined && random.chance(directShare);
  const agent = isDirect ? "support" : channel.agent;
  const topic = random.weighted(topics.filter(({ agents }) => agents.includes(agent)));
  const end = endOf(channel, topic, isDirect, random);
  const place = isDirect ? alone : channel.place;
  const asked = {
    topic,
    agent,
    place,
    actor,
    atMs,
    end,
    visibility: isDirect ? "direct" : channel.visibility,
  } as const;
  if (end !== "failed") return { ...asked, durationMs: durationOf(topic, progress, random) };
  const { code } = random.weighted(failureCodes);
  return { ...asked, code, durationMs: code === "stream_too_long" ? 300_000 : random.between(1_500, 40_000) };
}

function endOf({ place, mode }: Channel, topic: Topic, isDirect: boolean, random: Random): End {
  if (random.chance(0.012)) return "failed";
  if (random.chance(0.008)) return "stopped";
  // In a channel where nobody has to mention Parley, it keeps silent when it found nothing.
  const isForParley = isDirect || place.platform === "console";
  const isOverheard = !isForParley && (mode === "channel" || mode === "every");
  return isOverheard && topic.from === undefined && topic.table === undefined && random.chance(0.5)
    ? "quiet"
    : "answered";
}

function durationOf(topic: Topic, progress: number, random: Random): number {
  const middle = topic.table === undefined ? 5_600 : 11_000;
  return Math.round(random.spread(middle * (1.12 - 0.24 * progress)) + 700);
}

/** One answer in four gets a thumb. Those without a source are liked less. */
function votesOn(turn: Turn, { topic, end }: Asked, company: Company, random: Random): readonly Feedback[] {
  if (end !== "answered" || !random.chance(0.25)) return [];
  const hasSource = topic.from !== undefined || topic.table !== undefined;
  const count = random.chance(0.15) ? 2 : 1;
  const voters = new Map([[turn.actor.id, turn.actor]]);
  const others = turn.visibility === "direct" ? [] : company.peopleIn(turn.askedIn);
  if (count > 1 && others.length > 0) {
    const other = random.pick(others).actor;
    voters.set(other.id, other);
  }
  return [...voters.values()].map((actor) => voteOf(turn, actor, hasSource ? 0.93 : 0.3, random));
}

function voteOf(turn: Turn, { id, name }: Turn["actor"], liked: number, random: Random): Feedback {
  const vote = {
    version: 1,
    turnId: turn.id,
    voter: id,
    actor: { id, name },
    atMs: (turn.endedAtMs ?? 0) + random.between(5_000, 900_000),
  } as const;
  if (random.chance(liked)) return { ...vote, thumb: "up" };
  if (random.chance(0.4)) return { ...vote, thumb: "down" };
  const reason = random.pick(Object.keys(comments) as FeedbackReason[]);
  return { ...vote, thumb: "down", reason, ...(random.chance(0.6) ? { comment: random.pick(comments[reason]) } : {}) };
}
