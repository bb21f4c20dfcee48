/**
 * What kind of thing a question asks for (who, when, how much), and whether a sentence names one. English and German;
 * a question in another language asks for no kind.
 */
import { isStopWord } from "./stop-words.ts";
import { folded, isCalendarWord, isNumber, readWords, type Word } from "./words.ts";

export type Kind = "person" | "time" | "place" | "amount" | "money" | "weight" | "duration";

export type Asked = {
  readonly kind: Kind;
  /** Words that only ask for the kind, as "cost" in "what does it cost". */
  readonly words: ReadonlySet<string>;
  /** What is counted, as "seconds" in "how many seconds". */
  readonly counted?: readonly string[];
};

/** A question word further from the beginning of its clause joins it to another one: "what do I do when it rains?" */
const maxWordsBefore = 2;

const moneyWords = new Set(
  `cost costs price prices priced pay pays paid fee fees charge charged charges expensive cheap money spend
  kostet kosten koste preis preise teuer bezahlen bezahlt bezahle zahlen zahlt zahle verdient verdiene verdienen geld`
    .trim()
    .split(/\s+/),
);
const weightWords = new Set("weigh weighs heavy weight wiegt wiegen schwer gewicht".split(" "));
const timeWords = new Set(
  "day days date time tag datum uhr uhrzeit month monat year jahr weekday wochentag".split(" "),
);
const lengthWords = new Set("long lang lange".split(" "));
const oftenWords = new Set("often frequently oft haufig".split(" "));
const countWords = new Set("many viele".split(" "));
const amountWords = new Set("much viel wieviel wieviele many viele hoch high".split(" "));
const people = new Set("who whom whose wer wem wen wessen".split(" "));
const onTerms = new Set("gets get may can must has needs bekommt kriegt darf kann muss hat".split(" "));
const places = new Set("where wo wohin woher".split(" "));

/** "How many search dogs": the words up to the verb. */
const maxCounted = 3;

/** The kind that the last clause asks for. */
export function kindAsked(question: string): Asked | undefined {
  const clauses = question.split(/[,;:.?!\n()–—]+|\s-\s/).map(readWords);
  return clauses.flatMap((clause) => kindOf(clause) ?? []).at(-1);
}

function kindOf(clause: readonly Word[]): Asked | undefined {
  const words = clause.map(({ word }) => word);
  for (const [at, word] of words.slice(0, maxWordsBefore + 1).entries()) {
    const next = words[at + 1] ?? "";
    const rest = words.slice(at + 1);
    const used = (those: ReadonlySet<string>) => new Set(words.filter((one) => those.has(one)));
    // "Who gets a bonus?" asks on what terms, not for a name.
    if (people.has(word) && onTerms.has(next)) return undefined;
    if (people.has(word)) return { kind: "person", words: new Set() };
    if (places.has(word)) return { kind: "place", words: new Set() };
    if (word === "when" || word === "wann" || word === "whens") return { kind: "time", words: new Set() };
    if (/^(?:what|which|welche[rnms]?)$/.test(word) && timeWords.has(next))
      return { kind: "time", words: new Set([next]) };
    if (word === "wie" && (next === "heisst" || next === "heissen")) return { kind: "person", words: new Set([next]) };
    const how = word === "how" || word === "wie" || word.startsWith("wieviel");
    if (how && oftenWords.has(next)) return { kind: "time", words: new Set([next]) };
    if (how && words[at + 2] === "uhr") return { kind: "time", words: new Set(["uhr"]) };
    if (how && lengthWords.has(next)) return { kind: "duration", words: new Set([next]) };
    const isMoney = rest.some((one) => moneyWords.has(one));
    const asksForAmount = how && (amountWords.has(word) || amountWords.has(next) || moneyWords.has(next));
    if ((asksForAmount || word === "what" || word === "was") && isMoney)
      return { kind: "money", words: used(moneyWords) };
    if (how && rest.some((one) => weightWords.has(one))) return { kind: "weight", words: used(weightWords) };
    if (asksForAmount) {
      const from = word === "wieviele" ? at + 1 : countWords.has(next) ? at + 2 : words.length;
      const counted = words.slice(from, from + maxCounted);
      const end = counted.findIndex(isStopWord);
      const things = end < 0 ? counted : counted.slice(0, end);
      return { kind: "amount", words: new Set(), ...(things.length === 0 ? {} : { counted: things }) };
    }
  }
  return undefined;
}

const currency = /^(?:euro|dollar|pound|cent|penny|chf|franken|francs?|yen|krone[rn]?)$/;
const free = /^(?:nothing|kostenlos|kostenfrei|gratis|umsonst)$/;
const mass = /^(?:kg|g|grams?|gramm|kilos?|kilograms?|kilogramm|lbs?|tons?|tonnes?|tonnen?|pound|stone|oz)$/;
const span =
  /^(?:seconds?|sekunden?|minutes?|min|minuten?|hours?|stunden?|days?|tage?n?|werktage?n?|arbeitstage?n?|weeks?|wochen?|weekends?|wochenenden?|months?|monate?n?|years?|jahre?n?|nights?|nachte?n?|quarters?)$/;
