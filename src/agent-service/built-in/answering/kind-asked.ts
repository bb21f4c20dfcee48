/**
 * What kind of thing a question asks for (who, when, how much). English and German; a question in another language asks
 * for no kind.
 */
import { anyOf, oneOf, wordsOf } from "../../../core/languages/languages.ts";
import { isStopWord } from "./stop-words.ts";
import { readWords, tellingWords, type Word } from "./words.ts";

export type Kind =
  | "person"
  | "time"
  | "date"
  | "place"
  | "amount"
  | "money"
  | "weight"
  | "duration"
  | "reason"
  | Written;
/** What is written in a form of its own. */
type Written = "code" | "number" | "colour";

export type Asked = {
  readonly kind: Kind;
  /** Words that only ask for the kind, as "cost" in "what does it cost". */
  readonly words: ReadonlySet<string>;
  /** What is counted, as "seconds" in "how many seconds". */
  readonly counted?: readonly string[];
  /** Beside the number, as "metres" for "how deep". */
  readonly unit?: RegExp;
  /** "How old is it?": not from which age on it may be used. */
  readonly isAge?: boolean;
  /** A time of day or a weekday: a duration doesn't tell when something opens. */
  readonly asksForHours?: boolean;
  /** "Where does it come from?" */
  readonly asksForOrigin?: boolean;
  /** "Do children pay?": "they are never charged" answers. */
  readonly asksWhether?: boolean;
  /** Only a name answers, not a role. */
  readonly asksForName?: boolean;
};

/** A question word further from the beginning of its clause joins it to another one: "what do I do when it rains?" */
const maxWordsBefore = 2;

const moneyWords = new Set(wordsOf("asked", "money"));
const weightWords = new Set(wordsOf("asked", "weight"));
const timeWords = new Set(wordsOf("asked", "time"));
const lengthWords = new Set(wordsOf("asked", "long"));
const farWords = new Set(wordsOf("asked", "far"));
const lastingWords = new Set(wordsOf("asked", "lasts"));
const oftenWords = new Set(wordsOf("asked", "often"));
/** "how deep": the words that only ask for a size, and the units that tell one. */
export const sizes = (
  [
    ["hot", "degrees"],
    ["old", "ages"],
    ["fast", "speeds"],
    ["big", "measures"],
  ] as const
).map(([size, units]) => [oneOf(wordsOf("asked", size)), oneOf(wordsOf("asked", units))] as const);
const pastWords = new Set(wordsOf("asked", "past"));
const countWords = new Set(wordsOf("asked", "many"));
const amountWords = new Set(wordsOf("asked", "much"));
const people = new Set(wordsOf("asked", "who"));
/** "Who do I ask about parking?", "who handles bookings?" */
const askingPerson = new Set(wordsOf("asked", "askPerson"));
const colourWords = new Set(wordsOf("asked", "colour"));
/** "Where do I find the key?" */
const askingPlace = new Set(wordsOf("asked", "askPlace"));
/** "When does practice start?" */
const askingTime = new Set(wordsOf("asked", "askTime"));
/** "When does it open?" is answered by a time of day or a weekday, not by "after six weeks". */
const hoursWords = oneOf(wordsOf("asked", "hours"));
const paying = new Set(wordsOf("asked", "paying"));
const onTerms = new Set(wordsOf("asked", "onTerms"));
/** "Wer hat den Verein gegründet?" asks for a name. */
const participle = /^(?:\p{L}{0,6}ge|be|er|ver|ent|zer)\p{L}{2,}(?:t|en)$/u;
/** "Where is the bell from?" isn't answered by where it hangs. */
const comesFrom =
  /^(?:where (?:is|are|was|were) .{1,100} from|where (?:do|does|did) .{1,100} come from|woher (?:ist|sind|kommt|kommen|stammt|stammen)(?: .{1,100})?)$/;
const places = new Set(wordsOf("asked", "where"));
const reasonWords = new Set(wordsOf("asked", "why"));

const prefaces = new Set(wordsOf("asked", "prefaces"));
/** Words up to the end of "Könnten Sie mir bitte sagen". */
const maxPreface = 6;
/** "How many search dogs": the words up to the verb. */
const maxCounted = 3;

/** "How big is it and when does it open?" is two questions. */
const clauseEnd = new RegExp(
  `[,;:.?!\\n()–—]+|\\s-\\s|\\s(?:and|und)\\s(?=${anyOf(wordsOf("questions", "words"))})`,
  "iu",
);

/** The kind that the last clause asks for; of several questions, the last clause of the one that says most. */
export function kindAsked(question: string): Asked | undefined {
  const asking = question.split(/(?<=\?)\s+/u).filter((part) => part.includes("?"));
  const main =
    asking.length > 1 ? asking.toSorted((a, b) => tellingWords(b).length - tellingWords(a).length)[0] : question;
  const clauses = (main ?? question).split(clauseEnd).map(readWords);
  return clauses.flatMap((clause) => kindOf(clause) ?? kindOf(withoutPreface(clause)) ?? []).at(-1);
}

