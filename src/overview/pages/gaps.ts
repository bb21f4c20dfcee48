/** Gaps: questions of all workspaces that were not answered well, heaviest first, each as the viewer may see it. */

import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { Asker, Feedback, FeedbackReason, Gap, GapState, Signal } from "../../core/model/insight.ts";
import { type Actor, idAway, type Place, workspaceKey } from "../../core/model/place.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { adminSentences, shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { mayList, overseen } from "../oversight.ts";
import { type Page, parsed } from "../page.ts";
import type { PlaceName } from "../places.ts";
import { unwritten } from "../projects.ts";

const perPage = 25;
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

const text = z.string().min(1).max(200).optional();
const listQuery = z.object({
  state: z.enum(["open", "answered", "dismissed"]).default("open"),
  agent: text,
  /** "slack/T1". */
  workspace: text,
  signal: z.enum(["thumbs-down", "nothing", "unsure", "asked-again"]).optional(),
  cursor: text,
});
const choicesQuery = listQuery.pick({ state: true });
const oneQuery = z.object({ key: z.string().default("") });

export const gapsPage: Page = {
  name: "gaps",
  least: "ingest",
  /** Open ones that the viewer sees. Undefined: too many to count, or not known soon. */
  count: (app, viewer) => withTimeout(countSeen(app, viewer, "open"), countMs, app.clock),
  get: {
    "": (app, asked) => listGaps(app, asked.viewer, parsed(listQuery, asked)),
    "/choices": (app, asked) => gapChoices(app, asked.viewer, parsed(choicesQuery, asked).state),
    "/one": (app, asked) => openGap(app, asked.viewer, parsed(oneQuery, asked).key),
  },
};

export type GapLine = {
  readonly id: string;
  /** Its address among the gaps of all workspaces. */
  readonly key: string;
  readonly platform: string;
  readonly workspace: string;
  readonly agent: string;
  readonly state: GapState;
  /** Absent: it was asked where the viewer may not read. */
  readonly question?: string;
  readonly people: number;
  readonly createdAtMs: number;
  readonly lastAtMs: number;
  readonly thumbsDown: number;
  readonly signals: readonly Signal[];
  /** Where buttons about it are pressed. Absent: the viewer can't. */
  readonly place?: Place;
  /** Gaps that were merged into it. */
  readonly merged: readonly { readonly id: string; readonly questions: number }[];
};

export type AskedLine = {
  readonly question: string;
  readonly atMs: number;
  readonly signals: readonly Signal[];
  /** Absent for a shared question of a direct message. */
  readonly by?: string;
  readonly place?: PlaceName & { readonly platform: string };
  /** Of the question, for its own page. */
  readonly ref?: string;
  readonly votes: readonly { readonly reason?: FeedbackReason; readonly comment?: string; readonly by: string }[];
};

export type GapPageDetails = GapLine & {
  readonly asked: readonly AskedLine[];
  /** Questions that the viewer may not read. */
  readonly hidden: number;
  /** The newest answer, as Markdown. */
  readonly answer?: string;
  readonly added?: {
    readonly id: string;
    readonly answer: string;
    readonly by: string;
    readonly atMs: number;
    readonly knowledgeBase: string;
  };
  readonly dismissedBy?: { readonly name: string; readonly atMs: number };
};

export type GapsPage = {
  readonly gaps: readonly GapLine[];
  readonly next?: string;
  /** What the viewer sees without filters. Absent: too many to count. */
  readonly total?: number;
};

/** What the filters offer: what occurs among the gaps in that state that the viewer sees. */
export type GapChoices = {
  /** As `GapLine` names them. */
  readonly agents: readonly string[];
  readonly workspaces: readonly Pick<Place, "platform" | "workspace">[];
};

type ListQuery = z.infer<typeof listQuery>;

export async function listGaps(app: OverviewApp, viewer: Actor, { cursor, ...filter }: ListQuery): Promise<GapsPage> {
  const found: GapLine[] = [];
  let next: string | undefined;
  for await (const batch of heaviest(app, filter.state, { audience: audienceFor(viewer), most: maxRead, cursor })) {
    for (const { key, gap } of batch.gaps.filter(({ gap }) => fits(gap, filter))) {
      const looked = await look(app, viewer, key, gap);
      if (looked !== undefined) found.push(looked.line);
    }
    // A whole batch is shown: its end is the only place where the next page can begin.
    next = batch.next;
    if (found.length >= perPage) break;
  }
  return { gaps: found, total: await countSeen(app, viewer, filter.state), next };
}

