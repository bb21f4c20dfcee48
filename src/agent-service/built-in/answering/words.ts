/**
 * Reads text as the words that a question and a passage can share: without accents, with months, weekdays, numbers and
 * currencies in one form. Two words are alike by their stem, or as parts of a compound.
 */
import { meaningsOf } from "../../../core/languages/languages.ts";
import { stemOf } from "../../../core/text/stems.ts";
import { isStopWord } from "./stop-words.ts";

export type Word = {
  /** In one form: "m:5" for May, "d:6" for Saturdays, "1200" for 1.200, "euro" for €. */
  readonly word: string;
  readonly written: string;
  readonly at: number;
};

/** Text beyond is not read. */
export const maxReadChars = 20_000;

const pattern = /\d{4}-\d\d(?:-\d\d)?(?!\d)|\d+(?:[.,:]\d+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}'’]*|[€$£%]/gu;

/** Abbreviations that are other words in lower case. */
const shortDays = byName(meaningsOf("calendar", "capitalWeekdays"));
const shortMonths = byName(meaningsOf("calendar", "capitalMonths"));

const oneForm = new Map<string, string>([
  ...meaningsOf("calendar", "months").flatMap(([month, names]) => names.map((name) => [name, `m:${month}`] as const)),
  ...meaningsOf("calendar", "weekdays").flatMap(([day, names]) =>
    names.flatMap((name) => [name, `${name}s`, `${name}abend`].map((form) => [form, `d:${day}`] as const)),
  ),
  ...byName(meaningsOf("numbers", "values")),
  ...byName(meaningsOf("numbers", "units")),
]);

function byName(table: ReturnType<typeof meaningsOf>): ReadonlyMap<string, string> {
  return new Map(table.flatMap(([meaning, names]) => names.map((name) => [name, meaning] as const)));
}

/** Two words that headings write as one. */
const compounds: readonly (readonly [RegExp, string])[] = [
  [/\bset(?:s|ting)?[ -]up\b/gi, "setup"],
  [/\bback(?:s|ed|ing)?[ -]up\b/gi, "backup"],
  [/\broll(?:s|ed|ing)?[ -]back\b/gi, "rollback"],
  [/\bhand(?:s|ed|ing)?[ -]over\b/gi, "handover"],
  [/\bshut(?:s|ting)?[ -]down\b/gi, "shutdown"],
  [/\bclean(?:s|ed|ing)?[ -]up\b/gi, "cleanup"],
  [/\bsign(?:s|ed|ing)?[ -]up\b/gi, "signup"],
  [/\bcheck(?:s|ed|ing)?[ -]out\b/gi, "checkout"],
  [/\b(?:log|sign)(?:ging|ged|ing|ed)?[ -]in\b/gi, "login"],
];

export function joined(text: string): string {
  return compounds.reduce((plain, [pattern, word]) => plain.replace(pattern, word), text);
}

/** In lower case, without accents. */
export function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}

/** Every word in its order, stop words included. O(n). */
export function readWords(text: string): readonly Word[] {
  return Array.from(text.slice(0, maxReadChars).matchAll(pattern), ({ 0: written, index }) => ({
    written,
    at: index,
    word: formOf(written, text, index),
  }));
}

