/** Sentences about questions that were not answered well: their list, what is known of one, dismissing it. */
import type { Inline } from "../../../ports/document.ts";
import type { FeedbackReason, Signal } from "../../../ports/model/insight.ts";
import { bold, link, say } from "../../drawing/inline.ts";
import { countText, dayText, numberText } from "../quantities.ts";

export const gapSentences = {
  title: (open: number, agent: string | undefined): Inline =>
    say`${bold(countText(open, "open gap"))}${agent === undefined ? "" : ` · ${agent}`}`,
  none: "No open gaps: nobody was left without a good answer.",
  overheard: "Asked in this channel, not of me",
  noneToRead: "There are no open gaps that you can read here.",
  people: (count: number): string => countText(count, "person", "people"),
  lastAsked: (ms: number, nowMs: number): string => `last asked ${dayText(ms, nowMs)}`,
  thumbsDown: (count: number): string => `👎 ${numberText(count)}`,
  signal: {
    "thumbs-down": "👎",
    nothing: "no answer",
    unsure: "not sure",
    "asked-again": "asked again",
  } satisfies Readonly<Record<Signal, string>>,
  hidden: (count: number): string => `+${numberText(count)} in private channels you're not in, or in direct messages.`,
  pageOf: (page: number, pages: number): string => `page ${numberText(page)} of ${numberText(pages)}`,
  noSuchPage: (pages: number): string => `The list has only ${countText(pages, "page")}.`,
  gone: "This question is no longer in the list, or it isn't yours to read.",
  seeList: "/kb gaps lists what is open.",

  asked: "Asked",
  open: (moment: string, url: string | undefined): Inline =>
    url === undefined ? say`${moment}` : say`${link(moment, url)}`,
  on: (ms: number, nowMs: number): string => dayText(ms, nowMs),
  said: (comment: string): Inline => say`“${comment}”`,
  reason: {
    wrong: "wrong",
    incomplete: "incomplete",
    outdated: "outdated",
    "not-what-i-asked": "not what I asked",
  } satisfies Readonly<Record<FeedbackReason, string>>,
  more: (count: number): string => `and ${numberText(count)} earlier`,
  answered: "The last answer",
  noAnswer: "There was no answer.",
  added: "The answer that was added",

  dismissed: (question: string): Inline => say`Dismissed: ${bold(question)}`,
  comesBack: (people: number): string => `It comes back when ${countText(people, "more person", "more people")} ask.`,
  reopened: (question: string): Inline => say`Open again: ${bold(question)}`,
  isAnswered: "This question has an answer now.",

  waiting: (count: number): string =>
    `${countText(count, "question")} ${count === 1 ? "waits" : "wait"} for a better answer: see /kb gaps in a channel.`,
} as const;

export const gapLabels = {
  show: "Show",
  merge: "Merge",
  dismiss: "Dismiss",
  undo: "Undo",
  next: "More",
  back: "Back",
} as const;
