/**
 * Sorts what a message shows into the question and its context, and says what of it can't be read. Pure.
 */

import { ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { InboundMessage } from "../../core/ports/chat-platform.ts";
import { listed, unreadSentences } from "../../presentation/sentences.ts";
import { isTextFile } from "./context.ts";
import { truncate } from "./truncate.ts";

const says = {
  onlyThat: (names: readonly string[]) => ({
    what: `I can't read ${listed(names)}.`,
    hint: "Tell me in words what you'd like to know.",
  }),
};

type Shown = Pick<InboundMessage, "text" | "quoted" | "unread" | "attachments">;

/** Besides its text. */
export function hasMore({ quoted, unread, attachments }: Omit<Shown, "text">): boolean {
  return quoted !== undefined || unread !== undefined || attachments.length > 0;
}

/** Undefined if anything of it can be read. Otherwise one sentence names what can't. */
export function unreadableError({ text, quoted, unread = [], attachments }: Shown): ParleyError | undefined {
  if (text.trim() !== "" || quoted !== undefined || attachments.some(isTextFile)) return undefined;
  const names = [...unread, ...attachments.map(unreadSentences.fileName)];
  if (names.length === 0) return undefined;
  return new ParleyError("question_empty", says.onlyThat(names));
}

/** `own`: the question without what the message quotes. Without own words, what it quotes is the question. */
export function questionOf(
  own: string,
  { quoted = "", unread = [] }: Omit<Shown, "text">,
  maxChars: number,
): Pick<Turn, "question" | "context"> {
  const note = unread.length === 0 ? "" : unreadSentences.note(unread);
  if (own === "" && quoted !== "") {
    const isLong = quoted.length > maxChars;
    const question = isLong
      ? `${truncate(quoted, maxChars)}\n(Cut here; ${quoted.length.toLocaleString("en")} characters in all.)`
      : quoted;
    return { question, context: note === "" ? undefined : note };
  }
  const context = [quoted, note].filter((part) => part !== "").join("\n\n");
  return { question: own, context: context === "" ? undefined : context };
}
