/** Reads bytes as a file's rows, with what was assumed; and writes text in old encodings. */
import type { ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import type { Row, RowsFormat } from "../../../src/knowledge/rows/row-format.ts";
import { readRows } from "../../../src/knowledge/rows/rows.ts";

export type ReadFile = {
  readonly rows: readonly Row[];
  readonly note: string | undefined;
  readonly reason?: string;
};

/** In pieces of a few bytes, so that characters and records arrive in parts. */
export async function readFile(content: string | Uint8Array, format: RowsFormat = "csv", size = 7): Promise<ReadFile> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const notes = createReadingNotes();
  const rows: Row[] = [];
  try {
    for await (const row of readRows(pieces, { format, title: "t" }, notes)) rows.push(row);
    return { rows, note: notes.line() };
  } catch (thrown) {
    return { rows: [], note: undefined, reason: (thrown as ReadFailure).reason };
  }
}

/** Only the cells of the table: without what each row gets for being found. */
export function cellsOf({ rows }: ReadFile): readonly Readonly<Record<string, unknown>>[] {
  return rows.map(({ id: _id, title: _title, content: _content, ...cells }) => cells);
}

/** The inverse of TextDecoder, for encodings of one and two bytes. */
export function encoded(text: string, label: string): Buffer {
  const bytes = inverseOf(label);
  return Buffer.concat(
    [...text].map((char) => {
      const found = bytes.get(char);
      if (found === undefined) throw new Error(`${label} has no ${char}`);
      return found;
    }),
  );
}

const inverses = new Map<string, ReadonlyMap<string, Buffer>>();

function inverseOf(label: string): ReadonlyMap<string, Buffer> {
  const known = inverses.get(label);
  if (known !== undefined) return known;
  const inverse = new Map<string, Buffer>();
  const decoder = new TextDecoder(label);
  const add = (bytes: Buffer) => {
    const char = decoder.decode(bytes);
    if ([...char].length === 1 && char !== "\uFFFD" && !inverse.has(char)) inverse.set(char, bytes);
  };
  for (let first = 0; first < 256; first += 1) add(Buffer.from([first]));
  for (let first = 0x81; first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) add(Buffer.from([first, second]));
  }
  inverses.set(label, inverse);
  return inverse;
}

export function inUtf16(text: string, order: "LE" | "BE"): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return order === "LE" ? bytes : bytes.swap16();
}
