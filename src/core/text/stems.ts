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
  if (language === "en") return english(irregular.get(word) ?? word);
  return stemmers[language](language === "de" ? regularGerman(word) : word);
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

/** "bring" in "mitgebracht". */
const separated = /^(ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|weiter|zu|zuruck)(\p{L}{4,12})$/u;

function regularGerman(word: string): string {
  const [, prefix = "", form = ""] = separated.exec(word) ?? [];
  const verb = irregularGerman.get(form);
  return irregularGerman.get(word) ?? (verb === undefined ? word : prefix + verb);
}

/** German forms whose vowel or end changes, without accents. */
const irregularGerman = new Map(
  `gebracht bringen, geliehen leihen, verliehen verleihen, genommen nehmen, nimmt nehmen, gegessen essen, isst essen,
  getrunken trinken, geschrieben schreiben, unterschrieben unterschreiben, geschlossen schliessen, gefunden finden,
  verloren verlieren, gestohlen stehlen, gesprochen sprechen, spricht sprechen, geworfen werfen, gewonnen gewinnen,
  gebrochen brechen, gezogen ziehen, gehoben heben, getroffen treffen, trifft treffen, geschnitten schneiden,
  gestrichen streichen, geritten reiten, angeboten anbieten, verboten verbieten, entschieden entscheiden, gewogen wiegen,
  gemessen messen, gegossen giessen, gesprungen springen, geschwommen schwimmen, gelegen liegen, gesessen sitzen,
  gestanden stehen, gegangen gehen, geholfen helfen, hilft helfen, gestiegen steigen, geladen laden, gelesen lesen,
  liest lesen, gesehen sehen, sieht sehen, vergisst vergessen, gebeten bitten, erschienen erscheinen, geschienen scheinen,
  getan tun, gewaschen waschen, geblieben bleiben, gestorben sterben, geboren gebaren, gesungen singen, geklungen klingen`
    .split(",")
    .map((pair) => pair.trim().split(" ") as [string, string]),
);
