/** One question with all that is known about it, as far as the viewer may read it. A part of the page Questions. */
import { z } from "zod";
import type { Inline } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Feedback, FeedbackReason } from "../../core/model/insight.ts";
import { type Actor, personKey, workspaceKey } from "../../core/model/place.ts";
import type { Source, Step, Table, Thumb, Turn, TurnView } from "../../core/model/turn.ts";
import type { Asked } from "../../core/ports/overview.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { entryOf, type QuestionEntry, questionLogIn, questionQuery } from "../../insight/derived/question-log.ts";
import { cleanTable, cleanText } from "../../presentation/drawing.ts";
import { passageExcerpt } from "../../presentation/markdown.ts";
import { adminSentences, beginningOf, shorten, stepFound, stepTitle } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { overseen } from "../oversight.ts";
import { adminPlaceOf, parsed } from "../page.ts";
import { createLister, type ListedQuestion } from "../questions/listed.ts";
import { entryNow, unfinished } from "../questions/unfinished.ts";
import { type GapLine, gapLine } from "./gaps.ts";
import { readFigures } from "./overview.ts";

const maxListedChars = 240;
const maxNameChars = 100;
const maxQuestionChars = 20_000;
const maxAnswerChars = 100_000;
const maxRows = 50;
const maxVotes = 50;
const maxPassageChars = 400;
const maxRawChars = 100_000;
const maxOthers = 10;
/** Turns of a conversation read to find its newest questions. */
const maxOthersRead = 200;
/** The page waits no longer for the platform. */
const linkMs = 1_000;
/** References have four letters, in lower case; ids are longer. */
const maxRefChars = 8;

const query = z.object({ question: z.string() });
const stepQuery = query.extend({ step: z.coerce.number().catch(-1) });

export type ShownQuestion = {
  readonly listed: ListedQuestion;
  /** Absent: the viewer may not read them. */
  readonly texts?: SeenTexts;
  readonly times: QuestionTimes;
  readonly stepCount: number;
  readonly sourceCount: number;
  readonly attempt: number;
  readonly traceId?: string;
  readonly gap?: GapLine;
  /** Questions that failed in the same way in the last seven days, with this one. */
  readonly failedAlike?: number;
  /** Of the message in the chat. Absent for a direct message that may not be read. */
  readonly url?: string;
  /** Of the same conversation, newest first, without this one. */
  readonly others: readonly ListedQuestion[];
  readonly moreOthers: number;
};

/** All of it is cleaned. */
export type SeenTexts = {
  readonly question: string;
  readonly by: string;
  /** Its asker, as they are named for export and erasure: "slack:T1/U123". */
  readonly person: string;
  /** Markdown. */
  readonly answer?: string;
  readonly answerOmittedChars?: number;
  readonly table?: Table;
  readonly isPartial: boolean;
  readonly sources: readonly Source[];
  readonly steps: readonly SeenStep[];
  readonly omittedSteps: number;
  readonly votes: readonly SeenVote[];
  readonly error?: { readonly what: string; readonly hint: string };
  readonly stoppedBy?: string;
};

export type SeenStep = {
  /** "Searched **pricing** for “SSO”". */
  readonly title: Inline;
  readonly found?: string;
  readonly state: "running" | "done" | "failed";
  readonly tookMs?: number;
  readonly passages: readonly Source[];
  readonly hasRaw: boolean;
};

export type SeenVote = {
  readonly thumb: Thumb;
  readonly by: string;
  readonly atMs: number;
  readonly reason?: FeedbackReason;
  readonly comment?: string;
  readonly wantsToKnow?: true;
};

export type QuestionTimes = {
  /** From the question to the beginning of its run. */
  readonly waitedMs?: number;
  /** Until the last step ended. */
  readonly stepsMs?: number;
  /** From there to the end of the answer. */
  readonly answerMs?: number;
  readonly shownMs?: number;
  readonly totalMs?: number;
};

/** One step as the service sent it. */
export type RawStep = {
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  readonly reason: string;
};

const listerFor = (app: OverviewApp, { viewer }: Asked) =>
  createLister(app, personKey(adminPlaceOf(viewer), viewer), maxListedChars);

