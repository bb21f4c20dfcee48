/** Whether a text asks something: a question mark of any script ends one of its sentences. Pure. */

/** Latin, Armenian, Arabic, Ethiopic, Limbu, Coptic, Vai, Bamum, East Asian, and their doubles and emoji. */
const marks =
  "?\\u055E\\u061F\\u1367\\u1945\\u2047-\\u2049\\u203D\\u2753\\u2754\\u2CFA\\u2CFB\\u2E2E\\uA60F\\uA6F7\\uFE56\\uFF1F";
/** Greek asks with U+037E, and its keyboards type a semicolon. */
const greekMark = "\\u037E|(?<=\\p{Script=Greek}\\p{M}*);";

const anyMark = new RegExp(`[${marks}]|${greekMark}`, "u");
/** Some scripts put it into a word, and some leave no space after it, whichever mark they type. */
const spacelessScripts = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Arabic"];
const spaceless = spacelessScripts.map((script) => `\\p{Script=${script}}`).join("");
/** Not in the middle of a word or a path. */
const endOfSentence = new RegExp(
  `[\\u055E\\uFF1F]|(?:[${marks}]|${greekMark})(?:(?=[${spaceless}])|(?![\\p{L}\\p{N}=&/_]))`,
  "u",
);
const lastMark = new RegExp(`(?:[${marks}]|${greekMark})$`, "u");

const codeBlocks = /```[\s\S]*?(?:```|$)/g;
const codeWords = /(?<!`)`+[^`]+`+/g;
/** What other people said: a line, or all that follows three brackets. */
const quotedLines = /^[ \t]*(?:>>>[\s\S]*|>.*$)/gm;
/** A question mark at its end belongs to the sentence: "have you seen https://example.com?" */
const addresses = /\bhttps?:\/\/[^\s<>]*[^\s<>)\]?？؟;.,!"'*_]/giu;
/** One mark of a source, closing quote or bracket, sign of emphasis or emoji. */
const afterTheEnd =
  /(?:\[\d{1,3}\]|\(\d{1,3}\)|[\s"'“”’»)\]*_~」』】）]|\p{Extended_Pictographic}|\uFE0F|\u200D|\p{Emoji_Modifier})$/u;

const longestEnd = 200;

/** Without code, quoted lines and addresses: what is left is said by the author. */
export const withoutForeign = (text: string): string =>
  text.replace(codeBlocks, " ").replace(codeWords, " ").replace(quotedLines, " ").replace(addresses, "address");

/** A question mark of any script, wherever it stands. */
export function hasQuestionMark(text: string): boolean {
  return anyMark.test(text);
}

/** Not in an address, in code or in a quoted line. */
export function asksSomething(text: string): boolean {
  return endOfSentence.test(withoutForeign(text));
}

/** An answer whose last sentence asks the person something. */
export function endsWithQuestion(answer: string): boolean {
  let end = withoutForeign(answer).trimEnd().slice(-longestEnd);
  // "❓" is an emoji too.
  while (!lastMark.test(end) && afterTheEnd.test(end)) end = end.replace(afterTheEnd, "");
  return lastMark.test(end);
}
