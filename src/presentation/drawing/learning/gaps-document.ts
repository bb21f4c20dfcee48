/** Draws questions that were not answered well: a page of the list, and what is known of one. */
import type { Action, Block, Document, Inline } from "../../../ports/document.ts";
import type { Feedback, Signal } from "../../../ports/model/insight.ts";
import { beginningInOneLine, firstLines } from "../../markdown/beginnings.ts";
import { answerLabels, answerSentences } from "../../sentences/channels/answers.ts";
import { gapLabels, gapSentences as says } from "../../sentences/channels/gaps.ts";
import { shorten } from "../../sentences/step-words.ts";
import { bold, dotted, inline } from "../inline.ts";
import { infoDocument, titledDocument } from "../notice.ts";
import { cleanText } from "../sanitise.ts";
import { answerActions } from "./answer-document.ts";

const maxQuestionChars = 200;
const maxCommentChars = 300;
const maxAnswerChars = 600;
const maxNameChars = 60;
const maxShown = 8;

/** What anyone may know who reads its question. */
export type GapFacts = {
  readonly id: string;
  /** In words that the reader may read. */
  readonly question: string;
  /** Absent where the list is of one agent. */
  readonly agent?: string;
  readonly people: number;
  readonly lastAtMs: number;
  readonly thumbsDown: number;
  /** The most frequent one. */
  readonly signal?: Signal;
};

export type GapsListing = {
  readonly gaps: readonly GapFacts[];
  readonly total: number;
  readonly hidden?: number;
  readonly agent?: string;
  readonly page: number;
  readonly pages: number;
  /** Asked in the channel, of nobody in particular, and not answered; newest first. */
  readonly overheard?: readonly { readonly question: string; readonly atMs: number }[];
  /** What else the reader should know. */
  readonly footer?: string;
  /** For the values of the buttons: what follows the page's number. */
  readonly ref: string;
  readonly nowMs: number;
};

export function gapsDocument(listing: GapsListing): Document {
  const { gaps, total, hidden, agent, page, pages, ref, nowMs, footer } = listing;
  const below = footer === undefined ? [] : [footer];
  const apart = overheardBlocks(listing);
  const others = [...(hidden === undefined || hidden === 0 ? [] : [says.hidden(hidden)]), ...below];
  const none = total === 0 ? says.none : gaps.length === 0 && pages === 1 ? says.noneToRead : undefined;
  if (none !== undefined && apart.length === 0) return infoDocument(none, { quiet: others });
  if (none !== undefined) return titledDocument(none, apart, { quiet: others });
  const shown = total - (hidden ?? 0);
  const blocks = gaps.flatMap((gap): readonly Block[] => [
    { kind: "divider" },
    { kind: "text", text: inline(bold(questionText(gap.question))) },
    { kind: "quiet", text: factsLine(gap, nowMs) },
    { kind: "actions", layout: "row", actions: gapActions(gap.id) },
  ]);
  const quiet = [...others, ...(pages === 1 ? [] : [says.pageOf(page, pages)])];
  // Nothing is separated at the end of a list that nothing follows.
  const end: readonly Block[] = quiet.length === 0 ? [] : [{ kind: "divider" }];
  return titledDocument(says.title(shown, agent), [...blocks, ...apart, ...end], {
    quiet,
    actions: [
      ...(page > 1 ? [pageButton(gapLabels.back, ref, page - 1)] : []),
      ...(page < pages ? [pageButton(gapLabels.next, ref, page + 1)] : []),
    ],
  });
}

/** No gaps: nobody waited for an answer of Parley's. */
function overheardBlocks({ overheard = [], nowMs }: GapsListing): readonly Block[] {
  if (overheard.length === 0) return [];
  const items = overheard.map(({ question, atMs }) => ({
    mark: "bullet" as const,
    text: dotted(inline(questionText(question)), says.on(atMs, nowMs)),
  }));
  return [{ kind: "divider" }, { kind: "text", text: inline(bold(says.overheard)) }, { kind: "list", items }];
}

