/**
 * Recognises messages that ask who Parley is, in ten languages: help, a greeting, "what can you do?". Pure. Anything
 * beyond these words is a question.
 */
import { wordsOf } from "../../core/languages/languages.ts";
import type { InboundMessage } from "../../core/ports/chat-platform.ts";
import { plainWords } from "../intake/pleasantries.ts";

const welcomes: ReadonlySet<string> = new Set(wordsOf("remarks", "welcome").map(plainWords));

/** No letter, digit or picture: a bare mention, or only "?". */
const isBare = (text: string): boolean => !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);

type Said = Pick<InboundMessage, "text" | "quoted" | "unread" | "isOnlyNames"> & {
  readonly attachments: readonly unknown[];
};

/** `text`: without the mention of Parley. A message with a file asks something about it. */
export function asksForWelcome({ text, quoted, unread, attachments, isOnlyNames }: Said): boolean {
  // A person may be called "Hello".
  if (attachments.length > 0 || quoted !== undefined || unread !== undefined || isOnlyNames === true) return false;
  const words = plainWords(text);
  return words === "" ? isBare(text) : welcomes.has(words);
}
