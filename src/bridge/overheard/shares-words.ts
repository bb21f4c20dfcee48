/**
 * Whether an answer to an overheard line has words of the line. A model that is asked to keep quiet may answer
 * anyway, from whatever its search found first. Pure.
 */

import { folded } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** They carry nothing, in English and German. */
const weak = new Set(
  `the and for are was were has have had does did can could would should will shall may might must how what when where
  which who whom whose why that this these those there here with from into about any anyone someone all our your
  you they them she her his its not but out off get got one two know knows tell please much many long often still also
  again just like want need going really everyone hello sorry thanks think
  der die das den dem des ein eine einen einem einer und oder aber ist sind war waren hat haben habe wird werden wurde kann
  kannst können darf dürfen muss müssen soll sollen wie was wann warum wer wen wem welche welcher welches wieviel viel
  viele lange man ich ihr euch uns wir sie mir mich dir dich mit von für auf aus bei nach noch schon denn mal auch nur nicht
  kein keine gibt hier dort jemand weiß bitte hallo eigentlich`
    .split(/\s+/)
    .concat(["any", "every", "some"].map((which) => `${which}body`))
    .map(folded),
);
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
  const telling = [...wordsOf(said)].filter((word) => !weak.has(word.replace(/body$/, "one")));
  const known = wordsOf(answer.slice(0, maxAnswerRead));
  const beginnings = new Set([...known].map((word) => word.slice(0, sameChars)));
  const found = telling.filter((word) => known.has(word) || isKnownForm(word));
  return telling.length > 0 && found.length >= telling.length * minShare;

  function isKnownForm(word: string): boolean {
    if (word.length >= sameChars) return beginnings.has(word.slice(0, sameChars));
    return known.has(`${word}s`) || (word.endsWith("s") && known.has(word.slice(0, -1)));
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = folded(text.normalize("NFKC").toLowerCase()).match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= minChars || /^\p{N}/u.test(word)));
}