async function gapChoices(app: OverviewApp, viewer: Actor, state: GapState): Promise<GapChoices> {
  const agents = new Set<string>();
  const workspaces = new Map<string, GapChoices["workspaces"][number]>();
  for await (const { gaps } of heaviest(app, state, { audience: audienceFor(viewer), most: maxReadForChoices })) {
    for (const { key, gap } of gaps) {
      const [name, where] = [agentName(app, gap), workspaceKey(gap)];
      if (agents.has(name) && workspaces.has(where)) continue;
      if ((await look(app, viewer, key, gap)) === undefined) continue;
      agents.add(name);
      workspaces.set(where, { platform: gap.platform, workspace: gap.workspace });
    }
  }
  const sorted = [...workspaces].sort(([one], [other]) => (one < other ? -1 : 1));
  return { agents: [...agents].sort(), workspaces: sorted.map(([, workspace]) => workspace) };
}

async function openGap(app: OverviewApp, viewer: Actor, key: string): Promise<GapPageDetails> {
  const gap = await app.insight.gaps.byKey(key);
  const looked = gap === undefined ? undefined : await look(app, viewer, key, gap);
  if (gap === undefined || looked === undefined) throw new ParleyError("place_gone", adminSentences.noGap);
  const { line, seen } = looked;
  const askers = seen.kind === "listed" ? seen.askers : [];
  const newest = askers.find(({ from }) => from !== undefined)?.from;
  const [asked, turn, added] = await Promise.all([
    Promise.all(askers.slice(0, maxAsked).map((asker) => askedLine(app, gap, asker))),
    newest === undefined ? undefined : app.state.turns.get(newest.turnId),
    app.insight.answering.byId(gap.answeredBy?.answerId ?? gap.id),
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
}

/** One as the list shows it. */
export async function gapLine(app: OverviewApp, viewer: Actor, key: string): Promise<GapLine | undefined> {
  const gap = await app.insight.gaps.byKey(key);
  return gap === undefined ? undefined : (await look(app, viewer, key, gap))?.line;
}

type Audience = "all" | "public";

/** Of some workspaces all gaps are looked through, too: which are theirs is decided for each. */
const audienceFor = ({ signedInAs, managesIn = [] }: Actor): Audience =>
  signedInAs === "manage" || managesIn.length > 0 ? "all" : "public";

/** The heaviest ones in batches, up to `most`. */
async function* heaviest(
  { insight }: OverviewApp,
  state: GapState,
  {
    audience,
    most,
    cursor,
  }: { readonly audience: Audience; readonly most: number; readonly cursor?: string | undefined },
) {
  for (let looked = 0, after = cursor; looked < most; looked += perPage) {
    const batch = await insight.gaps.everywhere(state, audience, perPage, after);
    yield batch;
    after = batch.next;
    if (after === undefined) return;
  }
}

/** People who don't manage see some of the listed ones. Undefined: too many to look at each. */
async function countSeen(app: OverviewApp, viewer: Actor, state: GapState): Promise<number | undefined> {
  const audience = audienceFor(viewer);
  const listed = await app.insight.gaps.countEverywhere(state, audience);
  if (overseen(viewer) === undefined) return listed;
  if (listed > maxCounted) return undefined;
  let count = 0;
  for await (const { gaps } of heaviest(app, state, { audience, most: maxCounted })) {
    const sights = await Promise.all(gaps.map(({ gap }) => seenBy(app, viewer, gap)));
    count += sights.filter((one) => one !== undefined).length;
  }
  return count;
}

function fits(gap: Gap, { agent, workspace, signal }: Omit<ListQuery, "cursor">): boolean {
  if (agent !== undefined && agent !== `${gap.agent.project}.${gap.agent.name}` && agent !== gap.agent.name)
    return false;
  if (workspace !== undefined && workspace !== workspaceKey(gap)) return false;
  return signal === undefined || gap.askers.some(({ signals }) => signals.includes(signal));
}

const agentName = (app: OverviewApp, { agent }: Gap) => cleanText(nameIn(agent, unwritten(app)));

/**
 * Where the viewer presses its buttons: who manages, in the workspace; others, in a public channel where it was asked.
 */
async function standing({ places, reach }: OverviewApp, viewer: Actor, gap: Gap): Promise<Place | undefined> {
  const { platform, workspace } = gap;
  const whole = { platform, workspace, channel: "" };
  if (places.kindOf(whole) === "unknown") return undefined;
  const found = gap.askers.find(({ visibility }) => visibility === "public")?.place;
  const channel = found === undefined ? undefined : { platform, workspace, channel: found.channel };
  if (reach.oversees(viewer, gap)) return places.kindOf(whole) === "own" ? channel : whole;
  return channel !== undefined && (await places.isPublic(channel)) ? channel : undefined;
}

/** What one reader may read of a gap. */
type Seen =
  | {
      readonly kind: "listed";
      readonly question: string;
      readonly askers: readonly (Pick<Asker, "question" | "signals" | "atMs"> & {
        readonly from?: Pick<Asker, "turnId" | "actor" | "place">;
      })[];
    }
  | { readonly kind: "counted" }
  | { readonly kind: "nothing" };

/** Undefined: that viewer doesn't see the gap at all. */
async function seenBy(app: OverviewApp, viewer: Actor, gap: Gap) {
  if (!mayList(app, viewer, gap)) return undefined;
  const place = await standing(app, viewer, gap);
  const isOwn = app.places.kindOf({ ...gap, channel: "" }) === "own";
  const actor = isOwn ? viewer : { ...viewer, id: idAway(viewer) };
  const isManaging = app.reach.oversees(viewer, gap);
  // Who manages may read what was asked where no button can be pressed: on a platform that is off, in a private channel.
  const { platform, workspace } = gap;
  const from = place ?? (isManaging ? { platform, workspace, channel: "" } : undefined);
  const seen: Seen =
    from === undefined ? { kind: "nothing" } : await app.insight.sight.see({ kind: "person", actor, place: from }, gap);
  return !isManaging && seen.kind !== "listed" ? undefined : { place, seen };
}

async function look(app: OverviewApp, viewer: Actor, key: string, gap: Gap) {
  const found = await seenBy(app, viewer, gap);
  if (found === undefined) return undefined;
  const { place, seen } = found;
  const line: GapLine = {
    id: gap.id,
    key,
    platform: gap.platform,
    workspace: gap.workspace,
    agent: agentName(app, gap),
    state: gap.state,
    people: gap.askerCount,
    createdAtMs: gap.createdAtMs,
    lastAtMs: gap.lastAtMs,
    thumbsDown: await app.insight.voting.down(gap, gap.askers),
    signals: [...new Set(gap.askers.flatMap(({ signals }) => signals))],
    merged: (gap.merged ?? []).map(({ id, turnIds }) => ({ id, questions: turnIds.length })),
    ...(seen.kind === "listed" ? { question: shorten(cleanText(seen.question), maxQuestionChars) } : {}),
    place: seen.kind === "listed" ? place : undefined,
  };
  return { line, seen };
}

async function askedLine(
  app: OverviewApp,
  gap: Gap,
  { question, atMs, signals, from }: Extract<Seen, { kind: "listed" }>["askers"][number],
): Promise<AskedLine> {
  const wording = { question: shorten(cleanText(question), maxQuestionChars), atMs, signals };
  if (from === undefined) return { ...wording, votes: [] };
  const [turn, votes, name] = await Promise.all([
    app.state.turns.get(from.turnId),
    votesOn(app, gap, from.turnId),
    app.places.nameOf(from.place),
  ]);
  return {
    ...wording,
    by: shorten(cleanText(from.actor.name), maxNameChars),
    place: { platform: from.place.platform, ...name },
    votes,
    ref: turn?.isForgotten === true ? undefined : turn?.ref,
  };
}

async function votesOn({ state }: OverviewApp, gap: Gap, turnId: string): Promise<AskedLine["votes"]> {
  const votes: Feedback[] = [];
  for await (const [, vote] of state.keyValue<Feedback>("feedback").entries(`${workspaceKey(gap)}/${turnId}/`)) {
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
