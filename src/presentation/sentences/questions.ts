import type { Inline } from "../../core/document.ts";
import type { Thumb } from "../../core/model/turn.ts";
import { bold, code, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

/** Sentences about a question and its answer, from the waiting line to the buttons. */

/** Button labels. */
export const labels = {
  retry: "Try again",
  hide: "Hide",
  chart: "Chart",
  delete: "Delete",
  cancel: "Cancel",
  thumbUp: "👍",
  thumbDown: "👎",
  thumbUpSpoken: "This helped",
  thumbDownSpoken: "This didn't help",
  retryFailed: "Retry failed",
  askAbout: "Ask about it",
  sources: "Sources",
} as const;

/** A Turn, from its place in line to its end. */
export const turnSentences = {
  answeredBelow: "Answered below.",
  storageAway: "I can't reach my storage. I'll ask when it's back; if I restart before that, please ask again.",
  asked: (name: string, question: string): Inline => say`${bold(name)} asked: ${question}`,
  questionCut: (chars: number): string => ` … (${numberText(chars)} characters in total)`,
  choiceUnshown: {
    what: "Several agents could answer here, but the choice couldn't be shown.",
    hint: "Ask again, starting with an agent's name and a colon.",
  },
  stepCount: (count: number): string => countText(count, "step"),
  reference: (ref: string): Inline => say`ref ${code(ref)}`,
} as const;

/** Asking a second agent the same question. */
export const anotherAgentSentences = {
  which: "Ask another agent",
  follows: "Both answers stay in this thread.",
  none: {
    what: "No other agent can answer here.",
    hint: "See which ones you can ask with /agent list.",
  },
  asked: (agent: string): Inline => say`Asked ${bold(agent)} too.`,
  alreadyAsked: (agent: string): Inline => say`${bold(agent)} was already asked. Its answer is in this thread.`,
} as const;

/** Tells the asker about an end that took long; after a name as `named`. */
export const readySentences = {
  answered: { alone: "Your answer is ready.", named: ": your answer is ready." },
  failed: { alone: "Your question couldn't be answered.", named: ": your question couldn't be answered." },
} as const;

/** Pictures of a question that the agent didn't get. */
export const pictureSentences = {
  any: (agent: string): Inline =>
    agent === ""
      ? say`The agent can't see pictures, so it was asked without them.`
      : say`${bold(agent)} can't see pictures, so it was asked without them.`,
  these: (agent: string): Inline =>
    agent === ""
      ? say`The agent refused the pictures of this question, so it was asked without them.`
      : say`${bold(agent)} refused the pictures of this question, so it was asked without them.`,
  format: (name: string): Inline =>
    say`${bold(name)} isn't a PNG, JPEG, GIF or WebP picture, so the agent didn't get it.`,
  bytes: (name: string): Inline => say`${bold(name)} is larger than 8 MB, so the agent didn't get it.`,
  pixels: (name: string): Inline =>
    say`${bold(name)} is wider or higher than 8,000 pixels, so the agent didn't get it.`,
  "too-many": (name: string): Inline =>
    say`The agent didn't get ${bold(name)}: one question can have ten pictures of 16 MB together.`,
  unreadable: (name: string): Inline => say`The agent didn't get ${bold(name)}, because it couldn't be downloaded.`,
} as const;

/** What doesn't fit the messages of an answer. */
export const restSentences = {
  hidden: (chars: number): string => `Shortened: ${countText(chars, "more character")} not shown.`,
} as const;

/** The form of "Ask about this". */
export const formSentences = {
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

export const approvalSentences = {
  /** A follow-up in the same conversation. */
  line: (position: number): string =>
    position <= 1
      ? "The question before yours waits for someone to approve a tool. Yours starts automatically afterwards."
      : `${countText(position, "question")} ahead of yours; the first waits for someone to approve a tool.`,
  expired: {
    what: "This was denied automatically, because nobody decided in time.",
    hint: "Ask the question again if the tool is still needed.",
  },
  over: {
    what: "This request is over, so nothing was approved or denied.",
    hint: "Look at the newest message of the answer.",
  },
  tooOften: {
    what: "The agent kept asking for approval, so Parley ended the answer.",
    hint: "Try again, or ask for less in one question.",
  },
  unclear: {
    what: "Parley was interrupted after a tool was approved, and doesn't know whether it ran.",
    hint: "Check whether it did. Try again asks for approval again.",
  },
} as const;

export const pictures: Readonly<Record<Thumb, string>> = { up: "👍", down: "👎" };
