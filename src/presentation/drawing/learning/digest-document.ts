/** Draws the weekly digest of a channel: its counts, what is still open, and what was added. */

import type { DigestCount } from "../../../core/content/digest.ts";
import type { Action, Block, Document, Inline } from "../../../core/document.ts";
import type { Signal } from "../../../core/model/insight.ts";
import type { Place } from "../../../core/model/place.ts";
import { answerLabels, channelSpan, dayIn, gapLabels, gapSentences } from "../../sentences/insight.ts";
import { numberText } from "../../sentences/quantities.ts";
import { bold, dotted, say } from "../inline.ts";
import { titledDocument } from "../notice.ts";
import { cleanText } from "../sanitise.ts";
import { questionText } from "./question-text.ts";

const says = {
  questions: (questions: number, withSource: number): Inline => {
    const rounded = Math.round((100 * withSource) / questions);
    // 100% only if it is all of them.
    const share = withSource < questions ? Math.min(99, rounded) : rounded;
    const asked = say`${bold(numberText(questions))}${questions === 1 ? " question" : " questions"}`;
    return questions === 0 ? asked : say`${asked} · ${bold(numberText(withSource))} with a source (${share}%)`;
  },
};

export type DigestFacts = {
  readonly place: Place;
  /** The channel's id is its name; elsewhere the platform shows the name. */
  readonly isNamedByChannel: boolean;
  readonly period: { readonly fromMs: number; readonly untilMs: number; readonly timeZone: string };
  readonly count: DigestCount;
  /** Heaviest first, in words that everyone in the channel may read. */
  readonly open: readonly {
    readonly id: string;
    readonly question: string;
    readonly people: number;
    readonly thumbsDown: number;
    readonly signal?: Signal;
  }[];
  /** Newest first. */
  readonly added: readonly { readonly title: string; readonly by: string; readonly atMs: number }[];
  readonly moreAdded: number;
  /** "every Monday at 9:00". */
  readonly when?: string;
};

export function digestDocument(facts: DigestFacts): Document {
  const { place, isNamedByChannel, period, count, when } = facts;
  const { fromMs, untilMs, timeZone } = period;
  const counts: readonly Block[] = [
    { kind: "text", text: says.questions(count.questions, count.withSource) },
    { kind: "text", text: say`${bold(numberText(count.up))} 👍 · ${bold(numberText(count.down))} 👎` },
  ];
  return titledDocument(
    say`This week in ${isNamedByChannel ? `#${place.channel}` : channelSpan(place)}`,
    [...counts, ...openBlocks(facts), ...addedBlocks(facts), { kind: "divider" }],
    {
      quiet: [periodText(fromMs, untilMs - 1, timeZone), ...(when === undefined ? [] : [when])],
    },
  );
}

function openBlocks({ open }: DigestFacts): readonly Block[] {
  if (open.length === 0) return [];
  const each = open.flatMap(({ id, question, people, thumbsDown, signal }): readonly Block[] => [
    { kind: "text", text: say`${questionText(question)}` },
    {
      kind: "quiet",
      text: dotted(
        gapSentences.people(people),
        thumbsDown > 0 ? gapSentences.thumbsDown(thumbsDown) : signal && gapSentences.signal[signal],
      ),
    },
    { kind: "actions", layout: "row", actions: openActions(id) },
  ]);
  return [{ kind: "divider" }, { kind: "text", text: say`${bold("Still open")}` }, ...each];
}

function openActions(id: string): readonly Action[] {
  return [
    { id: "add-answer", label: answerLabels.add, value: id, style: "plain" },
    { id: "gap-show", label: gapLabels.show, value: id, style: "plain" },
  ];
}

function addedBlocks({ added, moreAdded, period }: DigestFacts): readonly Block[] {
  if (added.length === 0) return [];
  const items = added.map(({ title, by, atMs }) => ({
    mark: "bullet" as const,
    text: dotted(questionText(title), `${cleanText(by)}, ${dayAndMonth(atMs, period.timeZone)}`),
  }));
  const more: readonly Block[] =
    moreAdded === 0 ? [] : [{ kind: "quiet", text: say`And ${numberText(moreAdded)} more.` }];
  return [{ kind: "divider" }, { kind: "text", text: say`${bold("Added")}` }, { kind: "list", items }, ...more];
}

/** "9 to 15 Nov", "30 Nov to 6 Dec". */
function periodText(fromMs: number, lastMs: number, timeZone: string): string {
  const [from, last] = [dayIn(fromMs, timeZone), dayIn(lastMs, timeZone)];
  const isOneMonth = from.month === last.month && from.year === last.year;
  return `${from.day}${isOneMonth ? "" : ` ${from.month}`} to ${last.day} ${last.month}`;
}

/** "12 Nov". */
function dayAndMonth(ms: number, timeZone: string): string {
  const { day, month } = dayIn(ms, timeZone);
  return `${day} ${month}`;
}
