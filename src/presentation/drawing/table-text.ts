/** Draws tables as aligned text and as CSV. Cells wrap; a table that is too wide becomes a list of records. */

import type { Table } from "../../core/model/turn.ts";
import { readNumbers } from "../charts/read-numbers.ts";
import { countText, numberText } from "../sentences/quantities.ts";
import { displayWidth, wrapToWidth } from "./display-width.ts";
import { cleanText } from "./sanitise.ts";

const says = {
  /** Undefined when nothing is left out. */
  omitted: (rows: number, columns: number): string | undefined => {
    const parts = [
      ...(rows > 0 ? [countText(rows, "more row")] : []),
      ...(columns > 0 ? [countText(columns, "more column")] : []),
    ];
    return parts.length === 0 ? undefined : `${parts.join(" and ")} not shown here.`;
  },
};

export type TableTextOptions = {
  /** In characters. Default 78: a code block on a desktop; a phone shows about 40. */
  readonly maxWidth?: number;
  /** Longer cells wrap. Default 32. */
  readonly maxColumnWidth?: number;
  /** Leaves out the last columns that don't fit, instead of listing many records: all of them are offered elsewhere. */
  readonly hidesColumns?: boolean;
};

/** Records are easier to read than columns narrower than this. */
const minColumnWidth = 6;
/** Columns are left out before the others get narrower than this. */
const comfortableWidth = 10;
/** Shorter lists of records are shown although columns could be left out. */
const maxRecordLines = 30;
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
  const { maxWidth = 78, maxColumnWidth = 32, hidesColumns = false } = options;
  const rows = [table.columns, ...table.rows].map((row) => row.map(oneLine));
  const natural = columnWidths(table.columns.length, rows);
  const isShort = table.rows.length * (table.columns.length + 2) <= maxRecordLines;
  const shown = hidesColumns && !isShort ? natural.slice(0, columnsThatFit(natural, maxWidth)) : natural;
  const note = says.omitted(table.omittedRows ?? 0, natural.length - shown.length);
  const notes = note === undefined ? [] : wrapToWidth(note, maxWidth);
  const widths = fitWidths(shown, maxWidth, maxColumnWidth);
  if (widths === undefined) return [recordText(table), ...notes].join("\n");
  const isNumeric = table.columns.map((_column, at) => isNumberColumn(table, at));
  const [header, ...body] = rows.map((row) => rowLines(row, widths, isNumeric));
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [...(header ?? []), rule, ...body.flat(), ...notes].join("\n");
}

/** How many of the first columns fit beside each other. At least one. */
function columnsThatFit(natural: readonly number[], maxWidth: number): number {
  let room = maxWidth + between.length;
  const first = natural.findIndex((width) => {
    room -= Math.min(width, comfortableWidth) + between.length;
    return room < 0;
  });
  return first < 0 ? natural.length : Math.max(1, first);
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

function oneLine(cell: string): string {
  return cleanText(cell)
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(/\t/g, " ")
    .trim();
}

function columnWidths(count: number, rows: readonly (readonly string[])[]): readonly number[] {
  const widths = Array<number>(count).fill(1);
  for (const row of rows) {
    for (const [at, width] of widths.entries()) widths[at] = Math.max(width, displayWidth(row[at] ?? ""));
  }
  return widths;
}

/** Shrinks the widest column first; undefined when even the narrowest columns don't fit. */
function fitWidths(
  natural: readonly number[],
  maxWidth: number,
  maxColumnWidth: number,
): readonly number[] | undefined {
  const room = maxWidth - between.length * Math.max(0, natural.length - 1);
  if (natural.reduce((sum, width) => sum + Math.min(width, minColumnWidth), 0) > room) return undefined;
  const widths = natural.map((width) => Math.min(width, maxColumnWidth));
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= minColumnWidth) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
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
