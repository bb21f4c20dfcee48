/**
 * Quotes the service's own error without the key that was sent. Some of its messages contain the whole model object,
 * and providers repeat a refused key in full or in part.
 */
import type { ParleyError } from "../core/errors.ts";
import { cleanText } from "../presentation/drawing.ts";
import { errorText, shorten } from "../presentation/sentences.ts";

/** Creating and editing, from the first word to the result. */
const makingSentences = {
  reason: (reason: string): string => `The service said: “${reason}”`,
  unsure: "The service didn't confirm. Check the list before trying again.",
} as const;

const maxReasonChars = 300;
/** A run of this many characters gives a key away; a shorter one may be an ordinary word. */
const maxSharedChars = 6;

const keyLooks: readonly RegExp[] = [
  /\b(?:sk|pk|rk|pat|xox[a-z]|gh[a-z]|gsk|hf|AIza)[-_]?[\w*-]{6,}/g,
  /(?<=(?:api[_ -]?key|token|secret|password|authorization|bearer)\b["'\s:=]{1,4}(?:provided["'\s:=]{1,3})?)(?!provided\b|\[key\])[^\s"',;}\])]{4,}/gi,
  // Letters and digits mixed, as in no word.
  /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}\b/g,
];

/** Why something couldn't be created or changed: what happened, the service's own words, what to do. */
export function failureSentences(error: ParleyError, key: string | undefined, isUnsure: boolean): readonly string[] {
  const { what, hint } = errorText(error);
  const reason = safeReason(error, key);
  const said = reason === undefined ? [] : [makingSentences.reason(reason)];
  return [what, ...said, isUnsure ? makingSentences.unsure : hint];
}

/** Undefined when there is none, or none that can be shown. */
function safeReason(error: ParleyError, key: string | undefined): string | undefined {
  // The service's 404 for a wrong model, table or knowledge base is misleading, and contains the model object.
  if (error.code === "resource_not_found" || !(error.cause instanceof Error)) return undefined;
  const said = cleanText(error.cause.message)
    .replace(/^HTTP \d+ */, "")
    .replace(/\s+/g, " ")
    .trim();
  if (said === "") return undefined;
  return shorten(withoutKey(said, key ?? ""), maxReasonChars);
}

export function withoutKey(text: string, key: string): string {
  let clean = key === "" ? text : text.replaceAll(key, "[key]");
  clean = withoutParts(clean, key);
  for (const look of keyLooks) clean = clean.replace(look, "[key]");
  // Text attached to a key is the rest of it, masked: "sk-abc*****xyz".
  return clean.replace(/(?<![^\s"'{}(),;])[^\s"'{}(),;]*\[key\][^\s"'{}(),;]*/g, "[key]");
}

/** Removes every run of text that also occurs in the key and is long enough to reveal part of it. O(text × key). */
function withoutParts(text: string, key: string): string {
  if (key.length < maxSharedChars) return text;
  let clean = "";
  let at = 0;
  while (at < text.length) {
    let length = 0;
    while (at + length < text.length && key.includes(text.slice(at, at + length + 1))) length += 1;
    if (length >= maxSharedChars) {
      clean += "[key]";
      at += length;
    } else {
      clean += text[at];
      at += 1;
    }
  }
  return clean;
}
