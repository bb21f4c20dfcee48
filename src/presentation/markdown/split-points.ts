/** Rates the places where a Markdown text can be cut. Prepared once per text, in linear time. */
import { inlineRanges, insideOf, type Range } from "./inline-ranges.ts";
import { firstLine, type LineRole, type LineState, linesOf, readLine } from "./markdown-lines.ts";

export type SplitLine = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly role: LineRole;
  /** Before this line. */
  readonly state: LineState;
  readonly size: number;
  /** The fence or table that this line belongs to: where it begins and its size. */
  readonly block?: { readonly start: number; size: number };
};

export type SplitPlan = {
  readonly lines: readonly SplitLine[];
  /** How good a cut at the start of that line is, 0 to 5. */
  readonly boundaryQuality: (line: number) => number;
  /** True inside inline code, links, emphasis. */
  readonly isProtected: (position: number) => boolean;
};

export function planSplit(text: string, measure: (text: string) => number): SplitPlan {
  const lines = readLines(text, measure);
  const isProtected = insideOf(protectedRanges(lines));
  return {
    lines,
    isProtected,
    boundaryQuality: (at) => {
      const line = lines[at];
      const before = lines[at - 1];
      if (line === undefined || before === undefined) return 0;
      const isUnderHeading = before.role.kind === "blank" && lines[at - 2]?.role.kind === "heading";
      // A heading should not be left alone at the end of a message.
      return isUnderHeading ? underHeading : qualityBetween(before, line, isProtected(line.start));
    },
  };
}

function readLines(text: string, measure: (text: string) => number): readonly SplitLine[] {
  const texts = linesOf(text);
  const lines: SplitLine[] = [];
  let state = firstLine;
  let start = 0;
  let block: { start: number; size: number } | undefined;
  for (const [at, line] of texts.entries()) {
    const { role, state: after } = readLine(line, texts[at + 1], state);
    const size = measure(line);
    if (role.kind === "fence-open" || role.kind === "table-header") block = { start, size: 0 };
    else if (!isInBlock(role)) block = undefined;
    if (block !== undefined) block.size += size;
    lines.push({
      text: line,
      start,
      end: start + line.length,
      role,
      state,
      size,
      block,
    });
    state = after;
    start += line.length;
  }
  return lines;
}

function isInBlock(role: LineRole): boolean {
  switch (role.kind) {
    case "fence-content":
    case "fence-close":
    case "table-delimiter":
    case "table-row":
      return true;
    default:
      return false;
  }
}

/** Inline marks can span the lines of a paragraph, but not list items, rows and headings. */
function protectedRanges(lines: readonly SplitLine[]): readonly Range[] {
  const ranges: Range[] = [];
  let paragraph: SplitLine[] = [];
  const flush = () => {
    const first = paragraph[0];
    if (first !== undefined) {
      for (const range of inlineRanges(paragraph.map((line) => line.text).join(""), first.start)) ranges.push(range);
    }
    paragraph = [];
  };
  for (const line of lines) {
    if (line.role.kind !== "text") flush();
    if (["text", "list-item", "heading", "table-header", "table-row"].includes(line.role.kind)) paragraph.push(line);
  }
  flush();
  return ranges;
}

const underHeading = 0.8;

function qualityBetween(before: SplitLine, line: SplitLine, isProtected: boolean): number {
  if (line.state.fence !== undefined) return 3;
  if (line.role.kind === "table-delimiter") return 0.2;
  if (line.role.kind === "table-row") return 3;
  if (isProtected) return 0.5;
  if (before.role.kind === "heading") return underHeading;
  if (line.role.kind === "blank") return 4.5;
  if (line.role.kind === "heading" || line.role.kind === "fence-open" || line.role.kind === "table-header") return 4.8;
  if (isInBlock(before.role)) return 4.7;
  const isNested = /^[ \t]/.test(line.text);
  if (before.role.kind === "blank") return isNested ? 3.5 : 5;
  if (line.role.kind === "list-item") return isNested ? 3.5 : 4;
  return 3;
}
