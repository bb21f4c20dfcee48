/**
 * `/kb gaps`, with Show, Dismiss and Undo. Each button decides again whether the person who presses it may read the gap:
 * an id that was read elsewhere shows nothing.
 */
import type { GapList } from "../../insight/gap-list.ts";
import type { GapReader, GapSight } from "../../insight/gap-sight.ts";
import type { SeenAsker, SeenGap } from "../../insight/visibility.ts";
import type { Named } from "../../ports/access.ts";
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Answering } from "../../ports/content/answering.ts";
import type { Gaps } from "../../ports/content/gaps.ts";
import type { Reviews } from "../../ports/content/reviews.ts";
import type { Voting } from "../../ports/content/voting.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Feedback, Gap } from "../../ports/model/insight.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import { mostFrequentSignal } from "../../ports/model/signals.ts";
import type { Turn } from "../../ports/model/turn.ts";
import type { NotShown, QuestionLogStore } from "../../ports/overview/question-log.ts";
import type { KeyValue, TurnStore } from "../../ports/state.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import {
  cleanText,
  dismissedDocument,
  type GapDetails,
  type GapFacts,
  type GapsListing,
  gapDocument,
  gapsDocument,
  infoDocument,
  questionText,
  type ShownQuestion,
} from "../../presentation/drawing.ts";
import { reviewSentences, gapSentences as says } from "../../presentation/sentences.ts";
import { nameOfRef, refOfName } from "../agents/name-ref.ts";
import { writtenName } from "../find-by-name.ts";
import { agentInReach } from "../in-reach.ts";
import type { CommandPorts } from "../ports.ts";
import { privately } from "../results.ts";
import { gapDefinitions } from "./gap-definitions.ts";

/** A dismissed gap comes back when so many new people have asked. */
const comesBackAfter = 3;
const linksMs = 1_500;
/** Of one gap: its wordings, links and votes. */
const maxLooked = 8;
/** Questions to nobody in particular that had no answer, below the list. */
const maxOverheard = 5;
const unanswered: readonly NotShown[] = ["nothing", "unsure"];

export type GapPorts = CommandPorts & {
  readonly gaps: Gaps;
  readonly gapList: GapList;
  readonly sight: GapSight;
  readonly reviews: Pick<Reviews, "unowned">;
  readonly turns: Pick<TurnStore, "get">;
  readonly questionLog: Pick<QuestionLogStore, "page">;
  readonly voting: Pick<Voting, "down">;
  readonly answering: Pick<Answering, "byId">;
  /** By workspace, Turn and voter. Namespace "feedback". */
  readonly feedback: Pick<KeyValue<Feedback>, "entries">;
  readonly permalink: (ref: { readonly place: Place; readonly messageId: string }) => Promise<string | undefined>;
};

type Listed = { readonly gap: Gap; readonly seen: Extract<SeenGap, { kind: "listed" }> };