/** By its id, or by its reference: then the newest one that has it. */
export async function readQuestion(app: OverviewApp, asked: Asked): Promise<ShownQuestion> {
  const { question } = parsed(query, asked);
  const turn = await find(app, asked.viewer, question.length > maxRefChars ? question : question.toLowerCase());
  if (turn === undefined) throw new ParleyError("place_gone", adminSentences.noQuestion);
  const lister = listerFor(app, asked);
  const entry = await entryNow(app, turn);
  const { line, mayRead } = await (entry === undefined ? lister.running(turn) : lister.ended(entry, turn));
  const [texts, gap, failedAlike, url, others] = await Promise.all([
    mayRead ? textsOf(app, turn) : undefined,
    mayRead ? gapOf(app, asked, turn) : undefined,
    entry?.code === undefined ? undefined : countAlike(app, asked.viewer, entry.code),
    // The address of a direct message says whose it is.
    mayRead || line.askedIn.kind !== "direct" ? linkTo(app, turn) : undefined,
    othersOf(app, turn, lister),
  ]);
  return {
    listed: line,
    texts,
    times: timesOf(turn),
    stepCount: (turn.outcome?.steps.length ?? 0) + (turn.outcome?.omittedSteps ?? 0),
    sourceCount: turn.outcome?.sources.length ?? 0,
    attempt: turn.attempt,
    traceId: turn.outcome?.traceId,
    gap,
    failedAlike,
    url,
    ...others,
  };
}

export async function readStep(app: OverviewApp, asked: Asked): Promise<RawStep> {
  const { question, step } = parsed(stepQuery, asked, adminSentences.noStep);
  const turn = await find(app, asked.viewer, question);
  const found = turn?.isForgotten === true ? undefined : turn?.outcome?.steps[step];
  const mayRead = turn !== undefined && (await listerFor(app, asked).running(turn)).mayRead;
  if (found === undefined || !mayRead) throw new ParleyError("place_gone", adminSentences.noStep);
  const { tool, input, observation = "", reasoning = "" } = found;
  const cut = (text: string) => beginningOf(cleanText(text), maxRawChars);
  return { tool: name(tool), input: cut(input), output: cut(observation), reason: cut(reasoning) };
}

async function find(app: OverviewApp, viewer: Actor, idOrRef: string): Promise<Turn | undefined> {
  const { turns } = app.state;
  const known = (turn: Turn | undefined) =>
    turn === undefined || turn.isForgotten === true || !app.reach.oversees(viewer, turn.askedIn) ? undefined : turn;
  const filters = (overseen(viewer) ?? [{}]).map((workspace) => ({ ref: idOrRef, ...workspace }));
  const direct = await turns.get(idOrRef);
  if (direct !== undefined) return known(direct);
  const both = filters.map(async (filter) => ({
    running: (await unfinished(app, filter)).found,
    ended: (await questionLogIn(app.state).query(questionQuery(filter), 1)).entries,
  }));
  const found = await Promise.all(both);
  const [running] = found.flatMap((one) => one.running);
  const [newest] = found
    .flatMap(({ ended }) => ended)
    .sort((one, other) => other.record.askedAtMs - one.record.askedAtMs);
  if (running !== undefined && running.createdAtMs >= (newest?.record.askedAtMs ?? 0)) return running;
  return newest === undefined ? undefined : known(await turns.get(newest.id));
}

async function gapOf(app: OverviewApp, { viewer }: Asked, turn: Turn): Promise<GapLine | undefined> {
  const gap = await app.insight.gaps.ofTurn(turn);
  return gap === undefined ? undefined : gapLine(app, viewer, `${workspaceKey(gap)}/${gap.id}`);
}

/** An extra: a question is shown without it. */
async function countAlike(app: OverviewApp, viewer: Actor, code: QuestionEntry["code"]): Promise<number | undefined> {
  // They are counted over all workspaces.
  if (overseen(viewer) !== undefined) return undefined;
  const found = await readFigures(app, 7, "UTC").catch(() => undefined);
  return found?.failures.find((failure) => failure.code === code)?.count;
}

async function linkTo({ sites, clock }: OverviewApp, turn: Turn): Promise<string | undefined> {
  const [first] = turn.reply.parts.filter(({ state }) => state === "posted" || state === "final");
  const answer = first?.messageId === undefined ? undefined : { place: turn.reply.place, messageId: first.messageId };
  const asked = turn.askedMessageId === undefined ? undefined : { place: turn.askedIn, messageId: turn.askedMessageId };
  const ref = answer ?? asked;
  const link = ref && sites.get(ref.place.platform)?.platform.permalink(ref);
  return link === undefined ? undefined : withTimeout(link, linkMs, clock);
}

async function othersOf({ state }: OverviewApp, turn: Turn, lister: ReturnType<typeof createLister>) {
  const found: Turn[] = [];
  for await (const other of state.turns.ofConversation(turn.conversation)) {
    if (other.id !== turn.id && other.isForgotten !== true) found.push(other);
    if (found.length > maxOthersRead) found.shift();
  }
  const newest = found.sort((one, other) => other.createdAtMs - one.createdAtMs).slice(0, maxOthers);
  const others = await Promise.all(
    newest.map((other) =>
      unfinishedTurnStates.includes(other.state)
        ? lister.running(other)
        : lister.ended(entryOf({ turn: other, votes: { up: 0, down: 0 } }), other),
    ),
  );
  return { others: others.map(({ line }) => line), moreOthers: found.length - newest.length };
}

