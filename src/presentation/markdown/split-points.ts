/** Rates the places where a Markdown text can be cut. Prepared once per text, in linear time. */
import { piecesOf } from "./markdown-blocks.ts";
import { type LineRole, type ReadLine, readLines } from "./markdown-lines.ts";

export type SplitLine = ReadLine & {
  readonly end: number;
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
  const lines = measuredLines(text, measure);
  const isProtected = insideOf(protectedRanges(text));
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

function measuredLines(text: string, measure: (text: string) => number): readonly SplitLine[] {
  let block: { start: number; size: number } | undefined;
  return readLines(text).map((line) => {
    const { role, start } = line;
    const size = measure(line.text);
    if (role.kind === "fence-open" || role.kind === "table-header") block = { start, size: 0 };
    else if (!isInBlock(role)) block = undefined;
    if (block !== undefined) block.size += size;
    return { ...line, end: start + line.text.length, size, block };
  });
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

type Range = { readonly start: number; readonly end: number };

/** Code, links and emphasis, which a cut would break. Sorted, without overlaps; a cut at `start` or `end` is harmless. */
function protectedRanges(text: string): readonly Range[] {
  if (!/[`[*_~<]|:\/\//.test(text)) return [];
  const ranges: Range[] = [];
  let at = 0;
  let depth = 0;
  let opened = 0;
  for (const { kind, source } of piecesOf(text)) {
    const start = at;
    at += source.length;
    if (kind === "close") depth -= 1;
    if (depth === 0 && kind === "close") ranges.push({ start: opened, end: at });
    if (depth === 0 && isWhole.has(kind)) ranges.push({ start, end: at });
    if (depth === 0 && kind === "open") opened = start;
    if (kind === "open") depth += 1;
  }
  return ranges;
}

const isWhole: ReadonlySet<string> = new Set(["code", "link", "image", "url"]);

/** Says whether a position is strictly inside one of the ranges. */
function insideOf(ranges: readonly Range[]): (position: number) => boolean {
  return (position) => {
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle];
      if (range === undefined || position <= range.start) high = middle - 1;
      else if (position >= range.end) low = middle + 1;
      else return true;
    }
    return false;
  };
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
