/** Reduces a word to a stem that most of its forms share, with Snowball's rules, per language. */
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { languages, listed } from "../languages/languages.ts";

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
  if (language === "en") return english(irregular.get(word) ?? word);
  return stemmers[language](language === "de" ? regularGerman(word) : word);
}

/** English forms that share no beginning with their word. */
const irregular = irregularOf("en");

/** "bring" in "mitgebracht". */
const separated = /^(ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|weiter|zu|zuruck)(\p{L}{4,12})$/u;

function regularGerman(word: string): string {
  const [, prefix = "", form = ""] = separated.exec(word) ?? [];
  const verb = irregularGerman.get(form);
  return irregularGerman.get(word) ?? (verb === undefined ? word : prefix + verb);
}

/** German forms whose vowel or end changes, without accents. */
const irregularGerman = irregularOf("de");

/** "held", "gebracht". */
export function isIrregular(form: string): boolean {
  return irregular.has(form) || irregularGerman.has(form);
}

/** Forms that no rule makes of a word with these stems: "led" of "lead". */
export function irregularForms(stems: readonly string[]): readonly string[] {
  return stems.flatMap((stem) => formsByStem.get(stem) ?? []);
}

const formsByStem: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy([...irregular, ...irregularGerman].flatMap(withStems), ([stem]) => stem)].map(([stem, forms]) => [
    stem,
    forms.map(([, form]) => form),
  ]),
);

function withStems([form, word]: readonly [string, string]): readonly (readonly [stem: string, form: string])[] {
  return [...new Set([english(word), german(word)])].map((stem) => [stem, form] as const);
}

function irregularOf(language: "en" | "de"): ReadonlyMap<string, string> {
  return new Map(listed(languages[language].stems?.irregular).map((pair) => pair.split(" ") as [string, string]));
}
