/**
 * Copies text that outlives the text it was cut from. V8 makes a slice point into its original string, so 20 characters
 * of an 8 MB observation would keep all 8 MB in memory.
 */

/** At most `maxChars` characters, never half a surrogate pair, in its own memory. */
export function truncate(text: string, maxChars: number): string {
  return ownCopy(text.slice(0, endWithin(text, maxChars)));
}

/** The same value, with strings that share no memory with others. For plain JSON. */
export function ownCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function endWithin(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
}
