/** A question in a list, in one line. */
import { shorten } from "../../sentences/step-words.ts";
import { cleanText } from "../sanitise.ts";

const maxQuestionChars = 200;

export function questionText(question: string): string {
  return shorten(cleanText(question), maxQuestionChars);
}
