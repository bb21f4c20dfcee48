/**
 * Truncates the service's texts before they are processed. On 8 MB every regular expression is slow.
 */

/** The first `maxChars` characters, without half a surrogate pair, and how many characters are left out. */
export function cut(text: string, maxChars: number): { readonly text: string; readonly omitted: number } {
  if (text.length <= maxChars) return { text, omitted: 0 };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return { text: text.slice(0, end), omitted: text.length - end };
}

/** The whole lines that fit into `maxChars`, and the rest. A first line that is longer is cut. */
export function cutAtLineEnd(text: string, maxChars: number): { readonly text: string; readonly rest: string } {
  if (text.length <= maxChars) return { text, rest: "" };
  const lineEnd = text.lastIndexOf("\n", maxChars - 1);
  const end = lineEnd < 0 ? maxChars : lineEnd + 1;
  return { text: text.slice(0, end), rest: text.slice(end) };
}
