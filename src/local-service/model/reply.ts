/**
 * Reads a model's reply: words for a further search, or an answer. A line of text asks for the search, because that works
 * with every model and endpoint; tools don't.
 */
export type Reply =
  | { readonly kind: "search"; readonly words: string }
  | { readonly kind: "answer"; readonly text: string };

/** The model writes it before the words to search for. */
export const searchMark = "SEARCH:";

const maxSearchChars = 200;
/** Models may print a line as bold, quoted, code or in a list. */
const decoration = "[ \\t>*_`-]{0,6}";
const searchLine = new RegExp(`^${decoration}${searchMark}[ \\t]*(\\S[^\\n]*)$`, "m");
const searchLines = new RegExp(`^${decoration}${searchMark}[^\\n]*$`, "gm");
const decorated = new RegExp(`^${decoration}`);

const openThought = "<think>";
const closedThought = "</think>";

/** The whole reply. */
export function readReply(raw: string): Reply {
  const text = withoutThoughts(raw) ?? "";
  const words = searchLine
    .exec(text)?.[1]
    ?.replace(/[*_`"“”]/g, "")
    .trim();
  if (words === undefined || words === "") return { kind: "answer", text: withoutSearches(text) };
  return { kind: "search", words: words.slice(0, maxSearchChars).toWellFormed() };
}

/** As much of an unfinished reply as is certainly an answer. "" while it may be something else. */
export function answerSoFar(raw: string): string {
  const text = withoutThoughts(raw);
  if (text === undefined || searchLine.test(text)) return "";
  const start = text.lastIndexOf("\n") + 1;
  const last = text.slice(start).replace(decorated, "");
  const maySearch = searchMark.startsWith(last.slice(0, searchMark.length));
  return withoutSearches(maySearch ? text.slice(0, start) : text);
}

function withoutSearches(text: string): string {
  return text.replace(searchLines, "").trim();
}

/** Some models print their thoughts before the reply. Undefined while they think. */
function withoutThoughts(raw: string): string | undefined {
  const text = raw.trimStart();
  if (text === "" || openThought.startsWith(text)) return undefined;
  if (!text.startsWith(openThought)) return text;
  const end = text.indexOf(closedThought);
  return end < 0 ? undefined : text.slice(end + closedThought.length).trimStart();
}
