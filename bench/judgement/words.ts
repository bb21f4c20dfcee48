/** Words for the judgement bench: tokens, stop words and light stems for English and German. */

const STOP_WORDS = new Set(
  `a about above actually after again all already also always am an and any anybody anyone are as at away be
  because been before being below best better between both but by came can could come did do does doing done don
  dont down each either else every everybody everyone for from get gets getting give given go goes going gone got
  had has have having he her here hers him his how i if in into is isn it its just know let like ll long many may
  me mean might mine more most much must my never no nor not now of off on once one only or other our out over own
  please put re really s said same say see shall she should so some somebody someone something still such sure t
  take tell than thank thanks that the their them then there these they thing things this those though through to
  too under until up us use used very want was we well were what when where which while who whom whose why will
  with without would yes yet you your yours ve ok okay hi hello any else been goes made make does per two three
  four five six seven eight nine ten first last next new old few ab aber alle allem allen aller alles als also am
  an andere anderen auch auf aus bei beim bekomme bekommt bin bis bist bitte da dabei damit dann darf das dass
  dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch
  eigentlich ein eine einem einen einer eines er es etwas euch euer für fuer gab geht gern gibt gibts habe haben
  hab hast hat hatte hier hin ich ihm ihn ihnen ihr ihre im immer in ins irgendwie ist ja jede jedem jeden jeder
  jedes jemand kann kein keine keinen können konnte kriege kriegt lang lange man mehr mein meine meinem meinen
  meiner mich mir mit muss müssen nach nicht nichts noch nochmal nun nur ob oder ohne schon sehr sein seine seit
  sich sie sind so soll sollen über um und uns unser unsere unter viel viele vom von vor wann war wäre warum was
  weil welche welchem welchen welcher welches wem wen wenn wer werden wie wieviel wieviele wieder wird wir wo
  wohin wurde zu zum zur zwei drei vier fünf sechs eins mal eben gerade heisst heißt`.split(/\s+/u),
);

const ENDINGS = ["ings", "ing", "ungen", "ung", "ies", "ied", "ed", "es", "ern", "em", "en", "er", "e", "n", "s", "y"];

/** Lower-case words and numbers in the order of the text; German umlauts are spelt out so that "für" meets "fuer". */
export function tokens(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize("NFC")
    .replace(/ä/gu, "ae")
    .replace(/ö/gu, "oe")
    .replace(/ü/gu, "ue")
    .replace(/ß/gu, "ss")
    .replace(/é/gu, "e")
    .replace(/['’](s|m|re|ve|ll|t|d)\b/gu, " ");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const PLAIN_STOP_WORDS = new Set([...STOP_WORDS].flatMap((word) => tokens(word)));

/** Whether a token says little about what a text is about. */
export function isStopWord(token: string): boolean {
  return PLAIN_STOP_WORDS.has(token) || (token.length < 3 && !/\d/u.test(token));
}

/** A light stem: one ending off, never shorter than four letters. */
export function stem(token: string): string {
  for (const ending of ENDINGS) {
    if (token.endsWith(ending) && token.length - ending.length >= 4) {
      return token.slice(0, -ending.length);
    }
  }
  return token.endsWith("s") && token.length === 4 ? token.slice(0, 3) : token;
}

/** The telling words of a text, stemmed, each once. */
export function tellingWords(text: string): string[] {
  return [
    ...new Set(
      tokens(text)
        .filter((token) => !isStopWord(token))
        .map(stem),
    ),
  ];
}

/** How alike two stems are: 1 the same, 0.8 the same beginning, 0.6 one inside the other (a compound), else 0. */
export function likeness(one: string, other: string): number {
  if (one === other) {
    return 1;
  }
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (/\d/u.test(short) || short.length < 5) {
    return 0;
  }
  if (long.startsWith(short)) {
    return 0.8;
  }
  return long.includes(short) ? 0.6 : 0;
}
