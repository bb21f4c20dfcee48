/** Which words a text has, and how like one of a question's words they are. Pure. */

import type { Term } from "./question.ts";
import { isStopWord } from "./stop-words.ts";
import { isNumber, likeness, readWords, stemsOf } from "./words.ts";

const synonymShare = 0.7;

type Vocabulary = {
  readonly words: readonly string[];
  readonly known: ReadonlySet<string>;
};

export function vocabularyOf(text: string): Vocabulary {
  const words = [...new Set(readWords(text).map(({ word }) => word))];
  return { words, known: new Set(words.flatMap((word) => (isStopWord(word) ? [word] : [word, ...stemsOf(word)]))) };
}

export function likenessIn({ words, known }: Vocabulary, term: Term): number {
  if (known.has(term.word)) return 1;
  if (isNumber(term.word)) return known.has(`${term.word}:00`) ? 1 : 0;
  let best = 0;
  for (const word of words) {
    // "Bring your own rope" doesn't tell who owns it.
    if (isStopWord(word)) continue;
    best = Math.max(best, likenessOf(term, word));
    if (best === 1) break;
  }
  return best;
}

export function likenessOf({ word, alternatives }: Term, other: string): number {
  const same = likeness(word, other);
  if (same > 0) return same;
  return alternatives.some((alternative) => likeness(alternative, other) === 1) ? synonymShare : 0;
}
