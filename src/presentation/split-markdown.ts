/** Being written: signatures first. */
export type SplitLimit =
  | { readonly maxChars: number }
  | { readonly max: number; readonly measure: (text: string) => number };
export function splitMarkdown(text: string, _limit: SplitLimit): string[] {
  return [text];
}
export function joinMarkdown(parts: readonly string[]): string {
  return parts.join("");
}
