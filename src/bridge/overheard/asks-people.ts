/**
 * Whether an overheard line asks people what they do, did or think, here and now: "did you feed the cat?". Documents say
 * how things are done, so a section that has its words answers something else. English and German. Pure.
 */

import { meaningsOf, wordsOf } from "../../core/languages/languages.ts";
import { folded, foldedSet, plainWords } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";

/** Said before a question begins. */
const openers = foldedSet(wordsOf("questions", "openers"));
/** Up to three words with which a part of a sentence begins. */
const openings = foldedSet(wordsOf("people", "openings"));
/** Two words anywhere in it. */
const asides = foldedSet(wordsOf("people", "asides"));
const asideWords = foldedSet(wordsOf("people", "asideWords"));
/** "can you restart it?" asks a person to do it. */
const requests = foldedSet(wordsOf("people", "requests"));
/** "It closes at six, right?" */
const tags = foldedSet(wordsOf("people", "tags"));
/** What follows where it asks for words after all: "can you tell me …", "are you allowed to …", "kannst du mir sagen". */
const askingWords = foldedSet(wordsOf("people", "askingWords"));
const states = foldedSet(wordsOf("people", "states"));
const nowWords = foldedSet(wordsOf("people", "nowWords"));
const dayWords = foldedSet(wordsOf("people", "dayWords"));
/** What one person did at one time; documents say who founded a place. */
const didOnce = foldedSet(wordsOf("people", "didOnce"));
const notDidOnce = foldedSet(wordsOf("people", "notDidOnce"));

/** "Anyone stuck?", but "anyone know the code?". */
const askingAnyone = foldedSet(wordsOf("people", "askingAnyone"));
/** "Any news from your week?", but "any discount for students?". */
const ofPeople = foldedSet(wordsOf("people", "ofPeople"));
/** "three": the numbers of a clock, as words. */
const hours = foldedSet(
  meaningsOf("numbers", "values").flatMap(([number, words]) => (Number(number) <= 12 ? words : [])),
);
const momentary = foldedSet(wordsOf("people", "momentary"));

/** A question without one asks a person which one is meant. */
const verbs = foldedSet(wordsOf("people", "verbs"));
const maxFragment = 8;

/** No question is further in. */
const maxRead = 2_000;

export function asksPeople(text: string): boolean {
  const sentences = withoutForeign(text.slice(0, maxRead)).split(/(?<=[.!?…\n])\s/u);
  const asking = sentences.filter((sentence) => sentence.includes("?"));
  // "Can you do my Saturday? And how do I enter it?" has a question for documents too.
  return (asking.length === 0 ? sentences : asking).every((sentence) => sentence.split(/[,;:]\s/u).some(isOfPeople));
}

function isOfPeople(part: string): boolean {
  const all = folded(plainWords(part))
    .replace(/body(?= |$)/g, "one")
    .split(" ");
  const begin = all.findIndex((word) => !openers.has(word));
  const words = all.slice(Math.max(0, begin));
  const [first = "", second = ""] = words;
  const last = words.at(-1) ?? "";
  const starts = [1, 2, 3, 4].map((count) => words.slice(0, count).join(" "));
  const has = (table: ReadonlySet<string>) => words.some((word) => table.has(word));

  if (starts.some((start) => openings.has(start))) return true;
  if (requests.has(`${first} ${second}`)) return !asksForWords(words, 2);
  if (has(asideWords) || words.some((_, at) => isAside(words, at))) return true;
  if ((first === "anyone" || first === "someone") && !askingAnyone.has(second)) return true;
  if (first === "any" && has(ofPeople)) return true;
  const isWho = first === "who" || first === "whos" || first === "wer";
  // "Who has the desk at three?"
  const isAtTime = words.some((word, at) => /^(?:at|um)$/.test(word) && isHour(words[at + 1]));
  if (first === "which" && isWhoDoing(words)) return true;
  if (isWho && (isAtTime || isWhoDoing(words) || isDoneOnce(second) || didOnce.has(words.slice(1, 3).join(" "))))
    return true;
  // Documents don't know which day it is.
  if (has(dayWords)) return true;
  const isWhy = first === "why" || first === "warum" || first === "wieso";
  const isOfSelf = words.slice(1, 3).some((word) => word === "i" || word === "ich");
  if (isWhy && (has(nowWords) || isOfSelf)) return true;
  // "When do you get your laptop?"
  if (words.includes("you") && words.includes("your")) return true;
  if (last === "echt" || (words.length === 1 && tags.has(last))) return true;
  // "When are they bringing it?", "what are we doing about it?"; but "may I bring a dog?"
  if (words.some((word, at) => /^(?:am|is|are|was|were)$/.test(word) && isDoing(words.slice(at + 1, at + 3))))
    return true;
  // "Which exam, navigation or casualty care?"
  if (/^(?:which|welche[rnsm]?)$/.test(first) && !words.some((word) => verbs.has(word)) && words.length <= maxFragment)
    return true;
  if (first === "whose" && /^(?:this|that|these|those)$/.test(last)) return true;
  if ((first === "where" || first === "wheres" || first === "wo") && /^(?:gone|hin)$/.test(last)) return true;
  if (/^(?:is|are|isnt|arent|ist|sind)$/.test(first)) {
    // "Is Otter free at three?"
    const isForNow = words.some((word, at) => momentary.has(word) && /^(?:at|um)$/.test(words[at + 1] ?? ""));
    return has(nowWords) || states.has(last) || isStillSo(words) || isForNow;
  }
  return isGermanPast(words);
}

function isDoing([who = "", verb = ""]: readonly string[]): boolean {
  return /^(?:they|he|she|we|you|i|anyone|everyone)$/.test(who) && /^\p{L}{2,}ing$/u.test(verb);
}

/** "Who else is going?", "which customer is filling the queue?" */
function isWhoDoing(words: readonly string[]): boolean {
  const verb = words.findIndex((word) => /^(?:is|are|whos)$/.test(word));
  return verb >= 0 && verb <= 3 && /^\p{L}{2,}ing$/u.test(words[verb + 1] ?? "");
}

function isHour(word = ""): boolean {
  return /^\d/.test(word) || hours.has(word);
}

function asksForWords(words: readonly string[], at: number): boolean {
  return askingWords.has(words[at] ?? "") || askingWords.has(words.slice(at, at + 2).join(" "));
}

function isAside(words: readonly string[], at: number): boolean {
  const [first = "", second = ""] = words.slice(at, at + 2);
  const isSaid = asides.has(`${first} ${second}`) || asides.has(words.slice(at, at + 3).join(" "));
  const isGerman = second === "du" && first.endsWith("st") && !/^wei(?:ß|ss)t$/.test(first);
  return (isSaid || isGerman) && !asksForWords(words, at + 2);
}

/** "is the release still running in Dublin": "is it still 20 cents" isn't meant. */
function isStillSo(words: readonly string[]): boolean {
  const next = words[words.indexOf("still") + 1] ?? "";
  return words.includes("still") && (next.endsWith("ing") || states.has(next));
}

function isDoneOnce(word: string): boolean {
  return didOnce.has(word) || (word.endsWith("ed") && !notDidOnce.has(word));
}

/** "wer hat … geputzt", "wurde die Sahne bestellt". */
function isGermanPast(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  const isPast = words.some((word) => /^(?:hat|habt|haben|habe|wurde|wurden)$/.test(word));
  return isPast && /^\p{L}{0,6}(?:ge|ver|be|er)\p{L}{2,}(?:t|en)$/u.test(last) && !notDidOnce.has(last);
}
