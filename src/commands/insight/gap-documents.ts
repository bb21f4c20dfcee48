/** Draws the list of gaps, one gap whole, and a dismissed one. Pure. */

import type { Action, Block, Document, Inline } from "../../core/document.ts";
import type { Feedback, FeedbackReason, Signal } from "../../core/model/insight.ts";
import {
  answerActions,
  bold,
  cleanText,
  dotted,
  infoDocument,
  link,
  questionText,
  say,
  titledDocument,
} from "../../presentation/drawing.ts";
import { beginningInOneLine, firstLines } from "../../presentation/markdown.ts";
import {
  agoText,
  answerLabels,
  answerSentences,
  countText,
  gapLabels,
  gapSentences,
  numberText,
  shorten,
} from "../../presentation/sentences.ts";

const reasons: Readonly<Record<FeedbackReason, string>> = {
  wrong: "wrong",
  incomplete: "incomplete",
  outdated: "outdated",
  "not-what-i-asked": "not what I asked",
};

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
  const others = [
    ...(hidden === undefined || hidden === 0
      ? []
      : [`+${numberText(hidden)} in private channels you're not in, or in direct messages.`]),
    ...below,
  ];
  const none =
    total === 0
      ? "No open gaps: nobody was left without a good answer."
      : gaps.length === 0 && pages === 1
        ? "There are no open gaps that you can read here."
        : undefined;
  if (none !== undefined && apart.length === 0) return infoDocument(none, { quiet: others });
  if (none !== undefined) return titledDocument(none, apart, { quiet: others });
  const shown = total - (hidden ?? 0);
  const blocks = gaps.flatMap((gap): readonly Block[] => [
    { kind: "divider" },
    { kind: "text", text: say`${bold(questionText(gap.question))}` },
    { kind: "quiet", text: factsLine(gap, nowMs) },
    { kind: "actions", layout: "row", actions: gapActions(gap.id) },
  ]);
  const quiet = [...others, ...(pages === 1 ? [] : [`page ${numberText(page)} of ${numberText(pages)}`])];
  // The last item needs no divider.
  const end: readonly Block[] = quiet.length === 0 ? [] : [{ kind: "divider" }];
  return titledDocument(
    say`${bold(countText(shown, "open gap"))}${agent === undefined ? "" : ` · ${agent}`}`,
    [...blocks, ...apart, ...end],
    {
      quiet,
      actions: [
        ...(page > 1 ? [pageButton("Back", ref, page - 1)] : []),
        ...(page < pages ? [pageButton("More", ref, page + 1)] : []),
      ],
    },
  );
}

/** No gaps: nobody waited for an answer of Parley's. */
function overheardBlocks({ overheard = [], nowMs }: GapsListing): readonly Block[] {
  if (overheard.length === 0) return [];
  const items = overheard.map(({ question, atMs }) => ({
    mark: "bullet" as const,
    text: dotted(say`${questionText(question)}`, agoText(atMs, nowMs)),
  }));
  return [
    { kind: "divider" },
    { kind: "text", text: say`${bold("Asked in this channel, not of me")}` },
    { kind: "list", items },
  ];
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
      linked(agoText(one.atMs, nowMs), one.url),
      one.question === question ? undefined : say`${questionText(one.question)}`,
      one.signals.map((signal) => gapSentences.signal[signal]).join(", "),
      ...one.votes.map(voteText),
    ),
  }));
  const earlier = asked.length - items.length;
  const answered: readonly Block[] =
    answer === undefined
      ? []
      : [
          { kind: "text", text: say`${bold("The last answer")}` },
          answer === ""
            ? { kind: "text", text: say`There was no answer.` }
            : { kind: "text", text: say`${beginningInOneLine(cleanText(answer), maxAnswerChars)}` },
        ];
  return titledDocument(
    say`${bold(questionText(question))}`,
    [
      { kind: "quiet", text: factsLine(details, nowMs) },
      { kind: "text", text: say`${bold("Asked")}` },
      { kind: "list", items },
      ...answered,
      ...addedBlocks(details),
    ],
    {
      ...(earlier > 0 ? { quiet: [`and ${numberText(earlier)} earlier`] } : {}),
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
    {
      kind: "text",
      text: say`${bold("The answer that was added")} · ${answerSentences.from(name, added.atMs, nowMs)}`,
    },
    { kind: "markdown", text: firstLines(cleanText(added.answer), maxAnswerChars) },
  ];
}

/** With Undo in the same message. */
export function dismissedDocument(id: string, question: string, comesBackAfter: number): Document {
  return infoDocument(say`Dismissed: ${bold(questionText(question))}`, {
    quiet: [`It comes back when ${countText(comesBackAfter, "more person", "more people")} ask.`],
    actions: [{ id: "gap-reopen", label: gapLabels.undo, value: id, style: "plain" }],
  });
}

function factsLine({ agent, people, lastAtMs, thumbsDown, signal }: GapFacts, nowMs: number): Inline {
  return dotted(
    agent === undefined ? undefined : cleanText(agent),
    gapSentences.people(people),
    thumbsDown === 0 ? undefined : gapSentences.thumbsDown(thumbsDown),
    thumbsDown > 0 || signal === undefined ? undefined : gapSentences.signal[signal],
    `last asked ${agoText(lastAtMs, nowMs)}`,
  );
}

function voteText({ reason, comment }: Pick<Feedback, "reason" | "comment">): Inline {
  const said = shorten(cleanText(comment ?? ""), maxCommentChars);
  return dotted(reason === undefined ? undefined : reasons[reason], said === "" ? undefined : say`“${said}”`);
}

function gapActions(id: string): readonly Action[] {
  return [
    { id: "add-answer", label: answerLabels.add, value: id, style: "plain" },
    { id: "gap-show", label: gapLabels.show, value: id, style: "plain" },
    { id: "gap-dismiss", label: "Dismiss", value: id, style: "plain" },
  ];
}

function linked(moment: string, url: string | undefined): Inline {
  return url === undefined ? say`${moment}` : say`${link(moment, url)}`;
}

function pageButton(label: string, ref: string, page: number): Action {
  return { id: "gap-page", label, value: `${page} ${ref}`.trim(), style: "plain" };
}
