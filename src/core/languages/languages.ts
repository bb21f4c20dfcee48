/**
 * The words that Parley knows, in one file a language. Each is read from here: of one language, or of every language that
 * has the list.
 */
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { el } from "./el.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import type { LanguageWords } from "./language-words.ts";
import { nl } from "./nl.ts";
import { none } from "./none.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { th } from "./th.ts";
import { zh } from "./zh.ts";

/** In the order in which they are compared. */
export const languages = { en, de, fr, es, pt, it, nl, ru, ja, zh, ko, th, el, ar, hi, none } satisfies Record<
  string,
  LanguageWords
>;

type Subject = Exclude<keyof LanguageWords, "name" | "sayings">;
type ListOf<S extends Subject> = keyof NonNullable<LanguageWords[S]> & string;

const all: readonly LanguageWords[] = Object.values(languages);

/** The words and phrases of a list. */
export function listed(text = ""): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** What is said for each meaning. */
export function meanings(text = ""): readonly (readonly [meaning: string, said: readonly string[]])[] {
  const lines = text.split(/[;\n]/).filter((line) => line.includes(":"));
  return lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim(), listed(line.slice(at + 1))] as const;
  });
}

/** Of every language that has the list. */
export function wordsOf<S extends Subject>(subject: S, list: ListOf<S>): readonly string[] {
  return textsOf(subject, list).flatMap(listed);
}

export function meaningsOf<S extends Subject>(subject: S, list: ListOf<S>) {
  return textsOf(subject, list).flatMap(meanings);
}

function textsOf(subject: Subject, list: string): readonly (string | undefined)[] {
  return all.map((words) => (words[subject] as Readonly<Record<string, string>> | undefined)?.[list]);
}

/** Matches a word that is one of them. */
export function oneOf(words: readonly string[]): RegExp {
  return new RegExp(`^${written(words)}$`, "u");
}

/** As a part of a regular expression with the flag u: one of them as whole words. */
export function anyOf(words: readonly string[]): string {
  return `(?<![\\p{L}\\p{N}])${written(words)}(?![\\p{L}\\p{N}])`;
}

function written(words: readonly string[]): string {
  const parts = words.map((word) => word.replaceAll("$", "\\$").replaceAll("*", "[\\p{L}\\p{N}]*"));
  return `(?:${parts.join("|")})`;
}
