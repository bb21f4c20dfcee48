/**
 * Recognises replies that answer nothing although they are sentences: "not sure, sorry", "I'll ask the front desk". Pure.
 */

import { wordsOf } from "../../core/languages/languages.ts";
import { plainWords, pleasantryOf } from "../intake/pleasantries.ts";
import { asksSomething } from "../intake/question-marks.ts";

/** Shorter replies rarely answer anything: "same here". */
const minChars = 15;
/** A longer reply is often an answer: "not sure why it says that: a booking can be moved once, up to 48 hours before". */
const maxWords = 12;

/** How replies begin that don't know, ask the same, promise to find out, or ask someone else. As `plainWords` writes. */
const beginnings = wordsOf("remarks", "noAnswers");

const people = /(?<!\S)@[\p{L}\p{N}_.-]+/gu;
const urls = /\bhttps?:\/\/\S+/gu;

/** Whether it reads like an answer: it says something of its own, and asks nothing. */
export function readsLikeAnswer(text: string): boolean {
  const said = text.replace(people, " ").replace(urls, " ").trim();
  if (said.length < minChars || pleasantryOf(said) !== undefined || asksSomething(text)) return false;
  const words = plainWords(said);
  if (words.split(" ").length > maxWords) return true;
  return !beginnings.some((phrase) => words === phrase || words.startsWith(`${phrase} `));
}
