/**
 * Reduces a word to a stem that most of its forms share, per language. Light on purpose: a wrong group answers the wrong
 * question, a missed one only lists it twice.
 */
/** Languages with spaces between words. "other": none that Parley knows words of. */
export type Language = "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ru" | "other";

/** Of a word without spaces and accents, in lower case. Shorter words stay as they are. */
const minChars = 4;

export function stemOf(word: string, language: Language): string {
  // "Led" is a form of a longer word.
  if ((word.length < minChars && !(language === "en" && irregular.has(word))) || /\d/.test(word)) return word;
  switch (language) {
    case "en":
      return englishStem(word);
    case "de":
    case "nl":
      return germanicStem(word);
    case "fr":
    case "es":
    case "pt":
    case "it":
      return undoubled(without(word, romanceEndings, 4)).replace(/zc$/, "c");
    case "ru":
      return without(word, russianEndings, 4);
    case "other":
      return word;
    default:
      return language satisfies never;
  }
}

/** Their endings look like others. */
const englishExceptions = new Set(["documentation", "information", "during", "nothing", "status", "bonus", "campus"]);

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

function englishStem(form: string): string {
  const word = irregular.get(form) ?? form;
  if (word.length < minChars || englishExceptions.has(word)) return word;
  const singular = word
    .replace(/iz(ations?|e[ds]?|ing)$/, "is$1")
    .replace(/(?<=..)ies$/, "y")
    .replace(/(?<=ch|sh|ss|x|z)es$/, "")
    .replace(/(?<=[^aiousy]|[aeiou]y|[aeo]|[^srnohv]i)s$/, (ending, at: number) =>
      word[at - 1] === "s" ? ending : "",
    );
  const base = cut(cut(singular, /(?<=[aeiouy].*)(?:ing|ed)$/, 3), /ations?$/, 4);
  const verb = cut(cut(cut(base, /(?<=[ts])ion$/, 5), /ment$/, 5), /(?<=[vw])al$/, 4);
  return undoubled(cut(verb, /ate?$/, 5).replace(/e$/, "")).replace(/(?<=.{3})y$/, "i");
}

const germanicEndings = ["ungen", "ung", "ern", "end", "em", "en", "er", "es", "et", "st", "te", "e", "n", "s", "t"];

function germanicStem(word: string): string {
  return undoubled(without(word, germanicEndings, 4)).replace(/([aeou])\1/g, "$1");
}

const romanceEndings = `
  amientos imientos amiento imiento issements issement aciones azioni azione acoes ations ation acion acao iones
  assero iendo ando endo ados adas idos idas aron ieron aient erons eront erez ions ant ent ons ees iez ado ada ido ida ato ata ati ate
  ito uto are ere ire ar er ir ez ee es os as is e a o i s x
`
  .trim()
  .split(/\s+/);

const russianEndings = `
  иями ями ами иях иям ение ения ением ание ания ать ять ить еть уть ует ают яют ают ешь ишь ете ите ого его ому ему ыми ими ых их
  ая яя ое ее ые ие ый ий ой ую юю ов ев ей ам ям ах ях ом ем ка ки ку у ю а я о е ы и ь й л ла ли ло т
`
  .trim()
  .split(/\s+/);

/** The longest of the endings that leaves a stem. */
function without(word: string, endings: readonly string[], minStem: number): string {
  let cutChars = 0;
  for (const ending of endings) {
    if (ending.length > cutChars && word.length - ending.length >= minStem && word.endsWith(ending)) {
      cutChars = ending.length;
    }
  }
  return word.slice(0, word.length - cutChars);
}

function cut(word: string, ending: RegExp, minStem: number): string {
  const shorter = word.replace(ending, "");
  return shorter.length >= minStem ? shorter : word;
}

/** "cancelled", "cancel". */
function undoubled(word: string): string {
  return word.length > minChars ? word.replace(/([^aeiou])\1$/, "$1") : word;
}