export type ShownQuestion = {
  readonly question: string;
  readonly atMs: number;
  readonly signals: readonly Signal[];
  /** Where it was asked. */
  readonly url?: string;
  readonly votes: readonly Pick<Feedback, "reason" | "comment">[];
};

export type GapDetails = GapFacts & {
  /** Newest first. */
  readonly asked: readonly ShownQuestion[];
  /** The newest answer that the reader may read; "" if there was none. */
  readonly answer?: string;
  /** What a person added so that it is answered. */
  readonly added?: { readonly id: string; readonly answer: string; readonly name: string; readonly atMs: number };
  readonly nowMs: number;
};

export function gapDocument(details: GapDetails): Document {
  const { id, question, asked, answer, added, nowMs } = details;
  const items = asked.slice(0, maxShown).map((one) => ({
    mark: "bullet" as const,
    text: dotted(
      says.open(says.on(one.atMs, nowMs), one.url),
      one.question === question ? undefined : inline(questionText(one.question)),
      one.signals.map((signal) => says.signal[signal]).join(", "),
      ...one.votes.map(voteText),
    ),
  }));
  const earlier = asked.length - items.length;
  const answered: readonly Block[] =
    answer === undefined
      ? []
      : [
          { kind: "text", text: inline(bold(says.answered)) },
          answer === ""
            ? { kind: "text", text: inline(says.noAnswer) }
            : { kind: "text", text: inline(beginningInOneLine(cleanText(answer), maxAnswerChars)) },
        ];
  return titledDocument(
    inline(bold(questionText(question))),
    [
      { kind: "quiet", text: factsLine(details, nowMs) },
      { kind: "text", text: inline(bold(says.asked)) },
      { kind: "list", items },
      ...answered,
      ...addedBlocks(details),
    ],
    {
      ...(earlier > 0 ? { quiet: [says.more(earlier)] } : {}),
      actions: [
        ...gapActions(id).filter(({ id: action }) => action !== "gap-show"),
        { id: "gap-merge", label: gapLabels.merge, value: id, style: "plain" },
        ...(added === undefined ? [] : answerActions(added.id)),
      ],
    },
  );
}

function addedBlocks({ added, nowMs }: GapDetails): readonly Block[] {
  if (added === undefined) return [];
  const name = shorten(cleanText(added.name), maxNameChars);
  return [
    { kind: "text", text: inline(bold(says.added), ` · ${answerSentences.from(name, added.atMs, nowMs)}`) },
    { kind: "markdown", text: firstLines(cleanText(added.answer), maxAnswerChars) },
  ];
}

/** With Undo in the same message. */
export function dismissedDocument(id: string, question: string, comesBackAfter: number): Document {
  return infoDocument(says.dismissed(questionText(question)), {
    quiet: [says.comesBack(comesBackAfter)],
    actions: [{ id: "gap-reopen", label: gapLabels.undo, value: id, style: "plain" }],
  });
}

export function questionText(question: string): string {
  return shorten(cleanText(question), maxQuestionChars);
}

function factsLine({ agent, people, lastAtMs, thumbsDown, signal }: GapFacts, nowMs: number): Inline {
  return dotted(
    agent === undefined ? undefined : cleanText(agent),
    says.people(people),
    says.lastAsked(lastAtMs, nowMs),
    thumbsDown === 0 ? undefined : says.thumbsDown(thumbsDown),
    thumbsDown > 0 || signal === undefined ? undefined : says.signal[signal],
  );
}

function voteText({ reason, comment }: Pick<Feedback, "reason" | "comment">): Inline {
  const said = shorten(cleanText(comment ?? ""), maxCommentChars);
  return dotted(reason === undefined ? undefined : says.reason[reason], said === "" ? undefined : says.said(said));
}

function gapActions(id: string): readonly Action[] {
  return [
    { id: "add-answer", label: answerLabels.add, value: id, style: "plain" },
    { id: "gap-show", label: gapLabels.show, value: id, style: "plain" },
    { id: "gap-dismiss", label: gapLabels.dismiss, value: id, style: "plain" },
  ];
}

function pageButton(label: string, ref: string, page: number): Action {
  return { id: "gap-page", label, value: `${page} ${ref}`.trim(), style: "plain" };
}
