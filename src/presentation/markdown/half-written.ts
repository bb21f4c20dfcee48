/** Shows a Markdown text while it is being written, without marks that are not finished: half a link, table or code. */
import { readInline } from "./inline.ts";
import { type ReadLine, readLines } from "./markdown-lines.ts";

/** A link or URL longer than this is shown as it is written. */
const maxHeldChars = 600;
/** Of the last paragraph, where open marks are searched for. */
const maxReadChars = 8_000;

/** "[1]: https://exa": where a link leads that is written elsewhere. */
const definitionPattern = /^[\s>]{0,20}\[[^[\]\n]{1,300}\]:/;

/** The text as far as it can be shown. What it leaves out is at its end, and follows with the next words. */
export function halfWritten(text: string): string {
  const lines = readLines(text);
  const last = lines.at(-1);
  if (last === undefined) return text;
  if (last.state.fence !== undefined || last.role.kind === "fence-open") return inFence(text, last);
  if (last.text.endsWith("\n")) return withoutTableHead(text, lines);
  const whole = () => withoutTableHead(text.slice(0, last.start), lines.slice(0, -1));
  if (last.state.table !== undefined) return text.slice(0, last.start);
  if (last.role.kind === "table-delimiter") return whole();
  // "-" or "=" would make a heading of the line above, and "1" is half of a list item.
  if (/^[\s>]*(?:(?:[-=*+_#`~|:]+|\d{1,9}[.)]?)[ \t]*)?$/.test(last.text.slice(0, maxHeldChars))) {
    return whole();
  }
  if (/^[\s>]*\|/.test(last.text) || isDefinition(last.text)) return whole();
  return withClosedMarks(text, paragraphStart(lines, text));
}

function isDefinition(line: string): boolean {
  return line.length <= maxHeldChars && definitionPattern.test(line);
}

/** An open block of code ends with the text. Half of its closing mark isn't part of the code. */
function inFence(text: string, { text: line, start, role }: ReadLine): string {
  const isHalfMark = role.kind === "fence-content" && /^[ \t>]*[`~]+[ \t]*$/.test(line);
  const isOpening = role.kind === "fence-open" && !line.endsWith("\n");
  return isHalfMark || isOpening ? text.slice(0, start) : text;
}

/** A row of pipes is a table's head only once the line below it says so. */
function withoutTableHead(text: string, lines: readonly ReadLine[]): string {
  const last = lines.at(-1);
  const isHead = last?.role.kind === "text" || last?.role.kind === "table-header";
  if (last === undefined || !isHead || !/^[\s>]*\|/.test(last.text)) return text;
  return text.slice(0, last.start);
}

/** Marks can span the lines of a paragraph, but not list items, rows and headings. */
function paragraphStart(lines: readonly ReadLine[], text: string): number {
  let start = text.length;
  for (const { role, start: at } of lines.toReversed()) {
    if (role.kind !== "text" && role.kind !== "list-item" && role.kind !== "heading") break;
    start = at;
    if (role.kind !== "text" || text.length - start > maxReadChars) break;
  }
  return start;
}

function withClosedMarks(text: string, start: number): string {
  const before = text.slice(0, start);
  const paragraph = withoutHalfMark(withoutHalfLink(text.slice(start)));
  const { code, marks } = readInline(paragraph).unclosed;
  const closing = (open: readonly string[]) => open.toReversed().join("");
  if (code === undefined) return before + (marks.length === 0 ? paragraph : paragraph.trimEnd() + closing(marks));
  const outside = paragraph.slice(0, code.at);
  // Marks before it stay open as well.
  const outer = closing(readInline(outside).unclosed.marks);
  const written = paragraph.slice(code.at).trimEnd();
  if (written === code.mark) return before + outside + outer;
  // A backtick of the code must not become one of the mark.
  return before + outside + written + (written.endsWith("`") ? " " : "") + code.mark + outer;
}

/** A mark at the very end may be half of a longer one. What a backslash escapes is text. */
function withoutHalfMark(paragraph: string): string {
  const found = /(?:[*_~`]{1,3}|[!\\<]|\*\*`|[([{])$/.exec(paragraph);
  if (found === null) return paragraph;
  let slashes = 0;
  while (paragraph.charAt(found.index - slashes - 1) === "\\") slashes += 1;
  return paragraph.slice(0, found.index + (slashes % 2));
}

const halfUrl = /(?:<|\()?\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s]*$|<https?:?\/?$|\bwww\.[^\s]*$/i;

/** "[the guide](https://exa", "https://exa": an address that is cut leads elsewhere. */
function withoutHalfLink(paragraph: string): string {
  const from = Math.max(0, paragraph.length - maxHeldChars);
  const { tokens, unclosed } = readInline(paragraph);
  const bracket = unclosed.brackets.find((at) => at >= from);
  const url = halfUrl.exec(paragraph.slice(from));
  const urlAt = url === null ? paragraph.length : from + url.index;
  let end = 0;
  const holds = tokens.find(({ source }) => {
    end += source.length;
    return end > urlAt;
  });
  const isWhole = holds !== undefined && holds.kind !== "text" && !holds.source.startsWith("http");
  return paragraph.slice(0, Math.min(bracket ?? paragraph.length, isWhole ? paragraph.length : urlAt));
}
