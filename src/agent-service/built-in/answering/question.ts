/**
 * Reads what a question asks for. These are the words that carry it, what an answer must have, and the subject that a follow-up
 * such as "and on Sundays?" borrows from the last question that was answered.
 */
import { anyOf, meaningsOf, oneOf, wordsOf } from "../../../core/languages/languages.ts";
import { irregularForms, isIrregular } from "../../../core/text/stems.ts";
import { type Asked, kindAsked } from "./kind-asked.ts";
import { isRefusal } from "./refusals.ts";
import { isStopWord } from "./stop-words.ts";
import {
  folded,
  isCalendarWord,
  isNumber,
  joined,
  maxReadChars,
  readWords,
  stemsOf,
  tellingWords,
  type Word,
} from "./words.ts";

export type Term = {
  readonly word: string;
  /** As FTS5 takes them: the index knows the beginnings of words, not their stems in every language. */
  readonly forms: readonly string[];
  /** Synonyms in questions about software. */
  readonly alternatives: readonly string[];
  /** Below 1 for borrowed words. */
  readonly weight: number;
  /** A number, a month, a weekday or a name: an answer without it is about something else. */
  readonly isRequired: boolean;
  /** "which command", "which Android version": how much of it counts, as an answer may give the thing without its kind. */
  readonly kindShare: number;
  /** What is done: a section may say it in another word. */
  readonly isVerb: boolean;
  /** In a part that asks nothing: "I'm often late, …". */
  readonly isAside: boolean;
};

export type Search = {
  readonly terms: readonly Term[];
  readonly asked: Asked | undefined;
  /** The text that stands before the question itself. */
  readonly context: string;
  /** "tell me more": asks to continue, without any word to search for. */
  readonly asksForMore: boolean;
  /** The question itself, without context, as far as it is read. */
  readonly text: string;
  /** "Is there a lift?": a section that has the word answers. */
  readonly isExistence: boolean;
  /** Of a follow-up, the questions that it refers to, oldest first. */
  readonly before: readonly string[];
};

export type Exchange = { readonly question: string; readonly answer: string };

/** Most words of a question, and of those it borrows from, that are searched: the first ones. */
const maxOwnTerms = 16;
const maxBorrowedTerms = 8;
/** A question with more words of its own isn't a follow-up, unless it begins like one. */
const maxFollowUpTerms = 1;
const maxFollowUpTermsWithPronoun = 2;
/** What clients put between the context of a question and the question itself. */
const questionMark = "\n\nQuestion:\n";
/** Of the words that a follow-up borrows: of the question that began, and of follow-ups since. */
const borrowedWeight = 0.4;
const ownName = "parley";
/** More words are a story, of which only the sentences that ask are read. */
const maxQuestionWords = 25;
/** Each section is compared with it anew. Only its first words are searched anyhow. */
const maxAskedChars = 2_000;

const alike = meaningsOf("asked", "synonyms").map(([first, others]) => [first, ...others]);

