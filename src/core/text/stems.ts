/** Reduces a word to a stem that most of its forms share, with Snowball's rules, per language. */
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { wordsOf } from "../languages/languages.ts";

/** Languages with spaces between words. "other": none that Parley knows words of. */
export type Language = "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ru" | "other";

const stemmers: Readonly<Record<Exclude<Language, "other">, (word: string) => string>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  nl: dutch,
  ru: russian,
};

/** Of a word without spaces and accents, in lower case. Codes and numbers stay as they are. */
export function stemOf(word: string, language: Language): string {
  if (language === "other" || /\d/.test(word)) return word;
  return stemmers[language](language === "en" ? (irregular.get(word) ?? word) : word);
}

/** English forms that share no beginning with their word. */
const irregular = new Map(wordsOf("stems", "irregular").map((pair) => pair.split(" ") as [string, string]));
