/**
 * Decides whether one section answers a question. It covers the words that carry the question, has its numbers and
 * names, and names what is asked for (who, when, how much) near one of its words. Pure.
 */
import { anyOf, oneOf, wordsOf } from "../../../core/languages/languages.ts";
import { type Asked, tellsKind } from "./kind-asked.ts";
import { hasOtherName, names, namesDate } from "./names-kind.ts";
import { isHeadNoun, type Search, type Term } from "./question.ts";
import { isStopWord, isWeakWord } from "./stop-words.ts";
import { likenessIn, likenessOf, vocabularyOf } from "./vocabulary.ts";
import { isNumber, joined, likeness, readWords, tellingWords } from "./words.ts";

export type Section = {
  readonly heading: string;
  /** Headings above it, the page's title, and the knowledge base's name. */
  readonly above: string;
  /** The knowledge base's name. */
  readonly base?: string;
  /** Without its heading. */
  readonly text: string;
  /** The conversation is about its page already, so that one word is enough. */
  readonly isExpected?: boolean;
};

export type Coverage = {
  readonly answers: boolean;
  /** 0 to 1: how much of the question it has. */
  readonly share: number;
  /** It has the question's numbers and names, and something of the kind that is asked for, whatever its words are. */
  readonly mayAnswer: boolean;
};

