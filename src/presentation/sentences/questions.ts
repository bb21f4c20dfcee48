/** Sentences about a question and its answer, from the waiting line to the buttons. */
import type { Inline } from "../../ports/document.ts";
import type { PlaceInLine } from "../../ports/model/turn.ts";
import { bold, code, moment, say } from "../drawing/inline.ts";
import { approvalSentences } from "./channels/approvals.ts";
import { countText, numberText } from "./quantities.ts";

/** Button labels. */
export const labels = {
  stop: "Stop",
  retry: "Try again",
  anotherAgent: "Ask another agent",
  steps: "Show steps",
  found: "Show what was found",
  notForYou: "Not for you",
  raw: "Raw",
  hide: "Hide",
  csv: "Get CSV",
  chart: "Chart",
  table: "Table",
  rest: "Get the rest",
  delete: "Delete",
  cancel: "Cancel",
  thumbUp: "👍",
  thumbDown: "👎",
  thumbUpSpoken: "This helped",
  thumbDownSpoken: "This didn't help",
  retryFailed: "Retry failed",
  askAbout: "Ask about it",
  newTopic: "New topic",
  sources: "Sources",
} as const;

/** A Turn, from its place in line to its end. */
export const turnSentences = {
  answeredBelow: "Answered below.",
  questionDeleted: "The question was deleted.",
  waiting: (agent: string): Inline => (agent === "" ? say`Waiting` : say`${bold(agent)} will look it up`),
  running: (agent: string): Inline => (agent === "" ? say`Looking it up` : say`${bold(agent)} is looking it up`),
  writing: (agent: string): Inline => (agent === "" ? say`Writing` : say`${bold(agent)} is writing`),
  stillWriting: "still writing",
  /** More than a message holds. */
  writtenSoFar: (chars: number): string => `${numberText(chars)} characters so far; the rest is shown at the end`,
  cutByLength: "The agent service ended this answer early because it reached its length limit.",
  cutByFilter: "The content filter of the agent service ended this answer early.",
  noRoomToAnswer: "The agent service reached its length limit before it wrote an answer.",
  filteredAway: "The content filter of the agent service stopped this answer.",
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
  asksAgain: (atMs: number): Inline => say`Busy right now. Asking again at ${moment(atMs, "second")}.`,
  storageAway: "Parley can't reach its storage right now. Your question is saved and will be asked when it's back.",
  restarted: "Parley restarted and continues with this question",
  asked: (name: string, question: string): Inline => say`${bold(name)} asked: ${question}`,
  questionCut: (chars: number): string => ` … (${numberText(chars)} characters in total)`,
  answersToo: (agent: string): Inline => say`${bold(agent)} answers too`,
  stopped: "Stopped",
  stoppedBy: "stopped by ",
  answerCut: (chars: number): string => `The answer was too long: ${countText(chars, "more character")} left out.`,
  sentBecause: (what: string): string => `This answer couldn't be shown where you asked. ${what}`,
  choiceUnshown: {
    what: "Several agents could answer here, but the choice couldn't be shown.",
    hint: "Ask again, starting with an agent's name and a colon.",
  },
  sentPrivately: "The answer was sent privately to the person who asked.",
  restNotPosted: "The rest of the answer wasn't posted.",
  stepCount: (count: number): string => countText(count, "step"),
  sourceCount: (count: number): string => countText(count, "source"),
  afterSteps: (count: number): string => (count === 0 ? "" : `after ${countText(count, "step")}`),
  reference: (ref: string): Inline => say`ref ${code(ref)}`,
  noSource: "no sources",
  unsure: "I'm not sure this answers it.",
  foundTitle: "What was found",
  foundHidden: "What was found is from knowledge that you can't reach here.",
  partialAnswer: "The connection dropped, so this may be incomplete.",
  partialKept: "Received so far (may be incomplete):",
  noRows: "No rows matched.",
  answered: "Answer ready.",
} as const;

/** Chart or Table pressed, and shown to one person only. */
export const toggleSentences = {
  busy: "The answer itself couldn't be changed right now.",
  unfit: "The answer itself can no longer be changed.",
} as const;

/** Direct messages that continue one history. */
export const topicSentences = {
  next: "Your next question starts a new topic. I won't look back at what you asked before.",
} as const;

/** Asking a second agent the same question. */
export const anotherAgentSentences = {
  which: "Which agent should answer too?",
  follows: "Its answer follows in this thread; the first one stays.",
  none: {
    what: "No other agent can answer here.",
    hint: "See which ones you can ask with /agent list.",
  },
  asked: (agent: string): Inline => say`Asked ${bold(agent)} too. Its answer follows in this thread.`,
  alreadyAsked: (agent: string): Inline => say`${bold(agent)} was already asked. Its answer is in this thread.`,
} as const;

/** Tells the asker about an end that took long; after a name as `named`. */
export const readySentences = {
  answered: { alone: "Your answer is ready.", named: ": your answer is ready." },
  failed: { alone: "Your question couldn't be answered.", named: ": your question couldn't be answered." },
} as const;

/** What doesn't fit the messages of an answer. */
export const restSentences = {
  attached: (chars: number): string => `The rest (${countText(chars, "character")}) is in the attached file.`,
  notPermitted: (chars: number, right: string | undefined): string => {
    const lacking = right === undefined ? "" : ` (${right})`;
    return `The rest (${countText(chars, "character")}) couldn't be attached: I'm not allowed to upload files here. Press Get the rest to read more, or ask your Parley admin for the permission${lacking} and press it then.`;
  },
  refused: (chars: number): string =>
    `The rest (${countText(chars, "character")}) couldn't be attached: the upload failed. Press Get the rest to try again.`,
  hidden: (chars: number): string => `Shortened: ${countText(chars, "more character")} not shown.`,
  /** Space is reserved for any of these. */
  longest: "x".repeat(300),
  title: "The rest of the answer",
  uploaded: "The rest is in the attached file.",
} as const;

/** Tables of an answer. */
export const tableSentences = {
  omittedRows: (count: number): string => `${countText(count, "more row")} not shown here.`,
  /** Undefined when nothing is left out. */
  omitted: (rows: number, columns: number): string | undefined => {
    const parts = [
      ...(rows > 0 ? [countText(rows, "more row")] : []),
      ...(columns > 0 ? [countText(columns, "more column")] : []),
    ];
    return parts.length === 0 ? undefined : `${parts.join(" and ")} not shown here.`;
  },
  firstFiles: (sent: number, all: number): string =>
    `The answer has ${countText(all, "table")}. The first ${numberText(sent)} are attached.`,
  rowCount: (shown: number, omitted: number): string =>
    omitted === 0 ? countText(shown, "row") : `First ${numberText(shown)} of ${countText(shown + omitted, "row")}`,
  record: (number: number): string => `Row ${numberText(number)}`,
} as const;

/** Questions that aren't accepted. */
export const refusalSentences = {
  ofPerson: (count: number) => ({
    what: `You have ${countText(count, "question")} waiting, so this one wasn't accepted.`,
  }),
  ofAll: (count: number) => ({
    what: `${countText(count, "question is", "questions are")} waiting in total, so this one wasn't accepted.`,
    hint: "Ask again in a few minutes.",
  }),
} as const;

/** The form of "Ask about this". */
export const formSentences = {
  aboutMessage: "About this message:",
  askAbout: {
    title: "Ask about this",
    submitLabel: "Ask",
    fields: [
      {
        type: "multiline",
        name: "question",
        label: "Your question",
        hint: "The agent gets this message and its thread.",
        isRequired: true,
      },
    ],
  },
} as const;
