/** Finds the words in a question that ask for a chart, in ten languages. docs/charts.md is written from them. */
import { wordsOf } from "../../core/languages/languages.ts";

export const chartWishes = ["trend", "share", "comparison", "chart", "stacked"] as const;

/** `chart`: any kind. `stacked`: areas on top of each other. */
export type ChartWish = (typeof chartWishes)[number];

/** A question that asks for a chart says so early. */
const maxReadChars = 2_000;

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type Word = { readonly wish: ChartWish; readonly text: string };

/** Phrases of a space before and after each word, so that one search finds whole words. */
const spaced: Word[] = [];
const anywhere: Word[] = [];
for (const wish of chartWishes) {
  for (const text of wordsOf("charts", wish).map(searched)) {
    (spaceless.test(text) ? anywhere : spaced).push({ wish, text });
  }
}
const others = wordsOf("charts", "otherMeanings").map(searched);

/** `*` is any ending. Accents may be missing. A word counts as a whole; in Japanese and Chinese, anywhere. */
function searched(word: string): string {
  const text = plain(word);
  if (spaceless.test(text)) return text;
  return word.endsWith("*") ? ` ${text}` : ` ${text} `;
}

/** Everything that the question asks for. */
export function wishesIn(question: string): ReadonlySet<ChartWish> {
  const asked = ` ${plain(question.slice(0, maxReadChars))} `;
  const text = others.reduce((left, other) => left.replaceAll(other, " · "), asked);
  const found = new Set<ChartWish>();
  for (const word of spaced) if (text.includes(word.text)) found.add(word.wish);
  if (spaceless.test(text)) for (const word of anywhere) if (text.includes(word.text)) found.add(word.wish);
  return found;
}

/** Lower case without accents of Latin letters, one space between words. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