/** "It closes at six", "Ask for Ann". */
const pointsBack = new RegExp(`^\\W*${anyOf(wordsOf("named", "pointsBack"))}`, "iu");
/** It begins with what it is about: "The test takes 40 minutes". */
const hasSubject = /^\W*(?:the|our|an?|each|every|der|die|das|eine?|jede[rs]?|unsere?)\s/iu;
/** It stands for what the sentence before begins with. */
const pronoun = new RegExp(`^\\W*${anyOf(wordsOf("named", "pronouns"))}`, "iu");
const whoIs = /^\W*(?:who(?:['’]s| is| are| was)|wer (?:ist|sind|war))\b/i;
const asksMost =
  /^\W*(?:(?:in|at|on|an) )?(?:who|which|what|when|wer|welche[rnsm]?|wann)(?!\p{L}).{0,60}(?<!\p{L}|at |am )(?:most|fewest|least|meisten|wenigsten)(?!\p{L})/iu;
const saysMost =
  /(?<!\p{L}|at )(?:most|fewest|least|more|less|meisten?|wenigsten?|mehr|\p{L}{3,}est|\p{L}{3,}ste[nrs]?)(?!\p{L})/iu;
const whatIs = /^\W*(?:what(?:['’]s| is| are)|was (?:ist|sind))\b/i;
const asksLeave =
  /^\W*(?:(?:may|can) (?:i|we|you|people|guests|members)|(?:am i|are we|is it|is|are) [^.,;:!?]{0,60}allowed|darf|d[üu]rfen|kann (?:ich|man)|(?:ist|sind) [^.,;:!?]{0,60}(?:erlaubt|verboten))(?!\p{L})/iu;
const rules = new RegExp(anyOf(wordsOf("named", "rules")), "iu");
/** "It has eight evenings, and costs £85." */
const sameSubject = new RegExp(`(?<!\\p{L})(?:and|und)\\s${anyOf(wordsOf("named", "verbs"))}`, "iu");
const hasVerb = new RegExp(anyOf(wordsOf("named", "verbs")), "iu");
const isDay = oneOf(wordsOf("named", "days"));
/** The rest may be words of politeness that no list knows. */
const minShare = 0.75;
/** Where the rarest word is in the heading alone, the text has to carry this much of the question itself. */
const minTextShare = 0.35;
/** A follow-up's own words are covered; of what it borrows, one word has usually been replaced by them. */
const minBorrowedShare = 0.3;
/** A title says where a section belongs, not what it says. */
const aboveShare = 0.7;
/** "Where do I return it?", where the section says "bring it back". */
const verbShare = 0.5;
/**
 * "I'm often stuck in traffic, what does late collection cost?" A logistic regression over the questions of ten worlds
 * gave back half of what such words lack; of 1, 0.7, 0.5, 0.3 and 0, this answered most without more wrong answers.
 */
const asideShare = 0.3;
/** A word that many passages have, as the columns of a table do, still is a part of the question. */
const commonShare = 0.4;
/** Of a compound, its first part: what it says more isn't in a heading that has only that. */
const partShare = 0.5;
/** A heading with so little text below it says nothing, however well it fits. */
const minTextWords = 2;

export function coverageOf(
  { terms, asked, isExistence, text, before }: Search,
  values: ReadonlyMap<string, number>,
  section: Section,
): Coverage {
  const places = {
    text: vocabularyOf(joined(section.text)),
    heading: vocabularyOf(joined(section.heading)),
    above: vocabularyOf(joined(section.above)),
    base: vocabularyOf(section.base ?? ""),
  };
  const sums = { own: 0, text: 0, found: 0, borrowed: 0, borrowedFound: 0 };
  const most = Math.max(0, ...terms.filter(({ weight }) => weight >= 1).map(({ word }) => values.get(word) ?? 0));
  const isCountedWord = ({ word }: Term) => asked?.counted?.includes(word) === true;
  const hasStrong = terms.some((term) => term.weight >= 1 && !isWeakWord(term.word) && !isCountedWord(term));
  let rarest:
    | { readonly term: Term; readonly value: number; readonly inText: boolean; readonly inHeading: boolean }
    | undefined;
  let isAbout = true;
  let hasRequired = true;
  let ownWords = 0;
  // "What breed are Bracken and Tove?" asks for nothing else.
  const isKindAll = terms.every((term) => term.kindShare < 1 || term.isRequired);
  for (const term of terms) {
    const isWeak = isWeakWord(term.word);
    const least = isWeak ? 0 : most * commonShare * term.weight;
    const inText = likenessIn(places.text, term);
    const inHeading = likenessIn(places.heading, term);
    const inAbove = likenessIn(places.above, term);
    const anywhere = Math.max(inText, inHeading, inAbove * aboveShare);
    const shareOfKind = isKindAll ? 1 : term.kindShare;
    const missingShare = Math.min(term.isAside ? asideShare : 1, term.isVerb ? verbShare : 1, shareOfKind);
    const value = Math.max(values.get(term.word) ?? 0, least) * (anywhere === 0 ? missingShare : shareOfKind);
    if (term.weight < 1) {
      sums.borrowed += value;
      sums.borrowedFound += value * anywhere;
      continue;
    }
    // "May I wear a ring?": the rule says it in its own words.
    if (isWeak && anywhere === 0 && asksLeave.test(text)) continue;
    sums.own += value;
    sums.text += value * inText;
    sums.found += value * anywhere;
    if (term.isRequired && !term.isAside && anywhere === 0) hasRequired = false;
    // What is counted is next to its number, which names() looks for.
    if (hasStrong && (isWeak || isCountedWord(term))) continue;
    ownWords += 1;
    // "When is the museum open?": its pages are about the museum, and hardly say so. Who built it isn't said by the way.
    const isSubject = asked?.kind !== "person" && likenessIn(places.base, term) === 1;
    const rarity = isSubject && inText === 0 && inHeading === 0 ? 0 : value;
    if (rarest === undefined || rarity > rarest.value) {
      rarest = { term, value: rarity, inText: inText > 0, inHeading: inHeading > 0 };
    }
    if (Math.max(inHeading, inAbove) === 0) isAbout = false;
  }
  const share = sums.own === 0 ? 0 : sums.found / sums.own;
  const headingWords = tellingWords(joined(section.heading));
  const wholeHeading = headingWords.every(
    ({ word }) => tellsKind(asked, word) || terms.some((term) => likenessOf(term, word) > 0),
  );
  const says = places.text.words.length >= minTextWords;
  const isGrounded =
    rarest?.inText === true ||
    sums.text >= sums.own * minShare ||
    (rarest?.inHeading === true && (sums.text >= sums.own * minTextShare || (wholeHeading && share === 1))) ||
    (isAbout && rarest?.inHeading === true && (wholeHeading || ownWords > 1 || isNumber(rarest.term.word)));
  const codes = codesIn(text);
  const isBorrowedThere = sums.borrowed === 0 || sums.borrowedFound >= sums.borrowed * minBorrowedShare;
  // Many sections about something else have one of its words; only a kind of thing beside it tells more.
  const isTold =
    ownWords > 1 ||
    section.isExpected === true ||
    sums.borrowed > 0 ||
    // "What's for lunch tomorrow?" asks for more than about lunch.
    (rarest?.inHeading === true && !terms.some(({ word }) => isDay.test(word))) ||
    // Much has a reason, or a word that begins one.
    (asked !== undefined && asked.kind !== "reason") ||
    isExistence ||
    // "May I wear nail varnish?"
    (asksLeave.test(text) && rarest?.inText === true && isRuled(section.text, rarest.term)) ||
    // "What does E1042 mean?"
    (rarest?.inText === true && /\d/.test(rarest.term.word) && /\p{L}/u.test(rarest.term.word)) ||
    codes.some((code) => section.text.toLowerCase().includes(code)) ||
    // "What is Leafline?"
    (whatIs.test(text) && terms.length === 1 && rarest !== undefined && isDefined(section.text, rarest.term.word));
  const namesInText = terms.filter(
    (term) => term.weight >= 1 && term.isRequired && !isNumber(term.word) && likenessIn(places.text, term) > 0,
  );
  const telling = terms.filter(
    (term) =>
      !namesInText.includes(term) &&
      term.weight >= 1 &&
      !(isWeakWord(term.word) || isCountedWord(term)) &&
      likenessIn(places.text, term) > 0 &&
      likenessIn(places.heading, term) <= partShare,
  );
  const rarityOf = ({ word }: Term) => values.get(word) ?? 0;
  const mostTelling = Math.max(...telling.map(rarityOf));
  /** The rarest ones that no heading has. */
  const keys = telling.filter((term) => rarityOf(term) === mostTelling);
  const hasKey = (part: string) => {
    const said = vocabularyOf(joined(part));
    return keys.some((term) => likenessIn(said, term) > 0);
  };
  const whole = `${section.heading}\n${section.text}`;
  hasRequired &&= codes.every((code) => whole.toLowerCase().includes(code));
  const covers = isTold && share >= minShare && hasRequired && says && isGrounded && isBorrowedThere;
  const borrowedShare = sums.borrowed === 0 ? 0 : sums.borrowedFound / sums.borrowed;
  return {
    answers: covers && namesWhatIsAsked(),
    share: sums.borrowed === 0 ? share : (2 * share + borrowedShare) / 3,
    mayAnswer: hasRequired && namesTheKind(),
  };

  /** What is counted may have another name there. */
  function namesTheKind(): boolean {
    if (asked === undefined) return true;
    const kind: Asked = { kind: asked.kind, words: asked.words };
    return [section.heading, ...sentencesOf(section.text)].some((sentence) => names(kind, sentence, isAsked));
  }

  /** Not about another person than the question names. */
  function isOf(sentence: string): boolean {
    if (namesInText.length === 0) return true;
    const said = vocabularyOf(joined(sentence));
    return namesInText.some((term) => likenessIn(said, term) > 0) || !hasOtherName(sentence, isAsked);
  }

  /** "The hut is free, the tent is 5 euros, and the boat is on request": a part about the boat, and the price in another. */
  function saysOtherwise(kind: Asked, sentence: string): boolean {
    const about = [...keys, ...namesInText];
    const parts = clausesOf(sentence);
    const isAbout = (part: string) => about.some((term) => likenessIn(vocabularyOf(joined(part)), term) > 0);
    const ofIt = parts.length > 1 ? parts.filter(isAbout) : [];
    const tells = (part: string) => names(kind, part, isAsked);
    const isOfOther = parts.some(
      (part) =>
        hasVerb.test(part) &&
        !sameSubject.test(part) &&
        tells(part) &&
        !readWords(part).some(({ word }) => isAsked(word)),
    );
    return isOfOther && ofIt.length > 0 && ofIt.every((part) => hasVerb.test(part) && !tells(part));
  }

  function isAsked(word: string): boolean {
    return terms.some((term) => likeness(term.word, word) > 0);
  }

  function namesWhatIsAsked(): boolean {
    // "Who had the most visitors?": a section that compares nothing doesn't say.
    if (asksMost.test(text) && !saysMost.test(section.text)) return false;
    // Of two people in a section, what is said of the one isn't said of the other.
    if (asked === undefined)
      return (
        isIdentified(text, section) &&
        (keys.length === 0 ||
          namesInText.length === 0 ||
          clausesOf(section.text).some((clause) => hasKey(clause) && isOf(clause)))
      );
    const isUnder = terms.some((term) => likenessIn(places.heading, term) > 0);
    const isDated = (asked.kind === "time" || asked.kind === "date") && namesDate(section.heading);
    if (isDated) return true;
    const sentences = sentencesOf(section.text);
    // "Who is the head teacher?": not the deputy head, who helps if the class teacher doesn't.
    const isWhoIs = asked.kind === "person" && (whoIs.test(text) || asked.asksForName === true);
    const strong = terms.filter((term) => term.weight >= 1 && !isWeakWord(term.word));
    // "The team pays the fee", where the heading and the sentences before say what for.
    const besides = terms.filter(
      (term) =>
        !keys.includes(term) &&
        term.weight >= 1 &&
        likenessIn(places.heading, term) === 0 &&
        likenessIn(places.text, term) > 0,
    );
    const saysOther = (sentence: string) =>
      isUnder && besides.some((term) => likenessIn(vocabularyOf(joined(sentence)), term) === 1);
    const said = (sentence: string) => (asked.asksForName === true ? sentence.split(/\s(?:and|und)\s/) : [sentence]);
    const inSentence = strong.filter((term) => likenessIn(places.heading, term) === 0);
    const isUnderAll = inSentence.length === 0;
    return sentences.some((sentence, at) => {
      if (!names(asked, sentence, isAsked) || !isOf(sentence) || saysOtherwise(asked, sentence)) return false;
      // What the next sentence names is another thing's, unless that sentence points back or has the subject again:
      // "The box is emptied on Friday" after what the yellow box is for.
      const goesOn =
        asked.kind !== "place" &&
        asked.kind !== "person" &&
        strong.some((term) => likenessIn(vocabularyOf(joined(sentence)), term) > 0);
      // "Allow two weeks": how long one may is often told in a sentence of its own, where no heading says what for
      // or the next sentence is about it.
      const goesBefore = hasKey(sentences[at + 1] ?? "");
      const isOwnSentence =
        asked.kind === "duration" && (!isUnder || goesBefore) && asked.words.size === 1 && !hasSubject.test(sentence);
      const isAlone =
        !goesOn &&
        !isOwnSentence &&
        !pointsBack.test(sentence) &&
        !/(?<!\p{L})(?:both|beides|beide)(?!\p{L})/iu.test(sentence);
      const next = isUnder ? (sentences[at + 1] ?? "") : "";
      const isTogether = (part: string) => areClose(inSentence, part) && names(asked, part, isAsked);
      if (isWhoIs && !isUnderAll && !said(sentence).some(isTogether)) return false;
      const previous = sentences[at - 1] ?? "";
      const around = pronoun.test(sentence) ? [beginningOf(previous), sentence] : [previous, sentence, next];
      const near = isAlone ? sentence : around.join(" ");
      // What the section is about needs no word in each sentence; what only one sentence is about does.
      const saysWhether =
        asked.asksWhether === true && isUnder && readWords(sentence).some(({ word }) => asked.words.has(word));
      if (before.length === 0 && keys.length > 0 && !hasKey(near) && !saysOther(sentence) && !saysWhether) return false;
      // In a section about the event queue, not everything is said of an event.
      return (
        (isUnder && (wholeHeading || keys.length > 0 || !/^(?:duration|amount)$/.test(asked.kind))) ||
        readWords(joined(near)).some(({ word }) => isAsked(word))
      );
    });
  }
}

/** What has to be there as it was written: "`make test`", "NOT_FOUND". In lower case. */
function codesIn(text: string): readonly string[] {
  const found = text.matchAll(/`([^`\n]{1,60})`|(?<![\p{L}\d_])[\p{L}\d]{1,60}(?:_[\p{L}\d]{1,60})+/gu);
  return Array.from(found, ([all, quoted]) => (quoted ?? all).toLowerCase());
}

function isRuled(text: string, term: Term): boolean {
  return sentencesOf(text).some(
    (sentence) => rules.test(sentence) && likenessIn(vocabularyOf(joined(sentence)), term) > 0,
  );
}

const maxSubjectWords = 6;

/** The words among which the subject is. */
function beginningOf(sentence: string): string {
  return sentence.split(/\s+/).slice(0, maxSubjectWords).join(" ");
}

const whichThing =
  /^\W*(?:which|what) ((?:\p{Ll}{1,30} )?\p{Ll}{2,30}) (?:do|does|did|is|are|was|were|should|must|can|may|has|have)(?!\p{L})/iu;

/** "Which provider do we use?" wants one that is told apart: by a name, a number or a word before it. */
function isIdentified(question: string, { heading, text }: Section): boolean {
  const phrase = whichThing.exec(question)?.[1];
  const thing = phrase === undefined ? undefined : readWords(phrase).at(-1)?.word;
  if (phrase === undefined || thing === undefined) return true;
  const asked = new Set(readWords(phrase).map(({ word }) => word));
  const isThing = (word: string) => likeness(thing, word) === 1;
  if (readWords(heading).some(({ word }) => isThing(word))) return true;
  const words = readWords(text);
  // "Which Rust version?": "you need Rust 1.82".
  const isOf = (word: string) => !isThing(word) && [...asked].some((one) => likeness(one, word) === 1);
  const things = words.flatMap((one, at) => (isThing(one.word) ? [at] : []));
  const named =
    things.length > 0 || !isHeadNoun(thing) ? things : words.flatMap((one, at) => (isOf(one.word) ? [at] : []));
  return (
    named.length === 0 ||
    named.some((at) => {
      const before = words[at - 1]?.word ?? "the";
      const end = (words[at]?.at ?? 0) + (words[at]?.written.length ?? 0);
      return (
        (things.length > 0 && !(isStopWord(before) || asked.has(before))) ||
        /^(?:[,:]| called| named| of| von)? ?(?:["“`(€$£]|[\p{Lu}\d])/u.test(text.slice(end, end + 12))
      );
    })
  );
}

