/** Unpacks a body that a server sends packed without saying so, and knows bytes that aren't text. */
import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { pageSentences } from "../../presentation/sentences.ts";
import { maxPageMegabytes, maxUnpackedBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "./read-failure.ts";

const packings = [
  { begins: [0x1f, 0x8b], unpack: gunzipSync },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], unpack: zstdDecompressSync },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({ begins: [0x78, level], unpack: inflateSync })),
];
/** Packed once by a proxy that already got it packed. */
const maxLayers = 2;

/** Throws ReadFailure when it is much larger than a page may be, or damaged. */
export function unpacked(bytes: Uint8Array): Uint8Array {
  let whole = bytes;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const packing = packings.find(({ begins }) => begins.every((byte, at) => whole[at] === byte));
    if (packing === undefined) return whole;
    try {
      whole = packing.unpack(whole, { maxOutputLength: maxUnpackedBytes });
    } catch (thrown) {
      if (Error.isError(thrown) && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE") {
        throw new ReadFailure("unreadable", pageSentences.tooLarge(maxPageMegabytes));
      }
      // Text may begin like a packed file.
      if (!isBinary(Buffer.from(whole).toString("latin1"))) return whole;
      throw new ReadFailure("unreadable", pageSentences.notReadable);
    }
  }
  return whole;
}

const sniffChars = 64 * 1024;
const maxOddShare = 0.02;

/** True for a picture, a program, or a body whose packing isn't known. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, sniffChars);
  if (start.includes("\0")) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text doesn't have.
  const odd = start.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f\uFFFD]/g)?.length ?? 0;
  return odd > start.length * maxOddShare;
}
