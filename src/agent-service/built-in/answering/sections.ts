/**
 * Splits a text into the pieces that are searched and quoted. Markdown is split at its headings, because people ask for
 * sections. Long sections are split between their blocks. Pieces are slices: joined, they are the text again.
 */
export type Piece = {
  /** Offsets in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Heading of its section; "" before the first heading. */
  readonly heading: string;
  /** Headings above it, outermost first. */
  readonly parents: readonly string[];
  /** 1 to 4; 0 before the first heading. */
  readonly level: number;
  /** The heading's anchor as on GitHub; "" before the first heading. */
  readonly anchor: string;
  /** Index of the first piece of the same section. */
  readonly sectionStart: number;
};

type Section = Omit<Piece, "sectionStart">;

/** Longer pieces make the search vague; shorter ones separate what belongs together. */
const maxPieceChars = 2_000;
const headingPattern = /^ {0,3}(#{1,4})[ \t](.+)$/;
/** The end of `## Heading ##`. Matches only from the start of a run of spaces or marks, which keeps it linear. */
const closingMarks = /(?<![ \t])[ \t]+(?:#+[ \t]*)?$|(?<!#)#+[ \t]*$/;
const fencePattern = /^ {0,3}(`{3,}|~{3,})/;

/** O(n). Whitespace has no pieces. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const section of sectionsOf(text)) {
    if (text.slice(section.start, section.end).trim() === "") continue;
    const sectionStart = pieces.length;
    for (const { start, end } of partsOf(text, section)) pieces.push({ ...section, start, end, sectionStart });
  }
  return pieces;
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  const above: { heading: string; level: number }[] = [];
  const anchors = new Map<string, number>();
  let current = { start: 0, heading: "", level: 0, anchor: "", parents: [] as readonly string[] };
  for (const { line, start, isCode } of linesOf(text)) {
    const found = isCode ? null : headingPattern.exec(line);
    if (found === null) continue;
    sections.push({ ...current, end: start });
    const [, marks = "", words = ""] = found;
    const heading = plainHeading(withoutClosingMarks(words.trim()));
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= marks.length) above.pop();
    const parents = above.map((parent) => parent.heading);
    above.push({ heading, level: marks.length });
    current = { start, heading, level: marks.length, anchor: anchorOf(heading, anchors), parents };
  }
  sections.push({ ...current, end: text.length });
  return sections;
}

function* linesOf(text: string): Generator<{ line: string; start: number; isCode: boolean }> {
  let fence = "";
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end).replace(/\r$/, "");
    const mark = fencePattern.exec(line)?.[1] ?? "";
    const closes = fence !== "" && mark.startsWith(fence) && line.trim() === mark;
    yield { line, start, isCode: fence !== "" || mark !== "" };
    if (fence === "") fence = mark;
    else if (closes) fence = "";
    start = end + 1;
  }
}

/** Parts of one section, at most `maxPieceChars` where empty lines outside code allow it. */
function partsOf(text: string, { start, end }: Section): readonly { start: number; end: number }[] {
  if (end - start <= maxPieceChars) return [{ start, end }];
  const parts: { start: number; end: number }[] = [];
  let from = start;
  let lastBreak = start;
  for (const { line, start: offset, isCode } of linesOf(text.slice(start, end))) {
    const at = start + offset;
    if (at - from > maxPieceChars && lastBreak > from) {
      parts.push({ start: from, end: lastBreak });
      from = lastBreak;
    }
    // A text without empty lines (a log, a page in one line) is split at its lines, else at its characters.
    while (at + line.length - from > 2 * maxPieceChars) {
      const cut = at > from ? at : wholeCharacters(text, from + maxPieceChars);
      parts.push({ start: from, end: cut });
      from = cut;
    }
    if (line.trim() === "" && !isCode) lastBreak = Math.min(end, at + line.length + 1);
  }
  parts.push({ start: from, end });
  return parts.filter((part) => text.slice(part.start, part.end).trim() !== "");
}

/** Moves a cut out of a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Keeps one mark of a heading that consists of nothing else. */
function withoutClosingMarks(words: string): string {
  return words.replace(closingMarks, "") || words.slice(0, 1);
}

/** Removes the markup of links, code and emphasis. */
function plainHeading(words: string): string {
  return words
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();
}

function anchorOf(heading: string, used: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
