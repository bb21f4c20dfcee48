/**
 * `/kb gaps`, with Show, Dismiss and Undo. Each button decides again whether the person who presses it may read the
 * gap: an id that was read elsewhere shows nothing.
 */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Feedback, Gap } from "../../core/model/insight.ts";
import { workspaceKey } from "../../core/model/place.ts";
import { mostFrequentSignal } from "../../core/model/signals.ts";
import type { Turn } from "../../core/model/turn.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { NotShown } from "../../insight/derived/question-log.ts";
import { questionLogIn, questionQuery } from "../../insight/derived/question-log.ts";
import type { GapReader } from "../../insight/gaps/gap-sight.ts";
import type { SeenAsker, SeenGap } from "../../insight/gaps/visibility.ts";
import { bold, cleanText, infoDocument, questionText, say } from "../../presentation/drawing.ts";
import { countText, gapSentences } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import { type Command, type OptionValues, textOption } from "../command.ts";
import { writtenName } from "../names/find-by-name.ts";
import { agentInReach } from "../names/in-reach.ts";
import { nameOfRef, refOfName } from "../names/name-ref.ts";
import { privately } from "../results.ts";
import {
  dismissedDocument,
  type GapDetails,
  type GapFacts,
  type GapsListing,
  gapDocument,
  gapsDocument,
  type ShownQuestion,
} from "./gap-documents.ts";

const says = {
  isAnswered: "This question has an answer now.",
  /** Below the list of gaps, for people who manage. */
  unowned: (count: number, bases: readonly string[]): string =>
    `The author of ${countText(count, "added answer")} has left: check ${count === 1 ? "it" : "them"} with /kb show ${bases.join(" or ")}.`,
};

/** A dismissed gap comes back when so many new people have asked. */
const comesBackAfter = 3;
const linksMs = 1_500;
/** Of one gap: its wordings, links and votes. */
const maxLooked = 8;
/** Questions to nobody in particular that had no answer, below the list. */
const maxOverheard = 5;
const unanswered: readonly NotShown[] = ["nothing", "unsure"];

type Listed = { readonly gap: Gap; readonly seen: Extract<SeenGap, { kind: "listed" }> };

export const kbGaps: Command = {
  path: "kb gaps",
  summary: "List questions that were not answered well",
  options: [
    {
      name: "agent",
      summary: "Only of this agent (default: all that you reach here)",
      type: "text",
      isRequired: false,
      completes: "agent",
    },
    {
      name: "page",
      summary: "Which page of the list",
      type: "integer",
      isRequired: false,
      minimum: 1,
      maximum: 200,
    },
  ],
  role: "ingest",
  examples: ["kb gaps", "kb gaps support"],
  run: (app, options, context) => listGaps(app, textOption(options, "agent"), pageOption(options), context),
  actions: {
    "gap-page": {
      role: "ingest",
      press: async (app, value, context) => {
        const [page = "", ...rest] = value.split(" ");
        const ref = rest.join(" ");
        const agent = ref === "" ? undefined : await nameOfRef(app, ref);
        return listGaps(app, agent, Math.max(1, Math.trunc(Number(page)) || 1), context);
      },
    },
    "gap-show": { role: "ingest", press: showGap },
    "gap-dismiss": { role: "ingest", press: dismiss },
    "gap-reopen": { role: "ingest", press: reopen },
  },
};

const readerOf = ({ actor, place }: CommandContext): GapReader => ({ kind: "person", actor, place });

/** All that the person reaches, and the one that answers here, which may be of another project. */
async function agentsHere(app: CommandApp, { actor, place }: CommandContext): Promise<readonly Named[]> {
  const [reached, resolved] = await Promise.all([app.reach.agents(actor, place), app.reach.resolve(actor, place)]);
  const here = resolved.kind === "bound" ? [{ project: resolved.binding.project, name: resolved.binding.agent }] : [];
  const all = [...here, ...reached].map(({ project, name }) => [`${project}.${name}`, { project, name }] as const);
  return [...new Map(all).values()];
}

