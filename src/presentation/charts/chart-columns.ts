/** Finds what a chart needs in a table: its labels, whether they are times, and its columns of numbers. */
import type { Table } from "../../ports/model/turn.ts";
import { chartSentences } from "../sentences/channels/charts.ts";
import { cellText } from "./chart-labels.ts";
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

const maxColumns = 6;
/** Wider tables are no charts, and reading each column takes time. */
const maxTableColumns = 40;
/** Nor are these, and none arrives in an answer. */
const maxTableRows = 20_000;

/** Numbers that count or name rows are no values. After `plain`. */
const namesRows =
  /^(?:id|ids|uuid|key|no|nr|num|number|index|row|row number|rank|rang|pos|position|place|year|years|jahr|annee|ano|anos|anno|jaar|год|年|年度|.* id)$/;
const namesTotal =
  /^(?:(?:grand |sub)?totals?|sum|gesamt|summe|insgesamt|total general|total geral|somme|suma|soma|totale|somma|totaal|итого|всего|合計|总计|總計|合计)$/;

/** Undefined if the table can't be a chart: one row, a name twice, an empty value, no number. */
export function chartColumns({ columns: headers, rows: allRows }: Table): ChartColumns | undefined {
  if (headers.length < 2 || headers.length > maxTableColumns || allRows.length > maxTableRows) return undefined;
  const names = headers.map((header, at) => cellText(header) || chartSentences.column(at + 1));
  const numbers = names.map((name, at) => readNumbers(name, eachCell(allRows, at)));
  const labelAt = labelColumn(numbers, allRows);
  if (labelAt === undefined) return undefined;
  const rows = withoutTotal(allRows, labelAt);
  const labels = cellsOf(rows, labelAt);
  if (rows.length < 2 || new Set(labels).size < labels.length) return undefined;

  const columns: ChartColumn[] = [];
  for (const [at, read] of numbers.entries()) {
    const name = names[at] ?? "";
    if (read === undefined || at === labelAt || namesRows.test(plain(name))) continue;
    const values = rows.length === allRows.length ? read.values : read.values.slice(0, rows.length);
    const finite = values.filter((value) => value !== undefined);
    if (finite.length < values.length || columns.length === maxColumns) return undefined;
    columns.push({ name, values: finite, ...(read.unit === undefined ? {} : { unit: read.unit }) });
  }
  if (columns.length === 0) return undefined;
  const times = readTimes(labels);
  if (times?.order !== undefined && new Set(times.order).size < labels.length) return undefined;
  const about = cellText(headers[labelAt] ?? "");
  return { about, labels, columns, ...(times === undefined ? {} : { times }) };
}

function* eachCell(rows: Table["rows"], at: number): Generator<string, void> {
  for (const row of rows) yield cellText(row[at] ?? "");
}

const cellsOf = (rows: Table["rows"], at: number): readonly string[] => [...eachCell(rows, at)];

/** The first that is no number, else a first column of years. */
function labelColumn(
  numbers: readonly (ReturnType<typeof readNumbers> | undefined)[],
  rows: Table["rows"],
): number | undefined {
  const isEmpty = (at: number) => rows.every((row) => (row[at] ?? "").trim() === "");
  const found = numbers.findIndex((read, at) => read === undefined && !isEmpty(at));
  if (found >= 0) return found;
  return readTimes(cellsOf(rows, 0))?.order === undefined ? undefined : 0;
}

/** The last row, where it adds up the others. */
function withoutTotal(rows: Table["rows"], labelAt: number): Table["rows"] {
  const last = rows.at(-1)?.[labelAt] ?? "";
  return namesTotal.test(plain(cellText(last))) ? rows.slice(0, -1) : rows;
}
