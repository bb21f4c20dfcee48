/** Whether a sentence names something of the kind that a question asks for. English and German. */
import { anyOf, oneOf, wordsOf } from "../../../core/languages/languages.ts";
import { type Asked, asksForDistance, asksForShareToo, asksHowLongItLasts, asksHowOften, sizes } from "./kind-asked.ts";
import { isStopWord } from "./stop-words.ts";
import { folded, isCalendarWord, isHead, isNumber, likeness, readWords } from "./words.ts";

const currency = oneOf(wordsOf("named", "currencies"));
const free = oneOf(wordsOf("named", "free"));
const mass = oneOf(wordsOf("named", "masses"));
const span = oneOf(wordsOf("named", "spans"));
/** Beside a number, says what it measures, not what it counts. */
export function isUnit(word: string): boolean {
  return [currency, mass, span, ...sizes.map(([, unit]) => unit)].some((unit) => unit.test(word));
}

/** After a span of time that lies between two events. */
const distance = oneOf(wordsOf("named", "distances"));
const lasting = oneOf(wordsOf("named", "lasting"));
const timeOfDay = oneOf(wordsOf("named", "timesOfDay"));
const originBefore = oneOf(wordsOf("named", "beforeOrigin"));
const manner = oneOf(wordsOf("named", "manners"));
const placeBefore = oneOf(wordsOf("named", "beforePlace"));

/** A time can be given by what happens before it. */
const condition = oneOf(wordsOf("named", "conditions"));
const frequency = oneOf(wordsOf("named", "frequencies"));
const validity = oneOf(wordsOf("named", "validity"));
const reason = oneOf(wordsOf("named", "reasons"));
const ofLimit = oneOf(wordsOf("named", "limits"));
const madeIn = oneOf(wordsOf("named", "madeIn"));
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
/** "Takes up to 14 days". */
const maxWordsToSpan = 5;

