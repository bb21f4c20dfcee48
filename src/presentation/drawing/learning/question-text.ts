/** A question in a list, in one line. */
import { shorten } from "../../sentences/steps.ts";
import { cleanText } from "../sanitise.ts";

const maxQuestionChars = 200;

export function questionText(question: string): string {
  return shorten(cleanText(question), maxQuestionChars);
}