/** "Does anyone know how long …", "kannst du mir sagen wann …": the words after that. */
function withoutPreface(clause: readonly Word[]): readonly Word[] {
  const at = clause.slice(0, maxPreface).findIndex(({ word }) => prefaces.has(word));
  const rest = at < 0 ? [] : clause.slice(at + 1);
  return /^(?:me|us|jemand|wer|mir|uns)$/.test(rest[0]?.word ?? "") ? rest.slice(1) : rest;
}

function kindOf(clause: readonly Word[]): Asked | undefined {
  // "whats" is "what is".
  const words = clause.map(({ word }) => word.replace(/^(who|what|when|where|how)s$/, "$1"));
  for (const [at, word] of words.slice(0, maxWordsBefore + 1).entries()) {
    const next = words[at + 1] ?? "";
    const rest = words.slice(at + 1);
    const used = (those: ReadonlySet<string>) => new Set(words.filter((one) => those.has(one)));
    // "Who gets a bonus?" asks on what terms, not for a name.
    const isDone = next === "hat" && participle.test(words.at(-1) ?? "");
    if (people.has(word) && ((onTerms.has(next) && !isDone) || isAboutPerson(clause.slice(at)))) return undefined;
    if ((word === "wen" && words[at - 1] === "fur") || (word === "whom" && words[at - 1] === "for")) return undefined;
    if (people.has(word)) return { kind: "person", words: used(askingPerson) };
    if (places.has(word))
      return {
        kind: "place",
        words: used(askingPlace),
        asksForOrigin: comesFrom.test(words.slice(at).join(" ")),
      };
    if (reasonWords.has(word)) return { kind: "reason", words: new Set() };
    if (/^(?:since|seit)$/.test(words[at - 1] ?? "") && /^(?:when|wann)$/.test(word))
      return { kind: "date", words: new Set() };
    if (word === "when" || word === "wann") {
      const asksForHours = rest.some((one) => hoursWords.test(one));
      // "Wann hat das Haus offen?" asks for no day in the past.
      const isPast = pastWords.has(next) && !(asksForHours && /^(?:hat|haben)$/.test(next));
      return { kind: isPast ? "date" : "time", words: isPast ? new Set() : used(askingTime), asksForHours };
    }
    const written = /^(?:what|which|welche[rnms]?|wie|was)$/.test(word)
      ? writtenKind(clause.slice(at + 1), /^whats$|[’']s$/i.test(clause[at]?.written ?? ""))
      : undefined;
    // "A green jumper" needs no "colour"; a code and a number are called so.
    if (written !== undefined) return { kind: written, words: written === "colour" ? used(colourWords) : new Set() };
    if (/^(?:what|which|welche[rnms]?)$/.test(word) && timeWords.has(next))
      return { kind: "time", words: new Set([next]) };
    if (word === "wie" && (next === "heisst" || next === "heissen"))
      return { kind: "person", words: new Set([next]), asksForName: true };
    // "What's the name of our head of finance?"
    if (word === "what" && /^\W*(?:the|our|is (?:the|our)) name of\b/.test(rest.join(" ")))
      return { kind: "person", words: new Set(["name"]), asksForName: true };
    const how = word === "how" || word === "wie" || word.startsWith("wieviel");
    if (how && oftenWords.has(next)) return { kind: "time", words: new Set([next]) };
    if (how && words[at + 2] === "uhr") return { kind: "time", words: new Set(["uhr"]) };
    if (
      how &&
      /^(?:far|weit)$/.test(next) &&
      /^(?:ahead|back|before|in advance|im voraus|vorher|zuvor)\b/.test(rest.slice(1).join(" "))
    )
      return { kind: "duration", words: used(farWords) };
    // "How much notice do I give?"
    const isSpan = amountWords.has(next) && /^(?:notice|time|zeit|vorlauf)$/.test(rest[1] ?? "");
    if (isSpan) return { kind: "duration", words: new Set([next, rest[1] ?? ""]) };
    if (how && lengthWords.has(next))
      return { kind: "duration", words: new Set([next, ...used(lastingWords), ...used(farWords)]) };
    const isMoney =
      rest.some((one) => moneyWords.has(one)) ||
      (amountWords.has(next) &&
        (isEarning(rest.slice(1)) || (next === "much" && /^(?:is|are|was|were)$/.test(rest[1] ?? ""))));
    const asksForAmount = how && (amountWords.has(word) || amountWords.has(next) || moneyWords.has(next));
    // "Do children pay?"
    const asksWhetherPaid = at === 0 && /^(?:do|does|must|have|muss|mussen|mussten)$/.test(word);
    if ((asksForAmount || asksWhetherPaid || word === "what" || word === "was") && isMoney)
      return { kind: "money", words: used(moneyWords), asksWhether: asksWhetherPaid };
    const unit = how ? sizes.find(([size]) => size.test(next))?.[1] : undefined;
    const isAge = /^(?:old|alt)$/.test(next) && /^(?:is|are|was|were|ist|sind|war|waren)$/.test(rest[1] ?? "");
    if (unit !== undefined) return { kind: "amount", words: new Set([next]), unit, isAge };
    if ((how || word === "what" || word === "was") && rest.some((one) => weightWords.has(one)))
      return { kind: "weight", words: used(weightWords) };
    if (asksForAmount) {
      const from = word === "wieviele" ? at + 1 : countWords.has(next) ? at + 2 : words.length;
      const counted = words.slice(from, from + maxCounted);
      const end = counted.findIndex(isStopWord);
      const things = untilVerb(end < 0 ? counted : counted.slice(0, end));
      return { kind: "amount", words: new Set(), counted: things.length === 0 ? undefined : things };
    }
  }
  return undefined;
}

/** Of "vets work", what is counted: what follows a plural and isn't one is what they do. */
function untilVerb(words: readonly string[]): readonly string[] {
  const isPlural = (word = "") => /[^s]s$|^(?:people|children|women|men)$/.test(word);
  const verb = words.findIndex((word, at) => isPlural(words[at - 1]) && !isPlural(word));
  return verb < 0 ? words : words.slice(0, verb);
}

/** "How much do I get for it?"; but "how much discount do I get?" */
function isEarning(afterMuch: readonly string[]): boolean {
  return /^(?:do|does|will|would|did) (?:i|we|you|they|one|people|members|staff) (?:get|earn|receive)\b|^(?:bekomme|bekommt|kriege|kriegt|gibt) (?:ich|man|es|wir)\b/.test(
    afterMuch.join(" "),
  );
}

/** "Who is Marta Klein?" has the name, and asks what she does. */
function isAboutPerson([, verb, ...rest]: readonly Word[]): boolean {
  if (!/^(?:is|was|are|ist|war)$/.test(verb?.word ?? "") || rest.length === 0 || rest.length > 3) return false;
  return rest.length > 1
    ? rest.every(({ written }) => /^\p{Lu}\p{Ll}/u.test(written))
    : /^(?:is|was)$/.test(verb?.word ?? "") && /^\p{Lu}\p{Ll}/u.test(rest[0]?.written ?? "");
}

const writtenKinds: readonly (readonly [Written, RegExp])[] = [
  ["code", oneOf(wordsOf("asked", "code"))],
  ["number", oneOf(wordsOf("asked", "number"))],
  ["colour", oneOf(wordsOf("asked", "colour"))],
];

/** Of "the code of the alarm", the word before "of". */
function writtenKind(words: readonly Word[], hasVerb: boolean): Written | undefined {
  const of = words.findIndex(
    ({ word }, at) =>
      at > 0 && /^(?:of|for|to|von|vom|der|des|fur|zu|zum|zur)$/.test(word) && !isStopWord(words[at - 1]?.word ?? ""),
  );
  const asked = (of < 0 ? words : words.slice(0, of)).map(({ word }) => word);
  const isLinked =
    hasVerb ||
    asked.slice(0, 2).some((word) => /^(?:is|are|s|ist|sind|lautet|lauten|does|do|has|have|hat|haben)$/.test(word));
  // "The number of seats" is an amount.
  if (of > 0 && asked.at(-1) === "number" && isStopWord(asked.at(-2) ?? "a")) return undefined;
  const kindFor = (word = "") => writtenKinds.find(([, pattern]) => pattern.test(word))?.[0];
  // "Which password manager do we use?" asks for a manager.
  const [first, second = "a", verb = ""] = asked;
  const isPartOfName = !isStopWord(second) && /^(?:do|does|did|is|are|was|were|can|should)$/.test(verb);
  return (isLinked ? kindFor(asked.at(-1)) : undefined) ?? (isPartOfName ? kindFor(second) : kindFor(first));
}

/** "Pay" in a heading, where an amount of money is asked for. */
export function tellsKind(asked: Asked | undefined, word: string): boolean {
  return asked?.words.has(word) === true || (asked?.kind === "money" && moneyWords.has(word));
}

/** "How far ahead?", "how long before": for the time between two events. */
export function asksForDistance({ words }: Asked): boolean {
  return [...words].some((word) => farWords.has(word));
}

/** "How long does it take?": a deadline doesn't tell. */
export function asksHowLongItLasts({ words }: Asked): boolean {
  return [...words].some((word) => lastingWords.has(word));
}

export function asksHowOften({ words }: Asked): boolean {
  return [...words].some((word) => oftenWords.has(word));
}

/** "How much is overtime paid extra?" is answered by a share too. */
export function asksForShareToo({ words }: Asked): boolean {
  return words.size === 0 || [...words].some((word) => paying.has(word));
}
