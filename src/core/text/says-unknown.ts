/**
 * Whether an answer says in words that it doesn't know, in ten languages. Only how it begins counts: an answer that
 * tells something first, and then what it doesn't know, is an answer.
 */
import { languages } from "../languages/languages.ts";

/** What is looked at, in characters. */
const maxReadChars = 600;
/** A greeting or an apology before the first sentence. */
const maxPreludeWords = 3;

/** Each is matched within one sentence. */
const saying = new RegExp(
  Object.values(languages)
    .flatMap(({ sayings }) => sayings ?? [])
    .join("|"),
  "u",
);
/** `[1]`, `【1】`, or a link. */
const citation = /\[\^?\d{1,3}\]|【\d|\]\(https?:/;
const endOfSentence = /(?<=[.!?…])\s+|(?<=[。！？])|\n+/u;

export function saysUnknown(answer: string): boolean {
  // Words in code and quotations are not the answer's own.
  const begin = answer
    .slice(0, maxReadChars)
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/`[^`\n]*`/g, "x")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[*_#]/g, "");
  const sentences = begin
    .split(endOfSentence)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  const isPrelude = (sentence: string) => sentence.split(/\s+/).length <= maxPreludeWords && !says(sentence);
  const first = sentences.find((sentence) => !isPrelude(sentence)) ?? sentences[0];
  return first !== undefined && !citation.test(first) && says(first);
}

function says(sentence: string): boolean {
  return saying.test(sentence.toLowerCase());
}
