/** Sentences about answers that people add: the form, what became of it, and who said so. */
import type { Inline } from "../../../ports/document.ts";
import { bold, say } from "../../drawing/inline.ts";
import { dateText, numberText } from "../quantities.ts";

export const answerSentences = {
  adding: (base: string): Inline => say`Adding your answer to ${bold(base)}…`,
  added: (base: string): Inline => say`Your answer is in ${bold(base)}.`,
  addingOf: (name: string, base: string): Inline => say`Adding ${bold(name)}'s answer to ${bold(base)}…`,
  addedOf: (name: string, base: string): Inline => say`${bold(name)}'s answer is in ${bold(base)}.`,
  stillRunning: "Your answer is being added. It may take a moment.",
  cut: (most: number): string => `It was too long, so only the first ${numberText(most)} characters were added.`,
  notAdded: (base: string, reason: string): Inline =>
    say`Your answer isn't in ${bold(base)}: ${reason.replace(/[.…]$/, "")}.`,
  kept: "So that it isn't lost, this is what you wrote:",
  replaced: (name: string, ago: string): string => `${name} answered this ${ago}; yours replaced it.`,
  putBack: (name: string): string => `Put ${name}'s back`,
  puttingBack: (name: string): Inline => say`Putting back what ${bold(name)} answered…`,
  isBack: (name: string, base: string): Inline => say`${bold(name)}'s answer is in ${bold(base)} again.`,
  nothingToPutBack: "There is nothing to put back: the answer has changed since.",
  gone: "This answer is no longer there.",
  seeBase: "/kb show lists what is in a knowledge base.",
  tooLong: (most: number): string => `This answer is too long for a form, which holds ${numberText(most)} characters.`,
  tooLongHint: "Remove it and add it again, or use a message as the answer.",
  late: "That took too long to open.",
  lateHint: "Press the button again.",
  /** Where nobody signs in, it can't be said who. */
  someoneOnPage: "someone on the page",
  /** Beside a source, when it is shown. */
  from: (name: string, ms: number, nowMs: number): string => `from ${name}, ${dateText(ms, nowMs)}`,
  /** In the list of a knowledge base. */
  answerBy: (name: string, ms: number): string => `answer by ${name}, ${new Date(ms).toISOString().replace(/T.*/, "")}`,
} as const;

export const answerLabels = { add: "Add the answer", edit: "Edit", remove: "Remove" } as const;
