/** Quotes the chat messages that a question is about: clients put them before it, one message a line. */
import type { Search } from "./question.ts";
import { likeness, tellingWords } from "./words.ts";

type Message = {
  readonly author: string;
  /** "2026-03-01 09:30 UTC"; "" when unknown. */
  readonly moment: string;
  readonly text: string;
  readonly isMarked: boolean;
};

/** As written by the client, and compared by a test. */
const headings = ["About this message:\n", "About the message marked with → in this thread:\n"];
const mark = "→ ";
const linePattern = /^(?:(.{1,200}?) \((\d{4}-\d\d-\d\d \d\d:\d\d UTC)\)|(.{1,200}?)): ([\s\S]*)$/;

const maxQuotes = 3;
const maxQuotedChars = 1_500;
/** Other messages are quoted too if they have this share of the words that the best one has. */
const minShare = 0.6;

/** The messages in their order; none if the text before the question isn't about messages. */
export function readMessages(context: string): readonly Message[] {
  const starts = headings.map((heading) => ({ heading, at: context.lastIndexOf(heading) }));
  const found = starts.filter(({ at }) => at === 0 || context.slice(0, Math.max(0, at)).endsWith("\n"));
  const [start] = found.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at);
  if (start === undefined) return [];
  const lines = context.slice(start.at + start.heading.length).split(/\n(?! {2})/);
  const messages = lines.flatMap((line): Message[] => {
    const isMarked = line.startsWith(mark);
    const match = linePattern.exec(isMarked ? line.slice(mark.length) : line);
    if (match === null) return [];
    const [, timed, moment = "", untimed = "", said = ""] = match;
    return [{ author: timed ?? untimed, moment, text: said.replace(/\n {2}/g, "\n").trim(), isMarked }];
  });
  // A message without a thread stands alone, unmarked.
  return messages.length === 1 ? messages.map((message) => ({ ...message, isMarked: true })) : messages;
}

/** The messages that have most of the question's own words, else the one that was marked. In their order. */
export function bestMessages(messages: readonly Message[], { terms }: Search): readonly Message[] {
  const own = terms.filter(({ weight }) => weight >= 1).map(({ word, alternatives }) => [word, ...alternatives]);
  const rated = messages.map((message) => {
    const said = tellingWords(message.text);
    const share = own.filter((words) =>
      words.some((word) => said.some((other) => likeness(word, other.word) > 0)),
    ).length;
    return { message, share: message.text === "" ? 0 : share };
  });
  const best = Math.max(0, ...rated.map(({ share }) => share));
  if (best === 0) return messages.filter(({ isMarked, text }) => isMarked && text !== "");
  const chosen = rated
    .filter(({ share }) => share >= best * minShare)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxQuotes);
  const quoted = new Set(chosen.map(({ message }) => message));
  return messages.filter((message) => quoted.has(message));
}

export function quoteMessages(messages: readonly Message[]): string {
  return messages
    .map(({ author, moment, text }) => {
      const said = cut(text)
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
      const when = moment === "" ? "" : `, ${moment}`;
      return `**${author.replace(/[*_`[\]\\]/g, "")}**${when}:\n\n${said}`;
    })
    .join("\n\n");
}

function cut(text: string): string {
  if (text.length <= maxQuotedChars) return text;
  return `${text
    .slice(0, maxQuotedChars)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
