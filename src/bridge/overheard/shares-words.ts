/**
 * Whether an answer to an overheard line has words of the line. A model that is asked to keep quiet may answer
 * anyway, from whatever its search found first. Pure.
 */

import { wordsOf } from "../../core/languages/languages.ts";
import { folded, foldedSet } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** They carry nothing, in English and German. */
const weak = foldedSet(wordsOf("people", "weak"));
/** Their words can't be told apart. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const maxRead = 2_000;
const maxAnswerRead = 20_000;
/** As a share of the line's words. */
const minShare = 0.5;
const minChars = 3;
/** "driver", "driving": so many letters are the same word. */
const sameChars = 5;

export function sharesWords(line: string, answer: string): boolean {
  const said = withoutForeign(line.slice(0, maxRead));
  if (spaceless.test(said)) return true;
  const telling = [...wordsIn(said)].filter((word) => !weak.has(word));
  const known = wordsIn(answer.slice(0, maxAnswerRead));
  const beginnings = new Set([...known].map((word) => word.slice(0, sameChars)));
  const found = telling.filter((word) => known.has(word) || isKnownForm(word));
  return telling.length > 0 && found.length >= telling.length * minShare;

  function isKnownForm(word: string): boolean {
    if (word.length >= sameChars) return beginnings.has(word.slice(0, sameChars));
    return known.has(`${word}s`) || (word.endsWith("s") && known.has(word.slice(0, -1)));
  }
}

function wordsIn(text: string): ReadonlySet<string> {
  const words = folded(text.normalize("NFKC").toLowerCase()).match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= minChars || /^\p{N}/u.test(word)));
}
