/**
 * Splits long Markdown into messages without losing a character.
 *
 * Parts mark what was added to them, so that the text can be restored (nothing else is added):
 * - A part that ends inside a code fence ends with a closing line that has no line end; the next part begins with the
 *   fence's opening line. One space after the closing mark says that the cut was in the middle of a line.
 * - A part that begins between two rows of a table begins with the table's header and delimiter row.
 * A fence or a header that would fill half a part is not repeated.
 */
import { chooseCut, type FenceMarks } from "./choose-cut.ts";
import type { Fence, TableHead } from "./markdown-lines.ts";
import { planSplit } from "./split-points.ts";

/**
 * `measure` counts as the platform does: length, UTF-8 bytes, escaped length. A text must not measure more than its
 * pieces together, nor less than a quarter of its length.
 */
export type SplitLimit =
  | { readonly maxChars: number }
  | { readonly max: number; readonly measure: (text: string) => number };

/** Below this there is no room for a character outside the BMP. */
const minMax = 4;

/**
 * Parts within the limit, in order. Cuts fall between paragraphs, list items, rows and
 * sentences where there are any, outside inline code, links and emphasis where possible, and never inside a grapheme
 * cluster that fits a part. No part is empty, unless the text is. Linear.
 *
 * @throws RangeError when the limit has no room for a single character.
 */
export function splitMarkdown(text: string, limit: SplitLimit): string[] {
  return [...markdownParts(text, limit)];
}

/** The same one by one, for callers that need only the first of them. */
export function* markdownParts(text: string, limit: SplitLimit): Generator<string, void> {
  const max = "maxChars" in limit ? limit.maxChars : limit.max;
  const measure = "maxChars" in limit ? (piece: string) => piece.length : limit.measure;
  if (!(max >= minMax)) throw new RangeError(`A part needs room for ${minMax} characters at least`);
  const prepared = prepare(text, max, measure);
  let position = 0;
  let line = 0;
  let prefix = "";
  for (;;) {
    const cut = chooseCut({ ...prepared, position, line, prefix });
    if (cut === undefined) break;
    yield prefix + text.slice(position, cut.at) + cut.suffix;
    ({ at: position, line, nextPrefix: prefix } = cut);
  }
  yield prefix + text.slice(position);
}

/** `at`: where in the text the rest begins. */
export type MarkdownCut = { readonly head: string; readonly rest: string; readonly at: number };

/** The first part of at most `maxChars`, and the rest. A divided fence is closed and reopened. Reads no further. */
export function cutMarkdown(text: string, maxChars: number): MarkdownCut {
  const whole = { head: text, rest: "", at: text.length };
  if (text.length <= maxChars) return whole;
  if (maxChars < minMax) return { head: "", rest: text, at: 0 };
  const beginning = text.slice(0, maxChars + 1);
  const prepared = prepare(beginning, maxChars, (piece) => piece.length);
  const cut = chooseCut({ ...prepared, position: 0, line: 0, prefix: "" });
  if (cut === undefined) return whole;
  return { head: text.slice(0, cut.at) + cut.suffix, rest: cut.nextPrefix + text.slice(cut.at), at: cut.at };
}

function prepare(text: string, max: number, measure: (text: string) => number) {
  const plan = planSplit(text, measure);
  return { text, plan, max, measure, fences: new Map<Fence, FenceMarks>(), heads: new Map<TableHead, number>() };
}
