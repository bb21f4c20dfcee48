/** Words of English and German that say nothing about what a question is about. */

import { wordsOf } from "../../../core/languages/languages.ts";
import { stemOf } from "../../../core/text/stems.ts";

const words = new Set(wordsOf("common", "stop"));
/** Words of many questions that an answer can do without. */
const weakWords = new Set(wordsOf("common", "weak"));

/** Says little, though not nothing: "working", "Tage". */
export function isWeakWord(word: string): boolean {
  return weakWords.has(word) || weakWords.has(stemOf(word, "en"));
}

/** `word`: in lower case, without accents. */
export function isStopWord(word: string): boolean {
  // A letter alone is left over from an abbreviation; in some scripts it is a word.
  return words.has(word) || (word.length === 1 && /[a-z]/.test(word));
}
