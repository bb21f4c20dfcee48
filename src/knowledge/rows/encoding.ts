/**
 * Finds the encoding of a file by reading all of it once. UTF-8 is recognised by its structure, so a damaged byte costs
 * one character and not the encoding; whatever isn't UTF-8 is guessed from its words.
 */
import { guessEncoding } from "./guess-encoding.ts";
import { createUtf8Count, isMostlyUtf8, type Utf8Count } from "./utf8-count.ts";
import { wideEncodingOf } from "./wide-encoding.ts";

/** A label that TextDecoder knows, or of UTF-32 with a byte order mark. */
export type Encoding = {
  readonly label: string;
  /** Where another encoding begins, for example where a program added to a file of another one. */
  readonly change?: { readonly label: string; readonly atByte: number; readonly line: number };
};

/** Read whenever it is called: once for the encoding, and again for the content. */
export type Source = () => AsyncIterable<Uint8Array>;

const sampleBytes = 64 * 1024;
/** Fewer can be accidents, and don't show that a second encoding begins. */
const minOfBoth = 4;

export async function findEncoding(source: Source): Promise<Encoding> {
  const count = createUtf8Count();
  const head: Uint8Array[] = [];
  const odd: Uint8Array[] = [];
  let size = 0;
  let oddFrom: number | undefined;
  for await (const bytes of source()) {
    if (size < sampleBytes) head.push(bytes.subarray(0, sampleBytes - size));
    count.add(bytes);
    const { firstInvalid } = count.found();
    if (firstInvalid !== undefined && (oddFrom === undefined || size - oddFrom < sampleBytes)) {
      // Its whole line, if that begins here.
      oddFrom ??= Math.max(size, firstInvalid.lineStart);
      odd.push(bytes.subarray(Math.max(0, oddFrom - size)));
    }
    size += bytes.length;
  }
  const begin = Buffer.concat(head);
  const marked = markOf(begin);
  if (marked !== undefined) return { label: marked };
  const wide = wideEncodingOf(begin);
  if (wide !== undefined) return { label: wide };
  return decide(count.found(), begin, Buffer.concat(odd).subarray(0, sampleBytes));
}

/** `begin`: of the file. `odd`: from the line of the first byte that isn't UTF-8. */
function decide(found: Utf8Count, begin: Uint8Array, odd: Uint8Array): Encoding {
  const { valid, invalid, firstValid, lastValid, firstInvalid, lastInvalid } = found;
  if (firstInvalid === undefined || lastInvalid === undefined) {
    return { label: japaneseEscape.test(Buffer.from(begin).toString("latin1")) ? "iso-2022-jp" : "utf-8" };
  }
  if (firstValid !== undefined && lastValid !== undefined) {
    const isBoth = valid >= minOfBoth && invalid >= minOfBoth;
    if (isBoth && lastValid.at < firstInvalid.lineStart) {
      const { lineStart: atByte, line } = firstInvalid;
      return { label: "utf-8", change: { label: guessEncoding(odd), atByte, line } };
    }
    if (isBoth && lastInvalid.at < firstValid.lineStart) {
      const { lineStart: atByte, line } = firstValid;
      return { label: guessEncoding(odd), change: { label: "utf-8", atByte, line } };
    }
    if (isMostlyUtf8(found)) return { label: "utf-8" };
  }
  return { label: guessEncoding(odd) };
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return "utf-32be";
  // Before UTF-16, whose mark is the beginning of this one: text doesn't begin with NUL.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) return "utf-32le";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

/** Of ISO-2022-JP, which is ASCII otherwise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequence is what is looked for
const japaneseEscape = /\u001B\$[@B]/;
