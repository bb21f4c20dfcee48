/**
 * What kind of thing a question asks for (who, when, how much), and whether a sentence names one. English and German;
 * a question in another language asks for no kind.
 */
import { anyOf, oneOf, wordsOf } from "../../../core/languages/languages.ts";
import { isStopWord } from "./stop-words.ts";
import { folded, isCalendarWord, isHead, isNumber, likeness, readWords, type Word } from "./words.ts";

export type Kind = "person" | "time" | "date" | "place" | "amount" | "money" | "weight" | "duration" | Written;
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
const lastingWords = new Set(wordsOf("asked", "lasts"));
const oftenWords = new Set(wordsOf("asked", "often"));
/** "how deep": the words that only ask for a size, and the units that tell one. */
const sizes = (
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
/** "How much is overtime paid extra?" is answered by a share too. */
const paying = new Set(wordsOf("asked", "paying"));
const onTerms = new Set(wordsOf("asked", "onTerms"));
/** "Where is the bell from?" isn't answered by where it hangs. */
const comesFrom =
  /^(?:where (?:is|are|was|were) .{1,100} from|where (?:do|does|did) .{1,100} come from|woher (?:ist|sind|kommt|kommen|stammt|stammen)(?: .{1,100})?)$/;
const originBefore = oneOf(wordsOf("named", "beforeOrigin"));
const places = new Set(wordsOf("asked", "where"));

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
    if (people.has(word) && (onTerms.has(next) || isAboutPerson(clause.slice(at)))) return undefined;
    if ((word === "wen" && words[at - 1] === "fur") || (word === "whom" && words[at - 1] === "for")) return undefined;
    if (people.has(word)) return { kind: "person", words: used(askingPerson) };
    if (places.has(word))
      return {
        kind: "place",
        words: used(askingPlace),
        asksForOrigin: comesFrom.test(words.slice(at).join(" ")),
      };
    if (word === "when" || word === "wann" || word === "whens")
      return {
        kind: pastWords.has(next) ? "date" : "time",
        words: pastWords.has(next) ? new Set() : used(askingTime),
        asksForHours: rest.some((one) => hoursWords.test(one)),
      };
    const written = /^(?:what|whats|which|welche[rnms]?|wie|was)$/.test(word)
      ? writtenKind(clause.slice(at + 1), word === "whats" || /[’']s$/.test(clause[at]?.written ?? ""))
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
    if (how && lengthWords.has(next)) return { kind: "duration", words: new Set([next, ...used(lastingWords)]) };
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
    if (unit !== undefined) return { kind: "amount", words: new Set([next]), unit };
    if (how && rest.some((one) => weightWords.has(one))) return { kind: "weight", words: used(weightWords) };
    if (asksForAmount) {
      const from = word === "wieviele" ? at + 1 : countWords.has(next) ? at + 2 : words.length;
      const counted = words.slice(from, from + maxCounted);
      const end = counted.findIndex(isStopWord);
      const things = end < 0 ? counted : counted.slice(0, end);
      return { kind: "amount", words: new Set(), counted: things.length === 0 ? undefined : things };
    }
  }
  return undefined;
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
  return (isLinked ? kindFor(asked.at(-1)) : undefined) ?? kindFor(asked[0]);
}

const currency = oneOf(wordsOf("named", "currencies"));
const free = oneOf(wordsOf("named", "free"));
const mass = oneOf(wordsOf("named", "masses"));
const span = oneOf(wordsOf("named", "spans"));
const timeOfDay = oneOf(wordsOf("named", "timesOfDay"));
const placeBefore = oneOf(wordsOf("named", "beforePlace"));

/** A time can be given by what happens before it. */
const condition = oneOf(wordsOf("named", "conditions"));
const part = oneOf(wordsOf("named", "parts"));
/** "One reviewer is enough." */
const single = oneOf(wordsOf("named", "one"));
const some = oneOf(wordsOf("named", "some"));
const ordinal = oneOf(wordsOf("named", "ordinals"));
/** "are free", "free of charge"; but "keep the yard free". */
const forFree = /(?<!\p{L})(?:(?:is|are|be|for|get|gets)\s+free|free\s+(?:of|for))(?!\p{L})/iu;
const charging = oneOf(wordsOf("named", "charging"));

const colour = oneOf(wordsOf("named", "colours"));
/** Before a time of day: "from 8 to 5". */
const timeBefore = oneOf(wordsOf("named", "beforeTime"));
const timeAfter = oneOf(wordsOf("named", "afterTime"));
/** How far behind "in" a place may stand: "in the big yellow box". */
const maxWordsOfPlace = 4;
/** "27 days", "up to five paying users". */
const maxWordsToCounted = 3;

/** "Pay" in a heading, where an amount of money is asked for. */
export function tellsKind(asked: Asked | undefined, word: string): boolean {
  return asked?.words.has(word) === true || (asked?.kind === "money" && moneyWords.has(word));
}

/** Whether the sentence names something of the kind. `isAsked`: whether the question has a word, which then tells nothing new. */
export function names(asked: Asked, sentence: string, isAsked: (word: string) => boolean): boolean {
  const { kind, counted, unit } = asked;
  const before = asked.asksForOrigin === true ? originBefore : placeBefore;
  if (kind === "person") {
    // Who to ask may be an address; who did something isn't.
    const address = /\S{1,64}@\S{1,200}/g;
    if (asked.words.size > 0 && sentence.search(address) >= 0) return true;
    const said = sentence.replace(address, "");
    return asked.asksForName === true ? hasName(said, isAsked) : namesPerson(said, isAsked) || namesDoer(said, isAsked);
  }
  const read = readWords(sentence);
  const words = read.map(({ word }) => word);
  // "How long does it take?": a deadline doesn't tell.
  const isLasting = [...asked.words].some((word) => lastingWords.has(word));
  const isShareToo = [...asked.words].some((word) => paying.has(word)) || asked.words.size === 0;
  const near = (at: number, what: RegExp) => [words[at + 1] ?? "", words[at - 1] ?? ""].some((one) => what.test(one));
  switch (kind) {
    case "money":
      return (
        forFree.test(sentence) ||
        words.some(
          (word, at) =>
            free.test(word) ||
            (asked.asksWhether === true && charging.test(word)) ||
            (isNumber(word) && (near(at, currency) || (isShareToo && near(at, /^percent$/)))),
        )
      );
    case "weight":
      return words.some((word, at) => isNumber(word) && near(at, mass));
    case "duration":
      return words.some(
        (word, at) => (span.test(word) && isLength(at)) || (!isLasting && /^(?:until|bis)$/.test(word)),
      );
    case "time":
      if (asked.asksForHours === true)
        return namesDate(sentence) || words.some((word, at) => condition.test(word) || isHour(at));
      return (
        namesDate(sentence) || words.some((word, at) => condition.test(word) || timeOfDay.test(word) || isTime(at))
      );
    case "date":
      return namesDate(sentence) || words.some((word) => /^(?:ago|yesterday|gestern|vorgestern)$/.test(word));
    case "place":
      return words.some(
        (word, at) => before.test(word) && isPlace(words.slice(at + 1, at + 1 + maxWordsOfPlace), word),
      );
    case "amount":
      if (unit !== undefined)
        return words.some(
          (word, at) =>
            isNumber(word) &&
            !word.includes(":") &&
            near(at, unit) &&
            !/^uhr$/.test(words[at + 1] ?? "") &&
            !currency.test(words[at + 1] ?? ""),
        );
      return counted === undefined
        ? words.some((word) => isNumber(word) || free.test(word) || part.test(word))
        : words.some(
            (word, at) =>
              (isNumber(word) || (at === 0 && single.test(word))) && !word.includes(":") && isCountOf(at, counted),
          );
    case "code":
      return isCode();
    case "number":
      if (["phone", "telefon", "telefonnummer", "mobile", "handynummer"].some(isAsked))
        return /\d[\d ()/-]{3,20}\d/.test(sentence);
      return words.some(
        (word, at) => isNumber(word) && !word.includes(":") && !near(at, currency) && !span.test(words[at + 1] ?? ""),
      );
    case "colour":
      return words.some((word) => colour.test(word) && !isAsked(word));
    default:
      return kind satisfies never;
  }

  /** In quotes, or with digits in it; the name of what has the code isn't one. */
  function isCode(): boolean {
    const found = sentence.matchAll(
      /[`"“„]([^`"”“]{1,40})[`"”“]|(?<![\p{L}\d])(?=[\p{L}-]{0,20}\d)([\p{L}\d-]{3,40})/gu,
    );
    return [...found].some(
      ([, quoted, written = ""]) => !readWords(quoted ?? written).some(({ word }) => isAsked(word)),
    );
  }

  function isTime(at: number): boolean {
    const [before = "", word = "", after = ""] = [words[at - 1], words[at], words[at + 1]];
    if (/^\d+:\d\d$/.test(word)) return true;
    if (ordinal.test(word))
      return words.slice(at + 1, at + 4).some((one) => span.test(one) || timeOfDay.test(one) || isCalendarWord(one));
    if (!isNumber(word) || currency.test(after)) return false;
    return timeAfter.test(after) || span.test(after) || timeBefore.test(before);
  }

  /** "For a week"; but not "last year", "Boxing Day", or "50 euros a year". */
  function isLength(at: number): boolean {
    const [first = "", before = "", word = ""] = [words[at - 2], words[at - 1], words[at]];
    if (/^(?:a|an)$/.test(before)) return !isNumber(first) && !currency.test(first);
    // "On regatta days" isn't how long the regatta is.
    const isMany =
      /(?:s|en)$/.test(word) && !isAsked(before) && !/^(?:last|next|these|those|letzten|nachsten)$/.test(before);
    return isNumber(before) || some.test(before) || (isMany && /\p{L}/u.test(before));
  }

  function isHour(at: number): boolean {
    const [before = "", word = "", after = ""] = [words[at - 1], words[at], words[at + 1]];
    if (/^\d+:\d\d$/.test(word) || /^(?:noon|midnight|daily|taglich|weekdays|weekends)$/.test(word)) return true;
    return (
      isNumber(word) && (timeAfter.test(after) || timeBefore.test(before)) && !span.test(after) && !currency.test(after)
    );
  }

  function isPlace(after: readonly string[], before: string): boolean {
    const first = after.find((word) => !isStopWord(word));
    if (first === undefined || isCalendarWord(first) || ordinal.test(first) || timeOfDay.test(first)) return false;
    // "In 12" is a room, "between 2 and 8 degrees" isn't.
    const next = after[after.indexOf(first) + 1] ?? "";
    const isRoom =
      /\d-|^\d{1,3}$/.test(first) &&
      /^(?:in|at|im|am|auf|to|near|next|opposite)$/.test(before) &&
      !currency.test(next) &&
      !mass.test(next);
    // "On market days" is no place.
    if (span.test(after[after.indexOf(first) + 1] ?? "")) return false;
    return !isAsked(first) && !span.test(first) && (!isNumber(first) || isRoom);
  }

  function isCountOf(at: number, those: readonly string[]): boolean {
    const fits = (word: string) => those.some((one) => likeness(one, word) > 0 || isHead(one, word));
    const until = words.slice(at + 1, at + 1 + maxWordsToCounted);
    // "two lanes for children" counts lanes.
    const end = until.findIndex((word) => /^(?:for|with|per|in|fur|mit|pro|je)$/.test(word));
    const after = end < 0 ? until : until.slice(0, end);
    if (single.test(words[at] ?? "")) return fits(words[at + 1] ?? "");
    if (/^percent$/.test(after[0] ?? "")) return false;
    if (after.some(fits)) return true;
    const measures = span.test(after[0] ?? "") || currency.test(after[0] ?? "") || mass.test(after[0] ?? "");
    return !measures && words.slice(Math.max(0, at - maxWordsToCounted), at).some(fits);
  }
}

/** Another person's name than the question's: "Dr Shah" in a sentence that tells nothing of Dr Osei. */
export function hasOtherName(sentence: string, isAsked: (word: string) => boolean): boolean {
  const names = [...sentence.matchAll(titled), ...sentence.matchAll(twoNames)];
  return names.some((found) => found.slice(1).every((name = "") => !readWords(name).some(({ word }) => isAsked(word))));
}

const titled = /(?<!\p{L})(?:Herrn?|Frau|Mrs?|Ms|Dr|Prof)\.? (\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)/gu;

export function namesDate(sentence: string): boolean {
  return (
    readWords(sentence).some(({ word }) => isCalendarWord(word) || /^\d{4}-\d\d/.test(word)) ||
    /\b(?:19|20)\d\d\b|\b\d{1,2}\. ?\p{Lu}/u.test(sentence)
  );
}

const title = /(?<!\p{L})(?:Herrn?|Frau|Mrs?|Ms|Dr|Prof)\.? \p{Lu}/u;
const twoNames = /(?<![\p{L}\d]|\d\s)(\p{Lu}\p{Ll}+)\s(\p{Lu}\p{Ll}+)/gu;
const afterWord =
  /(?<!\p{L})(?:[Bb]y|[Ww]ith|[Aa]sk|[Tt]ell|to|[Cc]ontact|[Ss]ee|[Ff]rom|[Cc]all|[Rr]ing|of)\s(\p{Lu}\p{Ll}+)/gu;
/** "Priya keeps the rota"; but "Small patients may choose". */
const beforeVerb = new RegExp(`(?<!\\p{L})(\\p{Lu}\\p{Ll}*[\\p{Ll}--s])\\s${anyOf(wordsOf("named", "doings"))}`, "gv");
/** "in Harcourt Road". */
const placeName = /(?<!\p{L})(?:[Ii]n|[Aa]t|[Oo]n|[Nn]ear|[Ii]m|[Aa]m)\s$/u;
const street = oneOf(wordsOf("named", "streets"));
const role = new RegExp(anyOf(wordsOf("named", "roles")), "iu");

/** Names can't be told for sure; German writes every noun like one, so there only two in a row or a title count. */
function namesPerson(sentence: string, isAsked: (word: string) => boolean): boolean {
  return role.test(folded(withoutOtherDoers(sentence, isAsked))) || hasName(sentence, isAsked);
}

/** "Transport is paid for by the team" doesn't tell who runs it. */
function withoutOtherDoers(sentence: string, isAsked: (word: string) => boolean): string {
  return sentence.replace(
    /(\p{L}{1,20}(?:ed|en|old|ought|ept|ent|ade|one|un|aid))(?: \p{L}{2,5})? by (?:the|our|an?) \p{L}{3,30}/giu,
    (all, verb: string) => (isAsked(readWords(verb)[0]?.word ?? "") ? all : ""),
  );
}

function hasName(sentence: string, isAsked: (word: string) => boolean): boolean {
  if (title.test(sentence)) return true;
  const isName = (written: string) => {
    const { word = "" } = readWords(`a, ${written}`)[1] ?? {};
    return !isStopWord(word) && !isCalendarWord(word) && !isNumber(word) && !isAsked(word);
  };
  const isPair = ({ 1: one = "", 2: two = "", index }: RegExpExecArray) =>
    isName(one) && isName(two) && !street.test(two) && !placeName.test(sentence.slice(Math.max(0, index - 6), index));
  if ([...sentence.matchAll(twoNames)].some(isPair)) return true;
  if (isGerman(sentence)) return false;
  return [afterWord, beforeVerb].some((pattern) =>
    [...sentence.matchAll(pattern)].some(([, name = ""]) => isName(name)),
  );
}

/** "Only the fire brigade resets the system", for "who resets it?": what does it is before the verb that was asked. */
function namesDoer(sentence: string, isAsked: (word: string) => boolean): boolean {
  const doing =
    /(?<!\p{L})(?:[Tt]he|[Oo]ur|[Aa]n?|[Ee]ach|[Ee]very|[Dd]er|[Dd]ie|[Dd]as|[Uu]nsere?)\s(\p{L}{3,30}(?:\s\p{L}{3,30})?)\s(\p{Ll}{2,30}[st])(?!\p{L})/gu;
  const isOther = (word: string) => !isAsked(word) && !isStopWord(word);
  // "Salate bringen die Mitglieder mit".
  const inverted = /(?<!\p{L})(\p{Ll}{2,30}(?:t|en))\s(?:der|die|das|unsere?)\s(\p{Lu}\p{L}{2,30})/gu;
  const isInverted = [...sentence.matchAll(inverted)].some(
    ([, verb = "", subject = ""]) =>
      isAsked(readWords(verb)[0]?.word ?? "") && isOther(readWords(subject)[0]?.word ?? ""),
  );
  // "are sold by the parents' association".
  const passive = /\p{L}(?:ed|en|old|ought|ept|ent|ade|one|un)\sby\s(?:the|our|an?)\s(\p{L}{3,30})/giu;
  const isPassive = [...sentence.matchAll(passive)].some(([, subject = ""]) => isOther(subject.toLowerCase()));
  if (isInverted || isPassive) return true;
  return [...sentence.matchAll(doing)].some(([, subject = "", verb = ""]) => {
    const verbWord = readWords(verb)[0]?.word ?? "";
    return !isStopWord(verbWord) && isAsked(verbWord) && readWords(subject).some(({ word }) => isOther(word));
  });
}

const german = new RegExp(anyOf(wordsOf("common", "signsInText")), "u");

function isGerman(sentence: string): boolean {
  return german.test(sentence);
}
