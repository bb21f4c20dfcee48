/**
 * Finds the person that a line is said to, or about, by their names. Pure: who is known there is asked word by word, so
 * that ten thousand people cost no more than ten.
 */

import { wordsOf } from "../../core/languages/languages.ts";
import { folded, foldedSet } from "../intake/pleasantries.ts";
import { withoutForeign } from "../intake/question-marks.ts";
import { isAlsoWord, isRole } from "./name-words.ts";

export type SpokenTo =
  /** "Dave, …", "… Frank?", "@Jo": the line is for that person. */
  | "addressed"
  /** "is Dave in today?" */
  | "named";

type Word = {
  /** As `nameWord` has it. */
  readonly word: string;
  readonly isCapital: boolean;
  /** First of its sentence. */
  readonly isFirst: boolean;
  /** Nothing but the end of its sentence, or a comma and thus another part, comes after it. */
  readonly isLast: boolean;
  readonly isAfterComma: boolean;
  readonly isBeforeComma: boolean;
  readonly isAfterTitle: boolean;
};

/** A line is no longer than that; the rest names nobody. */
const maxChars = 2_000;
/** Asked at most, of one line. */
const maxWords = 200;

const titles = foldedSet(wordsOf("names", "titles"));
/** A greeting is no part of a sentence: "hi Dave can you …" begins with Dave. */
const greetings = foldedSet(wordsOf("names", "greetings"));

/** How a name is compared: without accents, in lower case. */
function nameWord(word: string): string {
  return folded(word.normalize("NFKC").toLowerCase());
}

const parts = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * The words that people of that name are called by: the first and the last one. "(he/him)" is no name, and a surname
 * that is a word is never said alone.
 */
export function wordsOfName(name: string): readonly string[] {
  const words = (name.replace(/[([{|/].*$/su, "").match(parts) ?? []).map(nameWord);
  const [first, last] = [words[0], words.at(-1)];
  const surname = words.length > 1 && last !== undefined && !isAlsoWord(last) ? [last] : [];
  return [...new Set([...(first === undefined ? [] : [first]), ...surname])].filter((word) => !isRole(word));
}

function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const sentence of sentencesOf(text)) {
    const found = [...sentence.matchAll(parts)];
    let start = 0;
    // Emoji and greetings stand before what is said.
    while (start < found.length - 1 && greetings.has(nameWord(found[start]?.[0] ?? ""))) start += 1;
    for (const [index, match] of found.entries()) {
      if (words.length >= maxWords) return words;
      const before = sentence.slice(0, match.index).trimEnd();
      const after = sentence.slice(match.index + match[0].length).trimStart();
      const [said = ""] = match[0].split(/['’](?:s|re|ll|d|ve|m)$/iu);
      words.push({
        word: nameWord(said),
        isCapital: /^\p{Lu}/u.test(said),
        isFirst: index <= start,
        isLast: index === found.length - 1,
        isAfterComma: before.endsWith(","),
        isBeforeComma: /^[,:]/.test(after) || /^[–—-]\s/.test(after),
        isAfterTitle: index > 0 && titles.has(nameWord(found[index - 1]?.[0] ?? "").replace(/\.$/, "")),
      });
    }
  }
  return words;
}

function sentencesOf(text: string): readonly string[] {
  return withoutForeign(text.slice(0, maxChars))
    .split(/(?<=[.!?…؟？。！])\s+(?!\p{Ll})|\n+/u)
    .filter((sentence) => sentence.trim() !== "");
}

/** The capitalised words at an edge of a sentence, beside a comma: "Dave, …", "…, Frank?". */
export function likelyNames(text: string): readonly string[] {
  const likely = wordsIn(text).filter((word) => word.isCapital && isAddress(word));
  return [...new Set(likely.map(({ word }) => word))];
}

/** Beside a comma at an edge of a sentence. */
function isAddress({ isFirst, isLast, isAfterComma, isBeforeComma }: Word): boolean {
  return (isFirst && isBeforeComma) || (isLast && isAfterComma);
}

/** "@Jo", typed where nothing was chosen from the list. An address or a package continues after it. */
const typedMention = /(?<![\p{L}\p{N}_./@])@(?!parley\b)\p{L}[\p{L}\p{N}_.-]*(?![\p{L}\p{N}_./@-])/iu;

/** `isName`: whether a person there is called by that word. */
export function spokenTo(text: string, isName: (word: string) => boolean): SpokenTo | undefined {
  const said = withoutForeign(text.slice(0, maxChars));
  if (typedMention.test(said)) return "addressed";
  let found: SpokenTo | undefined;
  for (const word of wordsIn(text)) {
    const isEdge = word.isFirst || word.isLast;
    // "Mr Clarke, could you …", even if nobody knows him.
    if (word.isAfterTitle && word.isCapital && isTitledEdge(word, said)) return "addressed";
    if (!isName(word.word)) continue;
    if (isAddress(word)) return "addressed";
    const isSure = !isAlsoWord(word.word);
    const isInMid = word.isCapital && !word.isFirst;
    if (!isSure && !isInMid) continue;
    if (isSure && isEdge) return "addressed";
    found = "named";
  }
  return found;
}

/** At the beginning of the line, or after its last comma. */
function isTitledEdge(word: Word, said: string): boolean {
  if (word.isLast && word.isBeforeComma) return true;
  const [first = "", second = ""] = said.match(parts) ?? [];
  return titles.has(nameWord(first)) && nameWord(second) === word.word;
}
