/** Reduces a question to its form: the terms it is about and the anchors that must be equal, in any of ten languages. */

import { type Language, stemOf } from "../../core/text/stems.ts";
import { nameAt } from "./names.ts";
import { addSpacelessTerms } from "./spaceless.ts";
import { createTerms, type QuestionForm, type Terms } from "./terms.ts";
import { folded, languageOf, type Vocabulary, vocabularyOf, wordsIn } from "./vocabulary.ts";

/** More is a report, not a question. */
const maxReadChars = 1_000;
/** A longer message is reduced to its sentences that ask. */
const maxWords = 25;

const links = /https?:\/\/\S+|<[@#!][^>]*>|(?<!\S):[a-z0-9_+-]+:(?!\S)|(?<!\S)@\S+/giu;
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const joiningPrefixes = /(?<![\p{L}\p{N}])(non|e|re|pre|co)-(?=\p{L})/gu;
const numbers = /(?<![\p{L}\p{N}])(\d+(?:[.,:]\d+)*)(?:st|nd|rd|th|%)?(?![\p{L}\p{N}])/gu;

/** Deterministic: the same text has the same form on every instance. */
export function questionForm(text: string): QuestionForm {
  const terms = createTerms();
  const asked = folded(askingPart(text.slice(0, maxReadChars).replace(links, " ")));
  const withoutNumbers = asked.replace(numbers, (_, number: string) => {
    terms.anchor(`number:${plainNumber(number)}`);
    return " ";
  });
  const spacelessText = (withoutNumbers.match(spaceless) ?? []).join(" ");
  if (spacelessText !== "") addSpacelessTerms(spacelessText, terms);
  const clauses = expanded(withoutNumbers.replace(spaceless, " "))
    .split(/[,;:.!?\n]+/u)
    .map(wordsIn);
  const words = clauses.flat();
  addWords(clauses, terms);
  // Only words that most questions have: then only the same words mean the same.
  if (terms.isEmpty())
    for (const name of new Set([...words, ...wordsIn(spacelessText)])) terms.add({ name, kind: "exact" });
  return terms.form();
}

function askingPart(text: string): string {
  if (wordsIn(text).length <= maxWords) return text;
  const sentences = text.match(/[^.!?？。！\n]+[.!?？。！\n]?/gu) ?? [];
  const asking = sentences.filter((sentence) => /[?？]$/u.test(sentence));
  return asking.length === 0 ? text : asking.join(" ");
}

/** "1,000" and "1.000" are 1000; "3.11" stays. */
function plainNumber(number: string): string {
  return number.replace(/[.,](?=\d{3}(?!\d))/g, "").replace(",", ".");
}

/** "what's", "can't", "non-refundable". */
function expanded(text: string): string {
  return text
    .replace(/[’ʼ`´]/gu, "'")
    .replace(/\bcan't\b|\bcannot\b/gu, "can not")
    .replace(/\bwon't\b/gu, "will not")
    .replace(/n't\b/gu, " not")
    .replace(joiningPrefixes, "$1")
    .replace(/'/gu, " ");
}

type Mark = { readonly mark: "from" | "to" } | { readonly term: string };

function addWords(clauses: readonly (readonly string[])[], terms: Terms): void {
  const language = languageOf(clauses.flat());
  const vocabulary = vocabularyOf(language);
  const whole = ["^", ...clauses.flatMap((words) => rejoined(words, language, vocabulary))];
  const stems = whole.map((word) => stemOf(word, language));
  const marks: Mark[] = [];
  for (let at = 0; at < whole.length; ) at += addAt(at);
  addOrders(marks, terms);
  settle(terms);

  /** Returns the number of words it used. */
  function addAt(at: number): number {
    const word = whole[at] ?? "";
    const stem = stems[at] ?? "";
    const name = nameAt(whole, at, language);
    if (name !== undefined) {
      terms.anchor(name.anchor);
      marks.push({ term: name.anchor });
      return name.words;
    }
    const phrase = vocabulary.phrases
      .get(stem)
      ?.find((candidate) => candidate.stems.every((part, index) => stems[at + index] === part));
    const isDirection = vocabulary.to.has(word) || vocabulary.from.has(word);
    if (phrase !== undefined && !(isDirection && phrase.stems.length === 1)) {
      const { name: said, isAction } = phrase.meaning;
      if (said !== "") {
        terms.add({ name: said, kind: isAction ? "action" : "concept" });
        if (!isAction && said !== "works") marks.push({ term: said });
      }
      return phrase.stems.length;
    }
    if (vocabulary.negation.has(word)) terms.anchor("not");
    else if (vocabulary.without.has(word)) terms.anchor("without");
    else if (isDirection) marks.push({ mark: vocabulary.to.has(word) ? "to" : "from" });
    else if (/\d/.test(word)) terms.anchor(`code:${word}`);
    else if (!vocabulary.empty.has(word) && word.length > 1) {
      const isWeak = vocabulary.weak.has(stem);
      terms.add({ name: stem, kind: isWeak ? "weak" : "word" });
      if (!isWeak) marks.push({ term: stem });
    }
    return 1;
  }
}

/** "wie setze ich mein Passwort zurück" says "zurücksetzen": the end of the sentence goes before the verb. */
function rejoined(words: readonly string[], language: Language, { separable, empty }: Vocabulary): readonly string[] {
  const last = words.at(-1);
  if ((language !== "de" && language !== "nl") || last === undefined || !separable.has(last)) return words;
  const verb = words.findIndex((word) => !empty.has(word) && !separable.has(word));
  if (verb < 0 || verb === words.length - 1) return words;
  return words.slice(0, -1).map((word, index) => (index === verb ? `${last}${word}` : word));
}

/** What is named before "to" and after it, so that "from A to B" differs from "from B to A". */
function addOrders(marks: readonly Mark[], terms: Terms): void {
  const termAfter = (at: number) => {
    const next = marks[at + 1];
    return next !== undefined && "term" in next ? next.term : undefined;
  };
  for (const [at, mark] of marks.entries()) {
    if (!("mark" in mark) || mark.mark !== "to") continue;
    const target = termAfter(at);
    const from = marks.findIndex((other) => "mark" in other && other.mark === "from");
    const before = marks[at - 1];
    const source = from >= 0 ? termAfter(from) : before !== undefined && "term" in before ? before.term : undefined;
    if (source !== undefined && target !== undefined && source !== target) {
      terms.add({ name: `${source}>${target}`, kind: "order" });
    }
  }
}

/** "How much does it cost" asks for the cost, "when is the deadline" for the deadline. */
function settle(terms: Terms): void {
  const has = (name: string) => terms.has({ name, kind: "concept" });
  if (has("works")) {
    terms.delete({ name: "works", kind: "concept" });
    // "Why isn't the printer working?"
    if (terms.unless("not")) terms.add({ name: "broken", kind: "concept" });
  }
  if (has("cost")) terms.delete({ name: "amount", kind: "concept" });
  if (has("deadline") || has("payday")) terms.delete({ name: "when", kind: "concept" });
  if (has("broken")) terms.delete({ name: "why", kind: "concept" });
}
