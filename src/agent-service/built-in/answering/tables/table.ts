/** A table as a whole: the rows of a file that were added together, or a table in the text of a page. */
import { isCalendarWord, readWords } from "../words.ts";

export type Table = {
  /** The file's name, or the heading above the table. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** Cells as they are written; "" for an empty one. */
  readonly rows: readonly (readonly string[])[];
};

export type Column = {
  readonly name: string;
  readonly kind: "number" | "date" | "text";
  /** Values of a column of numbers; undefined where a cell has none. */
  readonly numbers: readonly (number | undefined)[];
  readonly dates: readonly (CalendarDate | undefined)[];
  readonly hasDecimalComma: boolean;
};

export type CalendarDate = { readonly year: number; readonly month?: number; readonly day?: number };

/** A longer table is searched row by row. */
export const maxRows = 200;
export const maxTableChars = 8_000;
/** On average, of a column of sentences. */
const minSentenceChars = 40;
/** A column of numbers may have some remarks. */
const minKindShare = 0.8;

export function tableOf(name: string, names: readonly string[], rows: readonly (readonly string[])[]): Table {
  const columns = names.map((column, index) =>
    columnOf(
      column,
      rows.map((row) => (row[index] ?? "").trim()),
    ),
  );
  const [first, ...others] = columns;
  // Releases or codes, which nothing else names: they are no amounts.
  const isLabel = first !== undefined && columns.every(({ kind }) => kind === "number") && hasNoUnit(first.name);
  const labelled = isLabel && areDistinct(rows) ? [{ ...first, kind: "text" as const }, ...others] : columns;
  return { name, columns: labelled, rows: rows.map((row) => names.map((_, index) => (row[index] ?? "").trim())) };
}

function hasNoUnit(name: string): boolean {
  return !/[()]/.test(name);
}

function areDistinct(rows: readonly (readonly string[])[]): boolean {
  return rows.length > 1 && new Set(rows.map(([cell]) => cell)).size === rows.length;
}

function columnOf(name: string, cells: readonly string[]): Column {
  const written = cells.filter((cell) => !isEmpty(cell));
  const hasDecimalComma =
    written.some((cell) => /\d,\d{1,2}(?!\d)/.test(cell)) && !written.some((cell) => /\d\.\d{1,2}(?!\d)/.test(cell));
  const dates = cells.map(dateOf);
  const numbers = cells.map((cell) => numberOf(cell, hasDecimalComma));
  const share = (values: readonly unknown[]) =>
    values.filter((value) => value !== undefined).length / Math.max(1, written.length);
  const kind = share(dates) >= minKindShare ? "date" : share(numbers) >= minKindShare ? "number" : "text";
  return { name, kind, numbers, dates, hasDecimalComma };
}

function isEmpty(cell: string): boolean {
  return /^(?:[-–—?/]|n\/?a|null|none)?$/i.test(cell);
}

/** A number with its unit or currency: "€ 1.200,50", "12 kg", "95 %". */
const numberCell = /^[€$£]?\s?([-+−]?\d[\d.,' ]{0,20})\s?(?:[€$£%]|\p{L}{1,8}\.?)?$/u;

function numberOf(cell: string, hasDecimalComma: boolean): number | undefined {
  const written = numberCell.exec(cell)?.[1];
  if (written === undefined) return undefined;
  const plain = written.replace(/[' ]/g, "").replace("−", "-");
  const value = Number(
    hasDecimalComma ? plain.replaceAll(".", "").replace(",", ".") : plain.replace(/,(?=\d{3}(?!\d))/g, ""),
  );
  return Number.isFinite(value) ? value : undefined;
}

function dateOf(cell: string): CalendarDate | undefined {
  const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ].*)?$/.exec(cell);
  if (iso !== null) return calendarDate(iso[1], iso[2], iso[3]);
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell);
  if (german !== null) return calendarDate(german[3], german[2], german[1]);
  const words = readWords(`x, ${cell}`).slice(1);
  const month = words.find(({ word }) => word.startsWith("m:"));
  const year = words.find(({ word }) => /^(?:19|20)\d\d$/.test(word));
  // A year has each month once.
  if (month !== undefined && words.length === 1 && month.word.startsWith("m:")) {
    return calendarDate("0", month.word.slice(2));
  }
  if (month === undefined || !isCalendarWord(month.word) || year === undefined || words.length > 3) return undefined;
  const day = words.find(({ word }) => /^\d{1,2}$/.test(word));
  return calendarDate(year.word, month.word.slice(2), day?.word);
}

export function calendarDate(year = "", month?: string, day?: string): CalendarDate | undefined {
  const [m, d] = [month === undefined ? undefined : Number(month), day === undefined ? undefined : Number(day)];
  if ((m !== undefined && (m < 1 || m > 12)) || (d !== undefined && (d < 1 || d > 31))) return undefined;
  return { year: Number(year), month: m, day: d };
}

/** Days since the year 0, roughly: for order alone. */
export function orderOf({ year, month = 1, day = 1 }: CalendarDate): number {
  return (year * 12 + month) * 32 + day;
}

/** As Markdown, with the heading row. */
export function markdownOf(table: Pick<Table, "columns" | "rows">, rows: readonly number[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  const names = table.columns.map(({ name }) => name);
  const shown = rows.map((row) => line(table.rows[row] ?? []));
  return [line(names), line(names.map(() => "---")), ...shown].join("\n");
}

/** Tables in Markdown; a page can have several. */
export function tablesIn(markdown: string, name: string): readonly Table[] {
  const found: Table[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const end = tableEnd(lines, at);
    if (end === undefined) continue;
    const rows = lines.slice(at + 2, end).map(cellsOf);
    found.push(tableOf(name, cellsOf(lines[at] ?? ""), rows));
    at = end - 1;
  }
  return found;
}

/** Behind the last row of the table whose heading row is there. Undefined if there is none, or a longer one. */
function tableEnd(lines: readonly string[], at: number): number | undefined {
  if (!isRule(lines[at + 1] ?? "") || cellsOf(lines[at] ?? "").length < 2) return undefined;
  const first = at + 2;
  const length = lines.slice(first).findIndex((line) => !line.includes("|"));
  const end = length < 0 ? lines.length : first + length;
  return end > first && end - first <= maxRows ? end : undefined;
}

/** The text beside its tables. One whose cells are sentences is text in columns, and stays. */
export function withoutTables(markdown: string): string {
  const lines = markdown.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const end = tableEnd(lines, at);
    if (end === undefined || hasSentences(lines.slice(at + 2, end).map(cellsOf))) kept.push(lines[at] ?? "");
    else at = end - 1;
  }
  return kept.join("\n");
}

function hasSentences(rows: readonly (readonly string[])[]): boolean {
  return (rows[0] ?? []).some((_, column) => {
    const chars = rows.reduce((sum, row) => sum + (row[column] ?? "").length, 0);
    return chars >= minSentenceChars * rows.length;
  });
}

/** The line below the heading row. */
function isRule(line: string): boolean {
  return line.includes("|") && cellsOf(line).every((cell) => /^:?-{2,}:?$/.test(cell));
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").replace(/[*`]/g, "").trim());
}