async function listGaps(
  app: CommandApp,
  agent: string | undefined,
  page: number,
  context: CommandContext,
): Promise<CommandResult> {
  const named = agent === undefined ? undefined : await agentInReach(app, agent, context);
  const agents = named === undefined ? await agentsHere(app, context) : [named];
  const found = await app.gapList.page(readerOf(context), agents, page);
  if (page > found.pages)
    return privately(infoDocument(`The list has only ${countText(found.pages, "page")}.`, { tone: "failed" }));
  const written = named === undefined ? undefined : writtenName(named, app.settings.project);
  return privately(
    gapsDocument({
      gaps: await Promise.all(found.gaps.map((one) => factsOf(app, one, named === undefined && agents.length > 1))),
      ref: written === undefined ? "" : refOfName(written),
      nowMs: app.clock.now(),
      page,
      pages: found.pages,
      total: found.total,
      overheard: page === 1 && named === undefined ? await overheardIn(app, context) : [],
      agent: written,
      hidden: found.hidden,
      footer: await unownedLine(app, context),
    }),
  );
}

/** Newest first, for those who would read a gap from there. */
async function overheardIn(app: CommandApp, context: CommandContext): Promise<NonNullable<GapsListing["overheard"]>> {
  const { platform, workspace, channel } = context.place;
  const resolved = await app.reach.resolve(context.actor, context.place);
  if (resolved.kind !== "bound") return [];
  const agent = { project: resolved.binding.project, name: resolved.binding.agent };
  const asked = unanswered.map((why) => ({ platform, workspace, channel, outcome: "not-shown" as const, why }));
  const questionLog = questionLogIn(app.state);
  const found = await Promise.all(asked.map((filter) => questionLog.query(questionQuery(filter), maxOverheard)));
  const entries = found
    .flatMap((page) => page.entries.map(({ record }) => record))
    .filter((entry) => entry.isScheduled !== true);
  const newest = entries.toSorted((a, b) => b.askedAtMs - a.askedAtMs).slice(0, maxOverheard);
  const turns = await Promise.all(newest.map(({ id }) => app.state.turns.get(id)));
  const kept = turns.filter((turn) => turn !== undefined).filter(({ isForgotten }) => isForgotten !== true);
  const seen = await Promise.all(kept.map((turn) => app.sight.see(readerOf(context), gapOf(turn, agent))));
  return kept.flatMap(({ createdAtMs: atMs }, at) => {
    const one = seen[at];
    return one?.kind === "listed" ? [{ question: one.question, atMs }] : [];
  });
}

/** For people who manage. Undefined when there is nothing to say, or it can't be found out in time. */
async function unownedLine(app: CommandApp, { place, roles }: CommandContext): Promise<string | undefined> {
  if (!roles.manage.allowed) return undefined;
  const found = await withTimeout(app.reviews.unowned(place, maxLooked), linksMs, app.clock).catch(() => undefined);
  if (found === undefined || found.count === 0) return undefined;
  const bases = [...new Set(found.answers.map(({ knowledgeBase }) => cleanText(knowledgeBase)))];
  return says.unowned(found.count, bases);
}

async function factsOf(app: CommandApp, { gap, seen }: Listed, namesAgent: boolean): Promise<GapFacts> {
  const { id, agent, askerCount: people, lastAtMs, askers } = gap;
  const signals = askers.flatMap((asker) => asker.signals);
  const thumbsDown = await app.voting.down(gap, askers);
  const facts = { id, people, lastAtMs, question: seen.question, thumbsDown };
  const written = namesAgent ? writtenName(agent, app.settings.project) : undefined;
  return { ...facts, agent: written, signal: mostFrequentSignal(signals) };
}

/** Throws if it is gone, or not this person's to read. */
async function pressed(app: CommandApp, id: string, context: CommandContext): Promise<Listed> {
  const gap = await app.gaps.get(context.place, id);
  const seen = gap === undefined ? undefined : await app.sight.see(readerOf(context), gap);
  if (gap !== undefined && seen?.kind === "listed") return { gap, seen };
  throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
}

async function votesOn(app: CommandApp, gap: Gap, turnId: string): Promise<readonly Feedback[]> {
  const votes: Feedback[] = [];
  for await (const [, vote] of app.state.keyValue<Feedback>("feedback").entries(`${workspaceKey(gap)}/${turnId}/`)) {
    if (vote.thumb === "down" && (vote.reason !== undefined || vote.comment !== undefined)) votes.push(vote);
  }
  return votes.sort((one, other) => other.atMs - one.atMs).slice(0, maxLooked);
}