export function gapCommands(ports: GapPorts): CommandSet {
  const { gaps, gapList, sight, reach, settings, audit, clock } = ports;

  const readerOf = ({ actor, place }: CommandContext): GapReader => ({ kind: "person", actor, place });

  /** All that the person reaches, and the one that answers here, which may be of another project. */
  async function agentsHere({ actor, place }: CommandContext): Promise<readonly Named[]> {
    const [reached, resolved] = await Promise.all([reach.agents(actor, place), reach.resolve(actor, place)]);
    const here = resolved.kind === "bound" ? [{ project: resolved.binding.project, name: resolved.binding.agent }] : [];
    const all = [...here, ...reached].map(({ project, name }) => [`${project}.${name}`, { project, name }] as const);
    return [...new Map(all).values()];
  }

  async function list(agent: string | undefined, page: number, context: CommandContext): Promise<CommandResult> {
    const named = agent === undefined ? undefined : await agentInReach(ports, agent, context);
    const agents = named === undefined ? await agentsHere(context) : [named];
    const found = await gapList.page(readerOf(context), agents, page);
    if (page > found.pages) return privately(infoDocument(says.noSuchPage(found.pages), { tone: "failed" }));
    const written = named === undefined ? undefined : writtenName(named, settings.project);
    return privately(
      gapsDocument({
        gaps: await Promise.all(found.gaps.map((one) => factsOf(one, named === undefined && agents.length > 1))),
        ref: written === undefined ? "" : refOfName(written),
        nowMs: clock.now(),
        page,
        pages: found.pages,
        total: found.total,
        overheard: page === 1 && named === undefined ? await overheardIn(context) : [],
        agent: written,
        hidden: found.hidden,
        footer: await unownedLine(context),
      }),
    );
  }

  /** Newest first, for those who would read a gap from there. */
  async function overheardIn(context: CommandContext): Promise<NonNullable<GapsListing["overheard"]>> {
    const { platform, workspace, channel } = context.place;
    const resolved = await reach.resolve(context.actor, context.place);
    if (resolved.kind !== "bound") return [];
    const agent = { project: resolved.binding.project, name: resolved.binding.agent };
    const asked = unanswered.map((why) => ({ platform, workspace, channel, outcome: "not-shown" as const, why }));
    const found = await Promise.all(asked.map((filter) => ports.questionLog.page(filter, maxOverheard)));
    const entries = found.flatMap((page) => page.entries).filter((entry) => entry.isScheduled !== true);
    const newest = entries.toSorted((a, b) => b.askedAtMs - a.askedAtMs).slice(0, maxOverheard);
    const turns = await Promise.all(newest.map(({ id }) => ports.turns.get(id)));
    const kept = turns.filter((turn) => turn !== undefined).filter(({ isForgotten }) => isForgotten !== true);
    const seen = await Promise.all(kept.map((turn) => sight.see(readerOf(context), gapOf(turn, agent))));
    return kept.flatMap(({ createdAtMs: atMs }, at) => {
      const one = seen[at];
      return one?.kind === "listed" ? [{ question: one.question, atMs }] : [];
    });
  }

  /** For people who manage. Undefined when there is nothing to say, or it can't be found out in time. */
  async function unownedLine({ place, roles }: CommandContext): Promise<string | undefined> {
    if (!roles.manage.allowed) return undefined;
    const found = await withTimeout(ports.reviews.unowned(place, maxLooked), linksMs, clock).catch(() => undefined);
    if (found === undefined || found.count === 0) return undefined;
    const bases = [...new Set(found.answers.map(({ knowledgeBase }) => cleanText(knowledgeBase)))];
    return reviewSentences.unowned(found.count, bases);
  }

  async function factsOf({ gap, seen }: Listed, namesAgent: boolean): Promise<GapFacts> {
    const { id, agent, askerCount: people, lastAtMs, askers } = gap;
    const signals = askers.flatMap((asker) => asker.signals);
    const thumbsDown = await ports.voting.down(gap, askers);
    const facts = { id, people, lastAtMs, question: seen.question, thumbsDown };
    const written = namesAgent ? writtenName(agent, settings.project) : undefined;
    return { ...facts, agent: written, signal: mostFrequentSignal(signals) };
  }

  /** Throws if it is gone, or not this person's to read. */
  async function pressed(id: string, context: CommandContext): Promise<Listed> {
    const gap = await gaps.get(context.place, id);
    const seen = gap === undefined ? undefined : await sight.see(readerOf(context), gap);
    if (gap !== undefined && seen?.kind === "listed") return { gap, seen };
    throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeList });
  }

  async function votesOn(gap: Gap, turnId: string): Promise<readonly Feedback[]> {
    const votes: Feedback[] = [];
    for await (const [, vote] of ports.feedback.entries(`${workspaceKey(gap)}/${turnId}/`)) {
      if (vote.thumb === "down" && (vote.reason !== undefined || vote.comment !== undefined)) votes.push(vote);
    }
    return votes.sort((one, other) => other.atMs - one.atMs).slice(0, maxLooked);
  }

  async function linkTo(turnId: string): Promise<string | undefined> {
    const turn = await ports.turns.get(turnId);
    const messageId = turn?.reply.parts.find((part) => part.messageId !== undefined)?.messageId ?? turn?.askedMessageId;
    if (turn === undefined || messageId === undefined) return undefined;
    return withTimeout(ports.permalink({ place: turn.conversation, messageId }), linksMs, clock);
  }

  async function shown(gap: Gap, { question, atMs, signals, from }: SeenAsker): Promise<ShownQuestion> {
    if (from === undefined) return { question, atMs, signals, votes: [] };
    const [url, votes] = await Promise.all([linkTo(from.turnId), votesOn(gap, from.turnId)]);
    return { question, atMs, signals, votes, url };
  }

  /** For those who may read the knowledge base that it is in. */
  async function addedTo(gap: Gap, { actor, place }: CommandContext): Promise<GapDetails["added"]> {
    const known = await ports.answering.byId(gap.answeredBy?.answerId ?? gap.id);
    if (known === undefined) return undefined;
    const { id, answer, by, atMs, project, knowledgeBase } = known;
    const verdict = await reach.mayBase(actor, "search", place, { project, name: knowledgeBase });
    return verdict.allowed ? { id, answer, name: by.name, atMs } : undefined;
  }

  async function show(id: string, context: CommandContext): Promise<CommandResult> {
    const listed = await pressed(id, context);
    const { gap, seen } = listed;
    const looked = await Promise.all(seen.askers.slice(0, maxLooked).map((asker) => shown(gap, asker)));
    const rest = seen.askers.slice(maxLooked).map(({ from: _from, ...wording }) => ({ ...wording, votes: [] }));
    const newest = seen.askers.find(({ from }) => from !== undefined)?.from;
    const turn = newest === undefined ? undefined : await ports.turns.get(newest.turnId);
    const answer = turn?.isForgotten === true ? undefined : turn?.outcome;
    return privately(
      gapDocument({
        ...(await factsOf(listed, true)),
        asked: [...looked, ...rest],
        nowMs: clock.now(),
        answer: answer === undefined ? undefined : (answer.answer ?? ""),
        added: await addedTo(gap, context),
      }),
    );
  }

  async function note(context: CommandContext, action: string, gap: Gap): Promise<void> {
    const about = { agent: writtenName(gap.agent, settings.project), gap: gap.id };
    await audit.record(context, { role: "ingest", action, about, outcome: "done" });
  }

  async function dismiss(id: string, context: CommandContext): Promise<CommandResult> {
    const { gap, seen } = await pressed(id, context);
    const { id: byId, name } = context.actor;
    const by = { id: byId, name, atMs: clock.now() };
    const changed = await gaps.change(gap, (newest) =>
      newest.state === "open"
        ? { ...newest, state: "dismissed", dismissedBy: { ...by, askerCount: newest.askerCount } }
        : undefined,
    );
    if (changed === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeList });
    if (changed.state === "answered") return privately(infoDocument(says.isAnswered));
    await note(context, "gap dismiss", gap);
    return privately(dismissedDocument(id, seen.question, comesBackAfter));
  }

  async function reopen(id: string, context: CommandContext): Promise<CommandResult> {
    const { gap, seen } = await pressed(id, context);
    const changed = await gaps.change(gap, (newest) => {
      const { dismissedBy: _by, ...rest } = newest;
      return newest.state === "dismissed" ? { ...rest, state: "open" } : undefined;
    });
    if (changed === undefined) throw new ParleyError("turn_gone", { what: says.gone, hint: says.seeList });
    if (changed.state === "answered") return privately(infoDocument(says.isAnswered));
    await note(context, "gap reopen", gap);
    return privately(infoDocument(says.reopened(questionText(seen.question)), { tone: "done" }));
  }

  return {
    definitions: gapDefinitions,
    handlers: {
      "kb gaps": { run: (options, context) => list(textOption(options, "agent"), pageOption(options), context) },
    },
    actions: {
      "gap-page": {
        role: "ingest",
        press: async (value, context) => {
          const [page = "", ...rest] = value.split(" ");
          const ref = rest.join(" ");
          const agent = ref === "" ? undefined : await nameOfRef(ports, ref);
          return list(agent, Math.max(1, Math.trunc(Number(page)) || 1), context);
        },
      },
      "gap-show": { role: "ingest", press: show },
      "gap-dismiss": { role: "ingest", press: dismiss },
      "gap-reopen": { role: "ingest", press: reopen },
    },
  };
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
    wordings: 1,
    state: "open",
    createdAtMs,
    askers: [{ ...asker, visibility: turn.visibility }],
    lastAtMs: createdAtMs,
  };
}
