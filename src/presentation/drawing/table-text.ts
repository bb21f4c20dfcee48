/** Draws tables as aligned text and as CSV. Cells wrap; a table that is too wide becomes a list of records. */

import type { Table } from "../../core/model/turn.ts";
import { readNumbers } from "../charts/read-numbers.ts";
import { countText, numberText } from "../sentences/quantities.ts";
import { displayWidth, wrapToWidth } from "./display-width.ts";
import { cleanText } from "./sanitise.ts";

export type TableTextOptions = {
  /** In characters. Default 78: a code block on a desktop; a phone shows about 40. */
  readonly maxWidth?: number;
  /** Longer cells wrap. Default 32. */
  readonly maxColumnWidth?: number;
};

/** Records are easier to read than columns narrower than this. */
const minColumnWidth = 6;
/** A longer word is broken, such as a URL; no other one is. */
const maxWordWidth = 16;
const between = " │ ";
/** After a cell in Arabic or Hebrew, or the cells beside it change places with it. */
const leftToRight = "\u200E";
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** Removes bidi and invisible control characters from every cell. */
export function cleanTable(table: Table): Table {
  const columns = table.columns.map(cleanText);
  const rows = table.rows.map((row) => row.map(cleanText));
  return { columns, rows, omittedRows: table.omittedRows };
}

/** Aligned text as in a code block: header, a line, rows; numbers to the right. Lines are joined by "\n". */
export function tableText(table: Table, options: TableTextOptions = {}): string {
  const { maxWidth = 78, maxColumnWidth = 32 } = options;
  const rows = cellsOf(table);
  const note = omittedText(table);
  const notes = note === undefined ? [] : wrapToWidth(note, maxWidth);
  const widths = fitWidths(rows, table.columns.length, maxWidth, maxColumnWidth);
  if (widths === undefined) return [recordText(table), ...notes].join("\n");
  const isNumeric = table.columns.map((_column, at) => isNumberColumn(table, at));
  const [header, ...body] = rows.map((row) => rowLines(row, widths, isNumeric));
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [...(header ?? []), rule, ...body.flat(), ...notes].join("\n");
}

/** Undefined when no row is left out. */
export function omittedText({ omittedRows = 0 }: Table): string | undefined {
  return omittedRows > 0 ? `${countText(omittedRows, "more row")} not shown here.` : undefined;
}

/** In characters, with each cell in one line. */
export function naturalWidth(table: Table): number {
  const widths = columnWidths(table.columns.length, cellsOf(table));
  return widths.reduce((sum, width) => sum + width, 0) + between.length * (widths.length - 1);
}

function cellsOf({ columns, rows }: Table): readonly (readonly string[])[] {
  return [columns, ...rows].map((row) => row.map(oneLine));
}

/** One record per row, a line per column: for tables that are wider than the screen. */
function recordText(table: Table): string {
  return table.rows
    .map((row, at) => {
      const lines = table.columns.map((column, cell) => `${oneLine(column)}: ${row[cell] ?? ""}`.trimEnd());
      return [`Row ${numberText(at + 1)}`, ...lines].join("\n");
    })
    .join("\n\n");
}

/**
 * RFC 4180, CRLF, quoted where needed. A cell that a spreadsheet would execute (starting with =, +, -, @, tab or carriage
 * return) is prefixed with '; plain numbers stay numbers.
 */
export function tableCsv(table: Table): string {
  return [table.columns, ...table.rows].map(csvLine).join("");
}

/** One line of a CSV file, with its line end. A cell that a spreadsheet would run as a formula becomes text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string): string {
  const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);
  const guarded = !isNumber && /^\s*[=+\-@]|^[\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function oneLine(cell: string): string {
  return cleanText(cell)
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(/\t/g, " ")
    .trim();
}

function columnWidths(count: number, rows: readonly (readonly string[])[], widthOf = displayWidth): readonly number[] {
  const widths = Array<number>(count).fill(1);
  for (const row of rows) {
    for (const [at, width] of widths.entries()) widths[at] = Math.max(width, widthOf(row[at] ?? ""));
  }
  return widths;
}

function longestWord(cell: string): number {
  return Math.max(...cell.split(/\s/).map(displayWidth));
}

/** Shrinks the widest column first, down to its longest word; undefined when that doesn't fit either. */
function fitWidths(
  rows: readonly (readonly string[])[],
  count: number,
  maxWidth: number,
  maxColumnWidth: number,
): readonly number[] | undefined {
  const natural = columnWidths(count, rows);
  const room = maxWidth - between.length * Math.max(0, count - 1);
  const words = columnWidths(count, rows, longestWord);
  const least = natural.map((width, at) =>
    Math.min(width, Math.max(minColumnWidth, Math.min(words[at] ?? 0, maxWordWidth))),
  );
  if (least.reduce((sum, width) => sum + width, 0) > room) return undefined;
  const widths = natural.map((width) => Math.min(width, maxColumnWidth));
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const spare = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    widths[spare.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths.length === 0 ? undefined : widths;
}

function rowLines(row: readonly string[], widths: readonly number[], isNumeric: readonly boolean[]): readonly string[] {
  const cells = widths.map((width, at) => wrapToWidth(row[at] ?? "", width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_line, lineAt) =>
    widths
      .map((width, at) => {
        const shown = cells[at]?.[lineAt] ?? "";
        const pad = " ".repeat(Math.max(0, width - displayWidth(shown)));
        const cell = rightToLeft.test(shown) ? shown + leftToRight : shown;
        return isNumeric[at] === true ? pad + cell : cell + pad;
      })
      .join(between)
      .trimEnd(),
  );
}

function isNumberColumn({ columns, rows }: Table, at: number): boolean {
  const cells = rows.map((row) => row[at] ?? "");
  return readNumbers(columns[at] ?? "", cells) !== undefined;
}
