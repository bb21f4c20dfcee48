/** Chooses where one part of a text ends. Added lines must be recognisable, so that a cut can be reversed. */
import type { Fence, TableHead } from "./markdown-lines.ts";
import type { SplitLine, SplitPlan } from "./split-points.ts";

export type CutInput = {
  readonly text: string;
  readonly plan: SplitPlan;
  readonly max: number;
  readonly measure: (text: string) => number;
  /** Where the part begins, and the index of its line. */
  readonly position: number;
  readonly line: number;
  /** Added in front of the part. */
  readonly prefix: string;
  /** Shared by all parts of a text, so that each fence is measured once. */
  readonly fences: Map<Fence, FenceMarks>;
  /** The same for the heads of tables. */
  readonly heads: Map<TableHead, number>;
};

/** What a cut inside a fence adds, and its size. */
export type FenceMarks = {
  readonly opening: string;
  readonly atLineEnd: { readonly text: string; readonly size: number };
  readonly inLine: { readonly text: string; readonly size: number };
  /** False for a fence or header that would fill half a part. */
  readonly isRepeated: boolean;
};

export type Cut = {
  /** Where the next part begins, and the index of its line. */
  readonly at: number;
  readonly line: number;
  readonly suffix: string;
  readonly nextPrefix: string;
};

type Candidate = Cut & { readonly quality: number; readonly size: number; readonly suffixSize: number };

/** A good place must fill the part at least this much; otherwise a worse place further on is better. */
const goodFill = 0.5;
const poorFill = 0.1;
/** The same, before a fence or a table that fits a part of its own. */
const blockFill = 0.2;

/** Undefined when the rest of the text fits. */
export function chooseCut(input: CutInput): Cut | undefined {
  const { text, plan, max, measure, position, prefix } = input;
  const budget = max - measure(prefix);
  const candidates: Candidate[] = [];
  const fitting: Inside[] = [];
  let size = 0;
  for (let at = input.line; at < plan.lines.length; at += 1) {
    const line = plan.lines[at];
    if (line === undefined) break;
    const from = Math.max(position, line.start);
    const lineSize = sizeFrom(line, from, budget, input);
    fitting.push({ at, from, size, budget });
    if (size + lineSize > budget) {
      addInside(candidates, input, { at, from, size, budget }, "gaps");
      const gap = bestGap(candidates, budget);
      if (gap !== undefined) return beforeItsBlock(gap, candidates, input, budget);
      addInside(candidates, input, { at, from, size, budget }, "graphemes");
      // The lines fit, but not with the closing fence.
      if (candidates.length === 0) for (const inside of fitting) addInside(candidates, input, inside, "graphemes");
      if (candidates.length === 0) for (const inside of fitting) addInside(candidates, input, inside, "code points");
      return best(candidates, input, budget);
    }
    size += lineSize;
    if (line.end === text.length) return undefined;
    const candidate = candidateAt(input, line.end, at + 1, plan.boundaryQuality(at + 1), size);
    if (candidate !== undefined && size + candidate.suffixSize <= budget) candidates.push(candidate);
  }
  return undefined;
}

/** Doesn't measure a line that is surely too long: a huge one would be measured again for every part. */
function sizeFrom(line: SplitLine, from: number, budget: number, { text, measure }: CutInput): number {
  if (from === line.start) return line.size;
  return line.end - from > budget * 4 ? Number.POSITIVE_INFINITY : measure(text.slice(from, line.end));
}

type Inside = {
  readonly at: number;
  readonly from: number;
  /** Of the earlier lines. */
  readonly size: number;
  readonly budget: number;
};

/** Where the pieces of a line end. Only lines without spaces and CJK sentences are cut character by character. */
type Pieces = "gaps" | "graphemes" | "code points";

function addInside(candidates: Candidate[], input: CutInput, inside: Inside, pieces: Pieces): void {
  const { text, plan, measure } = input;
  const line = plan.lines[inside.at];
  if (line === undefined) return;
  const reach = text.slice(inside.from, Math.min(line.end, inside.from + (inside.budget - inside.size) * 4 + 8));
  let position = inside.from;
  let size = inside.size;
  for (const piece of piecesOf(reach, pieces)) {
    size += measure(piece);
    position += piece.length;
    if (size > inside.budget || position >= line.end) return;
    const quality = insideQuality(input, line, position);
    if (pieces === "gaps" && (quality < 1 || !isBetweenGraphemes(text, position))) continue;
    const candidate = candidateAt(input, position, inside.at, quality, size);
    if (candidate !== undefined && size + candidate.suffixSize <= inside.budget) candidates.push(candidate);
  }
}

/** Whatever can join the character before it; the segmenter, which is slow, knows whether it does. */
const joins = /[\p{M}\p{Cf}\p{Emoji_Modifier}\u0E33\u0EB3\uFF9E\uFF9F]/u;

