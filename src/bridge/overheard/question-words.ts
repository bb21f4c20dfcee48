/** Whether a text without a question mark begins like a question. Pure. */

import { wordsOf } from "../../core/languages/languages.ts";
import { folded, foldedSet, plainWords } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** Accents may be missing. */
const questionWords = foldedSet(wordsOf("questions", "words"));
/** Two words that only a question begins with. */
const openings = foldedSet(wordsOf("questions", "openings"));
/** They begin a remark: "what a day", "how nice", "wie gesagt". */
const remarks = foldedSet(wordsOf("questions", "remarks"));
const openers = foldedSet(wordsOf("questions", "openers"));
/** Of languages without spaces, where the word stands wherever the answer would. */
const anywhere = wordsOf("questions", "anywhere");
const endings = wordsOf("questions", "endings");

/** No opening is further in. */
const maxRead = 300;

/** Not for a remark that begins with such a word. */
export function beginsLikeQuestion(text: string): boolean {
  const said = folded(plainWords(withoutForeign(text).trimStart().slice(0, maxRead)));
  if (anywhere.some((word) => said.includes(word)) || endings.some((end) => said.endsWith(end))) return true;
  const all = said.split(" ");
  const words = all.slice(all.findIndex((word) => !openers.has(word)));
  const two = words.slice(0, 2).join(" ");
  if (remarks.has(two) || remarks.has(words.slice(0, 3).join(" "))) return false;
  return words.length > 1 && (questionWords.has(words[0] ?? "") || questionWords.has(two) || openings.has(two));
}