const startsAsFollowUp = new RegExp(`^\\W*${anyOf(wordsOf("followUp", "begins"))}`, "iu");
const pointsBack = new RegExp(anyOf(wordsOf("followUp", "pointsBack")), "iu");
const existence = /^\W*(?:is there|are there|do (?:you|we|they) have|gibt es|gibt's|habt ihr|haben (?:wir|sie))\b/i;
/** No document knows. */
const asksForClock =
  /^\W*(?:what time is it|what(?:['’]s| is) the (?:time|date)|what day is it|wie sp[äa]t ist es|wie ?viel uhr ist es|welcher tag ist heute)(?: now| today| jetzt| denn)?(?: in [\p{L} ]{2,30})?\W*$/iu;
const moreWords = new RegExp(anyOf(wordsOf("followUp", "more")), "iu");

/**
 * Words to find, as typed: nothing is asked of them, and words that say little count where there are no others. Those of
 * a context count less.
 */
export function readWordsToFind(typed: string): Search {
  const { own, context } = splitQuestion(typed);
  const text = joined(own.slice(0, maxReadChars));
  const telling = tellingWords(text);
  const words = telling.length > 0 ? telling : readWords(text);
  const terms = new Map(words.slice(0, maxOwnTerms).map((word) => [word.word, termOf(word, text, 1)]));
  for (const word of tellingWords(context.slice(0, maxReadChars)).slice(0, maxOwnTerms)) {
    if (!terms.has(word.word)) terms.set(word.word, termOf(word, context, borrowedWeight));
  }
  return {
    terms: [...terms.values()],
    asked: undefined,
    context: "",
    asksForMore: false,
    isExistence: false,
    text,
    before: [],
  };
}

/** `messages`: oldest first, the last one is the question. */
export function readQuestion(messages: readonly Exchange[]): Search {
  const { own, context } = splitQuestion(messages.at(-1)?.question ?? "");
  const text = askingPart(joined(own.slice(0, maxReadChars)));
  const asked = kindAsked(text);
  const borrowed = subjectOf(messages.slice(0, -1));
  // "On which days?", "does it cost anything?": only asks for a kind of what was asked about before.
  const isOnlyKind =
    borrowed.words.length > 0 && tellingWords(text).every(({ word }) => asked?.words.has(word) === true);
  const words = asksForClock.test(text) || isOnlyKind ? [] : ownWords(text, asked);
  const aside = wordsAside(text);
  const terms = new Map(
    words.slice(0, maxOwnTerms).map((word) => [word.word, { ...termOf(word, text, 1), isAside: aside.has(word.word) }]),
  );
  const isExistence = existence.test(text);
  const asksForMore = words.length === 0 && moreWords.test(own);
  if (asksForMore) {
    const last = splitQuestion(messages.at(-2)?.question ?? "").own;
    for (const word of tellingWords(last).slice(0, maxOwnTerms)) terms.set(word.word, termOf(word, last, 1));
    return { terms: [...terms.values()], asked: undefined, context, asksForMore, isExistence, text, before: [] };
  }
  const isShort = words.length <= (pointsBack.test(text) ? maxFollowUpTermsWithPronoun : maxFollowUpTerms);
  if (!startsAsFollowUp.test(text) && !isShort)
    return { terms: [...terms.values()], asked, context, asksForMore, isExistence, text, before: [] };
  const isOwnQuestion = asksItself(text);
  // "How long does it take?" has no word of its own.
  const weight = words.length === 0 && (asked !== undefined || isOwnQuestion) ? 1 : borrowedWeight;
  for (const [word, from] of borrowed.words) {
    if (!terms.has(word.word)) terms.set(word.word, { ...termOf(word, from, weight), isRequired: false });
  }
  return {
    terms: [...terms.values()],
    asked: asked ?? (isOwnQuestion ? undefined : borrowed.asked),
    context,
    asksForMore,
    isExistence,
    text,
    before: borrowed.questions,
  };
}

/** The same question with nothing borrowed. */
export function ownSearch(search: Search): Search {
  return {
    ...search,
    terms: search.terms.filter(({ weight }) => weight >= 1),
    asked: kindAsked(search.text),
    before: [],
  };
}

type Subject = {
  readonly words: readonly (readonly [Word, string])[];
  readonly asked: Asked | undefined;
  readonly questions: readonly string[];
};

/** Of the last question that was answered, and of those before it that it refers to. */
function subjectOf(earlier: readonly Exchange[]): Subject {
  const words: (readonly [Word, string])[] = [];
  const questions: string[] = [];
  let asked: Asked | undefined;
  for (const { question, answer } of earlier.toReversed()) {
    if (answer.trim() === "" || isRefusal(answer)) continue;
    const { own } = splitQuestion(question);
    const text = askingPart(joined(own.slice(0, maxReadChars)));
    asked ??= kindAsked(text);
    questions.unshift(text);
    const telling = ownWords(text, kindAsked(text));
    words.push(...telling.map((word): readonly [Word, string] => [word, text]));
    const isFollowUp = startsAsFollowUp.test(text) || telling.length <= maxFollowUpTerms;
    if (!isFollowUp || words.length >= maxBorrowedTerms) break;
  }
  return { words: words.slice(0, maxBorrowedTerms), asked, questions };
}

/** Words that only ask for an amount or a time aren't what it is about, unless nothing else is left. */
function ownWords(text: string, asked: Asked | undefined): readonly Word[] {
  const words = tellingWords(text);
  // Who is spoken to isn't what it is about, unless nothing else is.
  const others = words.filter(({ word }) => asked?.words.has(word) !== true && word !== ownName);
  return others.length === 0 ? words : others;
}

function termOf({ word, written, at }: Word, text: string, weight: number): Term {
  const meaningAlike = alike.filter((group) => group.includes(word)).flat();
  return {
    word,
    weight,
    forms: formsOf(word, written),
    alternatives: [...new Set(meaningAlike)].filter((other) => other !== word),
    isRequired: isNumber(word) || isCalendarWord(word) || isName(written, at, text) || isAttribute(word, text),
    kindShare: kindShareOf(text, at, written),
    isVerb: isVerb(at, written, text),
    isAside: false,
  };
}

/** Ends a part that can ask for itself. */
const partEnd = new RegExp(
  `(?<=[,;:.!?\\n])\\s+|\\s[-–—]\\s|\\s(?:and|und)\\s(?=${anyOf(wordsOf("questions", "words"))})`,
  "iu",
);

/** The words that stand only in parts of the text that ask nothing, beside others that do. */
function wordsAside(text: string): ReadonlySet<string> {
  const parts = text.split(partEnd);
  const asking = parts.filter(asks);
  if (asking.length === 0 || asking.length === parts.length) return new Set();
  const wordsIn = (those: readonly string[]) => new Set(those.flatMap(readWords).map(({ word }) => word));
  return wordsIn(parts).difference(wordsIn(asking));
}

/** "And by when do I pay": one small word may stand before the one that asks. */
function asks(part: string): boolean {
  const words = Array.from(part.slice(0, maxPartChars).matchAll(/[\p{L}\p{M}]+/gu), ([word]) => folded(word));
  const [first = "", second = ""] = words.filter((word) => !openers.has(word));
  // "Was" of an English sentence asks nothing.
  return firstWords.has(first) || (isStopWord(first) && second !== "was" && questionWords.has(second));
}

/** Of a part, its first words are within so many. */
const maxPartChars = 80;

/** Of "which Android version", the second word counts least. */
function kindShareOf(text: string, at: number, written: string): number {
  const before = text.slice(Math.max(0, at - maxKindChars), at);
  if (!/(?:^|[^\p{L}])(?:which|what|welche[rsnm]?)[ \t](?:[\p{L}\p{N}-]{1,20}[ \t])?$/iu.test(before)) return 1;
  const isDirect = /(?:^|[^\p{L}])(?:which|what|welche[rsnm]?)[ \t]$/iu.test(before);
  const next = readWords(text.slice(at + written.length, at + written.length + maxKindChars))[0]?.word ?? "";
  const previous = readWords(before).at(-1)?.word ?? "";
  if (isDirect) return next === "" || isStopWord(next) || !isHeadNoun(next) ? thingShare : 1;
  return !isStopWord(previous) && isHeadNoun(readWords(written)[0]?.word ?? "") ? headShare : 1;
}

const auxiliary =
  /(?:^|[^\p{L}])(?:can|could|may|must|should|shall|do|does|did|will|would)(?:n['’]?t)? (?:i|we|you|they|one|it|he|she|people|some(?:one|body))(?: also| even| still| just)? $/iu;
const pronoun = /^ (?:ich|wir|man|du|ihr|sie)(?!\p{L})/iu;
const modal =
  /(?<!\p{L})(?:kann|k[öo]nnen|darf|d[üu]rfen|muss|m[üu]ssen|soll|sollen|will|wollen|m[öo]chte|zu)(?!\p{L})/iu;
const passive = /(?<!\p{L})(?:is|are|was|were|be|get|gets) /iu;

/** "Can I return it?", "wo hole ich es?", "darf man es speichern?", "where is it held?" */
function isVerb(at: number, written: string, text: string): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at + written.length)];
  if (auxiliary.test(before) || pronoun.test(after)) return true;
  if (!/^\p{Ll}/u.test(written) || !/^\s*(?:[.,;:?!]|$|\s(?:and|und|or|oder)\s)/u.test(after)) return false;
  const clause = before.slice(Math.max(...[",", ";", ":", ".", "?", "!"].map((mark) => before.lastIndexOf(mark))) + 1);
  return /(?:en|ern|eln)$/u.test(written)
    ? modal.test(clause)
    : (written.endsWith("ed") || isIrregular(written)) && passive.test(clause);
}

const attributes = oneOf(wordsOf("asked", "attributes"));

/** "Which floor is the desk on?": a section without the word doesn't say. */
function isAttribute(word: string, text: string): boolean {
  const [, first, second] = readWords(text).map((one) => one.word);
  return (
    /^\W*(?:on |in |at |von )?(?:which|what|welche[rsnm]?)(?!\p{L})/iu.test(text) &&
    (first === word || second === word) &&
    attributes.test(word)
  );
}

const headNouns = oneOf(wordsOf("asked", "headNouns"));

/** Kinds of things that are named by a word before them. */
export function isHeadNoun(word: string): boolean {
  return headNouns.test(word);
}

const thingShare = 0.5;
const headShare = 0.33;
/** "which " and a word. */
const maxKindChars = 30;
/** A stem shorter than this begins too many words. */
const minPrefixChars = 4;

function formsOf(word: string, written: string): readonly string[] {
  const quoted = (text: string) => `"${text.replaceAll('"', "")}"`;
  const forms = [quoted(written), ...(isCalendarWord(word) ? calendarForms(word) : [quoted(word)])];
  if (isNumber(word) || isCalendarWord(word)) return [...new Set(forms)];
  // "adding" is "ad" in the index, "add" is "add".
  if (/([bdgmnprt])\1$/.test(word)) forms.push(quoted(word.slice(0, -1)));
  const stems = stemsOf(word);
  forms.push(...irregularForms(stems).map(quoted));
  for (const stem of stems) {
    if (stem.length < minPrefixChars) continue;
    forms.push(`${quoted(stem)}*`);
    if (word.endsWith("en")) forms.push(`${quoted(`ge${stem}`)}*`);
  }
  return [...new Set(forms)];
}

const monthBeginnings = meaningsOf("calendar", "monthBeginnings");
const weekdayBeginnings = meaningsOf("calendar", "weekdayBeginnings");

function calendarForms(word: string): readonly string[] {
  const beginnings = word.startsWith("m:") ? monthBeginnings : weekdayBeginnings;
  return beginnings
    .filter(([number]) => number === word.slice(2))
    .flatMap(([, forms]) => forms.map((form) => `"${form}"*`));
}

/**
 * English writes names with a capital. At the beginning of a sentence every word has one, and in German every noun: where
 * most words that say something have one, it tells nothing.
 */
function isName(written: string, at: number, text: string): boolean {
  if (!/^\p{Lu}/u.test(written) || /(?:^|[.!?:\n"“(–-])\s{0,2}$/u.test(text.slice(Math.max(0, at - 3), at)))
    return false;
  if (/(?:^|[^\p{L}])(?:herrn?|frau|mrs?|ms|dr)\.?[ \t]$/iu.test(text.slice(Math.max(0, at - 6), at))) return true;
  const words = tellingWords(text);
  // Two in a row are a name in German too.
  const after = text.slice(at + written.length, at + written.length + maxNameChars);
  const isPair =
    /^ \p{Lu}\p{Ll}/u.test(after) ||
    /(?<!\p{L})\p{Lu}\p{Ll}{1,20} $/u.test(text.slice(Math.max(1, at - maxNameChars), at));
  if (isGerman.test(text)) return isPair && /^\p{Lu}\p{Ll}+$/u.test(written);
  return words.filter((word) => /^\p{Lu}/u.test(word.written)).length * 2 <= words.length + 1;
}

const maxNameChars = 24;
const isGerman = new RegExp(anyOf(wordsOf("common", "signs")), "iu");

const questionWords = new Set(wordsOf("questions", "words").map(folded));
const firstWords = new Set(wordsOf("questions", "firstWords").map(folded));
const asksAbout = new RegExp(anyOf(wordsOf("followUp", "begins").filter((begin) => begin.includes(" "))), "iu");

/** "And can I pause it?" asks for no price, although the question before did; "and what about Sundays?" does. */
function asksItself(text: string): boolean {
  const first = readWords(text).find(({ word }) => !polite.has(word))?.word ?? "";
  return firstWords.has(first) && !asksAbout.test(text);
}

const openers = new Set(wordsOf("questions", "openers").map(folded));

/** Words of a greeting, of thanks, and of what people say before they ask. */
const polite = new Set(
  [...wordsOf("questions", "openers"), ...wordsOf("remarks", "thanks").flatMap((said) => said.split(" "))].map(folded),
);

const excuse = /^\W*(?:sorry|excuse|entschuldig|verzeih)/iu;
/** "LG Tom", after the question. */
const maxWordsOfEnd = 3;

/** "Hi all, quick question:" and "Thanks in advance!" say nothing of what is asked. */
function withoutManners(text: string): string {
  const parts = text.split(/(?<=[.!?,;:\n])\s+|\s[-–—]\s/u);
  const last = parts.findLastIndex((part) => part.includes("?"));
  const saying = parts.filter((part, at) => {
    if (part.includes("?")) return true;
    const words = readWords(part);
    if (excuse.test(part) || (last >= 0 && at > last && words.length <= maxWordsOfEnd)) return false;
    return words.some(({ word }) => !isStopWord(word) && !polite.has(word));
  });
  return saying.length === 0 ? text : saying.join(" ");
}

/** Of a longer message, the sentences that ask. */
function askingPart(said: string): string {
  const text = withoutManners(said);
  const sentences = text.split(/(?<=[.!?\n])\s+/u);
  const asking = sentences.filter((sentence) => sentence.includes("?") && tellingWords(sentence).length > 1);
  if (asking.length === 0 || readWords(text).length <= maxQuestionWords) return text.slice(0, maxAskedChars);
  return asking.join(" ").slice(0, maxAskedChars);
}

/**
 * One text that, searched for alone, finds what the last question means in its conversation: the words of earlier
 * questions that it refers to stand before it, as context.
 */
export function searchText(messages: readonly Exchange[]): string {
  const { terms, text } = readQuestion(messages);
  const own = new Set(tellingWords(text).map(({ word }) => word));
  const borrowed = terms.filter(({ word }) => !own.has(word)).map(({ word }) => word);
  // "Tell me more" has no word of its own.
  if (borrowed.length === 0 || own.size === 0) return [...borrowed, text.trim()].join(" ").trim();
  return `${borrowed.join(" ")}${questionMark}${text.trim()}`;
}

/** Splits a message: clients put a thread's earlier messages before the question itself. */
function splitQuestion(question: string): { own: string; context: string } {
  const marked = question.lastIndexOf(questionMark);
  if (marked < 0) return { own: question, context: "" };
  return { own: question.slice(marked + questionMark.length), context: question.slice(0, marked) };
}
