/** Names that are also words: "will", "mark", "may". They count as names only where nothing else can be meant. */
import { wordsOf } from "../../core/languages/languages.ts";
import { foldedSet } from "../intake/pleasantries.ts";

const words = foldedSet(wordsOf("names", "alsoWords"));
/** Accounts that are no people: "who do I ask in IT?" names nobody. */
const roles = foldedSet(wordsOf("names", "roles"));

export function isRole(word: string): boolean {
  return roles.has(word);
}

/** `word`: folded, in lower case. Two letters are always a word of some language. */
export function isAlsoWord(word: string): boolean {
  return words.has(word) || [...word].length < 3;
}