async function linkTo(app: CommandApp, turnId: string): Promise<string | undefined> {
  const turn = await app.state.turns.get(turnId);
  const messageId = turn?.reply.parts.find((part) => part.messageId !== undefined)?.messageId ?? turn?.askedMessageId;
  if (turn === undefined || messageId === undefined) return undefined;
  const platform = app.sites.get(turn.conversation.platform)?.platform;
  const link = platform?.permalink({ place: turn.conversation, messageId });
  return link === undefined ? undefined : withTimeout(link, linksMs, app.clock);
}

async function shown(app: CommandApp, gap: Gap, { question, atMs, signals, from }: SeenAsker): Promise<ShownQuestion> {
  if (from === undefined) return { question, atMs, signals, votes: [] };
  const [url, votes] = await Promise.all([linkTo(app, from.turnId), votesOn(app, gap, from.turnId)]);
  return { question, atMs, signals, votes, url };
}

/** For those who may read the knowledge base that it is in. */
async function addedTo(app: CommandApp, gap: Gap, { actor, place }: CommandContext): Promise<GapDetails["added"]> {
  const known = await app.answering.byId(gap.answeredBy?.answerId ?? gap.id);
  if (known === undefined) return undefined;
  const { id, answer, by, atMs, project, knowledgeBase } = known;
  const verdict = await app.reach.mayBase(actor, "search", place, { project, name: knowledgeBase });
  return verdict.allowed ? { id, answer, name: by.name, atMs } : undefined;
}

async function showGap(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const listed = await pressed(app, id, context);
  const { gap, seen } = listed;
  const looked = await Promise.all(seen.askers.slice(0, maxLooked).map((asker) => shown(app, gap, asker)));
  const rest = seen.askers.slice(maxLooked).map(({ from: _from, ...wording }) => ({ ...wording, votes: [] }));
  const newest = seen.askers.find(({ from }) => from !== undefined)?.from;
  const turn = newest === undefined ? undefined : await app.state.turns.get(newest.turnId);
  const answer = turn?.isForgotten === true ? undefined : turn?.outcome;
  return privately(
    gapDocument({
      ...(await factsOf(app, listed, true)),
      asked: [...looked, ...rest],
      nowMs: app.clock.now(),
      answer: answer === undefined ? undefined : (answer.answer ?? ""),
      added: await addedTo(app, gap, context),
    }),
  );
}

async function note(app: CommandApp, context: CommandContext, action: string, gap: Gap): Promise<void> {
  const about = { agent: writtenName(gap.agent, app.settings.project), gap: gap.id };
  await app.audit.record(context, { role: "ingest", action, about, outcome: "done" });
}

async function dismiss(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const { gap, seen } = await pressed(app, id, context);
  const { id: byId, name } = context.actor;
  const by = { id: byId, name, atMs: app.clock.now() };
  const changed = await app.gaps.change(gap, (newest) =>
    newest.state === "open"
      ? { ...newest, state: "dismissed", dismissedBy: { ...by, askerCount: newest.askerCount } }
      : undefined,
  );
  if (changed === undefined)
    throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
  if (changed.state === "answered") return privately(infoDocument(says.isAnswered));
  await note(app, context, "gap dismiss", gap);
  return privately(dismissedDocument(id, seen.question, comesBackAfter));
}

async function reopen(app: CommandApp, id: string, context: CommandContext): Promise<CommandResult> {
  const { gap, seen } = await pressed(app, id, context);
  const changed = await app.gaps.change(gap, (newest) => {
    const { dismissedBy: _by, ...rest } = newest;
    return newest.state === "dismissed" ? { ...rest, state: "open" } : undefined;
  });
  if (changed === undefined)
    throw new ParleyError("turn_gone", { what: gapSentences.gone, hint: gapSentences.seeList });
  if (changed.state === "answered") return privately(infoDocument(says.isAnswered));
  await note(app, context, "gap reopen", gap);
  return privately(infoDocument(say`Open again: ${bold(questionText(seen.question))}`, { tone: "done" }));
}

function pageOption({ page }: OptionValues): number {
  return typeof page === "number" ? page : 1;
}

/** As the gap that it isn't. */
function gapOf(turn: Turn, agent: Named): Gap {
  const { id, actor, question, askedIn: place, createdAtMs } = turn;
  const { platform, workspace } = place;
  const asker = { turnId: id, actor, question, place, signals: ["nothing" as const], atMs: createdAtMs };
  return {
    version: 1,
    id,
    platform,
    workspace,
    agent,
    askerCount: 1,
    state: "open",
    createdAtMs,
    askers: [{ ...asker, visibility: turn.visibility }],
    lastAtMs: createdAtMs,
  };
}
