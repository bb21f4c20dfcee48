/**
 * Finds the headings of a table among its first records, and gives every column a name of its own. Lines above them are
 * a title, and what has no name is named by its position.
 */
import { ordinal, shorten } from "../../presentation/sentences.ts";
import { maxColumnNameChars } from "../foreign/content-limits.ts";
import type { CsvRecord } from "./csv-records.ts";
import { usualWidth } from "./csv-separator.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import { checkColumnCount } from "./row-format.ts";

const says = {
  columnName: (column: number): string => `column ${column}`,
  doubleHeadings: (names: readonly string[]): string => {
    const shown = `repeated heading renamed “${names[0]}”`;
    return names.length === 1 ? shown : `${shown}, and ${names.length - 1} more alike`;
  },
};

export type Headings = {
  /** One for each column of most records. */
  readonly names: readonly string[];
  /** Of a value beyond them. No column has it, whatever the headings are. */
  readonly nameBeyond: (position: number) => string;
  /** Records above the headings. */
  readonly titles: readonly CsvRecord[];
  /** Where the data begins among the records. */
  readonly dataFrom: number;
  /** Positions of columns without a heading, from 1. */
  readonly unnamed: ReadonlySet<number>;
};

/** A title and what follows it has at most so many lines. */
const maxTitles = 10;

/** `records`: the first ones. Throws ReadFailure. */
export function headingsOf(records: readonly CsvRecord[], notes: ReadingNotes): Headings {
  const written = records.filter(({ cells }) => !isEmpty(cells));
  const width = usualWidth(written.map(({ cells }) => cells.length)) ?? 1;
  const at = headingAt(records, width);
  const merged = mergedHeading(records.slice(at), width);
  const heading = merged ?? records[at]?.cells ?? [];
  // A table of numbers, or of dates: no name has only these.
  const isMissing = at >= 0 && !heading.some((cell) => /\p{L}/u.test(cell));
  const given = isMissing ? [] : heading;
  const columns = Math.max(given.length, width);
  checkColumnCount(columns);
  const unnamed = new Set<number>();
  const { names, taken } = namesOf(
    Array.from({ length: columns }, (_, index) => {
      const name = (given[index] ?? "").replace(/\s+/g, " ").trim();
      if (name === "") unnamed.add(index + 1);
      return name;
    }),
    notes,
  );
  if (merged !== undefined) notes.add("two lines of headings read as one");
  if (isMissing) {
    notes.add(
      columns === 1
        ? "no heading, so it's named “column 1”"
        : `no headings, so they're named “column 1” to “column ${columns}”`,
    );
    unnamed.clear();
  }
  const titles = records.slice(0, Math.max(0, at)).filter(({ cells }) => !isEmpty(cells));
  const headingLines = isMissing ? 0 : merged === undefined ? 1 : 2;
  const nameBeyond = (position: number) => freeName(says.columnName(position), taken);
  return { names, nameBeyond, titles, dataFrom: at + headingLines, unnamed };
}

/** The first record with a cell, unless it is a title above the headings. -1: there is none. */
function headingAt(records: readonly CsvRecord[], width: number): number {
  const first = records.findIndex(({ cells }) => !isEmpty(cells));
  let isBehindGap = false;
  for (let at = first; at >= 0 && at <= first + maxTitles; at += 1) {
    const { cells = [], line = 0 } = records[at] ?? {};
    if (isEmpty(cells)) continue;
    if (at > first && looksLikeHeadings(cells, width, isBehindGap)) return at;
    const next = records[at + 1];
    // Empty lines make no record.
    const endsWithGap = next !== undefined && (next.line > line + 1 || isEmpty(next.cells));
    if (!looksLikeTitle(cells, width, endsWithGap)) break;
    isBehindGap = endsWithGap;
  }
  return first;
}

/** A title that is filled up to the table's width is one if an empty line follows, or if that is 3 or more. */
function looksLikeTitle(cells: readonly string[], width: number, endsWithGap: boolean): boolean {
  const filled = cells.filter((cell) => cell !== "").length;
  if (cells[0] === "" || filled * 2 > width) return false;
  return cells.length < width || (filled === 1 && (width >= 3 || endsWithGap));
}

