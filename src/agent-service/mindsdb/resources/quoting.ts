/**
 * Quotes names and texts for SQL. Measured on both generations: a quote inside a text is doubled; a backslash escapes
 * the quote after it and is literal anywhere else; no way of writing it is literal everywhere. So search texts lose
 * their backslashes, and an id with a backslash where it would escape is refused.
 */
import { ParleyError } from "../../../core/errors.ts";

/** Quotes a name in backticks. Throws name_not_allowed for a name with a backtick: no quoted name can hold one. */
export function quoteName(name: string): string {
  if (name === "" || name.includes("`") || hasControl(name)) throw new ParleyError("name_not_allowed");
  return `\`${name}\``;
}

/** Quotes a search text. Its words stay the same, and it can't end the quoted text. */
export function quoteWords(words: string): string {
  return `'${words.replaceAll("\\", " ").replaceAll("\0", " ").replaceAll("'", "''")}'`;
}

/** Quotes a value that must match exactly. Throws service_request_refused where quoting would change it. */
export function quoteExactly(value: string): string {
  if (/\\(?:'|$)/.test(value) || value.includes("\0")) {
    throw new ParleyError("service_request_refused", { cause: new Error("An id with a backslash before a quote.") });
  }
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * Encodes a name as one segment of a URL path; undefined if that's impossible. "." and ".." would be resolved away and
 * address another resource. A lone surrogate (half a character) can't be encoded.
 */
export function pathSegment(name: string): string | undefined {
  return name === "" || name === "." || name === ".." || !name.isWellFormed() ? undefined : encodeURIComponent(name);
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  return /[\u0000-\u001f\u007f]/.test(text);
}
