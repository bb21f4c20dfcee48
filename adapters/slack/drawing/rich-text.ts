/**
 * What keeps a message editable. Slack refuses to put blocks without rich text in the place of rich text
 * (`block_mismatch`), and it counts what it makes of a markdown block: rich text of paragraphs, lists, quotes and code, but
 * other blocks of headings, rules and tables. A Reply runs, ends and may run again in one message, so every version of it
 * holds some.
 */
import type { types } from "@slack/bolt";

/** In doubt no: a line of rich text too many does no harm. */
export function holdsRichText(blocks: readonly types.KnownBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === "rich_text") return true;
    if (block.type !== "markdown") return false;
    return block.text.split("\n").some((line, at, lines) => isProse(line, lines[at - 1], lines[at + 1] ?? ""));
  });
}

/** A line without a blank one before it goes with the table that it follows; one that is underlined is a heading. */
function isProse(line: string, before: string | undefined, after: string): boolean {
  if (/^\s*$|^\s{0,3}#|\||^[\s=*_-]+$/.test(line) || /^\s{0,3}(=+|-+)\s*$/.test(after)) return false;
  return before === undefined || /^\s*$|^\s{0,3}#/.test(before);
}
