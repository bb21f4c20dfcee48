/**
 * Counts every Turn once, by quarter of an hour: the day of any time zone is a sum of quarters. A count knows channels and
 * agents, but no person and no question, and stays when the question is forgotten.
 */
import { z } from "zod";
import type { App } from "../../app.ts";
import type { DigestCount } from "../../core/content/digest.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../core/ports/collection.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DerivingLease, type ProjectedTurn, quarterMs, type TurnProjection } from "../derived/turn-work.ts";
import { type ChannelNumbers, type Counters, linesOf, type Share, shareOf } from "./share.ts";

const dayMs = 86_400_000;
/** Twice 30 days are shown, in any time zone. */
export const countedDays = 70;

/** Of one quarter of an hour. */
export type QuarterCounts = {
  readonly version: 1;
  readonly sinceMs: number;
  /** Of the whole installation. */
  readonly counters: Counters;
  /** "WHERE 1,1,0,1,1,0,0;…". A text, because a month has 100,000 of them, which take 0.3 s as JSON. */
  readonly channels: string;
  /** By Turn: shares that are counted, but perhaps not in their own records yet. */
  readonly unsettled?: Readonly<Record<string, Share>>;
};

export const countCollection: CollectionDefinition<QuarterCounts, "sinceMs"> = {
  holds: "Counts of questions by channel, agent and quarter of an hour",
  person: "nobody",
  retain: { days: countedDays, since: "sinceMs" },
  isDerived: true,
  schema: z.looseObject({ sinceMs: z.number(), counters: z.custom<unknown>(isObject), channels: z.string() }),
  fields: { sinceMs: ({ sinceMs }) => sinceMs },
  indexes: [{ by: [], order: "sinceMs" }],
};

export const countsIn = ({
  collection,
}: {
  readonly collection: CollectionFactory;
}): Collection<QuarterCounts, "sinceMs"> => collection("question-counts", countCollection);

export type QuestionCounts = TurnProjection & {
  /** For the digest of a channel. Both moments begin a quarter of an hour. */
  readonly between: (place: Place, fromMs: number, untilMs: number) => Promise<DigestCount>;
};

export function createQuestionCounts(app: App): QuestionCounts {
  const { clock, sites } = app;
  const { retentionMs } = app.settings;
  const quarters = countsIn(app.state);
  const shares = app.state.keyValue<Share>("counted");

  function now(projected: ProjectedTurn): Share {
    const { askedIn, visibility, agent, scheduleId } = projected.turn;
    const { platform } = sites.get(askedIn.platform) ?? {};
    const isOwnPage = platform?.isOwnPage === true;
    const isDirect = visibility === "direct" || (!isOwnPage && platform?.isDirect?.(askedIn) === true);
    // Nobody gets a digest of direct messages, but of an own channel at the page. What a schedule asks is nobody's
    // question.
    const isInDigest = agent !== undefined && scheduleId === undefined && (!isDirect || isOwnPage);
    return shareOf(projected, { isDirect, isInDigest });
  }

  /** Moves the shares of these Turns into records of their own, also those that a dead process left. */
  async function settle(id: string, { unsettled = {} }: QuarterCounts, turnIds: readonly string[]): Promise<void> {
    const found = turnIds.filter((turnId) => unsettled[turnId] !== undefined);
    if (found.length === 0) return;
    await Promise.all(found.map((turnId) => shares.set(turnId, unsettled[turnId] as Share, retentionMs)));
    await leave(id, found);
  }

  /** The counts no longer say which questions these were. */
  async function leave(id: string, turnIds: readonly string[]): Promise<void> {
    await quarters.update(id, ({ record: { unsettled = {}, ...record } }) => {
      const left = Object.entries(unsettled).filter(([turnId]) => !turnIds.includes(turnId));
      if (left.length === Object.keys(unsettled).length) return undefined;
      return left.length === 0 ? record : { ...record, unsettled: Object.fromEntries(left) };
    });
  }

  async function count(quarter: number, turns: readonly ProjectedTurn[], lease: DerivingLease): Promise<void> {
    const id = String(quarter);
    const turnIds = turns.map(({ turn }) => turn.id);
    const found = await quarters.get(id);
    if (found !== undefined) await settle(id, found.record, turnIds);
    const known = await Promise.all(turnIds.map((turnId) => shares.get(turnId)));
    const changed = turns.flatMap((projected, at): readonly Exchange[] => {
      const exchange = { turnId: projected.turn.id, before: known[at], now: now(projected) };
      return isSame(exchange) ? [] : [exchange];
    });
    if (changed.length === 0) return;
    if (!lease.isCurrent()) throw new Error("The lease of a quarter's counts was lost.");
    if (found === undefined)
      await quarters.create(id, { version: 1, sinceMs: quarter * quarterMs, counters: {}, channels: "" });
    // One write changes the counts and says whose they are. An older holder of the lease is refused: it may have read
    // before the newer one wrote.
    const written = await quarters.update(id, ({ record }) => exchanged(record, changed), lease.fence);
    if (written === undefined)
      throw new Error("The counts of a quarter are damaged, or another instance has the lease.");
    await settle(id, written.record, turnIds);
  }

  return {
    derive: async (quarter, turns, gone, lease) => {
      // Its counts are removed, or would be at once.
      const isKept = quarter * quarterMs > clock.now() - countedDays * dayMs;
      const counted = turns.filter(({ turn }) => turn.isForgotten !== true);
      const left = [...gone, ...turns.filter((one) => !counted.includes(one)).map(({ turn }) => turn.id)];
      if (counted.length > 0 && isKept) await count(quarter, counted, lease);
      if (left.length > 0) await leave(String(quarter), left);
      for (const turnId of left) await shares.delete(turnId);
    },

    between: async (place, fromMs, untilMs) => {
      const channel = `${channelKey(place)} `;
      const sum = { questions: 0, withSource: 0, up: 0, down: 0 };
      for await (const { record } of quarters.all({ order: "sinceMs", from: fromMs, until: untilMs })) {
        // Most quarters have none of it, and splitting takes long.
        if (!record.channels.includes(channel)) continue;
        for (const [where, numbers] of channelsOf(record)) {
          if (!where.startsWith(channel)) continue;
          const [, , , questions, withSource, up, down] = numbers;
          sum.questions += questions;
          sum.withSource += withSource;
          sum.up += up;
          sum.down += down;
        }
      }
      return sum;
    },
  };
}