function timesOf({ createdAtMs, askedAgainAtMs, outcome, endedAtMs, shownAtMs }: Turn): QuestionTimes {
  const askedAtMs = askedAgainAtMs ?? createdAtMs;
  const startedAtMs = outcome?.startedAtMs;
  const lastStepMs = outcome?.steps.findLast((step) => step.endedAtMs !== undefined)?.endedAtMs;
  const answeredAtMs = outcome?.endedAtMs ?? endedAtMs;
  const between = (from: number | undefined, until: number | undefined) =>
    // Instances' clocks may differ.
    from === undefined || until === undefined ? undefined : Math.max(0, until - from);
  return {
    waitedMs: between(askedAtMs, startedAtMs),
    stepsMs: between(startedAtMs, lastStepMs),
    answerMs: between(lastStepMs ?? startedAtMs, answeredAtMs),
    shownMs: between(answeredAtMs, shownAtMs),
    totalMs: between(askedAtMs, shownAtMs ?? answeredAtMs),
  };
}

const name = (text: string) => shorten(cleanText(text), maxNameChars);

/** An answer that is passages only. */
function modelError(words: string | undefined): { readonly what: string; readonly hint: string } | undefined {
  if (words === undefined) return undefined;
  return { what: "The language model failed, so people got passages only.", hint: shorten(words, maxPassageChars) };
}

async function textsOf(app: OverviewApp, turn: Turn): Promise<SeenTexts> {
  const view = turn.outcome ?? turn.soFar;
  const error = view?.error ?? modelError(view?.modelFailed);
  const stoppedBy = turn.stopRequestedBy?.name;
  return {
    answer: view?.answer === undefined ? undefined : beginningOf(cleanText(view.answer), maxAnswerChars),
    answerOmittedChars: view?.answerOmittedChars,
    table: view?.answerTable === undefined ? undefined : firstRows(view.answerTable),
    error: error === undefined ? undefined : { what: cleanText(error.what), hint: cleanText(error.hint) },
    stoppedBy: stoppedBy === undefined ? undefined : name(stoppedBy),
    question: beginningOf(cleanText(turn.question), maxQuestionChars),
    by: name(turn.actor.name),
    person: `${turn.askedIn.platform}:${turn.askedIn.workspace}/${turn.actor.id}`,
    isPartial: view?.isPartial === true,
    sources: (view?.sources ?? []).map(cleanSource),
    steps: (view?.steps ?? []).map(seenStep),
    omittedSteps: view?.omittedSteps ?? 0,
    votes: await votesOf(app, turn),
  };
}

function firstRows(table: NonNullable<TurnView["answerTable"]>) {
  const { columns, rows, omittedRows = 0 } = cleanTable(table);
  const omitted = omittedRows + Math.max(0, rows.length - maxRows);
  return { columns, rows: rows.slice(0, maxRows), omittedRows: omitted === 0 ? undefined : omitted };
}

function seenStep(step: Step): SeenStep {
  const { state, startedAtMs, endedAtMs, sources = [] } = step;
  const tookMs = endedAtMs === undefined ? undefined : Math.max(0, endedAtMs - startedAtMs);
  return {
    found: stepFound(step),
    tookMs,
    title: stepTitle(step),
    state,
    passages: sources.map(cleanSource),
    hasRaw: [step.input, step.observation ?? "", step.reasoning ?? ""].some((text) => text.trim() !== ""),
  };
}

function cleanSource({ title, excerpt, addedBy, rowId: _rowId, ...source }: Source): Source {
  return {
    ...source,
    excerpt: excerpt === undefined ? undefined : passageExcerpt(excerpt, maxPassageChars),
    addedBy: addedBy === undefined ? undefined : { ...addedBy, name: name(addedBy.name) },
    title: shorten(cleanText(title), maxPassageChars),
  };
}

/** Newest first. */
async function votesOf({ state }: OverviewApp, turn: Turn): Promise<readonly SeenVote[]> {
  const feedback = state.keyValue<Feedback>("feedback");
  const found: SeenVote[] = [];
  for await (const [, vote] of feedback.entries(`${workspaceKey(turn.conversation)}/${turn.id}/`)) {
    const { thumb, actor, atMs, reason, comment, tell } = vote;
    const said = comment === undefined ? undefined : cleanText(comment);
    const wantsToKnow = tell === true ? (true as const) : undefined;
    found.push({ reason, comment: said, wantsToKnow, thumb, by: name(actor.name), atMs });
  }
  return found.sort((one, other) => other.atMs - one.atMs).slice(0, maxVotes);
}
