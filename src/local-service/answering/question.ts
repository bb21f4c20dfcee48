/**
 * Extracts weighted search words from a question and the conversation before it. A follow-up such as "and Discord?" says
 * only what is new, so the words of earlier questions count too, with less weight.
 */
export type Term = {
  readonly word: string;
  /** The word as the index may have it: its stemmer turns "adding" into "ad", but "add" into "add". */
  readonly forms: readonly string[];
  /** Synonyms in questions about software. */
  readonly alternatives: readonly string[];
  /** 1 for the question's own words. */
  readonly weight: number;
};

export type Search = {
  readonly terms: readonly Term[];
  /** The text that stands before the question itself. */
  readonly context: string;
  /** "tell me more": asks to continue, without any word to search for. */
  readonly asksForMore: boolean;
};

export type Exchange = { readonly question: string; readonly answer: string };

/** Most words of a question, and of the text before it, that are searched: the first ones. */
const maxOwnTerms = 16;
const maxContextTerms = 8;
/** A question with more words of its own isn't a follow-up, unless it begins like one. */
const maxFollowUpTerms = 1;
const maxFollowUpTermsWithPronoun = 2;
/** Words beyond are not read. */
const maxReadChars = 20_000;
/** What clients put between the context of a question and the question itself. */
const questionMark = "\n\nQuestion:\n";
/** Weights of the previous question and of the one before it. */
const historyWeights = [0.2, 0.1] as const;
const contextWeight = 0.15;

const stopWords = new Set(
  (
    "a about again all also am an and any anybody anyone anything are as at be because been before being but by can " +
    "cannot could did do does doing done dont else ever every everything explain few find for from further get gets getting give go goes " +
    "going good happen happens put got had has have having hello hey hi how however i if im in into is isnt it its itself just know let " +
    "like long look many may maybe me mean might more most much must my myself need needs no nor not now of off ok okay on " +
    "one only or other our out over please possible same see shall she he should show so some somebody someone " +
    "something still such tell than thank thanks that the their them then there these they thing things this those to " +
    "too us use used using very want was way we well were what whats when where whether which while who whom whose why " +
    "will with without would yes yet you your yours s t re ve ll d m"
  ).split(" "),
);

const alike: readonly (readonly string[])[] = [
  ["create", "make"],
  ["connect", "join", "link", "integrate", "setup"],
  ["install", "setup", "installation"],
  ["settings", "setting", "configure", "configuration", "config", "variables"],
  ["remove", "delete", "forget", "uninstall"],
  ["start", "run", "launch", "begin"],
  ["error", "problem", "wrong", "fail", "failure", "trouble", "broken"],
  ["token", "key", "secret", "credential", "password"],
  ["stop", "cancel", "abort", "end"],
  ["permission", "permissions", "allowed", "role", "roles", "rights"],
  ["add", "ingest", "insert", "upload"],
  ["deploy", "host", "production", "server"],
  ["upgrade", "update"],
  ["keep", "kept", "store", "stored", "retention", "save"],
];

/** `messages`: oldest first, the last one is the question. */
export function readQuestion(messages: readonly Exchange[]): Search {
  const { own, context } = splitQuestion(messages.at(-1)?.question ?? "");
  const words = wordsOf(own).slice(0, maxOwnTerms);
  const terms = new Map<string, Term>();
  add(words, 1);
  const asksForMore = words.length === 0 && /\b(more|continue|go on|elaborate|details?|else|why|further)\b/i.test(own);
  if (words.length > 0 || asksForMore) add(wordsOf(context).slice(0, maxContextTerms), contextWeight);
  const startsAsFollowUp = /^\W*(and|or|but|also|what about|how about|then|so)\b/i.test(own);
  const pointsBack = /\b(it|that|this|there|them|those|these|one)\b/i.test(own);
  const isShort = words.length <= (pointsBack ? maxFollowUpTermsWithPronoun : maxFollowUpTerms);
  if (asksForMore || (words.length > 0 && (startsAsFollowUp || isShort))) {
    const earlier = messages.slice(0, -1).toReversed();
    for (const [index, weight] of historyWeights.entries()) {
      add(
        wordsOf(splitQuestion(earlier[index]?.question ?? "").own).slice(0, maxContextTerms),
        asksForMore ? 1 : weight,
      );
      if (asksForMore) break;
    }
  }
  return { terms: [...terms.values()], context, asksForMore };

  function add(found: readonly string[], weight: number): void {
    for (const word of found) {
      if (terms.has(word)) continue;
      const meaningAlike = alike.filter((group) => group.includes(word)).flat();
      const alternatives = [...new Set(meaningAlike)].filter((other) => other !== word);
      const forms = /([bdgmnprt])\1$/.test(word) ? [word, word.slice(0, -1)] : [word];
      terms.set(word, { word, forms, alternatives, weight });
    }
  }
}

/**
 * One text that, searched for alone, finds what the last question means in its conversation: the words of earlier
 * questions that it refers to stand before it, as context.
 */
export function searchText(messages: readonly Exchange[]): string {
  const { own } = splitQuestion(messages.at(-1)?.question ?? "");
  const ownWords = new Set(wordsOf(own));
  const earlier = readQuestion(messages).terms.filter(({ word }) => !ownWords.has(word));
  const asked = own.slice(0, maxReadChars).trim();
  return earlier.length === 0 ? asked : `${earlier.map(({ word }) => word).join(" ")}${questionMark}${asked}`;
}

/** Splits a message: clients put a thread's earlier messages before the question itself. */
function splitQuestion(question: string): { own: string; context: string } {
  const marked = question.lastIndexOf(questionMark);
  if (marked >= 0) return { own: question.slice(marked + questionMark.length), context: question.slice(0, marked) };
  const lastBlank = question.trimEnd().lastIndexOf("\n\n");
  if (question.length < 600 || lastBlank < 0) return { own: question, context: "" };
  return { own: question.slice(lastBlank), context: question.slice(0, lastBlank) };
}

/** Two words that headings write as one. */
const compounds: readonly (readonly [RegExp, string])[] = [
  [/\bset(?:ting)?[ -]up\b/g, "setup"],
  [/\bback(?:ing)?[ -]up\b/g, "backup"],
  [/\b(?:log|sign)(?:ging|ing)?[ -]in\b/g, "login"],
];

/** The distinct words in order, in lower case, without stop words. */
export function wordsOf(text: string): readonly string[] {
  let plain = text.slice(0, maxReadChars).normalize("NFKC").toLowerCase().replace(/['’]/g, "");
  for (const [pattern, word] of compounds) plain = plain.replace(pattern, word);
  const found = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(found)].filter((word) => !stopWords.has(word));
}
