/** Sentences about jobs that add to knowledge bases: their message, their items, lists and buttons. */
import type { Inline } from "../../ports/document.ts";
import { bold, code, inline } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** The message of a Job. */
export const jobSentences = {
  adding: "Adding to ",
  added: "Added to ",
  cancelledTitle: "Cancelled adding to ",
  failedTitle: "Nothing was added to ",
  progress: (done: number, all: number, failed: number): string =>
    `${numberText(done)} of ${numberText(all)} done${failed === 0 ? "" : `, ${numberText(failed)} failed`}`,
  waitingMore: (count: number): string => `+${numberText(count)} waiting`,
  doneMore: (count: number): string => `+${numberText(count)} done`,
  failedMore: (count: number): string => `+${numberText(count)} failed`,
  cancelledMore: (count: number): string => `+${numberText(count)} cancelled`,
  cancelled: "cancelled",
  failedWithout: "failed (no reason given)",
  askedBy: "added by ",
  unshown: (why: string): string => `This couldn't be shown where you asked for it. ${why}`,
  serviceAway: "The agent service is unreachable. This will resume automatically.",
  byService: "fetched by the agent service",
  byParley: "fetched by Parley",
} as const;

/** Why an item of a Job failed; stands behind its name. */
export const workSentences = {
  queryInterrupted: "Parley restarted while the query ran. Check whether its rows are there before trying again",
  noMessages: "it has no messages left to save",
  fileKind: (ending: string): string => `files of this type (${ending}) can't be added`,
  fileTooLarge: (megabytes: number): string => `the file is larger than ${megabytes} MB`,
  fileGone: "the file can no longer be opened",
  unknownEnding: "no extension",
  cancelled: "it was cancelled",
  lost: "the content has expired. Run the command again",
  stoppedTwice: "skipped, because Parley stopped unexpectedly twice while adding it",
  stoppedTwiceAsking: "skipped, because Parley stopped unexpectedly twice while asking",
} as const;

/** Jobs in a list, and their buttons. */
export const jobListSentences = {
  title: (count: number): string => countText(count, "job"),
  none: "No jobs here yet.",
  state: { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" },
  line: (label: string, more: number, into: string): Inline =>
    inline(label, more === 0 ? "" : ` and ${numberText(more)} more`, " into ", bold(into)),
  checks: (count: number, agent: string): Inline => inline(countText(count, "check"), " of ", bold(agent)),
  by: (name: string): string => `by ${name}`,
  cancelled: (ref: string): Inline => inline("Cancelling job ", code(ref), "."),
  over: (ref: string): Inline => inline("Job ", code(ref), " has already finished."),
  noSuch: (given: string): Inline => inline("There is no running job ", code(given), "."),
  noneRunning: "Nothing is running here.",
  which: "Several jobs are running. Which one do you want to cancel?",
  again: "Retrying the failed ones.",
  nothingAgain: "There is nothing to retry.",
  gone: "This job is no longer available.",
  notYours: "Only managers can retry a query.",
} as const;

/** "Ask about it", under a Job that has finished. */
export const askAddedSentences = {
  question: {
    label: "Your question",
    hint: (base: string): string => (base === "" ? "About what was added" : `About what was added to ${base}`),
  },
  told: (base: string): string => `The question is about what was just added to the knowledge base ${base}:`,
  more: (count: number): string => `and ${numberText(count)} more`,
} as const;
