/** Sentences about a person's message that is used as an answer: by shortcut, by reaction, or offered to its author. */
import type { Inline } from "../../../ports/document.ts";
import { bold, inline } from "../../drawing/inline.ts";
import { countText, numberText } from "../quantities.ts";

export const adoptSentences = {
  onlyPeople: "Only a person's message can be used as an answer.",
  onlyPeopleHint: "Choose “Use as answer” on what someone wrote.",
  noText: "This message has no text that could be an answer.",
  noTextHint: "Files are saved with “Save to knowledge base”.",

  /** Before it is added: nothing has happened yet. */
  willBeAdded: (base: string): Inline => inline("This will be added to ", bold(base), ":"),
  question: "Question",
  answer: "Answer",
  by: (name: string): string => `from ${name}`,
  people: (count: number): string =>
    count === 1
      ? "1 person asked: notified once, after the test"
      : `${countText(count, "person", "people")} asked: notified once each, after the test`,
  more: (chars: number): string => `… and ${numberText(chars)} more characters`,
  othersRead: "⚠️ What was written here isn't public. People outside will read it as part of the knowledge base.",
  othersReadDirectly: "⚠️ This is from a direct message. Other people will read it as part of the knowledge base.",
  cut: (chars: number): string => `The message is very long: only its first ${numberText(chars)} characters are used.`,

  offer: "Your reply may answer a question that got no good answer. Use it as the answer from now on?",
  offered: (question: string): string => `“${question}”`,
  gone: "This offer has expired, or its message is gone.",
  goneHint: "Choose “Use as answer” on the message again.",

  quoted: "Agents quote it with its author's name. Markdown is fine.",
  /** At the form's answer, when the message is longer than the field. At most 100 characters. */
  wholeMessage: (chars: number): string => `Leave it empty to use the whole message, ${numberText(chars)} characters.`,
  cutMessage: (most: number): string =>
    `Leave it empty to use the first ${numberText(most)} characters of the message.`,
} as const;

export const adoptLabels = {
  add: "Add and test",
  addAnyway: "Add anyway",
  use: "Use as answer",
} as const;
