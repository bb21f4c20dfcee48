/**
 * Puts a channel's week together: its counts, the open questions that everyone in it may read, and what was added. Names
 * of people who asked are not in it.
 */

import type { App } from "../app.ts";
import type { Named } from "../core/access.ts";
import type { DigestCount, Digests } from "../core/content/digest.ts";
import type { Voting } from "../core/content/voting.ts";
import type { AddedAnswer } from "../core/model/insight.ts";
import { midnight } from "../core/model/midnight.ts";
import type { Actor, Place } from "../core/model/place.ts";
import { mostFrequentSignal } from "../core/model/signals.ts";
import { digestDocument } from "../presentation/drawing.ts";
import type { QuestionCounts } from "./counts/question-counts.ts";
import type { GapList, ListedGap } from "./gaps/gap-list.ts";

/** With their buttons. */
const maxOpen = 5;
const maxAdded = 10;

export function createDigests(
  app: App,
  {
    counts,
    gapList,
    answersOf,
    voting,
  }: {
    readonly counts: Pick<QuestionCounts, "between">;
    readonly gapList: Pick<GapList, "page">;
    /** Newest first. */
    readonly answersOf: (agent: Named) => Promise<readonly AddedAnswer[]>;
    readonly voting: Pick<Voting, "down">;
  },
): Digests {
  const { sites, reach, notices, clock } = app;
  /** All in reach of the person on whose behalf it is, and the one that answers there; each gap decides for itself. */
  async function agentsAt(actor: Actor, place: Place): Promise<readonly Named[]> {
    const [reached, resolved] = await Promise.all([reach.agents(actor, place), reach.resolve(actor, place)]);
    const here = resolved.kind === "bound" ? [{ project: resolved.binding.project, name: resolved.binding.agent }] : [];
    const all = [...here, ...reached].map(({ project, name }) => [`${project}.${name}`, { project, name }] as const);
    return [...new Map(all).values()];
  }

  /** Who set up the digest may reach more than the others there. */
  async function openTo(agents: readonly Named[], actor: Actor, place: Place): Promise<readonly Named[]> {
    const verdicts = await Promise.all(
      agents.map((agent) => reach.mayAgent(actor, "see", place, agent, { isKnown: true })),
    );
    return agents.filter((_agent, at) => {
      const verdict = verdicts[at];
      return verdict?.allowed === true && !verdict.isPrivate;
    });
  }

  /** Only from knowledge bases of agents that everyone there can ask. */
  async function addedBetween(agents: readonly Named[], actor: Actor, place: Place, { fromMs, untilMs }: Period) {
    const open = await openTo(agents, actor, place);
    const found = (await Promise.all(open.map(answersOf))).flat();
    const then = new Map(found.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).map((one) => [keyOf(one), one]));
    const readable = await Promise.all(
      [...then.values()].map(async (answer) => {
        const base = { project: answer.project, name: answer.knowledgeBase };
        const verdict = await reach.mayBase(actor, "search", place, base);
        return verdict.allowed && !verdict.isPrivate ? [answer] : [];
      }),
    );
    return readable.flat().sort((one, other) => other.atMs - one.atMs);
  }

  async function openGaps(agents: readonly Named[], actor: Actor, place: Place): Promise<readonly ListedGap[]> {
    const { gaps } = await gapList.page({ kind: "channel", actor, place }, agents, 1);
    return gaps.slice(0, maxOpen);
  }

  return {
    post: async ({ key, actor, place, timeZone, dueAtMs, when }) => {
      const { platform } = sites.get(place.platform) ?? {};
      if ((await platform?.isIn?.(place)) === false) return "lost";
      const period = dueAtMs === undefined ? lastDays(clock.now(), timeZone) : weekBefore(dueAtMs, timeZone);
      const { fromMs, untilMs } = period;
      const agents = await agentsAt(actor, place);
      const [count, added] = await Promise.all([
        counts.between(place, fromMs, untilMs),
        addedBetween(agents, actor, place, period),
      ]);
      if (isNothing(count) && added.length === 0) return "nothing";
      const open = await openGaps(agents, actor, place);
      const document = digestDocument({
        place,
        isNamedByChannel: platform?.isOwnPage === true,
        count,
        period: { ...period, timeZone },
        open: await Promise.all(open.map((one) => openOf(one, voting))),
        added: added.slice(0, maxAdded).map(({ question, by, atMs }) => ({ title: question, by: by.name, atMs })),
        moreAdded: Math.max(0, added.length - maxAdded),
        when,
      });
      await notices.post({ key, place, document });
      return "posted";
    },
  };
}

function keyOf({ project, knowledgeBase, id }: AddedAnswer): string {
  return `${project}/${knowledgeBase}/${id}`;
}

function isNothing({ questions, up, down }: DigestCount): boolean {
  return questions + up + down === 0;
}

/** Only what this channel may read of it counts. */
async function openOf({ gap, seen }: ListedGap, voting: Pick<Voting, "down">) {
  const signals = seen.askers.flatMap((asker) => asker.signals);
  const voted = seen.askers.flatMap(({ from, signals: own }) =>
    from === undefined ? [] : [{ turnId: from.turnId, signals: own }],
  );
  const thumbsDown = await voting.down(gap, voted);
  const isWhole = seen.askers.length === gap.askers.length;
  // Of a shared question of a direct message, nobody knows here who asked.
  const people = new Set(seen.askers.map(({ from }, at) => from?.actor.id ?? at)).size;
  return {
    id: gap.id,
    question: seen.question,
    thumbsDown,
    people: isWhole ? gap.askerCount : people,
    signal: mostFrequentSignal(signals),
  };
}

const daysOfWeek = 7;

/** The days that a digest is about, in its time zone. */
type Period = {
  readonly fromMs: number;
  readonly untilMs: number;
};

/** The seven whole days before the day of that moment. */
export function weekBefore(ms: number, timeZone: string): Period {
  return { fromMs: midnight(ms, -daysOfWeek, timeZone), untilMs: midnight(ms, 0, timeZone) };
}

/** Seven days, of which this is the last. */
export function lastDays(nowMs: number, timeZone: string): Period {
  return { fromMs: midnight(nowMs, 1 - daysOfWeek, timeZone), untilMs: nowMs };
}
