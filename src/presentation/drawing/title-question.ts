/**
 * Turns titles of documents into questions that a person would ask. Pure. A title that asks is the question itself; a
 * title that says what to do becomes "How do I …?", any other one "Tell me about …". A title that doesn't look English
 * only gets a question mark, which is right in every language.
 */
import { wordsOf } from "../../core/languages/languages.ts";
import { trimEnd } from "../../core/tools/trim-end.ts";
import { cleanText } from "./sanitise.ts";

/** Questions about a document, from its title. */
const titleSentences = {
  howDoI: (instruction: string): string => `How do I ${instruction}?`,
  tellMeAbout: (topic: string): string => `Tell me about ${topic}`,
  /** For a title in any language. */
  only: (topic: string, isWide: boolean): string => `${topic}${isWide ? "？" : "?"}`,
} as const;

/** A button's value holds the whole question. */
export const maxTitleQuestionChars = 60;

type Made = { readonly question: string; readonly rank: number };

/** All titles of what was listed, each document's own first. */
export function titlesIn(
  documents: readonly { readonly title?: string; readonly sections?: readonly string[] }[],
): readonly string[] {
  return documents.flatMap(({ title, sections = [] }) => (title === undefined ? sections : [title, ...sections]));
}

/**
 * The most telling ones first: questions, instructions, titles of several words, single words. `namesDocument`: each
 * title ends with its document's name, as in "Refunds (Handbook)".
 */
export function questionsFromTitles(
  titles: readonly string[],
  { namesDocument }: { readonly namesDocument: boolean },
): readonly string[] {
  const plain = titles.map((title) => plainTitle(title, namesDocument));
  const made = withoutSite(plain).flatMap((title) => questionOf(title) ?? []);
  const fitting = made.filter(({ question }) => question.length <= maxTitleQuestionChars);
  const ranked = fitting.toSorted((one, other) => one.rank - other.rank).map(({ question }) => question);
  return [...new Set(ranked)];
}

function plainTitle(title: string, namesDocument: boolean): string {
  const said = cleanText(title)
    .replace(/\s+/g, " ")
    .replace(/^[^\p{L}\p{N}¿¡"“«'(]+/u, "")
    // A section's number: "3.2 Travel", "4) Travel".
    .replace(/^\d+(?:(?:\.\d+)+[.)]?|[.)]) (?=\P{Nd})/u, "")
    .trim();
  return namesDocument ? said.replace(/ \([^()]*\)$/, "") : said;
}

const siteSeparator = / [|·–—-] (?=[^|·–—]+$)/;

/** "Refunds | Acme" is about refunds when other titles end the same way. */
function withoutSite(titles: readonly string[]): readonly string[] {
  const endings = titles.map((title) => title.split(siteSeparator)[1]);
  return titles.map((title, index) => {
    const ending = endings[index];
    const isSite = ending !== undefined && endings.filter((other) => other === ending).length > 1;
    return isSite ? title.slice(0, title.length - ending.length - 3).trim() : title;
  });
}

function questionOf(title: string): Made | undefined {
  if (!isTelling(title)) return undefined;
  if (/[?？؟⸮;՞፧]$/u.test(title)) return { question: title, rank: 0 };
  const topic = trimEnd(title, " \t\n.:,;!…。");
  const { howDoI, tellMeAbout, only } = titleSentences;
  if (/^(?:after|as|at|before|by|during|if|in|on|once|until|through|when|while|with|without) /i.test(topic)) {
    return { question: only(topic, false), rank: 4 };
  }
  const rank = /\s/.test(topic) ? 2 : 3;
  if (!looksEnglish(topic)) return { question: only(topic, isWide(topic)), rank };
  if (
    /^(?:what|who|where|when|which|why|how|can|do|does|is|are) (?:is|are|was|were|do|does|did|can|should|will|has|have|i|you|we)\b/i.test(
      topic,
    )
  ) {
    return { question: only(topic, false), rank: 1 };
  }
  const instruction = instructionIn(topic);
  if (instruction !== undefined) return { question: howDoI(instruction), rank: 1 };
  const about = tellMeAbout(midSentence(topic.replace(/,? and (?:how|what|when|where|who|why) .*$/i, "")));
  return { question: about.length <= maxTitleQuestionChars ? about : only(topic, false), rank };
}

/** Titles that say nothing about their text. */
const empty = new Set(wordsOf("titles", "empty"));

/** Not a URL, a path, a file's name or an id, and not empty words. */
function isTelling(title: string): boolean {
  if ((title.match(/\p{L}/gu) ?? []).length < 2 || empty.has(title.toLowerCase())) return false;
  if (/:\/\/|^www\.|\.[A-Za-z][A-Za-z0-9]{1,4}$/.test(title)) return false;
  // A row of a table: "rates.csv, row 1".
  if (/, row \d+(?::|$)/.test(title)) return false;
  if (/^(?:chapter|page|part|section|slide|sheet) ?[\divx]+$/i.test(title)) return false;
  return title.includes(" ") || !/[\d_/\\:#]/.test(title);
}

/** Small words of other languages that use the same letters, if they are no English words, too. */
const foreign = new Set(wordsOf("titles", "small"));

function looksEnglish(text: string): boolean {
  return (
    !/(?!\p{ASCII})\p{L}/u.test(text) &&
    !text
      .toLowerCase()
      .split(" ")
      .some((word) => foreign.has(word))
  );
}

/** Written without spaces, and with wide question marks. */
function isWide(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** These are no nouns, so what follows is what is done to. */
const verbs = new Set(wordsOf("titles", "verbs"));
/** These can be nouns: a word after them shows that they are not. */
const perhapsVerbs = new RegExp(
  `^(?:${wordsOf("titles", "perhapsVerbs").join("|")}) (?:a|an|the|your|my|our|all|up|in|out|on|off|with) `,
  "i",
);

/** The end of "How do I …?"; undefined for a title that is no instruction. */
function instructionIn(topic: string): string | undefined {
  const [, how] = /^how to (.+)$/i.exec(topic) ?? [];
  const isVerb = / /.test(topic) && verbs.has(topic.split(" ", 1)[0]?.toLowerCase() ?? "");
  if (how === undefined && !isVerb && !perhapsVerbs.test(topic)) return undefined;
  const done = (how ?? topic).replace(/\byour\b/gi, "my").replace(/\byourself\b/gi, "myself");
  // "How to know when you need it": the asker would speak of someone else.
  if (/\byou\b/i.test(done)) return undefined;
  return done.charAt(0).toLowerCase() + done.slice(1);
}

const smallWords = /^(?:a|an|the|your|my|our|all|some|in|on|at|for|from|with|what|who|whom|where|when|which|why|how)$/i;
const commonEndings = /^\w+(?:tion|sion|ment|ing|ness|ity|ance|ence|ship|als|able|ies|ures?|ages?|ors|ers|ses)s?$/i;
const commonWords = new Set(wordsOf("titles", "common"));

function isCommon(word: string): boolean {
  return commonEndings.test(word) || commonWords.has(word.toLowerCase());
}

/** A first word that is no name is written small inside a sentence; in doubt it stays as it is. */
function midSentence(topic: string): string {
  const [first = "", ...rest] = topic.split(" ");
  const isSentenceCase = rest.length === 0 || rest.some((word) => /^\p{Ll}{4}/u.test(word));
  const isSmall = smallWords.test(first) || (isSentenceCase && /^\p{Lu}?\p{Ll}*$/u.test(first) && isCommon(first));
  return isSmall ? topic.charAt(0).toLowerCase() + topic.slice(1) : topic;
}
