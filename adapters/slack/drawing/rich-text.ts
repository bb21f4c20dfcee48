/**
 * Tells whether blocks contain rich text, without which a message stops being editable.
 * Slack refuses to replace rich text by blocks without it (`block_mismatch`). It turns the paragraphs, lists, quotes
 * and code of a markdown block into rich text, but headings, rules and tables into other blocks. A Reply runs, ends and
 * can run again in one message, so every version of that message needs some rich text.
 */
import type { types } from "@slack/bolt";

/** False in doubt: an extra line of rich text does no harm. */
export function holdsRichText(blocks: readonly types.KnownBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === "rich_text") return true;
    if (block.type !== "markdown") return false;
    return block.text.split("\n").some((line, at, lines) => isProse(line, lines[at - 1], lines[at + 1] ?? ""));
  });
}

/** Not prose: a line directly below a table, which belongs to it, and an underlined one, which is a heading. */
function isProse(line: string, before: string | undefined, after: string): boolean {
  if (/^\s*$|^\s{0,3}#|\||^[\s=*_-]+$/.test(line) || /^\s{0,3}(=+|-+)\s*$/.test(after)) return false;
  return before === undefined || /^\s*$|^\s{0,3}#/.test(before);
}
