/** Shows the beginning of an answer where there is room for little of it, without marks that a cut would leave open. */
import { shorten } from "../sentences/steps.ts";
import { plainLines } from "./plain-text.ts";

/** Marks and URLs can be most of a text, so much more is read than is shown. */
const maxReadChars = 20_000;
const endsSentence = /[.,;:!?…]$/;

/** In one line, with commas between the items of a list. */
export function beginningInOneLine(markdown: string, maxChars: number): string {
  let said = "";
  let wasItem = false;
  for (const { text, kind } of plainLines(readable(markdown))) {
    const isItem = kind === "item";
    const mark = !wasItem || endsSentence.test(said) ? "" : isItem ? "," : ".";
    said += said === "" ? text : `${mark} ${text}`;
    wasItem = isItem;
  }
  return shorten(said, maxChars);
}

/** As it is, if it fits; else its first lines. */
export function firstLines(markdown: string, maxChars: number): string {
  const whole = markdown.trim();
  if (whole.length <= maxChars) return whole;
  const plain = plainLines(readable(whole)).map(({ text }) => text);
  const kept: string[] = [];
  let room = maxChars;
  for (const [at, line] of plain.entries()) {
    const isOut = at < plain.length - 1 && line.length + 2 > room;
    const said = shorten(isOut ? `${line}…` : line, room);
    kept.push(said);
    room -= said.length;
    if (isOut) break;
  }
  return kept.join("\n\n");
}

/** What is read of a text, ending in "…" if there is more, and neither in half a character nor inside a link. */
function readable(text: string): string {
  if (text.length <= maxReadChars) return text;
  const read = text.slice(0, maxReadChars).replace(/[\uD800-\uDBFF]$/, "");
  return `${read.replace(/!?\[([^[\]\n]*)\]\([^()\s]*$/, "$1")}…`;
}
