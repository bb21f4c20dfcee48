/**
 * Recognises thanks and acknowledgements in ten languages: what people say without wanting an answer. Pure. A message
 * counts only if all of it is in these tables: "thanks, and Tuesday" and "ok for dogs" still want something.
 */
import { wordsOf } from "../../core/languages/languages.ts";
import { hasQuestionMark } from "./question-marks.ts";

export type Pleasantry = "thanks" | "acknowledgement";

const maxWords = 5;
/** Of an answer that is repeated. */
const maxEchoWords = 3;

/** "where do passports go? never mind, found it" */
const takenBack = wordsOf("remarks", "takenBack");

const emojis =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\uFE0F?\u20E3)(?:\p{Emoji_Modifier}|\uFE0F|\u200D)*|\p{Emoji_Modifier}/gu;
/** ":thumbsup::skin-tone-2:", as Slack sends them, and Discord's "<:yay:123>". */
const emojiNames = /<a?:\w+:\d+>|(?<![\p{L}\p{N}]):(?=[^\s:]*[\p{L}+-])[\p{L}\p{N}_+'-]+:(?![\p{N}])/gu;
/** As a platform's sticker is read; alone it says no more than an emoji. */
const stickers = /\[sticker: [^\]\n]{1,100}\]/g;
const emoticons = /(?<!\S)(?:[:;=]['’]?-?[)(DdPpOo/|*3]+|<3+|\+1|x[dD]+|\^[_.]?\^)(?!\S)/gu;

/** "thanks @Jo" */
const otherPeople = /(?<!\S)@[\p{L}\p{N}_.-]+/gu;

export const withoutEmoji = (text: string): string =>
  text.replace(stickers, " ").replace(emojiNames, " ").replace(emoticons, " ").replace(emojis, " ");

/** No phrase is longer, whatever punctuation and emoji stand around it. A question of 100 kB isn't read for one. */
const maxPhraseChars = 2_000;

const isTooLong = (text: string): boolean => text.length > maxPhraseChars && text.trim().length > maxPhraseChars;

/**
 * The words alone: lower case, one space between them, no punctuation and no emoji. "That's it! 👍" is "thats it". A text
 * that is longer than any phrase stays as it is.
 */
export function plainWords(text: string): string {
  if (isTooLong(text)) return text;
  return withoutEmoji(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replace(/[\uFE00-\uFE0F\u20E3]/gu, "")
    .trim();
}

/** Undefined if the message says more than thanks or that it was read, or asks something. */
export function pleasantryOf(text: string): Pleasantry | undefined {
  return hasQuestionMark(text) ? undefined : (remarkIn(text, phrases) ?? remarkBeside(text));
}

/** "Ok thanks, then I'll book it", "ninety minutes, ok": beside it a person only says what they do, or what they read. */
function remarkBeside(text: string): Pleasantry | undefined {
  if (isTooLong(text)) return undefined;
  const parts = text.split(/[,.;!–]\s/u).filter((part) => plainWords(part) !== "");
  const [first = "", ...others] = parts;
  const rest = folded(plainWords(others.join(" ")));
  if (plans.some((plan) => rest.startsWith(plan))) return remarkIn(first, phrases);
  const repeated = plainWords(parts.slice(0, -1).join(" ")).split(" ");
  const isEcho = parts.length > 1 && repeated.length <= maxEchoWords;
  const last = remarkIn(parts.at(-1) ?? "", phrases);
  return isEcho && last === "acknowledgement" ? last : undefined;
}

/** Whether a line asks, and wants no answer from anyone. */
export function isRhetorical(text: string): boolean {
  return remarkIn(text, [...phrases, ...rhetoricalPhrases]) !== undefined;
}

/** Whether its author no longer needs an answer: after the question come only such words. */
export function isTakenBack(text: string): boolean {
  if (isTooLong(text)) return false;
  const after = plainWords(text.slice(lastMarkAt(text) + 1));
  const end = folded(after);
  return takenBack.some((phrase) => end === folded(phrase) || end.endsWith(` ${folded(phrase)}`));
}

/** Of the last question mark. */
function lastMarkAt(text: string): number {
  return Math.max(text.lastIndexOf("?"), text.lastIndexOf("？"), text.lastIndexOf("؟"));
}

function remarkIn(text: string, from: readonly Phrase[]): Pleasantry | undefined {
  if (isTooLong(text) || text.trim() === "") return undefined;
  const words = folded(plainWords(text.replace(otherPeople, " ")));
  // Only emoji, or only punctuation.
  if (words === "") return "acknowledgement";
  const readings = new Map<number, Reading | undefined>();
  const reading = readingFrom(words, 0, readings, from);
  if (reading === undefined || reading.words > maxWords || reading.says === "nothing") return undefined;
  return reading.says;
}

/** How the rest of a message reads as phrases of the tables, in the fewest words. */
type Reading = { readonly says: Pleasantry | "nothing"; readonly words: number };

const strength: Readonly<Record<Reading["says"], number>> = { nothing: 0, acknowledgement: 1, thanks: 2 };

/** Japanese and Chinese have no spaces between words. */
const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

type Phrase = { readonly text: string; readonly says: Reading["says"]; readonly words: number };

const phrases: readonly Phrase[] = [
  ...wordsOf("remarks", "thanks").map((text) => phrase(text, "thanks")),
  ...wordsOf("remarks", "acknowledgements").map((text) => phrase(text, "acknowledgement")),
  ...wordsOf("remarks", "fillers").map((text) => phrase(text, "nothing")),
];

const plans = wordsOf("remarks", "plans").map(folded);

const rhetoricalPhrases = wordsOf("remarks", "rhetorical").map((text) => phrase(text, "acknowledgement"));

/** To look up what is folded. */
export function foldedSet(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(folded));
}

function phrase(text: string, says: Reading["says"]): Phrase {
  return { text: folded(text), says, words: text.split(" ").length };
}

/** Accents of Latin letters are often left out; in Japanese such a mark makes another letter. */
export function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
}

function readingFrom(
  text: string,
  start: number,
  known: Map<number, Reading | undefined>,
  from: readonly Phrase[],
): Reading | undefined {
  if (start >= text.length) return { says: "nothing", words: 0 };
  // A long message isn't a pleasantry, and needn't be read.
  if (start === 0 && text.length > 100) return undefined;
  if (known.has(start)) return known.get(start);
  let best: Reading | undefined;
  for (const phrase of from) {
    if (!text.startsWith(phrase.text, start)) continue;
    const end = start + phrase.text.length;
    const next = text.slice(end, end + 2);
    if (next !== "" && !next.startsWith(" ") && !spaceless.test(next) && !spaceless.test(phrase.text)) continue;
    const rest = readingFrom(text, next.startsWith(" ") ? end + 1 : end, known, from);
    if (rest === undefined) continue;
    const says = strength[phrase.says] > strength[rest.says] ? phrase.says : rest.says;
    const words = phrase.words + rest.words;
    const isBetter =
      best === undefined || words < best.words || (words === best.words && strength[says] > strength[best.says]);
    if (isBetter) best = { says, words };
  }
  known.set(start, best);
  return best;
}
