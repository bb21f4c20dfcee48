/**
 * Chooses where one part ends. Every candidate is checked to be readable again: what `joinMarkdown` would take for an
 * added line must be one, and what was added must be found.
 */
import type { SplitLine, SplitPlan } from "./split-points.ts";

export type CutInput = {
  readonly text: string;
  readonly plan: SplitPlan;
  readonly max: number;
  readonly measure: (text: string) => number;
  /** Where the part begins, and in which line. */
  readonly position: number;
  readonly line: number;
  /** What the part begins with besides. */
  readonly prefix: string;
};

export type Cut = {
  /** Where the next part begins, and in which line. */
  readonly at: number;
  readonly line: number;
  readonly suffix: string;
  readonly nextPrefix: string;
};

type Candidate = Cut & { readonly quality: number; readonly size: number };

/** A part that is cut at a good place should be at least this full; else a worse place further on is better. */
const goodFill = 0.5;
const poorFill = 0.1;
/** Before a fence or a table that fits a part of its own. */
const blockFill = 0.2;

/** Undefined when all that is left fits. */
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
      addInside(candidates, input, { at, from, size, budget }, graphemesOf);
      // The lines fit, but not with what closes them.
      if (candidates.length === 0) for (const inside of fitting) addInside(candidates, input, inside, graphemesOf);
      if (candidates.length === 0) for (const inside of fitting) addInside(candidates, input, inside, codePointsOf);
      return best(candidates, input, budget);
    }
    size += lineSize;
    if (line.end === text.length) return undefined;
    const candidate = candidateAt(input, line.end, at + 1, plan.boundaryQuality(at + 1), size);
    if (candidate !== undefined && size + measure(candidate.suffix) <= budget) candidates.push(candidate);
  }
  return undefined;
}

/** A line that is surely too long is not measured, or a huge one would be measured again for every part. */
function sizeFrom(line: SplitLine, from: number, budget: number, { text, measure }: CutInput): number {
  if (from === line.start) return line.size;
  return line.end - from > budget * 4 ? Number.POSITIVE_INFINITY : measure(text.slice(from, line.end));
}

type Inside = {
  readonly at: number;
  readonly from: number;
  /** Of the lines before. */
  readonly size: number;
  readonly budget: number;
};

function addInside(
  candidates: Candidate[],
  input: CutInput,
  inside: Inside,
  piecesOf: (text: string) => Iterable<string>,
): void {
  const { text, plan, measure } = input;
  const line = plan.lines[inside.at];
  if (line === undefined) return;
  const room = inside.budget - inside.size;
  const reach = text.slice(inside.from, Math.min(line.end, inside.from + room * 4 + 8));
  let position = inside.from;
  let size = inside.size;
  for (const piece of piecesOf(reach)) {
    size += measure(piece);
    position += piece.length;
    if (size > inside.budget || position >= line.end) return;
    const quality = insideQuality(input, line, position);
    const candidate = candidateAt(input, position, inside.at, quality, size);
    if (candidate !== undefined && size + measure(candidate.suffix) <= inside.budget) candidates.push(candidate);
  }
}

function insideQuality({ text, plan }: CutInput, line: SplitLine, position: number): number {
  const before = text.slice(Math.max(line.start, position - 3), position);
  const isProtected = plan.isProtected(position);
  const isGap = /[ \t]$/.test(before) && !/[ \t]/.test(text.charAt(position));
  if (/[。！？]$/.test(before)) return isProtected ? 0.4 : 2;
  if (!isGap) return isProtected ? 0 : 0.1;
  if (isProtected) return 0.4;
  return line.state.fence === undefined && /[.!?:;][)"'”’\]]?\s$/.test(before) ? 2 : 1;
}

/** Undefined where a cut could not be read again. */
function candidateAt(input: CutInput, at: number, line: number, quality: number, size: number): Candidate | undefined {
  const { text, plan, position, measure, max } = input;
  const here = plan.lines[line];
  if (here === undefined) return undefined;
  const isBoundary = at === here.start;
  const { fence, table } = here.state;
  const endsWith = (ending: string) => at - ending.length >= position && text.startsWith(ending, at - ending.length);
  const opening = fence === undefined ? "" : `${fence.opening}\n`;
  const closing = fence === undefined ? "" : isBoundary ? fence.closing : `\n${fence.closing} `;
  if (fence !== undefined && measure(opening) + measure(`\n${fence.closing} `) <= max / 2) {
    return { at, line, suffix: closing, nextPrefix: opening, quality, size };
  }
  const fenceBefore = plan.lines[line - 1]?.state.fence;
  if (fence !== undefined && endsWith(`\n${fence.closing}`)) return undefined;
  if (fenceBefore !== undefined && endsWith(`\n${fenceBefore.closing} `)) return undefined;
  if (!isBoundary || table === undefined) return { at, line, suffix: "", nextPrefix: "", quality, size };
  if (here.role.kind === "table-row" && measure(table.text) <= max / 2) {
    return { at, line, suffix: "", nextPrefix: table.text, quality, size };
  }
  return text.startsWith(table.text, at) ? undefined : { at, line, suffix: "", nextPrefix: "", quality, size };
}

function best(candidates: readonly Candidate[], { plan, max }: CutInput, budget: number): Cut {
  const full = candidates.filter((candidate) => candidate.size >= budget * goodFill);
  const chosen =
    highest(full, 1) ??
    highest(
      candidates.filter((candidate) => candidate.size >= budget * poorFill),
      1,
    ) ??
    highest(full, 0) ??
    highest(candidates, 0);
  if (chosen === undefined) throw new RangeError("A single character does not fit the limit");
  const block = plan.lines[chosen.line]?.block;
  if (block === undefined || block.start >= chosen.at || block.size > max) return chosen;
  const before = candidates.find((candidate) => candidate.at === block.start);
  return before !== undefined && before.size >= budget * blockFill ? before : chosen;
}

/** The best of those that are worth `least`, the last one among equals. */
function highest(candidates: readonly Candidate[], least: number): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate.quality >= least && candidate.quality >= (found?.quality ?? 0)) found = candidate;
  }
  return found;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function* graphemesOf(text: string): Iterable<string> {
  if (/^[\n\t\x20-\x7E]*$/.test(text)) yield* text;
  else for (const { segment } of segmenter.segment(text)) yield segment;
}

function* codePointsOf(text: string): Iterable<string> {
  yield* text;
}
