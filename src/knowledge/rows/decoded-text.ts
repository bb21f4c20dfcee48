/** Decodes a file piece by piece in the encoding that was found for it, and notes what isn't as it should be. */
import { countText, numberText, rowSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { isBinary, isTooDamaged, occurrences } from "./binary.ts";
import { type Encoding, findEncoding, type Source } from "./encoding.ts";
import { shownEncoding } from "./guess-encoding.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import { type PieceDecoder, utf32Decoder } from "./utf32.ts";

const says = {
  // What was assumed to read it: parts of one line.
  encoding: (name: string): string => `read as ${name}`,
};

/** In which most binary formats show. */
const firstChars = 32 * 1024;

/** Without a byte order mark and without NUL. Throws ReadFailure for what isn't text. */
export async function* decodedText(source: Source, notes: ReadingNotes): AsyncGenerator<string, void, void> {
  const encoding = await findEncoding(source);
  const { label, change } = encoding;
  if (change !== undefined) {
    notes.add(
      `read as ${shownEncoding(label)} up to line ${numberText(change.line)}, then as ${shownEncoding(change.label)}`,
    );
  } else if (label !== "utf-8") notes.add(says.encoding(shownEncoding(label)));
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
  if (isTooDamaged(chars, damaged)) throw new ReadFailure("unreadable", rowSentences.binary);
  if (damaged > 0) notes.add(`${countText(damaged, "damaged character")} shown as \uFFFD`);
  if (nuls > 0) notes.add(`${countText(nuls, "NUL character")} left out`);
}

/** In pieces that are long enough to be judged. */
async function* pieces(source: Source, { label, change }: Encoding): AsyncGenerator<string, void, void> {
  let decoder: PieceDecoder =
    label === "utf-32le" || label === "utf-32be" ? utf32Decoder(label) : new TextDecoder(label);
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
  yield withoutEndMarks(text + decoder.decode());
}

/** DOS and what comes from it end a file with Ctrl-Z. */
function withoutEndMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\u001A") end -= 1;
  return text.slice(0, end);
}