/** A space may carry a combining accent. */
function isBetweenGraphemes(text: string, position: number): boolean {
  const code = text.codePointAt(position) ?? 0;
  if (code < 0x300 || !joins.test(String.fromCodePoint(code))) return true;
  const [first] = segmenter.segment(text.slice(position - 1, position + 2));
  return first?.segment.length === 1;
}

function insideQuality({ text, plan }: CutInput, line: SplitLine, position: number): number {
  const last = position > line.start ? text.charAt(position - 1) : "";
  if (last === "。" || last === "！" || last === "？") return plan.isProtected(position) ? 0.4 : 2;
  if (!isBlank(last) || isBlank(text.charAt(position))) return plan.isProtected(position) ? 0 : 0.1;
  if (plan.isProtected(position)) return 0.4;
  const before = text.slice(Math.max(line.start, position - 3), position);
  return line.state.fence === undefined && /[.!?:;][)"'”’\]]?\s$/.test(before) ? 2 : 1;
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t";
}

/** Undefined where a cut could not be reversed. */
function candidateAt(input: CutInput, at: number, line: number, quality: number, size: number): Candidate | undefined {
  const { text, plan, position, max } = input;
  const here = plan.lines[line];
  if (here === undefined) return undefined;
  const isBoundary = at === here.start;
  const { fence, table } = here.state;
  const endsWith = (ending: string) => at - ending.length >= position && text.startsWith(ending, at - ending.length);
  if (fence !== undefined) {
    const marks = marksOf(fence, input);
    const closing = isBoundary ? marks.atLineEnd : marks.inLine;
    if (marks.isRepeated) {
      return { at, line, suffix: closing.text, suffixSize: closing.size, nextPrefix: marks.opening, quality, size };
    }
  }
  const fenceBefore = plan.lines[line - 1]?.state.fence;
  if (fence !== undefined && endsWith(`\n${fence.closing}`)) return undefined;
  if (fenceBefore !== undefined && endsWith(`\n${fenceBefore.closing} `)) return undefined;
  const plain = { at, line, suffix: "", suffixSize: 0, nextPrefix: "", quality, size };
  if (!isBoundary || table === undefined) return plain;
  if (here.role.kind === "table-row" && headSize(table, input) <= max / 2) return { ...plain, nextPrefix: table.text };
  return text.startsWith(table.text, at) ? undefined : plain;
}

function headSize(table: TableHead, { heads, measure }: CutInput): number {
  const known = heads.get(table);
  if (known !== undefined) return known;
  const size = measure(table.text);
  heads.set(table, size);
  return size;
}

function marksOf(fence: Fence, { fences, measure, max }: CutInput): FenceMarks {
  const known = fences.get(fence);
  if (known !== undefined) return known;
  const opening = `${fence.opening}\n`;
  const inLine = `\n${fence.closing} `;
  const marks = {
    opening,
    atLineEnd: { text: fence.closing, size: measure(fence.closing) },
    inLine: { text: inLine, size: measure(inLine) },
    isRepeated: measure(opening) + measure(inLine) <= max / 2,
  };
  fences.set(fence, marks);
  return marks;
}

function best(candidates: readonly Candidate[], input: CutInput, budget: number): Cut {
  const full = candidates.filter((candidate) => candidate.size >= budget * goodFill);
  const chosen = bestGap(candidates, budget) ?? highest(full, 0) ?? highest(candidates, 0);
  if (chosen === undefined) throw new RangeError("A single character does not fit the limit");
  return beforeItsBlock(chosen, candidates, input, budget);
}

/** A good place that fills the part enough. */
function bestGap(candidates: readonly Candidate[], budget: number): Candidate | undefined {
  for (const fill of [goodFill, poorFill]) {
    const found = highest(
      candidates.filter((candidate) => candidate.size >= budget * fill),
      1,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Moves the cut before the fence or table that it would divide, if that fits a part of its own. */
function beforeItsBlock(
  chosen: Candidate,
  candidates: readonly Candidate[],
  { plan, max }: CutInput,
  budget: number,
): Cut {
  const block = plan.lines[chosen.line]?.block;
  if (block === undefined || block.start >= chosen.at || block.size > max) return chosen;
  const before = candidates.find((candidate) => candidate.at === block.start);
  return before !== undefined && before.size >= budget * blockFill ? before : chosen;
}

/** The best candidate of at least this quality; the last one among equals. */
function highest(candidates: readonly Candidate[], least: number): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate.quality >= least && candidate.quality >= (found?.quality ?? 0)) found = candidate;
  }
  return found;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function* piecesOf(text: string, pieces: Pieces): Iterable<string> {
  if (pieces === "gaps") yield* text.match(/[^ \t。！？]*(?:[ \t]+|[。！？]|$)/g) ?? [];
  else if (pieces === "code points" || /^[\n\t\x20-\x7E]*$/.test(text)) yield* text;
  else for (const { segment } of segmenter.segment(text)) yield segment;
}
