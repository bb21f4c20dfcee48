/**
 * Prepares the word tables once, with the first question that is compared: sets of words, and phrases by their first
 * stem. All eight languages take about 30 ms (Node 24, 2026-11-27).
 */
import type { GroupingWords } from "../../core/languages/language-words.ts";
import { languages, listed, meanings } from "../../core/languages/languages.ts";
import { type Language, stemOf } from "../../core/text/stems.ts";

/** What a phrase stands for. "" for one that says nothing. */
export type Meaning = { readonly name: string; readonly isAction: boolean };

type Phrase = { readonly stems: readonly string[]; readonly meaning: Meaning };

export type Vocabulary = {
  /** By which the language is recognised. */
  readonly known: ReadonlySet<string>;
  readonly empty: ReadonlySet<string>;
  readonly weak: ReadonlySet<string>;
  readonly negation: ReadonlySet<string>;
  readonly without: ReadonlySet<string>;
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
  readonly separable: ReadonlySet<string>;
  /** By first stem, longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
};

/** Those with spaces between words. */
const spaced = ["en", "de", "fr", "es", "pt", "it", "nl", "ru"] as const;

let prepared: ReadonlyMap<Language, Vocabulary> | undefined;

/** All languages, with the first question that is compared: about 30 ms, once. */
function vocabularies(): ReadonlyMap<Language, Vocabulary> {
  prepared ??= new Map(spaced.map((language) => [language, prepare(language, languages[language].grouping ?? {})]));
  return prepared;
}

export function vocabularyOf(language: Language): Vocabulary {
  const own = vocabularies().get(language) ?? vocabularies().get("en");
  if (own === undefined) throw new Error("There is no English vocabulary.");
  return own;
}

/** Lower case, without accents: people leave them out. In Cyrillic "й" is a letter of its own, and "ё" is "е". */
export function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll("ё", "е")
    .replaceAll("ß", "ss")
    .replaceAll("œ", "oe");
}

export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function prepare(language: Language, table: GroupingWords): Vocabulary {
  const words = (text = "") => new Set(listed(folded(text)));
  const empty = words(table.empty);
  const negation = words(table.negation);
  const without = words(table.without);
  const known = new Set([...empty, ...negation, ...without, ...words(table.weak)]);
  const phrases = new Map<string, Phrase[]>();
  const add = (text: string, meaning: Meaning) => {
    const said = wordsIn(folded(text));
    for (const word of said) known.add(word);
    const stems = [...(text.startsWith("^") ? ["^"] : []), ...said.map((word) => stemOf(word, language))];
    const [first] = stems;
    if (first === undefined) return;
    phrases.set(first, [...(phrases.get(first) ?? []), { stems, meaning }]);
  };
  for (const frame of listed(table.frames)) add(frame, { name: "", isAction: false });
  for (const [name, texts] of meanings(table.same)) for (const text of texts) add(text, { name, isAction: false });
  for (const [name, texts] of meanings(table.actions)) for (const text of texts) add(text, { name, isAction: true });
  for (const [first, found] of phrases) {
    phrases.set(
      first,
      found.toSorted((a, b) => b.stems.length - a.stems.length),
    );
  }
  const weak = new Set([...words(table.weak)].map((word) => stemOf(word, language)));
  return {
    known,
    empty,
    weak,
    negation,
    without,
    from: words(table.from),
    to: words(table.to),
    separable: words(table.separable),
    phrases,
  };
}

/**
 * Guesses the language by the small words: counts those that are known; where two languages have as many, the first one
 * prepared. Without any: English.
 */
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
