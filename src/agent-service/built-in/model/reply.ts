/**
 * Reads a model's reply: words for a further search, or an answer. A line of text asks for the search, because that works
 * with every model and endpoint; tools don't. Thoughts were taken out where the stream is read.
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

/** The whole reply. */
export function readReply(raw: string): Reply {
  const words = searchLine
    .exec(raw)?.[1]
    ?.replace(/[*_`"“”]/g, "")
    .trim();
  if (words === undefined || words === "") return { kind: "answer", text: withoutSearches(raw) };
  return { kind: "search", words: words.slice(0, maxSearchChars).toWellFormed() };
}

/** As much of an unfinished reply as is certainly an answer. "" while it may be something else. */
export function answerSoFar(raw: string): string {
  if (searchLine.test(raw)) return "";
  const start = raw.lastIndexOf("\n") + 1;
  const last = raw.slice(start).replace(decorated, "");
  const maySearch = searchMark.startsWith(last.slice(0, searchMark.length));
  return withoutSearches(maySearch ? raw.slice(0, start) : raw);
}

function withoutSearches(text: string): string {
  return text.replace(searchLines, "").trim();
}
