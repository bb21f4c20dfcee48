/** Reads the gaps of all workspaces, heaviest first, each as the viewer may see it. */

import type { App } from "../app.ts";
import type { Asker, Feedback, Gap, GapState, Signal } from "../core/model/insight.ts";
import { type Actor, idAway, type Place, workspaceKey } from "../core/model/place.ts";
import type { AskedLine, GapChoices, GapLine, GapPageDetails, GapsReader } from "../core/overview/gap-pages.ts";
import type { Places } from "../core/overview/places.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import type { Insight } from "../insight/insight.ts";
import { cleanText } from "../presentation/drawing.ts";
import { shorten } from "../presentation/sentences.ts";

const perPage = 25;
const readAtOnce = 50;
/** Of one page; what was not found by then is on the next one. */
const maxRead = 500;
/** Up to so many are looked at to count what a person sees. */
const maxCounted = 200;
/** The sidebar doesn't wait longer for its number, such as for a platform that is slow. */
const countMs = 300;
/** For the filters: of each state, beginning with the heaviest. */
const maxReadForChoices = 2_000;
const maxQuestionChars = 300;
const maxNameChars = 100;
const maxCommentChars = 500;
const maxAnswerChars = 2_000;
const maxAsked = 30;

/** What one reader may read of a gap. */
export type SeenInOverview =
  | {
      readonly kind: "listed";
      readonly question: string;
      readonly askers: readonly (Pick<Asker, "question" | "signals" | "atMs"> & {
        readonly from?: Pick<Asker, "turnId" | "actor" | "place">;
      })[];
    }
  | { readonly kind: "counted" }
  | { readonly kind: "nothing" };