/** "The app is called Leafline", "Leafline is the app", "Leafline: an app". */
function isDefined(text: string, word: string): boolean {
  const words = readWords(text);
  return words.some((one, at) => {
    if (one.word !== word) return false;
    const before = words[at - 1]?.word ?? "";
    const after = words[at + 1]?.word ?? "";
    const end = text.slice(one.at + one.written.length).trimStart();
    return (
      /^(?:called|named|heisst|namens|genannt)$/.test(before) ||
      /^(?:is|are|means|ist|sind|bedeutet)$/.test(after) ||
      /^[:(–-]/.test(end)
    );
  });
}

/** Words between those of a role: "the on-call engineer of this quarter". */
const maxBetween = 3;

/** Whether a part of the sentence that is hardly longer than they are has all the terms. */
function areClose(terms: readonly Term[], sentence: string): boolean {
  const words = readWords(joined(sentence)).map(({ word }) => word);
  const size = terms.length + maxBetween;
  return words.some((_, from) => {
    const part = vocabularyOf(words.slice(from, from + size).join(" "));
    return terms.every((term) => likenessIn(part, term) > 0);
  });
}

/** Parts of sentences: "Ann leads the juniors, Bob the seniors". */
function clausesOf(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) => sentence.split(/[,;:]\s/));
}

const ordinalDate =
  /(?<![\d:.,])(\d{1,2})\. (?=(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L}))/gu;

/** Also list items and rows of tables. */
function sentencesOf(text: string): readonly string[] {
  // "15. November" is one date.
  return text
    .replace(ordinalDate, "$1 ")
    .split(
      /(?<=[.!?])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|Nr|No|ca|bzw|Tel)\.)\s+|\n\s*\n|\n(?=[ \t]*(?:[-*+|]|\d{1,3}[.)]))/u,
    );
}
