/**
 * Says which Markdown the page's parser would take too long for. `marked` 18 compares the marks of a block with each
 * other: 100 kB of `_a` took it 40 s, of `a` and `-` in turns 19 s, and many nested quotes end it. No answer that is
 * meant to be read has so many.
 */

const maxMarks = 1_000;
const maxRules = 500;
const maxColumns = 500;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Fifty quotes in each other, or a list indented as far as fifty. */
const isNestedTooDeep = (line: string) => /^(?:[ \t]*>){50}|^[ \t]{100,}(?:[-*+]|\d+[.)]) /.test(line);

/** Where marks are no longer compared with those before: at an empty line, an item of a list, and a row of a table. */
const pieceEnd = /\n(?=[ \t]*(?:\n|[-*+] |\d+[.)] |\|))/;

/** Whether one block has more marks than a reader would ever see. */
export function isTooDense(text: string): boolean {
  return (
    text.split(pieceEnd).some((piece) => count(piece, /[*_~`[\]<!]/g) > maxMarks) ||
    text.split(/\n[ \t]*\n/).some((block) => count(block, /^[ \t]*[-=_*]+[ \t]*$/gm) > maxRules) ||
    text.split("\n").some((line) => count(line, /\|/g) > maxColumns || isNestedTooDeep(line))
  );
}