export function createGapsReader(
  app: App,
  {
    insight: {
      gaps,
      sight: { see },
      answering,
      voting,
    },
    places,
  }: { readonly insight: Pick<Insight, "gaps" | "sight" | "answering" | "voting">; readonly places: Places },
): GapsReader {
  const { clock } = app;
  const { project } = app.settings;
  const { turns } = app.state;
  const feedback = app.state.keyValue<Feedback>("feedback");
  const audienceFor = ({ signedInAs }: Actor) => (signedInAs === "manage" ? "all" : "public") as "all" | "public";

  /**
   * Where the viewer presses its buttons: who manages, in the workspace; others, in a public channel where it was asked.
   */
  async function standing(viewer: Actor, gap: Gap): Promise<Place | undefined> {
    const { platform, workspace } = gap;
    const whole = { platform, workspace, channel: "" };
    if (places.kindOf(whole) === "unknown") return undefined;
    const found = gap.askers.find(({ visibility }) => visibility === "public")?.place;
    const channel = found === undefined ? undefined : { platform, workspace, channel: found.channel };
    if (viewer.signedInAs === "manage") return places.kindOf(whole) === "own" ? channel : whole;
    return channel !== undefined && (await places.isPublic(channel)) ? channel : undefined;
  }

  const agentName = ({ agent }: Gap) =>
    cleanText(agent.project === project ? agent.name : `${agent.project}.${agent.name}`);

  /** Undefined: that viewer doesn't see the gap at all. */
  async function seenBy(viewer: Actor, gap: Gap) {
    const place = await standing(viewer, gap);
    const isOwn = places.kindOf({ ...gap, channel: "" }) === "own";
    const actor = isOwn ? viewer : { ...viewer, id: idAway(viewer) };
    const isManaging = viewer.signedInAs === "manage";
    // Who manages may read what was asked where no button can be pressed: on a platform that is off, in a private channel.
    const { platform, workspace } = gap;
    const from = place ?? (isManaging ? { platform, workspace, channel: "" } : undefined);
    const seen: SeenInOverview =
      from === undefined ? { kind: "nothing" } : await see({ kind: "person", actor, place: from }, gap);
    return !isManaging && seen.kind !== "listed" ? undefined : { place, seen };
  }

  async function look(viewer: Actor, key: string, gap: Gap) {
    const found = await seenBy(viewer, gap);
    if (found === undefined) return undefined;
    const { place, seen } = found;
    const line: GapLine = {
      id: gap.id,
      key,
      platform: gap.platform,
      workspace: gap.workspace,
      agent: agentName(gap),
      state: gap.state,
      people: gap.askerCount,
      createdAtMs: gap.createdAtMs,
      lastAtMs: gap.lastAtMs,
      thumbsDown: await voting.down(gap, gap.askers),
      signals: [...new Set(gap.askers.flatMap(({ signals }) => signals))],
      merged: (gap.merged ?? []).map(({ id, turnIds }) => ({ id, questions: turnIds.length })),
      ...(seen.kind === "listed" ? { question: shorten(cleanText(seen.question), maxQuestionChars) } : {}),
      place: seen.kind === "listed" ? place : undefined,
    };
    return { line, seen, gap };
  }

  /** The heaviest ones, up to `most`. */
  async function* heaviest(state: GapState, audience: "all" | "public", most: number) {
    for (let looked = 0, after: string | undefined; looked < most; looked += readAtOnce) {
      const { gaps: some, next } = await gaps.everywhere(state, audience, readAtOnce, after);
      yield some;
      if (next === undefined) return;
      after = next;
    }
  }

  /** People who don't manage see some of the listed ones. Undefined: too many to look at each. */
  async function count(viewer: Actor, state: GapState): Promise<number | undefined> {
    const audience = audienceFor(viewer);
    const listed = await gaps.countEverywhere(state, audience);
    if (audience === "all") return listed;
    if (listed > maxCounted) return undefined;
    let seen = 0;
    for await (const some of heaviest(state, audience, maxCounted)) {
      const sights = await Promise.all(some.map(({ gap }) => seenBy(viewer, gap)));
      seen += sights.filter((one) => one !== undefined).length;
    }
    return seen;
  }

  function fits(
    gap: Gap,
    agent: string | undefined,
    workspace: string | undefined,
    signal: Signal | undefined,
  ): boolean {
    if (agent !== undefined && agent !== `${gap.agent.project}.${gap.agent.name}` && agent !== gap.agent.name)
      return false;
    if (workspace !== undefined && workspace !== workspaceKey(gap)) return false;
    return signal === undefined || gap.askers.some(({ signals }) => signals.includes(signal));
  }

  async function votesOn(gap: Gap, turnId: string): Promise<AskedLine["votes"]> {
    const votes: Feedback[] = [];
    for await (const [, vote] of feedback.entries(`${workspaceKey(gap)}/${turnId}/`)) {
      if (vote.thumb === "down") votes.push(vote);
    }
    return votes
      .sort((one, other) => other.atMs - one.atMs)
      .slice(0, maxAsked)
      .map(({ reason, comment, actor }) => ({
        by: shorten(cleanText(actor.name), maxNameChars),
        reason,
        comment: comment === undefined ? undefined : shorten(cleanText(comment), maxCommentChars),
      }));
  }

  async function askedLine(
    gap: Gap,
    { question, atMs, signals, from }: Extract<SeenInOverview, { kind: "listed" }>["askers"][number],
  ): Promise<AskedLine> {
    const wording = { question: shorten(cleanText(question), maxQuestionChars), atMs, signals };
    if (from === undefined) return { ...wording, votes: [] };
    const [turn, votes, name] = await Promise.all([
      turns.get(from.turnId),
      votesOn(gap, from.turnId),
      places.nameOf(from.place),
    ]);
    return {
      ...wording,
      by: shorten(cleanText(from.actor.name), maxNameChars),
      place: { platform: from.place.platform, ...name },
      votes,
      ref: turn?.isForgotten === true ? undefined : turn?.ref,
    };
  }

  return {
    page: async (viewer, { state, agent, workspace, signal, cursor }) => {
      const audience = audienceFor(viewer);
      const found: GapLine[] = [];
      let next = cursor;
      for (let looked = 0; looked < maxRead && found.length < perPage; looked += readAtOnce) {
        const from = next;
        const some = await gaps.everywhere(state, audience, readAtOnce, from);
        next = some.next;
        for (const [at, { key, gap }] of some.gaps.entries()) {
          if (!fits(gap, agent, workspace, signal)) continue;
          const looked = await look(viewer, key, gap);
          if (looked !== undefined) found.push(looked.line);
          if (found.length < perPage) continue;
          const isLast = at === some.gaps.length - 1;
          if (!isLast) next = (await gaps.everywhere(state, audience, at + 1, from)).next;
          break;
        }
        if (next === undefined) break;
      }
      return { gaps: found, total: await count(viewer, state), next };
    },

    choices: async (viewer, state): Promise<GapChoices> => {
      const agents = new Set<string>();
      const workspaces = new Map<string, GapChoices["workspaces"][number]>();
      for await (const some of heaviest(state, audienceFor(viewer), maxReadForChoices)) {
        for (const { key, gap } of some) {
          const [name, where] = [agentName(gap), workspaceKey(gap)];
          if (agents.has(name) && workspaces.has(where)) continue;
          if ((await look(viewer, key, gap)) === undefined) continue;
          agents.add(name);
          workspaces.set(where, { platform: gap.platform, workspace: gap.workspace });
        }
      }
      const sorted = [...workspaces].sort(([one], [other]) => (one < other ? -1 : 1));
      return { agents: [...agents].sort(), workspaces: sorted.map(([, workspace]) => workspace) };
    },

    open: async (viewer, key): Promise<GapPageDetails | undefined> => {
      const gap = await gaps.byKey(key);
      const looked = gap === undefined ? undefined : await look(viewer, key, gap);
      if (gap === undefined || looked === undefined) return undefined;
      const { line, seen } = looked;
      const askers = seen.kind === "listed" ? seen.askers : [];
      const newest = askers.find(({ from }) => from !== undefined)?.from;
      const [asked, turn, added] = await Promise.all([
        Promise.all(askers.slice(0, maxAsked).map((asker) => askedLine(gap, asker))),
        newest === undefined ? undefined : turns.get(newest.turnId),
        answering.byId(gap.answeredBy?.answerId ?? gap.id),
      ]);
      const answer = turn?.isForgotten === true ? undefined : turn?.outcome?.answer;
      return {
        ...line,
        asked,
        hidden: gap.askers.length - askers.length,
        answer: answer === undefined ? undefined : shorten(cleanText(answer), maxAnswerChars),
        added:
          added === undefined || seen.kind !== "listed"
            ? undefined
            : {
                id: added.id,
                answer: shorten(cleanText(added.answer), maxAnswerChars),
                by: shorten(cleanText(added.by.name), maxNameChars),
                atMs: added.atMs,
                knowledgeBase: cleanText(added.knowledgeBase),
              },
        dismissedBy: gap.dismissedBy && {
          name: shorten(cleanText(gap.dismissedBy.name), maxNameChars),
          atMs: gap.dismissedBy.atMs,
        },
      };
    },

    line: async (viewer, key) => {
      const gap = await gaps.byKey(key);
      return gap === undefined ? undefined : (await look(viewer, key, gap))?.line;
    },

    count: (viewer) => withTimeout(count(viewer, "open"), countMs, clock),
  };
}
