/** Joins two accounts of the same content, such as a message's text and its blocks, so that nothing is read twice. */
import { paragraphs } from "../../shared/reading.ts";

/**
 * What both say: as text when they say the same, because it is what was typed; else whichever says all of it; else both.
 */
export function saidOnce(text: string, blocks: string): string {
  const [said, shown] = [letters(text), letters(blocks)];
  if (shown === "" || said === shown) return text.trim() === "" ? blocks : text;
  if (said === "" || shown.includes(said)) return blocks;
  return said.includes(shown) ? text : paragraphs([text, blocks]);
}

/** Letters and digits alone: marks, spaces and the markers of lists differ between the two. */
function letters(text: string): string {
  return text.replace(/^[ \t>]*(?:\d{1,3}|[a-z]{1,4})[.)][ \t]/gm, "").replace(/[^\p{L}\p{N}]+/gu, "");
}
