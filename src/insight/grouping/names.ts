/** Recognises countries, months and weekdays by the names that Intl knows in each language. */
import { meaningsOf, wordsOf } from "../../core/languages/languages.ts";
import { type Language, stemOf } from "../../core/text/stems.ts";
import { folded, wordsIn } from "./vocabulary.ts";

const regions = `
  AD AE AF AL AM AO AR AT AU AZ BA BD BE BF BG BH BI BJ BO BR BW BY CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DK DO DZ
  EC EE EG ES ET FI FR GA GB GE GH GN GR GT HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KR KW KZ LA LB LI LK
  LR LT LU LV LY MA MC MD ME MG MK ML MM MN MT MU MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PH PK PL PR PT PY QA RO RS RU
  RW SA SD SE SG SI SK SN SO SV SY TH TN TR TW TZ UA UG US UY UZ VE VN YE ZA ZM ZW
`
  .trim()
  .split(/\s+/);

/** What Intl doesn't call them. "us" is a word. */
const otherNames = meaningsOf("names", "countries");

/** Also words of everyday language. */
const ambiguous = new Set(wordsOf("names", "ambiguousMonths"));
const beforeMonths = new Set(wordsOf("names", "beforeMonths"));

type Names = ReadonlyMap<string, string>;

const prepared = new Map<string, Names>();

function add(names: Map<string, string>, text: string, language: Language, anchor: string): void {
  const key = keyOf(wordsIn(folded(text)), language);
  if (key !== "" && !names.has(key)) names.set(key, anchor);
}

function keyOf(words: readonly string[], language: Language): string {
  return words.map((word) => stemOf(word, language)).join(" ");
}

/** `locale`: of a language with or without spaces. */
function namesIn(locale: string, language: Language): Names {
  const known = prepared.get(locale);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  const regionNames = new Intl.DisplayNames(locale, { type: "region" });
  for (const region of regions) add(names, regionNames.of(region) ?? region, language, `place:${region}`);
  for (const [region, said] of otherNames) for (const name of said) add(names, name, language, `place:${region}`);
  const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  for (let index = 0; index < 12; index += 1) {
    add(names, month.format(Date.UTC(2024, index, 15)), language, `month:${index + 1}`);
  }
  // 2024-01-01 was a Monday.
  for (let index = 0; index < 7; index += 1) {
    add(names, weekday.format(Date.UTC(2024, 0, 1 + index)), language, `weekday:${index + 1}`);
  }
  prepared.set(locale, names);
  return names;
}

const maxWords = 4;

/** The name that begins with that word, if one does, and how many words it has. */
export function nameAt(
  words: readonly string[],
  at: number,
  language: Language,
): { readonly anchor: string; readonly words: number } | undefined {
  const names = namesIn(language === "other" ? "en" : language, language);
  for (let count = Math.min(maxWords, words.length - at); count > 0; count -= 1) {
    const part = words.slice(at, at + count);
    const anchor = names.get(keyOf(part, language));
    if (anchor === undefined) continue;
    const isSure = !ambiguous.has(part.join(" ")) || beforeMonths.has(words[at - 1] ?? "");
    if (isSure) return { anchor, words: count };
  }
  return undefined;
}

/** For text without spaces: every name with its anchor. */
export function spacelessNames(locale: "ja" | "zh"): Names {
  return namesIn(locale, "other");
}
