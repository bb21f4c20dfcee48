/**
 * Text that is kept for longer than what it came with. The trap: V8 makes a slice point into the string that it was cut
 * from, so that 20 characters of an observation of 8 MB keep all 8 MB alive. Here they become a string of their own.
 */

/** At most so many characters, never half a surrogate pair, in memory of its own. */
export function keptText(text: string, maxChars: number): string {
  return ownCopy(text.slice(0, endWithin(text, maxChars)));
}

/** The same value, whose strings share no memory with others. Of plain JSON. */
export function ownCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function endWithin(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
}
