/**
 * Streams the rows of a CSV file. The separator is detected in the first line, and a ragged line is an error with its
 * number.
 */
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { rowSentences, shorten } from "../../presentation/sentences.ts";
import { maxColumnNameChars, maxColumns, maxLineChars } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

/** Throws ReadFailure. */
export async function* readCsv(
  texts: AsyncGenerator<string, void, void>,
): AsyncGenerator<Readonly<Record<string, string>>, void, void> {
  let head = "";
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    head += next.value;
    if (head.trimStart().includes("\n") || head.length > maxLineChars) break;
  }
  const parser = parse({
    bom: true,
    columns: namesOf,
    delimiter: separatorOf(head),
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxLineChars,
  });
  const source = Readable.from(
    (async function* () {
      yield head;
      yield* texts;
    })(),
  );
  // An error of the source must also end the parser.
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const record of parser as AsyncIterable<Readonly<Record<string, string>>>) yield record;
  } catch (thrown) {
    throw thrown instanceof CsvError ? failureOf(thrown) : thrown;
  } finally {
    source.destroy();
  }
}

function namesOf(header: readonly string[]): string[] {
  checkColumns(header);
  const unnamed = header.findIndex((name) => name.trim() === "");
  if (unnamed >= 0) throw new ReadFailure("unreadable", rowSentences.emptyColumn(unnamed + 1));
  // Rows normalise names, so these would be one column, and only the last would be kept.
  const plain = header.map((name) => name.trim().toLowerCase());
  const double = header.find((_name, index) => plain.indexOf(plain[index] ?? "") < index);
  if (double !== undefined) throw new ReadFailure("unreadable", rowSentences.doubleColumn(shorten(double, 80)));
  return [...header];
}

/** Throws ReadFailure. */
export function checkColumns(names: readonly string[]): void {
  if (names.length > maxColumns) {
    throw new ReadFailure("unreadable", rowSentences.tooManyColumns(names.length, maxColumns));
  }
  const long = names.findIndex((name) => name.length > maxColumnNameChars);
  if (long >= 0) throw new ReadFailure("unreadable", rowSentences.longColumn(long + 1, maxColumnNameChars));
}

/** The separator that occurs most often in the first line, outside quotes. */
function separatorOf(head: string): string {
  const line = (head.split(/\r?\n/).find((text) => text.trim() !== "") ?? "").replace(/"[^"]*"/g, "");
  const counted = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

function failureOf(error: CsvError): ReadFailure {
  const line = typeof error["lines"] === "number" ? error["lines"] : 1;
  switch (error.code) {
    case "CSV_RECORD_INCONSISTENT_COLUMNS":
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH": {
      const cells = Array.isArray(error["record"]) ? error["record"].length : 0;
      const columns = Array.isArray(error["columns"]) ? error["columns"].length : 0;
      return new ReadFailure("unreadable", rowSentences.ragged(line, cells, columns));
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return new ReadFailure("unreadable", rowSentences.csv(line, rowSentences.quoteNotClosed));
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return new ReadFailure("unreadable", rowSentences.csv(line, rowSentences.quoteInside));
    case "CSV_MAX_RECORD_SIZE":
      return new ReadFailure("unreadable", rowSentences.longLine(line, maxLineChars));
    default:
      return new ReadFailure("unreadable", rowSentences.csv(line, error.code));
  }
}
