/** Tells text from other content by its characters. */

/** Of control characters that text does not use. A log may contain a few. */
const maxControlShare = 1 / 100;
/** If more is damaged, what is left can't be trusted. */
const maxDamagedShare = 1 / 10;
// The C1 range are bytes without a letter in Windows-1252.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const control = /[\u0000-\u0007\u000B\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g;

export function isBinary(text: string): boolean {
  return (
    (text.match(control)?.length ?? 0) > text.length * maxControlShare ||
    isTooDamaged(text.length, occurrences(text, "\uFFFD"))
  );
}

export function isTooDamaged(chars: number, damaged: number): boolean {
  return damaged > chars * maxDamagedShare;
}

export function occurrences(text: string, what: string): number {
  let count = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) count += 1;
  return count;
}
