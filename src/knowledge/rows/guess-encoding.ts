/**
 * Guesses the encoding of text that isn't UTF-8 from its words. Only in the child process: the model takes 90 MB, and
 * 100 ms with the first guess.
 */
import { detect } from "jschardet";

/**
 * The names of jschardet, the labels of TextDecoder and the names for people. Only what TextDecoder can decode: without
 * this list a German table is taken for a DOS code page of Hebrew.
 */
export const encodings: readonly {
  readonly detected: string;
  readonly label: string;
  readonly shown: string;
}[] = [
  { detected: "Windows-1250", label: "windows-1250", shown: "Windows-1250" },
  { detected: "Windows-1251", label: "windows-1251", shown: "Windows-1251" },
  { detected: "Windows-1252", label: "windows-1252", shown: "Windows-1252" },
  { detected: "Windows-1253", label: "windows-1253", shown: "Windows-1253" },
  { detected: "Windows-1254", label: "windows-1254", shown: "Windows-1254" },
  { detected: "Windows-1255", label: "windows-1255", shown: "Windows-1255" },
  { detected: "Windows-1256", label: "windows-1256", shown: "Windows-1256" },
  { detected: "Windows-1257", label: "windows-1257", shown: "Windows-1257" },
  { detected: "CP874", label: "windows-874", shown: "Windows-874" },
  { detected: "ISO-8859-2", label: "iso-8859-2", shown: "ISO-8859-2" },
  { detected: "ISO-8859-5", label: "iso-8859-5", shown: "ISO-8859-5" },
  { detected: "KOI8-R", label: "koi8-r", shown: "KOI8-R" },
  { detected: "KOI8-U", label: "koi8-u", shown: "KOI8-U" },
  { detected: "IBM866", label: "ibm866", shown: "DOS-866" },
  { detected: "MacRoman", label: "macintosh", shown: "Mac Roman" },
  { detected: "MacCyrillic", label: "x-mac-cyrillic", shown: "Mac Cyrillic" },
  { detected: "SHIFT_JIS", label: "shift_jis", shown: "Shift-JIS" },
  { detected: "EUC-JP", label: "euc-jp", shown: "EUC-JP" },
  { detected: "GB18030", label: "gb18030", shown: "GB18030" },
  { detected: "Big5", label: "big5", shown: "Big5" },
  { detected: "EUC-KR", label: "euc-kr", shown: "EUC-KR" },
];

/** The old encoding of most tables, and what is meant by a lone sign such as £ or ½. */
const usual = "windows-1252";
/** Bytes beyond ASCII. Fewer say nothing about the language. */
const minEvidence = 4;

export function guessEncoding(bytes: Uint8Array): string {
  if (bytes.filter((byte) => byte >= 0x80).length < minEvidence) return usual;
  const label = guess(bytes);
  const repaired = ofSeveralBytes.includes(label) ? undefined : guessRepaired(bytes);
  if (repaired !== undefined) return repaired;
  // Several encodings have the same letters for German and other languages: then it is called by its usual name.
  return decoded(bytes, label) === decoded(bytes, usual) ? usual : label;
}

/** It warns on the console if it isn't allowed its default, which is in the list. */
function guess(bytes: Uint8Array): string {
  const found = detect(bytes, { detectEncodings: encodings.map(({ detected }) => detected) }).encoding?.toLowerCase();
  return encodings.find(({ detected }) => detected.toLowerCase() === found)?.label ?? usual;
}

const ofSeveralBytes = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"];
const maxDroppedShare = 1 / 20;

/** One damaged byte excludes encodings of several bytes, so these are tried without the cells that have one. */
function guessRepaired(bytes: Uint8Array): string | undefined {
  const cells = cellsIn(bytes);
  return ofSeveralBytes.find((label) => {
    const decoder = new TextDecoder(label, { fatal: true });
    const whole = cells.filter((cell) => isValid(cell, decoder));
    const left = Buffer.concat(whole);
    const dropped = bytes.length - left.length;
    return dropped > 0 && dropped <= bytes.length * maxDroppedShare && guess(left) === label;
  });
}

/** In no encoding a character goes beyond a space, a comma or the end of a line. */
function cellsIn(bytes: Uint8Array): readonly Uint8Array[] {
  const cells: Uint8Array[] = [];
  let from = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte > 0x2f) continue;
    cells.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return [...cells, bytes.subarray(from)];
}

function isValid(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decoded(bytes: Uint8Array, label: string): string {
  return new TextDecoder(label).decode(bytes);
}

/** The name that people know. */
export function shownEncoding(label: string): string {
  return encodings.find((encoding) => encoding.label === label)?.shown ?? others[label] ?? label.toUpperCase();
}

const others: Readonly<Record<string, string>> = {
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "utf-32le": "UTF-32",
  "utf-32be": "UTF-32",
};
