/** Shows a Markdown text while it is being written, without marks that are not finished: half a link, table or code. */
import { codeRanges, insideOf, isEscaped } from "./inline-ranges.ts";
import { firstLine, type LineRole, type LineState, linesOf, readLine } from "./markdown-lines.ts";

/** A link or URL longer than this is shown as it is written. */
const maxHeldChars = 600;
/** Of the last paragraph, where open marks are searched for. */
const maxReadChars = 8_000;

/** "[1]: https://exa": where a link leads that is written elsewhere. */
const definitionPattern = /^[\s>]{0,20}\[[^[\]\n]{1,300}\]:/;
/** Scripts without spaces between words: an emphasis may begin within them. */
const writesOn = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

type Line = { readonly text: string; readonly start: number; readonly role: LineRole; readonly before: LineState };

/** The text as far as it can be shown. What it leaves out is at its end, and follows with the next words. */
export function halfWritten(text: string): string {
  const lines = readLines(text);
  const last = lines.at(-1);
  if (last === undefined) return text;
  if (last.before.fence !== undefined || last.role.kind === "fence-open") return inFence(text, last);
  if (last.text.endsWith("\n")) return withoutTableHead(text, lines);
  const whole = () => withoutTableHead(text.slice(0, last.start), lines.slice(0, -1));
  if (last.before.table !== undefined) return text.slice(0, last.start);
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

function readLines(text: string): readonly Line[] {
  const texts = linesOf(text);
  const lines: Line[] = [];
  let before = firstLine;
  let start = 0;
  for (const [at, line] of texts.entries()) {
    const { role, state } = readLine(line, texts[at + 1], before);
    lines.push({ text: line, start, role, before });
    before = state;
    start += line.length;
  }
  return lines;
}

/** An open block of code ends with the text. Half of its closing mark isn't part of the code. */
function inFence(text: string, { text: line, start, role }: Line): string {
  const isHalfMark = role.kind === "fence-content" && /^[ \t>]*[`~]+[ \t]*$/.test(line);
  const isOpening = role.kind === "fence-open" && !line.endsWith("\n");
  return isHalfMark || isOpening ? text.slice(0, start) : text;
}

/** A row of pipes is a table's head only once the line below it says so. */
function withoutTableHead(text: string, lines: readonly Line[]): string {
  const last = lines.at(-1);
  const isHead = last?.role.kind === "text" || last?.role.kind === "table-header";
  if (last === undefined || !isHead || !/^[\s>]*\|/.test(last.text)) return text;
  return text.slice(0, last.start);
}

/** Marks can span the lines of a paragraph, but not list items, rows and headings. */
function paragraphStart(lines: readonly Line[], text: string): number {
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
  const opening = openCode(paragraph);
  if (opening !== undefined) {
    const said = paragraph.slice(opening.at + opening.mark.length).trim();
    // Marks before it stay open as well.
    const outside = closed(paragraph.slice(0, opening.at));
    if (said === "") return before + outside.text + outside.marks;
    const code = paragraph.slice(opening.at).trimEnd();
    // A backtick of the code must not become one of the mark.
    return before + outside.text + code + (code.endsWith("`") ? " " : "") + opening.mark + outside.marks;
  }
  const { text: shown, marks } = closed(paragraph);
  return marks === "" ? before + shown : before + shown.trimEnd() + marks;
}

/** A mark at the very end may be half of a longer one. What a backslash escapes is text. */
function withoutHalfMark(paragraph: string): string {
  const found = /(?:[*_~`]{1,3}|[!\\<]|\*\*`|[([{])$/.exec(paragraph);
  if (found === null) return paragraph;
  const at = found.index + (isEscaped(paragraph, found.index) ? 1 : 0);
  return paragraph.slice(0, at);
}

/** "[the guide](https://exa", "https://exa": an address that is cut leads elsewhere. */
function withoutHalfLink(paragraph: string): string {
  const from = Math.max(0, paragraph.length - maxHeldChars);
  const end = paragraph.slice(from);
  const isCode = insideOf(codeRanges(end));
  const url = /(?:<|\()?\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s]*$|<https?:?\/?$|\bwww\.[^\s]*$/i.exec(end);
  const whole = url === null || isCode(url.index) ? end : end.slice(0, url.index);
  const bracket = lastOpenBracket(whole, isCode);
  return paragraph.slice(0, from) + (bracket < 0 ? whole : whole.slice(0, bracket).replace(/!$/, ""));
}

/** Where a link begins that is not complete, or -1. */
function lastOpenBracket(text: string, isCode: (at: number) => boolean): number {
  let open = -1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if ((char !== "[" && char !== "]") || isCode(at) || isEscaped(text, at)) continue;
    if (char === "[") {
      if (depth === 0) open = at;
      depth += 1;
      continue;
    }
    depth = Math.max(0, depth - 1);
    if (depth > 0 || open < 0) continue;
    const after = text.slice(at + 1);
    const isHalf = after === "" || /^\([^)]*$/.test(after);
    if (isHalf) return open;
    open = -1;
  }
  return depth > 0 ? open : -1;
}

function openCode(paragraph: string): { readonly at: number; readonly mark: string } | undefined {
  const isCode = insideOf(codeRanges(paragraph).map(({ start, end }) => ({ start: start - 1, end })));
  for (const found of paragraph.matchAll(/`+/g)) {
    if (!isCode(found.index) && !isEscaped(paragraph, found.index)) return { at: found.index, mark: found[0] };
  }
  return undefined;
}

/** The marks that end what is emphasised so far; a mark with nothing behind it is left out. */
function closed(paragraph: string): { readonly text: string; readonly marks: string } {
  const isCode = insideOf(codeRanges(paragraph));
  /** Innermost last. */
  const open: string[] = [];
  for (const found of paragraph.matchAll(/\*{1,3}|_{1,3}|~~/g)) {
    const [mark] = found;
    const at = found.index;
    if (isCode(at) || isEscaped(paragraph, at)) continue;
    const previous = paragraph.charAt(at - 1);
    const next = paragraph.charAt(at + mark.length);
    const rest = /\S/.test(previous) ? closedBy(mark, open) : mark;
    const mayOpen = !/[\p{L}\p{N}]/u.test(previous) || (mark.length > 1 && mark !== "__" && writesOn.test(previous));
    if (rest === mark && /\S/.test(next) && mayOpen) open.push(mark);
  }
  return { text: paragraph, marks: open.toReversed().join("") };
}

/** Closes what the mark closes of the open ones, and returns what is left of it: "***a* b**" closes one after the other. */
function closedBy(mark: string, open: string[]): string {
  const exact = open.lastIndexOf(mark);
  if (exact >= 0) {
    open.splice(exact);
    return "";
  }
  let rest = mark;
  for (let last = open.at(-1); last !== undefined && rest !== ""; last = open.at(-1)) {
    if (last.charAt(0) !== rest.charAt(0) || last.charAt(0) === "~") break;
    open.pop();
    const both = Math.min(last.length, rest.length);
    if (last.length > both) open.push(last.slice(both));
    rest = rest.slice(both);
  }
  return rest;
}
