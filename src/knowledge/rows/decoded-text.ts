/** Decodes a file piece by piece in the encoding that was found for it, and notes what isn't as it should be. */
import { rowSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { type Encoding, findEncoding, type Source } from "./encoding.ts";
import { shownEncoding } from "./guess-encoding.ts";
import type { ReadingNotes } from "./reading-notes.ts";

/** What is left of a text if more is damaged can't be trusted. */
const maxDamagedShare = 1 / 10;
/** Control characters that text does not use. A log may contain a few. */
const maxControlShare = 1 / 100;
// The C1 range are bytes without a letter in Windows-1252.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const control = /[\u0000-\u0007\u000B\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g;
/** In which most binary formats show. */
const firstChars = 32 * 1024;

/** Without a byte order mark and without NUL. Throws ReadFailure for what isn't text. */
export async function* decodedText(source: Source, notes: ReadingNotes): AsyncGenerator<string, void, void> {
  const encoding = await findEncoding(source);
  const { label, change } = encoding;
  if (change !== undefined) {
    notes.add(rowSentences.encodingChange(shownEncoding(label), change.line, shownEncoding(change.label)));
  } else if (label !== "utf-8") notes.add(rowSentences.encoding(shownEncoding(label)));
  let chars = 0;
  let nuls = 0;
  let damaged = 0;
  for await (const text of pieces(source, encoding)) {
    // A binary file would be read to its end as text, and fail with a reason that explains nothing.
    if (chars < firstChars && isBinary(text)) throw new ReadFailure("unreadable", rowSentences.binary);
    chars += text.length;
    damaged += occurrences(text, "\uFFFD");
    const found = occurrences(text, "\0");
    nuls += found;
    yield found === 0 ? text : text.replaceAll("\0", "");
  }
  if (chars === 0) throw new ReadFailure("unreadable", rowSentences.emptyFile);
  if (damaged > chars * maxDamagedShare) throw new ReadFailure("unreadable", rowSentences.binary);
  if (damaged > 0) notes.add(rowSentences.damaged(damaged));
  if (nuls > 0) notes.add(rowSentences.nuls(nuls));
}

/** In pieces that are long enough to be judged. */
async function* pieces(source: Source, { label, change }: Encoding): AsyncGenerator<string, void, void> {
  let decoder = new TextDecoder(label);
  let left = change?.atByte ?? Number.POSITIVE_INFINITY;
  let text = "";
  for await (const bytes of source()) {
    if (bytes.length > left) {
      text += decoder.decode(bytes.subarray(0, left));
      decoder = new TextDecoder(change?.label);
      text += decoder.decode(bytes.subarray(left), { stream: true });
      left = Number.POSITIVE_INFINITY;
    } else {
      text += decoder.decode(bytes, { stream: true });
      left -= bytes.length;
    }
    if (text.length < firstChars) continue;
    yield text;
    text = "";
  }
  yield text + decoder.decode();
}

function isBinary(text: string): boolean {
  const odd = text.match(control)?.length ?? 0;
  return odd > text.length * maxControlShare || occurrences(text, "\uFFFD") > text.length * maxDamagedShare;
}

function occurrences(text: string, what: string): number {
  let count = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) count += 1;
  return count;
}