/** "The network is called Guests." */
const isCalled = /(?<!\p{L})(?:heißt|heißen|called|named|namens)\s["“„`*]{0,3}\p{Lu}/u;
/** "0341 5550 18", "+44 20 7946 0018", "555-0143"; but not "2019-2024". */
const toCall = /(?<![\d.,])(?:(?:\+\d|\(?0)[\d ()/-]{5,20}\d|\d{3}[ -]\d{4}(?!\d))/;

/** Whether the sentence names something of the kind. `isAsked`: whether the question has a word, which then tells nothing new. */
export function names(asked: Asked, sentence: string, isAsked: (word: string) => boolean): boolean {
  const { kind, counted, unit } = asked;
  const before = asked.asksForOrigin === true ? originBefore : placeBefore;
  if (kind === "person") {
    // Who to ask may be an address; who did something isn't.
    const address = /\S{1,64}@\S{1,200}/g;
    if (asked.words.size > 0 && sentence.search(address) >= 0) return true;
    const said = sentence.replace(address, "");
    return asked.asksForName === true
      ? hasName(said, isAsked) || isCalled.test(said)
      : namesPerson(said, isAsked) || namesDoer(said, isAsked) || toCall.test(said);
  }
  const read = readWords(sentence);
  const words = read.map(({ word }) => word);
  const isBetween = asksForDistance(asked);
  const isLasting = asksHowLongItLasts(asked);
  const isOfValidity = words.some((word) => validity.test(word));
  const isShareToo = asksForShareToo(asked);
  /** "Two years, then a short test": what follows a comma doesn't belong to the number. */
  const goesOn = (at: number) => {
    const { at: from = 0, written = "" } = read[at] ?? {};
    return !/[,;:]/.test(sentence.slice(from + written.length, read[at + 1]?.at));
  };
  const near = (at: number, what: RegExp) => [words[at + 1] ?? "", words[at - 1] ?? ""].some((one) => what.test(one));
  switch (kind) {
    case "money":
      return (
        forFree.test(sentence) ||
        words.some(
          (word, at) =>
            free.test(word) ||
            (asked.asksWhether === true && charging.test(word)) ||
            (isShareToo && part.test(word)) ||
            (isNumber(word) && (near(at, currency) || (isShareToo && near(at, /^percent$/)))),
        )
      );
    case "weight":
      return words.some((word, at) => isNumber(word) && near(at, mass));
    case "duration":
      return words.some(
        (word, at) =>
          (span.test(word) && isLength(at) && (isBetween || !isDistance(at)) && !(isLasting && isOfValidity)) ||
          (!isLasting && /^(?:until|bis)$/.test(word)),
      );
    case "time":
      if (asksHowOften(asked))
        return words.some(
          (word, at) => frequency.test(word) || /^d:/.test(word) || (word === "alle" && isNumber(words[at + 1] ?? "")),
        );
      if (asked.asksForHours === true)
        return namesDate(sentence) || words.some((_, at) => isCondition(at) || isHour(at));
      return namesDate(sentence) || words.some((word, at) => isCondition(at) || timeOfDay.test(word) || isTime(at));
    case "date":
      return namesDate(sentence) || words.some((word) => /^(?:ago|yesterday|gestern|vorgestern)$/.test(word));
    case "place":
      return words.some(
        (word, at) => before.test(word) && isPlace(words.slice(at + 1, at + 1 + maxWordsOfPlace), word),
      );
    case "amount":
      if (asked.isAge === true) return (words.some(isMade) && words.some(isYear)) || words.some((_, at) => isAge(at));
      if (unit !== undefined)
        return words.some(
          (word, at) =>
            isNumber(word) &&
            !word.includes(":") &&
            // "Three working days".
            (near(at, unit) || unit.test(words[at + 2] ?? "")) &&
            !/^uhr$/.test(words[at + 1] ?? "") &&
            !currency.test(words[at + 1] ?? ""),
        );
      return counted === undefined
        ? words.some(
            (word, at) =>
              // "How much honey?" isn't answered by six weeks.
              (isNumber(word) && !word.includes(":") && !span.test(words[at + 1] ?? "")) ||
              free.test(word) ||
              part.test(word),
          )
        : words.some(
            (word, at) =>
              (isNumber(word) || (at === 0 && single.test(word))) && !word.includes(":") && isCountOf(at, counted),
          );
    case "reason":
      return words.some((word) => reason.test(word));
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

  /** "After lunch"; but not the end of a German verb: "nimmt die Prüfung ab". */
  function isCondition(at: number): boolean {
    const isEnd = at === words.length - 1 && /^(?:ab|vor|nach)$/.test(words[at] ?? "");
    return condition.test(words[at] ?? "") && !isEnd;
  }

  function isTime(at: number): boolean {
    const [before = "", word = "", after = ""] = [words[at - 1], words[at], words[at + 1]];
    if (/^\d+:\d\d$/.test(word)) return true;
    if (ordinal.test(word))
      return words.slice(at + 1, at + 4).some((one) => span.test(one) || timeOfDay.test(one) || isCalendarWord(one));
    if (!isNumber(word) || currency.test(after)) return false;
    // "40 minutes" is how long it takes, "40 minutes before" is when.
    return timeAfter.test(after) || timeBefore.test(before) || (span.test(after) && isDistance(at + 1));
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

  /** "It was built in 1911"; but "Ann founded it in 1911" tells nothing of her age. */
  function isMade(word: string, at: number): boolean {
    if (!madeIn.test(word)) return false;
    return (
      at === 0 || /^(?:since|seit)$/.test(word) || words.some((one) => /^(?:is|was|were|been|ist|wurden?)$/.test(one))
    );
  }

  /** "It is about 12 years old"; but "for those who are over 12". */
  function isAge(at: number): boolean {
    const before = words.slice(Math.max(0, at - 2), at);
    if (!isNumber(words[at] ?? "") || before.some((word) => ofLimit.test(word))) return false;
    const after = words[at + 1];
    if (after !== undefined && !/^(?:years?|jahre?n?|months?|monate?n?|old|alt)$/.test(after)) return false;
    const isOld = words.slice(at + 1, at + 3).some((word) => /^(?:old|alt)$/.test(word));
    return isOld || before.some((word) => /^(?:is|are|was|were|ist|sind|war|waren|aged?|alter)$/.test(word));
  }

  /** "Two weeks before", "every five years": when something happens, not how long it takes, as "takes two weeks after". */
  function isDistance(at: number): boolean {
    const before = words.slice(Math.max(0, at - 2), at);
    const isTaken = words.slice(Math.max(0, at - maxWordsToSpan), at).some((word) => lasting.test(word));
    return (
      (!isTaken && goesOn(at) && distance.test(words[at + 1] ?? "")) ||
      before.some((word) => /^(?:every|each|alle|jede[nrsm]?)$/.test(word))
    );
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
    if (
      first === undefined ||
      manner.test(first) ||
      isCalendarWord(first) ||
      ordinal.test(first) ||
      timeOfDay.test(first)
    )
      return false;
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
    // "The largest room holds 24 people" counts people.
    const isAlone = isStopWord(after[0] ?? "a");
    const before = words.slice(Math.max(0, at - maxWordsToCounted), at);
    // "The back room seats 26."
    return isAlone && !measures && (before.some(fits) || isAsked(before.at(-1) ?? ""));
  }
}

function isYear(word: string): boolean {
  return /^(?:1\d|20)\d\d$/.test(word);
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
  /(?<!\p{L})(?:[Bb]y|[Ww]ith|[Aa]sk|[Tt]ell|to|[Cc]ontact|[Ss]ee|[Ff]rom|[Cc]all|[Rr]ing|of|is|are)\s(\p{Lu}\p{Ll}+)/gu;
/** "bei Gerlinde", "an Uwe"; but "bei Krankheit", "von Noten". */
const germanAfterWord =
  /(?<!\p{L})(?:bei|an|von|durch|fragt?|ist|sind)\s(\p{Lu}\p{Ll}+(?<!ung|heit|keit|schaft|ion|tät|en|er|ern|eln))(?!\p{L})/gu;
/** "Priya keeps the rota"; but "Small patients may choose". */
const beforeVerb = new RegExp(`(?<!\\p{L})(\\p{Lu}\\p{Ll}*[\\p{Ll}--s])\\s${anyOf(wordsOf("named", "doings"))}`, "gv");
/** "in Harcourt Road". */
const placeName = /(?<!\p{L})(?:[Ii]n|[Aa]t|[Oo]n|[Nn]ear|[Ii]m|[Aa]m)\s$/u;
const street = oneOf(wordsOf("named", "streets"));
const role = new RegExp(anyOf(wordsOf("named", "roles")), "giu");

/** Names can't be told for sure; German writes every noun like one, so there only two in a row or a title count. */
function namesPerson(sentence: string, isAsked: (word: string) => boolean): boolean {
  const said = folded(withoutOtherDoers(sentence, isAsked));
  const isRole = ({ 0: found, index }: RegExpExecArray) => {
    const [own = "", next = ""] = readWords(said.slice(index)).map(({ word }) => word);
    return !isAsked(found) && !isAsked(own) && !isAsked(next);
  };
  return [...said.matchAll(role)].some(isRole) || hasName(sentence, isAsked);
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
  if (isGerman(sentence)) return [...sentence.matchAll(germanAfterWord)].some(([, name = ""]) => isName(name));
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
  // "Gas wechselt nur Jan".
  const bare = /(?<!\p{L})(\p{Ll}{2,30}(?:t|en))\s(?:\p{Ll}{3,20}\s)?(\p{Lu}\p{L}{2,30})(?=[.,;]|$)/gu;
  const isInverted = [...sentence.matchAll(inverted), ...sentence.matchAll(bare)].some(
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
