/**
 * Every sentence that people read, by topic. Rooms take their words from here and make none themselves, so that one
 * thing is always called the same. What failed has its sentences in the table of errors.
 */

import type { Inline } from "../../ports/document.ts";
import type { PlaceInLine } from "../../ports/model/turn.ts";
import { bold, code, inline } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** Button labels, as they stand on screen. */
export const labels = {
  stop: "Stop",
  retry: "Try again",
  steps: "Show steps",
  csv: "Get CSV",
  rest: "Get the rest",
  delete: "Delete",
  cancel: "Cancel",
  thumbUp: "👍",
  thumbDown: "👎",
  thumbUpSpoken: "This helped",
  thumbDownSpoken: "This did not help",
  retryFailed: "Retry failed",
  askAbout: "Ask about it",
  sources: "Sources",
} as const;

/** A Turn, from its place in line to its end. */
export const turnSentences = {
  waiting: (agent: string): Inline =>
    agent === "" ? inline("Waiting in line") : inline(bold(agent), " will look it up"),
  running: (agent: string): Inline =>
    agent === "" ? inline("Looking it up") : inline(bold(agent), " is looking it up"),
  line: (place: PlaceInLine): string => {
    if (place.kind === "person-limit" || place.kind === "channel-limit") {
      const who = place.kind === "person-limit" ? "You have asked" : "There were";
      const ahead =
        place.position <= 1
          ? "Yours is next"
          : `${countText(place.position - 1, "question is", "questions are")} before yours`;
      return `${who} more questions than are answered in a minute. ${ahead}; it begins by itself.`;
    }
    // In a conversation the question that is being answered stands before the first in line.
    const before = place.kind === "conversation" ? place.position : place.position - 1;
    if (before <= 0) return "Yours is next, as soon as the agent service is free.";
    return `${countText(before, "question is", "questions are")} before yours.`;
  },
  storageAway: "Parley's storage does not answer just now. Your question is kept here and asked as soon as it does.",
  restarted: "Parley was restarted; asking again",
  asked: (name: string, question: string): Inline => inline(bold(name), ` asked: ${question}`),
  questionCut: (chars: number): string => ` … (${numberText(chars)} characters in all)`,
  stopped: "Stopped",
  stoppedBy: "stopped by ",
  answerCut: (chars: number): string => `The answer was too long: ${countText(chars, "more character")} left out.`,
  sentBecause: (what: string): string => `This answer couldn't be shown where you asked. ${what}`,
  choiceUnshown: {
    what: "Several agents could answer here, but the choice couldn't be shown.",
    hint: "Ask again and begin with an agent's name and a colon.",
  },
  sentPrivately: "The answer was sent privately to the person who asked.",
  restNotPosted: "The rest of the answer was not posted.",
  stepCount: (count: number): string => countText(count, "step"),
  afterSteps: (count: number): string => (count === 0 ? "before the first step" : `after ${countText(count, "step")}`),
  reference: (ref: string): Inline => inline("ref ", code(ref)),
  noSource: "no source used",
  partialAnswer: "The connection broke before the end was confirmed: this may not be all.",
  partialKept: "What had arrived, perhaps not all of it:",
  noRows: "The answer is a table without rows.",
  noRowsFound: "No rows.",
  answered: "The answer is there.",
} as const;

/** What does not fit the messages of an answer. */
export const restSentences = {
  attached: (chars: number): string => `The rest (${countText(chars, "character")}) is in the attached file.`,
  notPermitted: (chars: number, right: string | undefined): string => {
    const lacking = right === undefined ? "" : ` (${right})`;
    return `The rest (${countText(chars, "character")}) couldn't be attached: I'm not allowed to upload files here. Press Get the rest to read more, or ask your Parley admin for the permission${lacking} and press it then.`;
  },
  refused: (chars: number): string =>
    `The rest (${countText(chars, "character")}) couldn't be attached: the upload failed. Press Get the rest to try again.`,
  hidden: (chars: number): string => `Shortened: ${countText(chars, "more character")} not shown.`,
  /** Room is left for any of them. */
  longest: "x".repeat(300),
  title: "The rest of the answer",
  uploaded: "The rest is in the attached file.",
} as const;

