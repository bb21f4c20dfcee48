/**
 * Names and texts as parts of SQL. Measured on both generations: a quote inside a text is doubled; a backslash before
 * a quote escapes it, anywhere else it stands for itself, and nothing stands for itself in every place. So a text to
 * search for loses its backslashes, and an id that has one where it would count is refused.
 */
import { ParleyError } from "../../../ports/errors.ts";

/** In backticks. A name that holds one cannot be quoted and so cannot exist. */
export function quoteName(name: string): string {
  if (name === "" || name.includes("`") || hasControl(name)) throw new ParleyError("name_not_allowed");
  return `\`${name}\``;
}

/** For words to search: the same words, never more than a text. */
export function quoteWords(words: string): string {
  return `'${words.replaceAll("\\", " ").replaceAll("\0", " ").replaceAll("'", "''")}'`;
}

/** For values that must be met exactly. */
export function quoteExactly(value: string): string {
  if (/\\(?:'|$)/.test(value) || value.includes("\0")) {
    throw new ParleyError("service_request_refused", { cause: new Error("An id with a backslash before a quote.") });
  }
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * A name as one segment of a path. "." and ".." would be resolved away on the way, and mean another resource; half a
 * character (a lone surrogate) cannot be written in one at all.
 */
export function pathSegment(name: string): string | undefined {
  return name === "" || name === "." || name === ".." || !name.isWellFormed() ? undefined : encodeURIComponent(name);
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  return /[\u0000-\u001f\u007f]/.test(text);
}
