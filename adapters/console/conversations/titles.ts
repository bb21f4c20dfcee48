/** What a conversation is called in the list: the beginning of its first question. A command never names it. */
import { cleanText } from "../../../src/presentation/drawing.ts";
import { maxTitleChars } from "../limits.ts";
import type { ConsoleMessage } from "../writing/messages.ts";

type Question = Extract<ConsoleMessage, { author: "you" }>;

/** "/ask", with COMMAND_PREFIX before it. */
const asks = /^\s*\/[a-z0-9_-]{0,40}ask(?=\s)/i;
const mention = /^\s*@parley(?![\p{L}\p{N}_-])[\s,:]*/iu;

/** On one line, and short enough for the list. */
export function titleOf(text: string): string {
  const line = cleanText(text).trim().replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= maxTitleChars ? line : `${characters.slice(0, maxTitleChars - 1).join("")}…`;
}

/** Undefined for a command that asks nothing. */
export function questionTitle(text: string): string | undefined {
  const isCommand = text.trimStart().startsWith("/");
  if (isCommand && !asks.test(text)) return undefined;
  const title = titleOf((isCommand ? text.replace(asks, "") : text).replace(mention, ""));
  return title === "" ? undefined : title;
}

/** A question of files alone is named after them. */
export function messageTitle({ text, files = [] }: Pick<Question, "text" | "files">): string | undefined {
  return questionTitle(text.trim() === "" ? files.map(({ name }) => name).join(", ") : text);
}
