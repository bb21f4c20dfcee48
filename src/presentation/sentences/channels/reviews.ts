/** Sentences that ask whether an added answer still holds. */
import type { Inline } from "../../../ports/document.ts";
import { bold, say } from "../../drawing/inline.ts";
import { countText, dateText } from "../quantities.ts";
import { answerLabels } from "./answers.ts";

export const reviewSentences = {
  ask: (base: string, ms: number, nowMs: number): Inline =>
    say`You added an answer to ${bold(base)} on ${dateText(ms, nowMs)}. Does it still hold?`,
  holds: "Thanks, it stays as it is.",
  askedAgain: (ms: number, nowMs: number): string => `I'll ask again on ${dateText(ms, nowMs)}.`,
  /** Below the list of gaps, for people who manage. */
  unowned: (count: number, bases: readonly string[]): string =>
    `The author of ${countText(count, "added answer")} has left: check ${count === 1 ? "it" : "them"} with /kb show ${bases.join(" or ")}.`,
} as const;

export const reviewLabels = { holds: "Yes, it holds", edit: answerLabels.edit, remove: answerLabels.remove } as const;