/** Steps: titles and what was found. */
export const stepSentences = {
  earlier: (count: number): string => countText(count, "earlier step"),
  listing: { done: "Looked at which knowledge bases exist", running: "Looking at which knowledge bases exist" },
  describing: { done: "Looked at what is in ", running: "Looking at what is in " },
  describingAll: { done: "Looked at what data there is", running: "Looking at what data there is" },
  listingTables: { done: "Looked at which tables exist", running: "Looking at which tables exist" },
  searching: { done: "Searched ", running: "Searching " },
  reading: { done: "Read ", running: "Reading " },
  counting: { done: "Worked something out from ", running: "Working something out from " },
  changing: { done: "Asked to change ", running: "Asking to change " },
  checking: { done: "Checked a query", running: "Checking a query" },
  querying: { done: "Queried the data", running: "Querying the data" },
  using: { done: "Used ", running: "Using " },
  working: { done: "Worked on it", running: "Working on it" },
  failed: "did not work",
  nothing: "nothing found",
  passages: (count: number, best?: number): string =>
    best === undefined ? countText(count, "passage") : `${countText(count, "passage")}, best ${best.toFixed(2)}`,
  rows: (count: number): string => countText(count, "row"),
  atLeast: (found: string): string => `at least ${found}`,
  moreNames: (count: number): string => `and ${numberText(count)} more`,
  title: (agent: string): string => (agent === "" ? "Steps" : `Steps of ${agent}`),
  none: "No steps were needed.",
  notKept: (count: number): string => `${countText(count, "later step was", "later steps were")} not kept.`,
  thought: "Why: ",
  observationCut: (chars: number): string => `Cut here: ${countText(chars, "more character")}.`,
  rowsFound: "Rows that were found",
} as const;

/** Work that puts something into a knowledge base. */
export const jobSentences = {
  adding: "Adding to ",
  added: "Added to ",
  cancelledTitle: "Cancelled: adding to ",
  failedTitle: "Nothing was added to ",
  progress: (done: number, all: number, failed: number): string =>
    `${numberText(done)} of ${numberText(all)} done${failed === 0 ? "" : `, ${numberText(failed)} failed`}`,
  waitingMore: (count: number): string => `and ${numberText(count)} more waiting`,
  doneMore: (count: number): string => `and ${numberText(count)} more done`,
  failedMore: (count: number): string => `and ${numberText(count)} more failed`,
  cancelledMore: (count: number): string => `and ${numberText(count)} more cancelled`,
  pages: (count: number): string => countText(count, "page"),
  rows: (count: number): string => countText(count, "row"),
  cancelled: "cancelled",
  failedWithout: "it failed without a reason",
  askedBy: "asked by ",
  unshown: (why: string): string => `This could not be shown where you asked for it. ${why}`,
  serviceAway: "The agent service cannot be reached. This goes on by itself when it is back.",
  byService: "read by the agent service",
  byParley: "read by Parley",
} as const;

/** Tables. */
export const tableSentences = {
  omittedRows: (count: number): string => `${countText(count, "more row")} not shown here.`,
  firstFiles: (sent: number, all: number): string =>
    `The answer has ${countText(all, "table")}. The first ${numberText(sent)} are attached.`,
  record: (number: number): string => `Row ${numberText(number)}`,
} as const;

/** Questions that are not taken. */
export const refusalSentences = {
  ofPerson: (count: number) => ({
    what: `You have ${countText(count, "question")} waiting, so this one was not taken.`,
  }),
  ofAll: (count: number) => ({
    what: `${countText(count, "question")} are waiting in all, so this one was not taken.`,
    hint: "Ask again in a few minutes.",
  }),
} as const;

/** Small notices. */
export const noticeSentences = {
  reference: "ref ",
  empty: "Nothing.",
  notInChannel: {
    what: "I am not in this channel, so nothing was asked.",
    hint: "Type /invite and choose me, then ask again.",
  },
  notInDirectMessage: {
    what: "I can neither read nor write here, so nothing was asked.",
    hint: "Ask me in a direct message, or in a channel that I am in.",
  },
  formTooLate: { what: "The form could not be opened in time.", hint: "Try the same again." },
} as const;

/** Where a private answer can only be shown to whoever presses a button. */
export const privateSentences = {
  forOne: "My answer is for ",
  alone: " alone.",
  show: "Show it",
  notYours: { what: "That answer is for somebody else.", hint: "Ask for one of your own." },
  gone: { what: "That answer is not kept any more.", hint: "Do the same again to see it." },
} as const;

/** A reply that Discord handed over without its words. */
export const unreadableReply = {
  what: "I can't read this reply: Discord only shows me messages that mention me.",
  hint: "Reply with the mention turned on (@ ON), or start your message with my name.",
} as const;

/** Several agents could answer. */
export const chooseAgentSentences = {
  which: "Which agent should answer?",
  remember: "To ask one of them always, bind it to this channel with /agent use.",
  more: (count: number): string => `${countText(count, "more agent")}: see /agent list, then ask with agent:name.`,
} as const;

/** Forms that the bridge opens, and who may do what. */
export const formSentences = {
  aboutMessage: "The message that is asked about:",
  askAbout: {
    title: "Ask about this",
    submitLabel: "Ask",
    fields: [
      {
        type: "multiline",
        name: "question",
        label: "Your question",
        hint: "The message and its thread are told to the agent.",
        isRequired: true,
      },
    ],
  },
  notAllowed: (role: "ask" | "ingest" | "manage", because: string): string => {
    const what = { ask: "ask", ingest: "add to knowledge bases", manage: "manage agents and settings" }[role];
    return `You may not ${what} here: ${because}.`;
  },
} as const;