/** By channel and agent. */
export function channelsOf({ channels }: QuarterCounts): readonly (readonly [where: string, ChannelNumbers])[] {
  if (channels === "") return [];
  return channels.split(";").map((text) => {
    const end = text.lastIndexOf(" ");
    const numbers = text.slice(end + 1).split(",");
    // A month has 100,000 of them: with a rest of the array they take nearly twice as long.
    const at = (index: number) => Number(numbers[index] ?? 0);
    return [text.slice(0, end), [at(0), at(1), at(2), at(3), at(4), at(5), at(6)]];
  });
}

type Exchange = { readonly turnId: Turn["id"]; readonly before: Share | undefined; readonly now: Share };

/** Nothing has to be written. */
function isSame({ before, now }: Exchange): boolean {
  if (before === undefined) return Object.keys(now.counters).length === 0 && now.channel.every((count) => count === 0);
  return JSON.stringify(before) === JSON.stringify(now);
}

/** Takes what each Turn had added before out, and puts in what it adds now. */
function exchanged(record: QuarterCounts, exchanges: readonly Exchange[]): QuarterCounts {
  const counters = new Map(Object.entries(record.counters));
  const channels = new Map<string, readonly number[]>(channelsOf(record));
  const unsettled = { ...record.unsettled };
  const add = (share: Share, sign: 1 | -1) => {
    for (const [name, count] of Object.entries(share.counters))
      counters.set(name, (counters.get(name) ?? 0) + sign * count);
    for (const [where, numbers] of linesOf(share)) {
      const sums = channels.get(where);
      channels.set(
        where,
        numbers.map((count, at) => (sums?.[at] ?? 0) + sign * count),
      );
    }
  };
  for (const { turnId, before, now } of exchanges) {
    if (before !== undefined) add(before, -1);
    add(now, 1);
    unsettled[turnId] = now;
  }
  const left = [...channels].filter(([, numbers]) => numbers.some((count) => count !== 0));
  return {
    ...record,
    counters: Object.fromEntries([...counters].filter(([, count]) => count !== 0)),
    channels: left.map(([where, numbers]) => `${where} ${numbers.join(",")}`).join(";"),
    unsettled,
  };
}
