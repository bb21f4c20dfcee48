/** Draws a Turn in each of its states. Pure, so that the Reply writer can compare two pictures. */

import type { VoteCounts } from "../../../core/content/voting.ts";
import type { Action, Block, Document, Inline, Tone } from "../../../core/document.ts";
import type { PlaceInLine, Thumb, Turn, TurnView } from "../../../core/model/turn.ts";
import { plainText } from "../../markdown/plain-text.ts";
import { busyUntil } from "../../sentences/errors.ts";
import { countText, durationText, numberText } from "../../sentences/quantities.ts";
import { approvalSentences, pictureSentences, pictures, turnSentences } from "../../sentences/questions.ts";
import { shorten, stepTitle } from "../../sentences/steps.ts";
import { bold, code, dotted, inlineText, italic, moment, person, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { answerContent } from "./answer-content.ts";
import { answerEnd, lineWithSources, sourcesBlock, stepCount, took } from "./answer-fold.ts";
import { approvalActions, approvalBlocks, approvalHeadline, decisionLines } from "./approval-document.ts";
import { growingBlocks } from "./growing-answer.ts";
import { anotherAgent, csv, found, newTopic, notForYou, rest, retry, steps, stop, thumbs } from "./turn-actions.ts";

const says = {
  running: (agent: string): Inline => (agent === "" ? say`Looking it up` : say`${bold(agent)} is looking it up`),
  line: (place: PlaceInLine): string => {
    if (place.kind === "approval") return approvalSentences.line(place.position);
    if (place.kind === "person-limit" || place.kind === "channel-limit") {
      const whose = place.kind === "person-limit" ? "You've reached the" : "This channel has reached its";
      const ahead =
        place.position <= 1
          ? "Your question is next and starts automatically."
          : `${countText(place.position - 1, "question")} ahead of yours. Yours starts automatically.`;
      return `${whose} per-minute limit. ${ahead}`;
    }
    // In a conversation the question that is being answered stands before the first in line.
    const before = place.kind === "conversation" ? place.position : place.position - 1;
    if (before <= 0) return "Yours is next, as soon as the agent service is free.";
    return `${countText(before, "question")} ahead of yours.`;
  },
  restarted: "Parley restarted and continues with this question",
  stopped: "Stopped",
  afterSteps: (count: number): string => (count === 0 ? "" : `after ${countText(count, "step")}`),
  /** "👍 4". */
  count: (thumb: Thumb, count: number): string => `${pictures[thumb]} ${numberText(count)}`,
};

/** Earlier steps fold into "4 earlier steps": a phone shows no more at once. */
const maxShownSteps = 6;
/** Elapsed time is shown after this. */
const longAfterMs = 5_000;
/** Of the question in "NAME asked: …". */
const maxQuestionChars = 300;
const maxStatusChars = 160;
/** How much of an agent's status is read to choose a line of it. */
const maxReadStatusChars = 2_000;
const maxSummaryChars = 150;
const maxNowChars = 100;
const maxTopicChars = 200;
/** Of a picture's name. */
const maxNameChars = 80;
/** How much of a question is read for its topic. */
const maxReadTopicChars = 2_000;

export type TurnDocumentOptions = {
  /** Id of the person who asked. */
  readonly asker?: string;
  /** Nobody signs in there, so every reader is the person who asked. */
  readonly isNameless?: boolean;
  /** Who pressed Stop, if known. */
  readonly stoppedBy?: { readonly name: string; readonly id?: string };
  /** Nobody asked for this answer. */
  readonly isUnasked?: true;
  /** The next question would continue from it, unless the person starts afresh. */
  readonly isInTopic?: true;
  /** The asker can ask another agent there. */
  readonly hasOtherAgents?: boolean;
  /** A source that was last read longer ago than this says when. */
  readonly sourceOldMs?: number;
  /** Votes on this answer. Absent: none, or not counted. */
  readonly votes?: VoteCounts;
  /** How a person asked for the answer's table. Absent: as the question asks. */
  readonly shownAs?: Turn["shownAs"];
  /** How much of an answer is drawn while it is being written, in characters. */
  readonly maxGrowingChars?: number;
};

export function turnDocument(view: TurnView, nowMs: number, options: TurnDocumentOptions = {}): Document {
  switch (view.state) {
    case "queued":
      return queued(view, options);
    case "running":
      return view.isWriting === undefined ? running(view, nowMs, options) : writing(view, options);
    case "waiting":
      return waiting(view, options);
    case "interrupted":
      return document(view, "waiting", say`${says.restarted}`, [], [stop(view, options)]);
    case "answered":
      return answered(view, options);
    case "failed":
      return failed(view, options);
    case "stopped":
      return stopped(view, options);
    default:
      return view.state satisfies never;
  }
}

function queued(view: TurnView, options: TurnDocumentOptions): Document {
  if (view.isResumed) return document(view, "waiting", say`${says.restarted}`, [], [stop(view, options)]);
  if (view.placeInLine === undefined) {
    return document(view, "running", says.running(view.agent), [], [stop(view, options)]);
  }
  const line: Block = { kind: "text", text: say`${says.line(view.placeInLine)}` };
  return document(
    view,
    "waiting",
    view.agent === "" ? say`Waiting` : say`${bold(view.agent)} will look it up`,
    [line],
    [stop(view, options)],
  );
}

function running(view: TurnView, nowMs: number, options: TurnDocumentOptions): Document {
  const blocks: Block[] = [...shownSteps(view)];
  const { waitsUntilMs } = view;
  if (waitsUntilMs !== undefined)
    blocks.push({ kind: "text", text: say`Busy right now. Asking again at ${moment(waitsUntilMs, "second")}.` });
  const status = statusText(view);
  if (status !== undefined) blocks.push({ kind: "text", text: say`${italic(status)}` });
  const elapsedMs = view.startedAtMs === undefined ? 0 : nowMs - view.startedAtMs;
  if (elapsedMs >= longAfterMs) blocks.push({ kind: "quiet", text: say`${durationText(elapsedMs)}` });
  const headline = view.isResumed ? say`${says.restarted}` : says.running(view.agent);
  return document(view, "running", headline, blocks, [stop(view, options)]);
}

function writing(view: TurnView, options: TurnDocumentOptions): Document {
  const { maxGrowingChars = 3_000 } = options;
  const said = view.agent === "" ? say`Writing` : say`${bold(view.agent)} is writing`;
  const words = inlineText(said);
  const drawn = document(
    view,
    "running",
    undefined,
    growingBlocks(view, maxGrowingChars),
    [stop(view, options)],
    words,
  );
  return { ...drawn, now: nowText(view, said) ?? words };
}

/** People are to decide. The steps so far stay; no time passes for the reader. */
function waiting(view: TurnView, options: TurnDocumentOptions): Document {
  const { isNameless = false } = options;
  const blocks = view.asksFor === undefined ? [] : approvalBlocks(view.asksFor, isNameless);
  const actions = [...approvalActions(view), stop(view, options)];
  return document(view, "waiting", approvalHeadline(view), [...shownSteps(view), ...blocks], actions);
}

function shownSteps(view: TurnView): readonly Block[] {
  const shown = view.steps.slice(-maxShownSteps);
  const steps: readonly Block[] =
    shown.length === 0
      ? []
      : [{ kind: "steps", earlier: stepCount(view) - shown.length, steps: shown.map(lineWithSources) }];
  return [...steps, ...decisionLines(view)];
}

function answered(view: TurnView, options: TurnDocumentOptions): Document {
  const { blocks: content, toggle, says } = answerContent(view, options.shownAs);
  const blocks: Block[] = [...content];
  if (view.isPartial)
    blocks.unshift({ kind: "text", text: say`${bold("The connection dropped, so this may be incomplete.")}` });
  if (view.isSecondAnswer === true && view.agent !== "")
    blocks.unshift({ kind: "text", text: say`${bold(view.agent)} answers too` });
  blocks.push(
    ...unseenPictures(view),
    ...doubt(view),
    ...whyCut(view),
    ...decisionLines(view),
    ...answerEnd(sourced(view), voteCounts(options), options.sourceOldMs),
  );
  const again = retry(view, view.isPartial ? "primary" : "plain");
  // Nobody asked for the first one.
  const other = options.isUnasked === true ? [] : anotherAgent(view, options);
  const topic = options.isInTopic === true ? [newTopic(view)] : [];
  const actions = view.isPartial
    ? [again, ...other, ...steps(view), ...toggle, ...csv(view), ...thumbs(view), ...topic]
    : [
        ...notForYou(view, options.isUnasked),
        ...found(view),
        ...steps(view),
        ...toggle,
        ...csv(view),
        ...thumbs(view),
        again,
        ...other,
        ...topic,
      ];
  return document(view, view.isPartial ? "partial" : "done", undefined, blocks, actions, answerSummary(view, says));
}

/** A sentence for each picture that the agent didn't get. */
function unseenPictures({ seesNoPictures, unseenPictures: unseen = [], agent }: TurnView): readonly Block[] {
  const sentences = unseen.map(({ name, why }) => pictureSentences[why](shorten(cleanText(name), maxNameChars)));
  if (seesNoPictures !== undefined) sentences.unshift(pictureSentences[seesNoPictures](agent));
  return sentences.map((text) => ({ kind: "text", text }));
}

/** A service that knows its knowledge has said it in its answer. */
function doubt({ grade, ownGrade, isPartial, answerCut }: TurnView): readonly Block[] {
  const isSaid = ownGrade !== undefined && ownGrade !== "sure";
  if (grade !== "unsure" || isSaid || isPartial || answerCut !== undefined) return [];
  return [{ kind: "text", text: say`${italic("I'm not sure this answers it.")}` }];
}

/** An answer that says that it doesn't know rests on nothing. */
function sourced(view: TurnView): TurnView {
  return view.grade === "nothing" ? { ...view, sources: [] } : view;
}

/** A plain sentence below an answer that the service ended early. */
function whyCut({ answerCut }: TurnView): readonly Block[] {
  if (answerCut === undefined) return [];
  const why =
    answerCut === "length"
      ? "The agent service ended this answer early because it reached its length limit."
      : "The content filter of the agent service ended this answer early.";
  return [{ kind: "text", text: say`${italic(why)}` }];
}

function failed(view: TurnView, options: TurnDocumentOptions): Document {
  const blocks: Block[] = [];
  if (view.error !== undefined) blocks.push({ kind: "text", text: say`${view.error.hint}` });
  blocks.push(...unseenPictures(view), ...kept(view, options), ...decisionLines(view));
  const quiet = dotted(says.afterSteps(stepCount(view)), took(view), turnSentences.reference(view.ref));
  blocks.push({ kind: "quiet", text: quiet });
  const { what = "", untilMs } = view.error ?? {};
  const headline = untilMs === undefined ? withAgent(what, view.agent) : busyUntil(untilMs);
  const actions = [retry(view), ...anotherAgent(view, options), ...steps(view), ...csv(view)];
  return document(view, "failed", headline, blocks, actions);
}

function stopped(view: TurnView, options: TurnDocumentOptions): Document {
  const quiet = dotted(stopper(options), says.afterSteps(stepCount(view)), took(view));
  const blocks: Block[] = [...kept(view, options), ...decisionLines(view), { kind: "quiet", text: quiet }];
  return document(view, "stopped", say`${says.stopped}`, blocks, [retry(view), ...steps(view)]);
}

/** Follows the posted part of an answer when someone pressed Stop. */
export function cutShortDocument(view: TurnView, options: TurnDocumentOptions): Document {
  const blocks: Block[] = [
    { kind: "text", text: say`The rest of the answer wasn't posted.` },
    { kind: "quiet", text: dotted(stopper(options), turnSentences.reference(view.ref)) },
  ];
  const actions = [retry(view), ...steps(view), ...csv(view)];
  return document(view, "stopped", say`${says.stopped}`, blocks, actions);
}

/** Counts of zero are left out. */
function voteCounts({ votes }: TurnDocumentOptions): readonly string[] {
  const { up, down } = votes ?? { up: 0, down: 0 };
  return [...(up > 0 ? [says.count("up", up)] : []), ...(down > 0 ? [says.count("down", down)] : [])];
}

function stopper({ stoppedBy }: TurnDocumentOptions): Inline | undefined {
  return stoppedBy && say`stopped by ${person(stoppedBy.name, stoppedBy.id)}`;
}

/** What arrived before the failure, marked as incomplete. */
function kept(view: TurnView, options: TurnDocumentOptions): readonly Block[] {
  const arrived = answerContent(view).blocks;
  if (arrived.length === 0) return [];
  const sources = view.sources.length > 0 ? [sourcesBlock(view, options.sourceOldMs)] : [];
  return [{ kind: "text", text: say`${italic("Received so far (may be incomplete):")}` }, ...arrived, ...sources];
}

/** The agent's latest status, unless it repeats a step or is internal. */
function statusText(view: TurnView): string | undefined {
  const status = cleanText((view.status ?? "").slice(0, maxReadStatusChars)).replace(/^\s*thought:\s*/i, "");
  const line = status.split("\n").find((candidate) => candidate.trim() !== "");
  if (line === undefined || isMachinery(line)) return undefined;
  if (view.steps.some((step) => step.reasoning?.includes(line.trim()))) return undefined;
  return shorten(line, maxStatusChars);
}

/** A query, or a call of a tool. */
function isMachinery(line: string): boolean {
  if (/\baction(?: input)?:/i.test(line)) return true;
  const query = line.search(/\bselect\b/i);
  return query >= 0 && /\bfrom/i.test(line.slice(query));
}

/** Puts the agent's name into an error's sentence, which can only say "the agent". */
function withAgent(what: string, agent: string): Inline {
  const found = agent === "" ? null : /\bthe agent\b(?! service)/i.exec(what);
  if (found === null) return say`${what}`;
  return say`${what.slice(0, found.index)}${code(agent)}${what.slice(found.index + found[0].length)}`;
}

function askedBlock(view: TurnView): readonly Block[] {
  if (view.askedBy === undefined) return [];
  const question = cleanText(view.question).trim();
  const chars = question.length + (view.questionOmittedChars ?? 0);
  const isLong = chars > maxQuestionChars;
  const shown = isLong
    ? shorten(question, maxQuestionChars).replace(/…$/, "") + turnSentences.questionCut(chars)
    : question;
  return [{ kind: "text", text: turnSentences.asked(view.askedBy, shown) }];
}

function document(
  view: TurnView,
  tone: Tone,
  headline: Inline | undefined,
  blocks: readonly Block[],
  actions: readonly Action[],
  summary?: string,
): Document {
  const top: Block[] = headline === undefined || headline.length === 0 ? [] : [{ kind: "headline", text: headline }];
  const said = summary ?? shorten(inlineText(headline ?? []), maxSummaryChars);
  return {
    whenCut: rest(view),
    byline: view.agent === "" ? undefined : cleanText(view.agent),
    tone,
    blocks: [...askedBlock(view), ...top, ...blocks],
    actions,
    summary: said === "" ? "Answer ready." : said,
    now: nowText(view, headline ?? []),
    topic: topicText(view),
  };
}

/** The running step. While none runs, the headline, or how many questions are before it. */
function nowText({ state, steps, placeInLine, isResumed }: TurnView, headline: Inline): string | undefined {
  if (state !== "queued" && state !== "running" && state !== "interrupted") return undefined;
  const step = steps.findLast((one) => one.state === "running");
  const isInLine = state === "queued" && placeInLine !== undefined && !isResumed;
  const otherwise = isInLine ? says.line(placeInLine) : inlineText(headline);
  return shorten(step === undefined ? otherwise : inlineText(stepTitle(step)), maxNowChars);
}

function topicText({ question }: TurnView): string | undefined {
  const said = shorten(plainText(cleanText(question.slice(0, maxReadTopicChars))), maxTopicChars);
  return said === "" ? undefined : said;
}

/** Its words. Of a chart without words, what it shows. */
function answerSummary(view: TurnView, says = ""): string {
  const said = plainText(cleanText((view.answer ?? "").slice(0, 2_000)));
  return shorten(said === "" ? says : said, maxSummaryChars);
}
