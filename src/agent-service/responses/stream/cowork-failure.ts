/**
 * Recognises cowork-server's failures: most are a completed answer that ends with a certain sentence, after what each
 * of its retries had said.
 */

const beginning = "An unexpected error occurred: ";
const ending = "Please try again or rephrase your request.";

/** What is longer isn't compared with itself: that takes twice its memory, and blocks everything else. */
const maxRepeatedChars = 400_000;

/** It comes in one piece. */
export function beginsFailure(delta: string): boolean {
  return delta.startsWith(beginning);
}

export type FailedAnswer = { readonly said: string; readonly reason: string };

/** What the agent had said before it failed, and why it did; undefined for an answer. */
export function readFailedAnswer(text: string): FailedAnswer | undefined {
  if (!text.trimEnd().endsWith(ending)) return undefined;
  const at = text.lastIndexOf(beginning);
  if (at < 0) return undefined;
  const reason = text
    .slice(at + beginning.length)
    .trimEnd()
    .slice(0, -ending.length)
    .trim();
  return { said: withoutRepeats(text.slice(0, at)), reason };
}

/** Once what is repeated throughout, with a beginning of it at the end: "ab ab a" is "ab ". Linear in the text. */
export function withoutRepeats(text: string): string {
  if (text.length > maxRepeatedChars) return text;
  // Length of the longest end that is also a beginning, for each prefix.
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] as number;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  const period = text.length - length;
  return period * 2 <= text.length ? text.slice(0, period) : text;
}
