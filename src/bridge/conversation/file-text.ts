/**
 * Decodes the bytes of a file as text. A byte order mark decides the encoding; without one it is UTF-8, else that of
 * older Windows programs. Pure.
 */

/** Undefined when the bytes are not text. */
export function fileText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  const text = decode(bytes, encoding) ?? (encoding === "utf-8" ? decode(bytes, "windows-1252") : undefined);
  return text === undefined || isBinary(text) ? undefined : text;
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Without the byte order mark; undefined when the bytes are not valid in that encoding. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Control characters that text does not use. The C1 range are bytes without a letter in Windows-1252. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const control = /[\u0001-\u0007\u000B\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g;
/** A log may contain a few. */
const maxControlShare = 1 / 100;

function isBinary(text: string): boolean {
  if (text.includes("\0")) return true;
  return (text.match(control)?.length ?? 0) > text.length * maxControlShare;
}
