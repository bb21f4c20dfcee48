/** Joins the parts of a split Markdown text, to prove that splitting loses nothing. */
import { firstLine, type LineState, linesOf, readLine } from "../../../src/presentation/markdown/markdown-lines.ts";

/** A position in the text: the state before its line, and the part of that line before it. */
type Cursor = { readonly state: LineState; readonly open: string };

/** The inverse of `splitMarkdown`. */
export function joinMarkdown(parts: readonly string[]): string {
  const pieces: string[] = [];
  let cursor: Cursor = { state: firstLine, open: "" };
  let prefix = "";
  for (const [at, part] of parts.entries()) {
    let content = part.slice(prefix.length);
    const { table } = cursor.state;
    if (prefix === "" && cursor.open === "" && table !== undefined && content.startsWith(table.text)) {
      content = content.slice(table.text.length);
    }
    const seen = at === parts.length - 1 ? { content, nextPrefix: "" } : withoutClosing(content, cursor);
    cursor = walk(seen.content, cursor).cursor;
    prefix = seen.nextPrefix;
    pieces.push(seen.content);
  }
  return pieces.join("");
}

/** Removes an added closing line from the end, and returns what the next part then begins with. */
function withoutClosing(content: string, cursor: Cursor): { readonly content: string; readonly nextPrefix: string } {
  const { lineStarts } = walk(content, cursor);
  const inLastButOne = lineStarts.at(-2)?.fence;
  if (inLastButOne !== undefined && content.endsWith(`\n${inLastButOne.closing} `)) {
    const length = inLastButOne.closing.length + 2;
    return { content: content.slice(0, -length), nextPrefix: `${inLastButOne.opening}\n` };
  }
  const inLast = lineStarts.at(-1)?.fence;
  if (inLast !== undefined && content.endsWith(`\n${inLast.closing}`)) {
    return { content: content.slice(0, -inLast.closing.length), nextPrefix: `${inLast.opening}\n` };
  }
  return { content, nextPrefix: "" };
}

function walk(content: string, from: Cursor): { readonly cursor: Cursor; readonly lineStarts: readonly LineState[] } {
  let { state, open } = from;
  const lineStarts = [state];
  for (const piece of linesOf(content)) {
    open += piece;
    if (!piece.endsWith("\n")) continue;
    state = readLine(open, undefined, state).state;
    lineStarts.push(state);
    open = "";
  }
  return { cursor: { state, open }, lineStarts };
}
