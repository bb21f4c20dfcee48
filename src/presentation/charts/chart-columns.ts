/** Finds what a chart needs in a table: its labels, whether they are times, and its columns of numbers. */
import { wordsOf } from "../../core/languages/languages.ts";
import type { Table } from "../../core/model/turn.ts";
import { cellText, maxReadChars } from "./chart-labels.ts";
import { plain } from "./chart-words.ts";
import { readNumbers } from "./read-numbers.ts";
import { readTimes } from "./read-times.ts";

export type ChartColumn = {
  readonly name: string;
  readonly values: readonly number[];
  readonly unit?: string;
};

export type ChartColumns = {
  /** The header of the labels. */
  readonly about: string;
  /** One per row, all different. */
  readonly labels: readonly string[];
  /** The labels are times. `order` sorts them; without it they are in order. */
  readonly times?: { readonly order?: readonly number[] };
  /** One to six. */
  readonly columns: readonly ChartColumn[];
};

/** What may still be read of an answer's tables before reading them would hold up others. */
export type ReadingRoom = { left: number };

const maxColumns = 6;
/** Wider tables are no charts, and reading each column takes time. */
const maxTableColumns = 40;
/** Nor are longer ones. */
const maxTableRows = 10_000;
/** Of a column's largest value: beyond these, axes have no marks, or lines no height. */
const drawableSizes = { smallest: 1e-15, largest: 1e100 };
/** Cells of all tables together, in plain ones: about 10 ms. */
const maxReadCells = 45_000;
/** Cells with marks, units or other scripts take as long as so many plain ones. */
const markedCell = 6;
const charsPerCell = 32;
/** A table's header, and a label that may be a time. */
const headerCells = 30;
const labelCells = 2;

export function readingRoom(): ReadingRoom {
  return { left: maxReadCells };
}

/** Numbers that count or name rows are no values. After `plain`. */
const rowNames = new Set(wordsOf("columns", "rowNames"));
const totals = new Set(wordsOf("columns", "totals"));

function namesRows(header: string): boolean {
  return rowNames.has(header) || header.endsWith(" id");
}

/** Undefined if the table can't be a chart: one row, a name twice, an empty value, no number, no room left. */
export function chartColumns({ columns: headers, rows: allRows }: Table, room: ReadingRoom): ChartColumns | undefined {
  if (headers.length < 2 || headers.length > maxTableColumns || allRows.length > maxTableRows) return undefined;
  if (room.left < 0) return undefined;
  room.left -= headerCells;
  const names = headers.map((header, at) => cellText(header) || `Column ${at + 1}`);
  const numbers = names.map((name, at) => readNumbers(name, eachCell(allRows, at, room)));
  const labelAt = labelColumn(numbers, allRows, room);
  if (labelAt === undefined) return undefined;
  const rows = withoutTotal(allRows, labelAt);
  const labels = labelsOf(rows, labelAt, room);
  // What was read is not whole.
  if (room.left < 0) return undefined;
  if (rows.length < 2 || new Set(labels).size < labels.length) return undefined;

  const columns: ChartColumn[] = [];
  for (const [at, read] of numbers.entries()) {
    const name = names[at] ?? "";
    if (read === undefined || at === labelAt || namesRows(plain(name))) continue;
    const values = rows.length === allRows.length ? read.values : read.values.slice(0, rows.length);
    const finite = values.filter((value) => value !== undefined);
    if (finite.length < values.length || columns.length === maxColumns || !areDrawable(finite)) return undefined;
    columns.push({ name, values: finite, unit: read.unit });
  }
  if (columns.length === 0) return undefined;
  const times = readTimes(labels);
  if (times?.order !== undefined && new Set(times.order).size < labels.length) return undefined;
  const about = cellText(headers[labelAt] ?? "");
  return { about, labels, columns, times };
}

/** Ends early when there is no room left. */
function* eachCell(rows: Table["rows"], at: number, room: ReadingRoom): Generator<string, void> {
  for (const row of rows) {
    const cell = row[at] ?? "";
    room.left -= costOf(cell);
    if (room.left < 0) return;
    yield cellText(cell);
  }
}

/** In plain cells. */
function costOf(cell: string): number {
  if (cell.length > maxReadChars) return markedCell + maxReadChars / charsPerCell;
  return (/^[\w .,-]*$/.test(cell) ? 1 : markedCell) + cell.length / charsPerCell;
}

function labelsOf(rows: Table["rows"], at: number, room: ReadingRoom): readonly string[] {
  room.left -= rows.length * labelCells;
  return [...eachCell(rows, at, room)];
}

function areDrawable(values: readonly number[]): boolean {
  const size = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return size === 0 || (size >= drawableSizes.smallest && size <= drawableSizes.largest);
}

/** The first that is no number, else a first column of years. */
function labelColumn(
  numbers: readonly (ReturnType<typeof readNumbers> | undefined)[],
  rows: Table["rows"],
  room: ReadingRoom,
): number | undefined {
  const isEmpty = (at: number) => rows.every((row) => (row[at] ?? "").trim() === "");
  const found = numbers.findIndex((read, at) => read === undefined && !isEmpty(at));
  if (found >= 0) return found;
  return readTimes(labelsOf(rows, 0, room))?.order === undefined ? undefined : 0;
}

/** The last row, where it adds up the others. */
function withoutTotal(rows: Table["rows"], labelAt: number): Table["rows"] {
  const last = rows.at(-1)?.[labelAt] ?? "";
  return totals.has(plain(cellText(last))) ? rows.slice(0, -1) : rows;
}
