/**
 * Splits CSV into records, block by block, whatever its quotes are like. A line with a broken one is read on its own, and
 * the next as if nothing had happened.
 */
import { CsvError, type Options } from "csv-parse";
import { parse } from "csv-parse/sync";
import { rowSentences } from "../../presentation/sentences.ts";
import { maxLineChars } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type CsvRecord = {
  readonly cells: readonly string[];
  /** The line of the file in which it begins, from 1. */
  readonly line: number;
};

/** Parsed at once. */
const blockBytes = 64 * 1024;
/** Of Windows, of Unix, and of a Mac's old programs. */
export const lineBreaks = ["\r\n", "\n", "\r"];
const format: Options = {
  record_delimiter: lineBreaks,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
};
/** So many bytes are more than `maxLineChars` characters. */
const maxLineBytes = maxLineChars * 3;

export type CsvRecordsOptions = {
  readonly delimiter: string;
  /** Of the first record. */
  readonly firstLine: number;
  /** Told the line of a quotation mark that isn't closed, which is read as a character. */
  readonly onUnclosed: (line: number) => void;
};

/** Throws ReadFailure. */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  { delimiter, firstLine, onUnclosed }: CsvRecordsOptions,
): AsyncGenerator<CsvRecord, void, void> {
  let line = firstLine;
  let broken = 0;
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let missingBytes = blockBytes;
  for await (const text of texts) {
    const part = Buffer.from(text);
    parts.push(part);
    missingBytes -= part.length;
    if (missingBytes > 0) continue;
    rest = yield* recordsIn(Buffer.concat([rest, ...parts]), false);
    parts = [];
    // The end of one long record isn't looked for after every piece.
    missingBytes = Math.max(blockBytes, rest.length);
  }
  yield* recordsIn(Buffer.concat([rest, ...parts]), true);

  /** Returns the record that isn't complete yet. */
  function* recordsIn(block: Buffer, isEnd: boolean): Generator<CsvRecord, Buffer, void> {
    let left = block;
    while (left.length > 0) {
      const { records, usedBytes, isBroken } = parseBlock(left, { ...quotesAfter(broken), delimiter }, isEnd);
      for (const { cells, isTooLong, lines, linesBefore } of records) {
        if (isTooLong) throw tooLong(line);
        yield { cells, line: line + linesBefore };
        line += lines;
      }
      left = left.subarray(usedBytes);
      if (!isBroken && left.length <= maxLineBytes) return left;
      const end = endOfLine(left, isEnd);
      if (end === undefined && left.length <= maxLineBytes) return left;
      if (end === undefined || left.toString("utf8", 0, end).length > maxLineChars) throw tooLong(line);
      broken += 1;
      const { cells, isUnclosed } = parseLine(left.subarray(0, end), delimiter);
      if (isUnclosed) onUnclosed(line);
      yield { cells, line };
      line += 1;
      left = left.subarray(end);
    }
    return left;
  }
}

type FoundRecord = {
  readonly cells: readonly string[];
  readonly isTooLong: boolean;
  readonly lines: number;
  /** Empty ones. */
  readonly linesBefore: number;
};

/** A file with this many broken lines has quotation marks that mean something else. One line on its own takes 0.2 ms. */
const manyBroken = 500;

/** First by the rules, then also inside a cell, then as characters. */
function quotesAfter(broken: number): Options {
  if (broken < manyBroken) return format;
  return broken < 2 * manyBroken ? { ...format, relax_quotes: true } : { ...format, quote: null };
}

/** Reads up to the first record with broken quotes, and without the last one if more may follow. */
function parseBlock(
  block: Buffer,
  options: Options,
  isEnd: boolean,
): { readonly records: readonly FoundRecord[]; readonly usedBytes: number; readonly isBroken: boolean } {
  const found: { readonly cells: readonly string[]; readonly endsAt: number }[] = [];
  let thrown: unknown;
  try {
    parse(block, {
      ...options,
      on_record: (cells: readonly string[], { bytes }: { readonly bytes: number }) => {
        found.push({ cells, endsAt: bytes });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    thrown = error;
  }
  // What isn't closed yet may be closed in the next block.
  const isBroken = thrown instanceof CsvError && (isEnd || thrown.code !== "CSV_QUOTE_NOT_CLOSED");
  const whole = isEnd || thrown !== undefined ? found : found.slice(0, -1);
  let usedBytes = 0;
  const records = whole.map(({ cells, endsAt }) => {
    const text = block.toString("utf8", usedBytes, endsAt);
    usedBytes = endsAt;
    const isTooLong = text.length > maxLineChars;
    return { cells, isTooLong, lines: linesIn(text), linesBefore: linesIn(/^\s*/.exec(text)?.[0] ?? "") };
  });
  return { records, usedBytes, isBroken };
}

/** A quotation mark inside a cell is a character, and so is one with words behind it, and one that isn't closed. */
function parseLine(
  line: Buffer,
  delimiter: string,
): { readonly cells: readonly string[]; readonly isUnclosed: boolean } {
  const quoted = { ...format, delimiter, relax_quotes: true };
  for (const options of [quoted, { ...quoted, trim: false, ltrim: true }]) {
    const cells = cellsIn(line, options);
    if (cells !== undefined) return { cells, isUnclosed: false };
  }
  return { cells: cellsIn(line, { ...quoted, quote: null }) ?? [], isUnclosed: true };
}

/** Undefined if its quotes are broken. */
function cellsIn(line: Buffer, options: Options): readonly string[] | undefined {
  try {
    const [cells = []]: string[][] = parse(line, options);
    return cells.map((cell) => cell.trim());
  } catch (thrown) {
    if (thrown instanceof CsvError) return undefined;
    throw thrown;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Behind the line break; undefined if there is none and more may follow. */
function endOfLine(bytes: Buffer, isEnd: boolean): number | undefined {
  const ends = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)].filter((at) => at >= 0);
  if (ends.length === 0) return isEnd ? bytes.length : undefined;
  const first = Math.min(...ends);
  return bytes[first] === carriageReturn && bytes[first + 1] === lineFeed ? first + 2 : first + 1;
}

function tooLong(line: number): ReadFailure {
  return new ReadFailure("unreadable", rowSentences.longLine(line, maxLineChars));
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