function formOf(written: string, text: string, at: number): string {
  if (/^\d/.test(written)) return plainNumber(written);
  const day = shortDays.get(written);
  if (day !== undefined) return `d:${day}`;
  const month = shortMonths.get(written);
  // "May I go?" begins a sentence.
  if (month !== undefined && /[\p{L}\p{N},][ \t]$/u.test(text.slice(Math.max(0, at - 2), at))) return `m:${month}`;
  const plain = folded(written)
    .replace(/['’](?:s|m|re|ve|ll|d)$/, "")
    .replace(/['’]/g, "");
  return oneForm.get(plain) ?? plain;
}

/** "1.200", "1,200" and "1200" are one number, "4,50" and "4.5" too; dates and times stay. */
export function plainNumber(written: string): string {
  if (/^\d{4}-\d\d/.test(written) || written.includes(":")) return written;
  const plain = written.replace(/[.,](?=\d{3}(?!\d))/g, "").replace(",", ".");
  return /^\d+\.\d+$/.test(plain) ? String(Number(plain)) : plain;
}

export function isNumber(word: string): boolean {
  return /^\d/.test(word);
}

/** Says when: a month or a weekday. */
export function isCalendarWord(word: string): boolean {
  return /^[md]:\d/.test(word);
}

/** The distinct words that carry the meaning, in order. */
export function tellingWords(text: string): readonly Word[] {
  const found = new Map<string, Word>();
  for (const word of readWords(text)) {
    if (!isStopWord(word.word) && !found.has(word.word)) found.set(word.word, word);
  }
  return [...found.values()];
}

const stems = new Map<string, readonly string[]>();
const maxKept = 20_000;

/** "Leitung" of "leiten", "payment" of "pay". Snowball leaves these endings of short words. */
const nounOfVerb = /^(?:(?!zeit|buch)(\p{L}{4,})ung(?:en)?|(?!apart|depart)(\p{L}{3,})ments?)$/u;

/** In each language whose words are known well enough. */
export function stemsOf(word: string): readonly string[] {
  const known = stems.get(word);
  if (known !== undefined) return known;
  // "gekündigt" of "kündigen", "abgesagt" of "absagen".
  const verb = /^(|ab|an|auf|aus|ein|mit|nach|um|vor|weg|zu|zuruck)ge(\p{L}{4,}(?:t|en))$/u.exec(word);
  const german = verb === null ? [word] : [word, `${verb[1]}${verb[2]}`];
  // Snowball leaves the ending of "bringt" and "gekündigt".
  const infinitives = german.filter((form) => /\p{L}{4}t$/u.test(form)).map((form) => form.replace(/e?t$/, "en"));
  const noun = nounOfVerb.exec(word);
  const verbs = [noun?.[1], noun?.[2]].filter((form) => form !== undefined);
  const inGerman = [...german, ...infinitives].map((form) => stemOf(form, "de"));
  const found = [...new Set([stemOf(word, "en"), ...inGerman, ...verbs])];
  // Words come from outside: the store must not grow forever.
  if (stems.size >= maxKept) stems.clear();
  stems.set(word, found);
  return found;
}

/** Shorter parts of compounds are parts by chance. */
const minPartChars = 5;
/** "plan" in "Dienstplan": the second part of a compound says what it is. */
const minHeadChars = 4;
const minRestChars = 3;

/** How far a word of a text is the one that was asked for: 1 the same, less for a part of a compound, 0. */
export function likeness(asked: string, other: string): number {
  if (asked === other) return 1;
  if (isNumber(asked) || isNumber(other) || asked.includes(":") || other.includes(":")) return 0;
  if (isAnother(asked, other)) return 0;
  const [one, two] = [stemsOf(asked), stemsOf(other)];
  if (one.some((stem) => stem.length > 2 && two.includes(stem)) || isPluralOf(asked, other) || isPluralOf(other, asked))
    return 1;
  const isWithin = (part: string) => [other, ...two].some((whole) => isPart(part, whole));
  if ([asked, ...one].some(isWithin) || isSeparated(asked, two)) return 0.8;
  if (isHead(other, asked)) return 0.7;
  return [other, ...two].some((part) => isPart(part, asked)) ? 0.5 : 0;
}

const separable =
  /^(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|weiter|zu|zuruck)(\p{L}{4,20}e(?:n|ln|rn))$/u;

/** "ausleihen" where the text says "leiht … aus". */
function isSeparated(asked: string, otherStems: readonly string[]): boolean {
  // "aufbewahrt" and "bewahren … auf".
  const infinitive = asked.endsWith("t") ? asked.replace(/e?t$/, "en") : asked;
  const verb = separable.exec(infinitive)?.[1];
  return verb !== undefined && !isStopWord(verb) && stemsOf(verb).some((stem) => otherStems.includes(stem));
}

/** Two verbs, although one looks like a form of the other: who founded it was not found. */
const strangers: readonly (readonly [RegExp, RegExp])[] = [
  [/^found$/, /^found(?:ed|er|ers|ing|ation|ations)$/],
  [/^wound$/, /^wounded$/],
  [/^built$/, /^buildings?$/],
  [/^ground$/, /^grounded$/],
  [/^bound$/, /^bounded$/],
];

function isAnother(one: string, other: string): boolean {
  return strangers.some(([a, b]) => (a.test(one) && b.test(other)) || (a.test(other) && b.test(one)));
}

/** Also of words that are too short to have a stem: "axe". */
function isPluralOf(plural: string, word: string): boolean {
  return word.length >= 3 && (plural === `${word}s` || plural === `${word}es`);
}

/** Whether a compound says what it is by this word: "Plan" in "Dienstplan". */
export function isHead(part: string, whole: string): boolean {
  return part.length >= minHeadChars && whole.length - part.length >= minRestChars && whole.endsWith(part);
}

function isPart(part: string, whole: string): boolean {
  if (part.length < minPartChars || whole.length - part.length < minRestChars) return false;
  return whole.startsWith(part) || whole.endsWith(part);
}