/** Behind an empty line they may lack a name, or have one twice: data has no reason to begin there. */
function looksLikeHeadings(cells: readonly string[], width: number, isBehindGap: boolean): boolean {
  if (cells.length !== width) return false;
  const written = cells.filter((cell) => cell !== "");
  const isComplete = new Set(cells.map((cell) => cell.toLowerCase())).size === width && written.length === width;
  return written.every((cell) => /\p{L}/u.test(cell)) && (isComplete || (isBehindGap && written.length * 2 > width));
}

/**
 * Two lines of headings as one, where cells of the first were merged: it has "2025" and nothing beside it, and the second
 * "Q1" and "Q2". Undefined if the first record is all.
 */
function mergedHeading([first, second, ...data]: readonly CsvRecord[], width: number): readonly string[] | undefined {
  if (first === undefined || second === undefined || data.length === 0) return undefined;
  const upper = Array.from({ length: width }, (_, index) => first.cells[index] ?? "");
  const lower = Array.from({ length: width }, (_, index) => second.cells[index] ?? "");
  const above = spanned(upper, lower);
  const isComplete = upper.every((cell, index) => cell !== "" || lower[index] !== "");
  // What spans a gap has words of its own below.
  const spans = upper.some((cell, index) => cell === "" && above[index] !== "");
  const areWords = lower.every((cell) => cell === "" || /\p{L}/u.test(cell));
  if (!isComplete || !spans || !areWords || second.cells.length > width) return undefined;
  const written = lower.filter((cell) => cell !== "");
  const hasGap = upper.some((cell, index) => cell !== "" && lower[index] === "");
  const hasNumbers = lower.some((cell, index) => cell !== "" && isOfNumbers(data, index));
  if (!hasGap && new Set(written).size === width && !hasNumbers) return undefined;
  return lower.map((cell, index) => [above[index], cell].filter((word) => word !== "").join(" "));
}

/** With the words of a merged cell in each column that it spans. */
function spanned(upper: readonly string[], lower: readonly string[]): readonly string[] {
  let word = "";
  return upper.map((cell, index) => {
    if (cell !== "") word = lower[index] === "" ? "" : cell;
    return cell === "" ? word : cell;
  });
}

function isOfNumbers(data: readonly CsvRecord[], index: number): boolean {
  const written = data.map(({ cells }) => cells[index] ?? "").filter((cell) => cell !== "");
  return written.length > 0 && written.every((cell) => /\d/.test(cell) && !/\p{L}/u.test(cell));
}

/**
 * Rows normalise names, so equal ones would become one column, and only the last would be kept. "": has none, and gets
 * one that no other has.
 */
function namesOf(given: readonly string[], notes: ReadingNotes) {
  const taken = new Set<string>();
  const doubles: string[] = [];
  const long: number[] = [];
  const written = given.map((full, index) => {
    if (full === "") return undefined;
    const name = full.length > maxColumnNameChars ? shorten(full, maxColumnNameChars) : full;
    if (name !== full) long.push(index + 1);
    const unique = freeName(name, taken);
    if (unique !== name) doubles.push(unique);
    taken.add(unique.toLowerCase());
    return unique;
  });
  const names = written.map((name, index) => {
    if (name !== undefined) return name;
    const invented = freeName(says.columnName(index + 1), taken);
    taken.add(invented.toLowerCase());
    return invented;
  });
  if (doubles.length > 0) notes.add(says.doubleHeadings(doubles));
  if (long.length > 0)
    notes.add(
      `${long.length === 1 ? `${ordinal(long[0] ?? 1)} heading` : `${long.length} headings`} shortened to ${maxColumnNameChars} characters`,
    );
  return { names, taken };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
    free = `${shorten(name, maxColumnNameChars - 8)} ${number}`;
  }
  return free;
}

export function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "");
}
