/** Sentences about jobs that add to knowledge bases: their message and their items. */
import { numberText } from "./quantities.ts";

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
