/** Reduces a word to a stem that most of its forms share, with Snowball's rules, per language. */
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";

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
const irregular = new Map(
  `kept keep, sent send, paid pay, lost lose, found find, bought buy, made make, took take, gave give, built build,
  held hold, wrote write, written write, ran run, chose choose, chosen choose, broke break, forgot forget,
  forgotten forget, sold sell, told tell, began begin, brought bring, met meet, read read, taken take, given give,
  children child, people person, teeth tooth, feet foot, shelves shelf, knives knife, women woman, men man, mice mouse,
  taught teach, drove drive, driven drive, ate eat, eaten eat, stole steal, stolen steal, wore wear, worn wear, won win,
  spoke speak, spoken speak, spent spend, caught catch, fed feed, led lead, swam swim, swum swim, stood stand, drawn draw,
  thrown throw, grown grow, frozen freeze, froze freeze, known know, seen see, hung hang, rung ring, slept sleep, lent lend, shown show, done do`
    .split(",")
    .map((pair) => pair.trim().split(" ") as [string, string]),
);
