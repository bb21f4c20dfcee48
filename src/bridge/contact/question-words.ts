/**
 * Whether a text asks for something that knowledge could answer: a question mark, or a word that begins a question, in
 * eight languages. Pure. "How are you?" asks for manners, and what begins with a person's name is for that person.
 */

import { wordsOf } from "../../core/languages/languages.ts";
import { folded, pleasantryOf } from "../intake/pleasantries.ts";
import { asksSomething } from "../intake/question-marks.ts";
import { asksForWelcome } from "./welcome.ts";

/** Question words, and verbs that only questions begin with. */
const beginnings = new Set(wordsOf("questions", "firstWords"));

/** Said before the question: "hi", "please", "so". */
const openers = new Set(wordsOf("questions", "openers"));

/** Questions of manners. */
const manners = wordsOf("questions", "manners");

const maxReadChars = 2_000;

/** Its words in order, in lower case without accents. */
function wordsIn(text: string): readonly string[] {
  const plain = folded(text.slice(0, maxReadChars).normalize("NFKC").toLowerCase().replace(/ß/g, "ss"));
  return plain.replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, "").match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether it says so by its form: statements and exclamations don't. */
export function isAsking(text: string): boolean {
  if (asksSomething(text)) return true;
  const words = wordsIn(text);
  const first = words.find((word) => !openers.has(word));
  return first !== undefined && beginnings.has(first);
}

/** "Dave, did you call them?": a name, a comma, and what is for that person. */
const named = /^\s*@?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?,\s/u;

function isForSomeone(text: string): boolean {
  const [first = ""] = wordsIn(text);
  return named.test(text) && !openers.has(first) && !beginnings.has(first);
}

function isOfManners(said: string): boolean {
  return manners.some((question) => said === question || said.startsWith(`${question} `));
}

/** Whether it was asked of everyone who reads along: "does anyone know …?" */
export function asksEveryone(text: string): boolean {
  const words = wordsIn(text).filter((word, at) => at > 3 || !openers.has(word));
  const begin = words.slice(0, 5).join(" ");
  return /^(?:(?:does |do )?any(?:body|one) (?:here )?know|who knows|(?:can|could) (?:any|some)(?:body|one) tell|weiss (?:hier |denn )?(?:jemand|wer)|kann (?:mir |uns )?jemand sagen)\b/.test(
    begin,
  );
}

/** A question that the people who look after the knowledge would want to see. */
export function isQuestion(text: string, via: "message" | "command" | "shortcut" = "message"): boolean {
  if (pleasantryOf(text) !== undefined || asksForWelcome({ text, attachments: [] })) return false;
  const words = wordsIn(text);
  const said = words.slice(words.findIndex((word) => !openers.has(word)));
  if (words.length === 0 || isOfManners(said.join(" ")) || isForSomeone(text)) return false;
  // What follows a command is asked, whatever its form.
  return via !== "message" || isAsking(text);
}
