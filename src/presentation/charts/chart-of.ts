/** Decides whether a table becomes a chart, which kind, and what of it is drawn. Pure. */

import type { Chart, ChartKind, ChartSeries } from "../../core/model/chart.ts";
import type { Table } from "../../core/model/turn.ts";
import { numberText } from "../sentences/quantities.ts";
import { shorten } from "../sentences/steps.ts";
import { type ChartColumn, type ChartColumns, chartColumns, type ReadingRoom, readingRoom } from "./chart-columns.ts";
import { shortLabels } from "./chart-labels.ts";
import { chartSays } from "./chart-says.ts";
import { type ChartWish, plain, wishesIn } from "./chart-words.ts";

const says = {
  /** "Bookings by month". */
  title: (series: string, label: string): string => (label === "" ? series : `${series} by ${label}`),
  /** "Direct", "Direct and Partner sites", "Direct, Phone and Partner sites". */
  names: (all: readonly string[]): string =>
    all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`,
  /** "Direct and 5 more". */
  andMore: (name: string, more: number): string => `${name} and ${numberText(more)} more`,
  /** A category without a name. */
  noName: "(none)",
  other: "Other",
};

/** What Slack's charts take (2026-06). */
const maxCategories = 20;
const maxTitleChars = 50;
const maxParts = 6;
/** On one axis, lines that are smaller than this part of the largest look flat. */
const maxRatio = 20;
/** Fewer points are read faster in a sentence. */
const minAskedPoints = 4;

export type TableChart = {
  readonly chart: Chart;
  readonly table: Table;
  /** The question asks for it: the chart is shown, not only offered. */
  readonly isAsked: boolean;
};

/** The first of the tables that can be drawn. */
export function tableChart(tables: readonly Table[], question: string): TableChart | undefined {
  const wishes = wishesIn(question);
  const room = readingRoom();
  for (const table of tables) {
    const found = chartIn(table, question, wishes, room);
    if (found !== undefined) return { ...found, table };
  }
  return undefined;
}

/** Undefined if the table can't be drawn. */
export function chartOf(table: Table, question: string): Chart | undefined {
  return chartIn(table, question, wishesIn(question), readingRoom())?.chart;
}

/** The table's order of rows, as indices. */
type Rows = readonly number[];

function chartIn(
  table: Table,
  question: string,
  wishes: ReadonlySet<ChartWish>,
  room: ReadingRoom,
): Omit<TableChart, "table"> | undefined {
  const found = chartColumns(table, room);
  if (found === undefined) return undefined;
  const accent = accentOf(found.columns, question);
  if (accent === undefined) return undefined;
  const drawn = comparable(found.columns, accent);
  const isWhole = (table.omittedRows ?? 0) === 0;
  const kind = kindOf(found, drawn, wishes, isWhole);
  const all = found.labels.length;
  const isTime = found.times !== undefined;
  const isCut = all > maxCategories && kind !== "pie";
  const cut = isTime
    ? ` (last ${maxCategories} of ${numberText(all)})`
    : ` (${maxCategories} largest of ${numberText(all)})`;
  const suffix = `${isCut ? cut : ""}${isWhole ? "" : ` (first ${numberText(table.rows.length)} rows)`}`;
  const unit = accent.unit;
  const picture = kind === "pie" ? pie(found, accent) : axes(found, drawn, accent);
  const title = titleOf(found.about, drawn, suffix);
  const unsaid = { kind, title, ...picture, ...(unit === undefined || kind === "pie" ? {} : { yLabel: unit }) };
  const left = found.columns.filter((column) => !drawn.includes(column)).map(nameOf);
  const isAsked = all >= minAskedPoints && asksFor(wishes, isTime);
  return { chart: { ...unsaid, says: chartSays(unsaid, { unit, left }) }, isAsked };
}

/** A trend needs times: "the monthly fee" of four rooms is none. */
function asksFor(wishes: ReadonlySet<ChartWish>, isTime: boolean): boolean {
  return [...wishes].some((wish) => wish !== "trend" || isTime);
}

/** The column that the question names first, by its longest name; else the first column. */
function accentOf(columns: readonly ChartColumn[], question: string): ChartColumn | undefined {
  const text = ` ${plain(question.slice(0, 2_000))} `;
  const named = columns
    .map((column) => ({ column, at: plain(column.name) === "" ? -1 : text.indexOf(` ${plain(column.name)} `) }))
    .filter(({ at }) => at >= 0)
    // "Sales north" is named where "Sales" is, too.
    .sort((a, b) => a.at - b.at || b.column.name.length - a.column.name.length);
  return named[0]?.column ?? columns[0];
}

/** Columns that can share an axis with the accent: the same unit, and no line is flat beside another. */
function comparable(columns: readonly ChartColumn[], accent: ChartColumn): readonly ChartColumn[] {
  const largest = (column: ChartColumn) => column.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let [low, high] = [largest(accent), largest(accent)];
  return columns.filter((column) => {
    if (column === accent) return true;
    const size = largest(column);
    const [nextLow, nextHigh] = [Math.min(low, size), Math.max(high, size)];
    if (column.unit !== accent.unit || nextHigh > nextLow * maxRatio) return false;
    [low, high] = [nextLow, nextHigh];
    return true;
  });
}

function kindOf(
  { times, labels }: ChartColumns,
  drawn: readonly ChartColumn[],
  wishes: ReadonlySet<ChartWish>,
  isWhole: boolean,
): ChartKind {
  const values = drawn.flatMap((column) => column.values);
  if (times !== undefined) {
    const isStacked = wishes.has("stacked") && drawn.length > 1 && values.every((value) => value >= 0);
    return isStacked ? "area" : "line";
  }
  const [only] = drawn;
  const isShares =
    drawn.length === 1 && isWhole && labels.length >= 2 && values.every((value) => value > 0) && addsUp(only);
  return isShares && wishes.has("share") ? "pie" : "bar";
}

/** Percentages are parts of a whole only if they are all of it. */
function addsUp(column: ChartColumn | undefined): boolean {
  if (column?.unit !== "%") return true;
  const total = column.values.reduce((sum, value) => sum + value, 0);
  return Math.abs(total - 100) <= 2;
}

type Picture = Pick<Chart, "categories" | "series">;

function axes({ labels, times }: ChartColumns, drawn: readonly ChartColumn[], accent: ChartColumn): Picture {
  const rows = shownRows(labels.length, times, accent.values);
  const names = shortLabels(drawn.map(nameOf));
  return {
    categories: shortLabels(rows.map((row) => named(labels[row]))),
    series: drawn.map((column, index): ChartSeries => {
      const one = { name: names[index] ?? "", values: rows.map((row) => column.values[row] ?? 0) };
      return column === accent ? { ...one, isAccent: true } : one;
    }),
  };
}

/** Times in their order and the last of them; else as written, or the largest. */
function shownRows(count: number, times: ChartColumns["times"], values: readonly number[]): Rows {
  const rows = Array.from({ length: count }, (_, index) => index);
  const order = times?.order;
  if (order !== undefined) rows.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  if (count <= maxCategories) return rows;
  if (times !== undefined) return rows.slice(-maxCategories);
  return bySize(rows, values).slice(0, maxCategories);
}

function bySize(rows: Rows, values: readonly number[]): Rows {
  return [...rows].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
}

/** The largest part first; what is too small for a part of its own is the last. */
function pie({ labels }: ChartColumns, { name, values }: ChartColumn): Picture {
  const rows = bySize(
    labels.map((_, index) => index),
    values,
  );
  const shown = rows.length <= maxParts ? rows : rows.slice(0, maxParts - 1);
  const parts = shown.map((row) => ({ label: named(labels[row]), value: values[row] ?? 0 }));
  if (shown.length < rows.length) {
    const rest = rows.slice(shown.length).reduce((sum, row) => sum + (values[row] ?? 0), 0);
    const other = parts.find(({ label }) => plain(label) === plain(says.other));
    if (other === undefined) parts.push({ label: says.other, value: rest });
    else other.value += rest;
  }
  return {
    categories: shortLabels(parts.map(({ label }) => label)),
    series: [{ name: shortLabels([name])[0] ?? "", values: parts.map(({ value }) => value), isAccent: true }],
  };
}

function named(label: string | undefined): string {
  return label === undefined || label === "" ? says.noName : label;
}

const nameOf = ({ name }: ChartColumn): string => name;

/** "Direct and Partner sites by month", or "Direct and 4 more by month". What was cut is always said. */
function titleOf(about: string, drawn: readonly ChartColumn[], suffix: string): string {
  const room = maxTitleChars - suffix.length;
  const label = /^[\p{Lu}][\p{Ll} ]+$/u.test(about) ? about.toLowerCase() : about;
  const names = drawn.map(nameOf);
  const whole = says.title(says.names(names), label);
  if (whole.length <= room || drawn.length === 1) return shorten(whole, room) + suffix;
  const first = says.andMore(shorten(names[0] ?? "", Math.floor(room / 2)), drawn.length - 1);
  return shorten(says.title(first, label), room) + suffix;
}
