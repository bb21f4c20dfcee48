/** Shows the beginning of an answer where there is room for little of it, without marks that a cut would leave open. */
import { shorten } from "../sentences/step-words.ts";
import { plainText } from "./plain-text.ts";

const listItem = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/;
const endsSentence = /[.,;:!?…]$/;

/** In one line, with commas between the items of a list. */
export function beginningInOneLine(markdown: string, maxChars: number): string {
  let said = "";
  let wasItem = false;
  for (const line of markdown.slice(0, maxChars * 4).split("\n")) {
    const plain = plainText(line);
    if (plain === "") continue;
    const isItem = listItem.test(line);
    const mark = !wasItem || endsSentence.test(said) ? "" : isItem ? "," : ".";
    said += said === "" ? plain : `${mark} ${plain}`;
    wasItem = isItem;
  }
  return shorten(said, maxChars);
}

/** As it is, if it fits; else its first lines. */
export function firstLines(markdown: string, maxChars: number): string {
  const whole = markdown.trim();
  if (whole.length <= maxChars) return whole;
  const kept: string[] = [];
  let room = maxChars;
  for (const line of whole.slice(0, maxChars * 4).split("\n")) {
    const plain = plainText(line).trim();
    const said = plain.length <= room ? plain : shorten(plain, Math.max(2, room));
    if (said !== "") kept.push(said);
    room -= said.length;
    if (said !== plain || room < 2) break;
  }
  return kept.join("\n\n");
}
