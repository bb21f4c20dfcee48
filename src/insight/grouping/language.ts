/** Guesses the language of a question in Latin or Cyrillic letters by the small words in it. */
import type { Language } from "../../core/text/stems.ts";
import { vocabularies } from "./vocabulary.ts";

/** Counts known words; where two languages have as many, the first one prepared. Without any: English. */
export function languageOf(words: readonly string[]): Language {
  if (words.some((word) => /\p{Script=Cyrillic}/u.test(word))) return "ru";
  if (words.length > 0 && !words.some((word) => /[\p{Script=Latin}\d]/u.test(word))) return "other";
  let best: Language = "en";
  let most = 0;
  for (const [language, { known }] of vocabularies()) {
    const found = words.filter((word) => known.has(word)).length;
    if (found > most) [best, most] = [language, found];
  }
  return best;
}
