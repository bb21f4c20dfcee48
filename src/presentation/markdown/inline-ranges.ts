/** Finds inline code, links and emphasis, which a cut would break. Linear for any input. */

export type Range = { readonly start: number; readonly end: number };

const linkPattern =
  /!?\[(?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,500}\]\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)/g;
const emphasisPattern = /(\*{1,3}|_{1,3}|~~)/g;

/** Sorted, without overlaps; positions include `offset`. A cut at `start` or `end` is harmless. */
export function inlineRanges(text: string, offset = 0): readonly Range[] {
  if (!/[`[*_~]/.test(text)) return [];
  const codes = codeRanges(text);
  const isInCode = insideOf(codes);
  const links = [...text.matchAll(linkPattern)]
    .map((found) => ({ start: found.index, end: found.index + found[0].length }))
    .filter((range) => !isInCode(range.start));
  const all = [...codes, ...links, ...emphasisRanges(text, isInCode)];
  return merge(all).map(({ start, end }) => ({ start: start + offset, end: end + offset }));
}

/** Says whether a position is strictly inside one of the ranges. */
export function insideOf(ranges: readonly Range[]): (position: number) => boolean {
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

/**
 * Inline code: a run of backticks is closed by the next run of the same length. Outside code a backslash escapes the
 * first backtick, and a run inside an autolink opens nothing: text that a platform shows as text must not count as code.
 */
export function codeRanges(text: string): readonly Range[] {
  if (!text.includes("`")) return [];
  const runs = [...text.matchAll(/`+/g)].map((found) => ({ start: found.index, length: found[0].length }));
  const byLength = new Map<number, number[]>();
  for (const [at, run] of runs.entries()) {
    const same = byLength.get(run.length);
    if (same === undefined) byLength.set(run.length, [at]);
    else same.push(at);
  }
  return pairRuns(text, runs, byLength);
}

type Run = { readonly start: number; readonly length: number };

function pairRuns(
  text: string,
  runs: readonly Run[],
  byLength: ReadonlyMap<number, readonly number[]>,
): readonly Range[] {
  const ranges: Range[] = [];
  const seen = new Map<number, number>();
  const isInAutolink = insideOf(
    [...text.matchAll(autolink)].map((found) => ({ start: found.index, end: found.index + found[0].length })),
  );
  let at = 0;
  while (at < runs.length) {
    const run = runs[at];
    if (run === undefined) break;
    const taken = isEscaped(text, run.start) ? 1 : 0;
    const length = run.length - taken;
    const same = byLength.get(length) ?? [];
    let next = seen.get(length) ?? 0;
    while (next < same.length && (same[next] ?? 0) <= at) next += 1;
    seen.set(length, next);
    const closing = length === 0 || isInAutolink(run.start) ? undefined : runs[same[next] ?? -1];
    if (closing === undefined) at += 1;
    else {
      ranges.push({ start: run.start + taken, end: closing.start + closing.length });
      at = (same[next] ?? at) + 1;
    }
  }
  return ranges;
}

/** Parsed before any marks in it. */
const autolink = /<[a-z][a-z\d+.-]{1,31}:[^\s<>]{0,4000}>/gi;

/** Preceded by an odd number of backslashes. */
export function isEscaped(text: string, position: number): boolean {
  let at = position;
  while (text.charCodeAt(at - 1) === 92) at -= 1;
  return (position - at) % 2 === 1;
}

function emphasisRanges(text: string, isInCode: (position: number) => boolean): readonly Range[] {
  const open = new Map<string, number>();
  const ranges: Range[] = [];
  for (const found of text.matchAll(emphasisPattern)) {
    const mark = found[0];
    const start = found.index;
    const end = start + mark.length;
    if (isInCode(start) || isInCode(end)) continue;
    const before = text.charAt(start - 1);
    const after = text.charAt(end);
    const opening = open.get(mark);
    if (opening !== undefined && /\S/.test(before)) {
      ranges.push({ start: opening, end });
      open.delete(mark);
    } else if (/\S/.test(after) && !(mark.startsWith("_") && /\w/.test(before))) open.set(mark, start);
  }
  return ranges;
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}