const timeOfDay =
  /^(?:noon|midnight|morning|mornings|evening|evenings|afternoon|night|daily|weekly|monthly|yearly|weekdays|weekday|weekend|weekends|oclock|uhr|taglich|wochentlich|monatlich|jahrlich|morgens|mittags|abends|nachts|vormittags|nachmittags|werktag|werktags|today|tomorrow|spring|summer|autumn|winter|fruhling|sommer|herbst|ostern|weihnachten|easter|christmas)$/;
const placeBefore =
  /^(?:in|at|on|behind|beside|under|near|next|inside|outside|above|below|through|from|via|to|im|am|an|auf|hinter|neben|unter|beim|bei|uber|in|vor|zwischen|ins|zum|zur)$/;

/** A time can be given by what happens before it. */
const condition =
  /^(?:after|before|above|if|when|once|until|every|each|as|soon|nach|vor|ab|wenn|sobald|bis|jede[nrsm]?|einmal|twice|zweimal)$/;
const part = /^(?:half|halves|tenth|quarters?|thirds?|double|halfte|halbe[nrs]?|viertel|drittel|zehntel|doppelt)$/;
const ordinal =
  /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|letzte[nrsm]?|(?:erst|zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)e[nrsm]?)$/;
/** "are free", "free of charge"; but "keep the yard free". */
const forFree = /(?<!\p{L})(?:(?:is|are|be|for|get|gets)\s+free|free\s+(?:of|for))(?!\p{L})/iu;

/** Whether the sentence names something of the kind. */
export function names({ kind, counted }: Asked, sentence: string): boolean {
  if (kind === "person") return namesPerson(sentence);
  const words = readWords(sentence).map(({ word }) => word);
  const near = (at: number, what: RegExp) => [words[at + 1] ?? "", words[at - 1] ?? ""].some((one) => what.test(one));
  switch (kind) {
    case "money":
      return (
        forFree.test(sentence) || words.some((word, at) => free.test(word) || (isNumber(word) && near(at, currency)))
      );
    case "weight":
      return words.some((word, at) => isNumber(word) && near(at, mass));
    case "duration":
      return words.some(
        (word, at) => (span.test(word) && /\p{L}|^\d/u.test(words[at - 1] ?? "")) || word === "until" || word === "bis",
      );
    case "time":
      return (
        words.some(
          (word, at) =>
            isCalendarWord(word) ||
            isNumber(word) ||
            condition.test(word) ||
            timeOfDay.test(word) ||
            /^\d+:\d\d$|^\d{4}-\d\d/.test(word) ||
            (ordinal.test(word) && near(at, span)),
        ) || /\b(?:19|20)\d\d\b|\b\d{1,2}\. ?\p{Lu}/u.test(sentence)
      );
    case "place":
      return words.some((word) => placeBefore.test(word));
    case "amount":
      return counted === undefined
        ? words.some((word) => isNumber(word) || free.test(word) || part.test(word))
        : words.some(isNumber);
    default:
      return kind satisfies never;
  }
}

const title = /(?<!\p{L})(?:Herrn?|Frau|Mrs?|Ms|Dr|Prof)\.? \p{Lu}/u;
const twoNames = /(?<![\p{L}\d]|\d\s)(\p{Lu}\p{Ll}+)\s(\p{Lu}\p{Ll}+)/gu;
const afterWord =
  /(?<!\p{L})(?:[Bb]y|[Ww]ith|[Aa]sk|[Tt]ell|to|[Cc]ontact|[Ss]ee|[Ff]rom|[Cc]all|[Rr]ing|of)\s(\p{Lu}\p{Ll}+)/gu;
/** "Priya keeps the rota". */
const beforeVerb = /(?<!\p{L})(\p{Lu}\p{Ll}*[\p{Ll}--s])\s(?:\p{Ll}{2,}s|will|can|may|must)(?!\p{L})/gv;
const role =
  /(?<!\p{L})(?:leaders?|officers?|managers?|treasurer|secretary|controller|coordinators?|commander|head of|leads?|teams?|committee|engineers?|doctors?|who(?:ever)|colleagues?|staff|support|security|finance|handlers?|chef|chefin|\p{L}*leit(?:ung|er|erin)|\p{L}*buro|\p{L}*beauftragte[nr]?|\p{L}*abteilung)(?!\p{L})/iu;

/** Names can't be told for sure; German writes every noun like one, so there only two in a row or a title count. */
function namesPerson(sentence: string): boolean {
  if (title.test(sentence) || role.test(folded(sentence))) return true;
  const isName = (written: string) => {
    const { word = "" } = readWords(`a, ${written}`)[1] ?? {};
    return !isStopWord(word) && !isCalendarWord(word);
  };
  if ([...sentence.matchAll(twoNames)].some(([, one = "", two = ""]) => isName(one) && isName(two))) return true;
  if (isGerman(sentence)) return false;
  return [afterWord, beforeVerb].some((pattern) =>
    [...sentence.matchAll(pattern)].some(([, name = ""]) => isName(name)),
  );
}

function isGerman(sentence: string): boolean {
  return /(?<!\p{L})(?:der|die|das|und|ist|wird|nicht|den|dem|auf|für|mit|ein|eine|im|zum|bei)(?!\p{L})/u.test(
    sentence,
  );
}
