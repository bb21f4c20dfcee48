/** Works out what a question wants of one table: the highest, a sum, one cell, two rows compared. Pure. */
import { oneOf, wordsOf } from "../../../../core/languages/languages.ts";
import type { Asked } from "../kind-asked.ts";
import { isUnit, names } from "../names-kind.ts";
import { likeness, readWords, type Word } from "../words.ts";
import { partsOf } from "./columns.ts";
import { chosenRows, type Filter } from "./filters.ts";
import {
  type ColumnHint,
  hintOf,
  isAgeColumn,
  isColumnFor,
  isYearColumn,
  type Operation,
  operationsIn,
} from "./request.ts";
import { orderOf, type Table } from "./table.ts";

export type TableAnswer = {
  /** One sentence; "" where the rows say it themselves. */
  readonly said: string;
  /** Those to show. */
  readonly rows: readonly number[];
};

/** Rows shown below a result, and rows that are quoted without one. */
export const maxShownRows = 12;

export type Request = {
  readonly table: Table;
  readonly words: readonly Word[];
  readonly asked: Asked | undefined;
  /** In the order of the pattern table. */
  readonly operations: ReadonlySet<Operation>;
  /** Columns that the question names, best first. */
  readonly named: readonly number[];
  readonly hints: readonly ColumnHint[];
  readonly filters: readonly Filter[];
  readonly rows: readonly number[];
};

/** Undefined where the request wants nothing that is worked out. */
export function calculated(request: Request): TableAnswer | undefined {
  const { table, operations, rows, filters, asked, named } = request;
  if (rows.length === 0) return compared(request);
  if (operations.has("trend")) return trend(request);
  const value = numberColumn(request);
  if (operations.has("max") || operations.has("min")) return extreme(request, operations.has("max"));
  if (operations.has("mean")) return value === undefined ? undefined : mean(request, value);
  const compare = filters.length > 1 && (operations.has("compare") || hasOr(request)) ? compared(request) : undefined;
  if (compare !== undefined) return compare;
  const isCount =
    asked?.counted !== undefined || asked?.words.has("often") === true || asked?.words.has("oft") === true;
  if (isCount && filters.length === 0 && areAllCounted(request)) return counted(request);
  if (operations.has("sum")) return value === undefined ? undefined : sum(request, value);
  const isNumberNamed = named.some((column) => table.columns[column]?.kind === "number");
  if (isCount && !isNumberNamed) return counted(request);
  // "How many visits were there in 2024?"
  if (isCount && rows.length > 1 && filters.length > 0 && value !== undefined) return sum(request, value);
  return cell(request);
}

function hasOr({ words }: Request): boolean {
  return words.some(({ word }) => word === "or" || word === "oder");
}

/** The column of numbers that is meant: named, hinted at, or the only one. */
function numberColumn({ table, named, hints, asked, operations }: Request): number | undefined {
  const isNumber = (column: number) => table.columns[column]?.kind === "number";
  const byName = named.find(isNumber);
  // "The shortest page" isn't the lowest number of pages.
  const ofKind = asked?.kind === "weight" || asked?.kind === "duration" ? [asked.kind] : [];
  const measured = [...hints.filter((hint) => hint === "duration" || hint === "weight" || hint === "price"), ...ofKind];
  const isMeant = (column: number) => measured.every((hint) => isColumnFor(hint, nameOf(table, column)));
  if (byName !== undefined && isMeant(byName)) return byName;
  const hasSize = table.columns.some(({ name, kind }) => kind === "number" && isColumnFor("size", name));
  // "The largest branch" has the most of whatever is counted.
  const wanted: readonly ColumnHint[] = [
    ...hints.filter((hint) => hint !== "date" && (hint !== "size" || hasSize)),
    ...ofKind,
    ...(asked?.kind === "money" ? (["price"] as const) : []),
  ];
  const numbers = [...table.columns.keys()].filter(isNumber);
  // "longest_call" has nothing of the other calls.
  const isOfOne = (column: number) =>
    operationsIn(partsOf(table, column)).some(
      ({ operation }) => (operation === "max" || operation === "min") && !operations.has(operation),
    );
  // "The longest night" isn't the longest page.
  const isOfNamed = (column: number) =>
    byName === undefined ||
    partsOf(table, column).some((part) => partsOf(table, byName).some((one) => likeness(one, part) === 1));
  const fitting = (hint: ColumnHint) =>
    numbers.filter(
      (column) => isColumnFor(hint, table.columns[column]?.name ?? "") && isOfNamed(column) && !isOfOne(column),
    );
  for (const hint of wanted) if (fitting(hint).length > 0) return fitting(hint)[0];
  if (wanted.length > 0) return undefined;
  const quantity = fitting("quantity");
  const others = numbers.filter((column) => !/^(?:id|nr|no)\.?$/i.test(table.columns[column]?.name ?? ""));
  return quantity.length > 0 ? quantity[0] : others.length === 1 ? others[0] : undefined;
}

function extreme(request: Request, isMax: boolean): TableAnswer | undefined {
  const { table, rows, hints, named, words } = request;
  const isDate = (column: number) => table.columns[column]?.kind === "date";
  const dates = [...table.columns.keys()].filter(isDate);
  const isOfAge = words.some(({ word }) => hintOf(word) === "date" && operationsIn([word]).length > 0);
  // "When was the longest call?" wants the date of a number.
  const isOfNumber = hints.some((hint) => hint !== "date") || named.some((at) => table.columns[at]?.kind === "number");
  const dateColumn = hints.includes("date") && !isOfNumber ? (named.find(isDate) ?? dates[0]) : undefined;
  const ages = isOfAge && dateColumn === undefined ? numbersOf(table, isAgeColumn) : [];
  const years = isOfAge && dateColumn === undefined ? numbersOf(table, isYearColumn) : [];
  const column = dateColumn ?? ages[0] ?? (isOfAge && !isOfNumber ? years[0] : numberColumn(request));
  if (column === undefined) return undefined;
  const isHighest = ages.length > 0 ? !isMax : isMax;
  const values = rows.flatMap((row) => {
    const date = table.columns[column]?.dates[row];
    const value = dateColumn === undefined ? table.columns[column]?.numbers[row] : date && orderOf(date);
    return value === undefined ? [] : [{ row, value }];
  });
  if (values.length === 0) return undefined;
  const best = values.reduce(
    (found, { value }) => (isHighest ? Math.max(found, value) : Math.min(found, value)),
    values[0]?.value ?? 0,
  );
  const ties = values.filter(({ value }) => value === best).map(({ row }) => row);
  const word = dateColumn === undefined ? (isHighest ? "Highest" : "Lowest") : isMax ? "Latest" : "Earliest";
  const labels = ties.slice(0, maxShownRows).map((row) => labelOf(table, row, column));
  const said = `${word} ${nameOf(table, column)}: **${table.rows[ties[0] ?? 0]?.[column] ?? ""}** (${labels.join(", ")}).`;
  return { said, rows: ties.slice(0, maxShownRows) };
}

function numbersOf({ columns }: Table, isFor: (name: string) => boolean): readonly number[] {
  return [...columns.keys()].filter((at) => columns[at]?.kind === "number" && isFor(columns[at]?.name ?? ""));
}

function sum({ table, rows }: Request, column: number): TableAnswer | undefined {
  const values = numbersIn(table, column, rows);
  if (values.length === 0) return undefined;
  const total = written(
    table,
    column,
    values.reduce((all, value) => all + value, 0),
  );
  return {
    said: `Sum of ${nameOf(table, column)} in ${countOf(values.length, rows.length)}: **${total}**.`,
    rows: rows.slice(0, maxShownRows),
  };
}

function mean({ table, rows }: Request, column: number): TableAnswer | undefined {
  const values = numbersIn(table, column, rows);
  // Of one row there is no mean: others were meant.
  if (values.length < 2) return undefined;
  const average = written(table, column, values.reduce((all, value) => all + value, 0) / values.length);
  return {
    said: `Mean of ${nameOf(table, column)} in ${countOf(values.length, rows.length)}: **${average}**.`,
    rows: rows.slice(0, maxShownRows),
  };
}

/** How many rows there are, or what is in the column of quantities where things are counted by their name. */
function counted(request: Request): TableAnswer | undefined {
  const { table, rows, filters, asked, words } = request;
  if (filters.length === 0 && !areAllCounted(request)) return undefined;
  // "How many lockers?" aren't the things in them.
  const isPlace = ({ column, at }: Filter) =>
    asked?.counted?.includes(words[at]?.word ?? "") === true && isColumnFor("place", nameOf(table, column));
  if (filters.some(isPlace) || isMixed(request)) return undefined;
  const isByName = filters.some(({ at }) => asked?.counted?.includes(words[at]?.word ?? "") === true);
  const quantity = table.columns.findIndex(({ name, kind }) => kind === "number" && isColumnFor("quantity", name));
  if (isByName && quantity >= 0)
    return rows.length === 1 ? cellAt(table, rows[0] ?? 0, [quantity]) : sum(request, quantity);
  // One row that is called so says nothing about how many there are.
  const label = table.columns.findIndex(({ kind }) => kind === "text");
  if (rows.length === 1 && filters.some(({ column }) => column === label)) return undefined;
  return {
    said: `**${rows.length}** ${rows.length === 1 ? "row" : "rows"} of ${table.rows.length}.`,
    rows: rows.slice(0, maxShownRows),
  };
}

/** "How many drinks are there?", where each row is another drink. */
function areAllCounted({ table, asked }: Request): boolean {
  const label = table.columns.findIndex(({ kind }) => kind === "text");
  const [thing = "", ...more] = asked?.counted ?? [];
  const hasQuantity = table.columns.some(({ name, kind }) => kind === "number" && isColumnFor("quantity", name));
  const labels = new Set(table.rows.map((row) => row[label]));
  const isLabel = readWords(nameOf(table, label)).some(({ word }) => likeness(thing, word) === 1);
  return more.length === 0 && isLabel && !hasQuantity && labels.size === table.rows.length;
}

function compared(request: Request): TableAnswer | undefined {
  const { table, filters } = request;
  const column = numberColumn(request);
  if (column === undefined) return undefined;
  // The rest of the filters holds for both: "in June, visits or loans of 2024 or 2025".
  const groups = sidesOf(filters);
  if (groups === undefined) return undefined;
  const sides = groups.map((side) => chosenRows(table, side));
  const values = sides.map((rows) => (rows.length === 1 ? table.columns[column]?.numbers[rows[0] ?? 0] : undefined));
  const [first, second] = values;
  if (first === undefined || second === undefined) return undefined;
  const label = (side: number) => labelOf(table, sides[side]?.[0] ?? 0, column);
  const value = (side: number) => `${label(side)}: **${table.rows[sides[side]?.[0] ?? 0]?.[column] ?? ""}**`;
  const difference = written(table, column, Math.abs(first - second));
  const verdict =
    first === second ? "Both are equal." : `${first > second ? label(0) : label(1)} is higher, by ${difference}.`;
  return {
    said: `${nameOf(table, column)}: ${value(0)}, ${value(1)}. ${verdict}`,
    rows: sides.map(([row = 0]) => row),
  };
}

/** The first two filters of one column, each with those of the other columns. */
function sidesOf(filters: readonly Filter[]): readonly (readonly Filter[])[] | undefined {
  const inOrder = filters.toSorted((a, b) => a.at - b.at);
  for (const { column } of inOrder) {
    const [first, second, third] = inOrder.filter((other) => other.column === column && other.rows.size > 0);
    if (first === undefined || second === undefined || third !== undefined) continue;
    const others = filters.filter((other) => other.column !== column);
    return [
      [first, ...others],
      [second, ...others],
    ];
  }
  return undefined;
}

/** Of two columns, where both are named: "compared with partner sites". */
function trend(request: Request): TableAnswer | undefined {
  const numbers = request.named.filter((column) => request.table.columns[column]?.kind === "number");
  const single = numberColumn(request);
  const columns = numbers.length > 1 ? numbers.slice(0, 2) : single === undefined ? [] : [single];
  const trends = columns.flatMap((column) => trendOf(request, column) ?? []);
  const [first] = trends;
  if (first === undefined || trends.length < columns.length) return undefined;
  return { said: trends.map(({ said }) => said).join(" "), rows: first.rows };
}

function trendOf({ table, rows }: Request, column: number): TableAnswer | undefined {
  const date = table.columns.findIndex(({ kind }) => kind === "date");
  if (date < 0) return undefined;
  const points = rows
    .flatMap((row) => {
      const when = table.columns[date]?.dates[row];
      const value = table.columns[column]?.numbers[row];
      return when === undefined || value === undefined ? [] : [{ row, at: orderOf(when), value }];
    })
    .sort((a, b) => a.at - b.at);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const change = last.value - first.value;
  const share = first.value === 0 ? "" : `, ${((100 * Math.abs(change)) / Math.abs(first.value)).toFixed(1)} %`;
  const direction =
    change === 0 ? "unchanged" : `${change > 0 ? "up" : "down"} by ${written(table, column, Math.abs(change))}${share}`;
  const point = ({ row }: { row: number }) =>
    `**${table.rows[row]?.[column] ?? ""}** (${table.rows[row]?.[date] ?? ""})`;
  const said = `${nameOf(table, column)} from ${point(first)} to ${point(last)}: ${direction}.`;
  return { said, rows: points.map(({ row }) => row).slice(0, maxShownRows) };
}

/** What is in the row that is left, in the columns that are asked for. */
function cell(request: Request): TableAnswer | undefined {
  const { table, rows, named, filters, asked, words } = request;
  if (rows.length !== 1 || filters.length === 0 || filters.some(({ isVague }) => isVague)) return undefined;
  const row = rows[0] ?? 0;
  const fits = (column: number) => {
    const kind = table.columns[column]?.kind;
    if (asked?.kind === "person") return kind === "text";
    if (asked?.kind === "money" || asked?.kind === "weight" || asked?.kind === "duration")
      return isOfKind(table, column, asked);
    if (asked?.counted !== undefined && isMeasured(nameOf(table, column), words)) return false;
    if (asked?.isAge === true) return isAgeColumn(nameOf(table, column)) || isYearColumn(nameOf(table, column));
    const isWhen = asked?.kind === "time" || asked?.kind === "date";
    return !isWhen || kind !== "number" || isYearColumn(nameOf(table, column));
  };
  const wanted = named.filter((column) => fits(column) && !filters.some((filter) => filter.column === column));
  const number = numberColumn(request);
  const hasUnit = asked?.kind === "money" || asked?.kind === "weight";
  const isNumberMeant = (hasUnit || request.hints.length > 0) && number !== undefined && fits(number);
  const label = table.columns.findIndex(({ kind }) => kind === "text");
  const isOfRow = filters.every(({ column }) => column === label);
  const ages = asked?.isAge === true && isOfRow ? [...table.columns.keys()].filter(fits) : [];
  const ofKind = asked?.kind === "place" || asked?.kind === "person" ? asked.kind : undefined;
  const places =
    ofKind !== undefined &&
    (ofKind === "place" || named.length === 0) &&
    isOfRow &&
    filters.every(({ isWhole }) => isWhole)
      ? [...table.columns.keys()].filter((column) => isColumnFor(ofKind, nameOf(table, column)))
      : [];
  const columns = wanted.length > 0 ? wanted : isNumberMeant ? [number] : [...ages, ...places];
  return columns.length === 0 ? undefined : cellAt(table, row, columns);
}

const hintOfKind = { money: "price", weight: "weight", duration: "duration" } as const;

/** Whether a column is for what is asked, by its name or by one of its cells. */
export function isOfKind(table: Table, column: number, asked: Asked): boolean {
  const name = nameOf(table, column);
  const { kind } = asked;
  if (kind === "colour" && /colou?r|farbe/i.test(name)) return true;
  const hint = kind === "money" || kind === "weight" || kind === "duration" ? hintOfKind[kind] : undefined;
  if (hint !== undefined && (isColumnFor(hint, name) || (hint === "price" && isColumnFor("pay", name)))) return true;
  return table.rows.some((row) => names(asked, row[column] ?? "", (word) => asked.words.has(word)));
}

/** "How many downloads?" isn't answered by "download (MB)". */
export function isMeasured(column: string, words: readonly Word[]): boolean {
  const unit = readWords(/\(([^()]{1,20})\)/.exec(column)?.[1] ?? "").map(({ word }) => word);
  return unit.some(isUnit) && !words.some(({ word }) => unit.some((one) => likeness(word, one) === 1));
}

function cellAt(table: Table, row: number, columns: readonly number[]): TableAnswer | undefined {
  const cells = columns.flatMap((column) => {
    const text = table.rows[row]?.[column] ?? "";
    return text === "" ? [] : [`${nameOf(table, column)} **${text}**`];
  });
  return cells.length === 0
    ? undefined
    : { said: `${labelOf(table, row, columns[0] ?? 0)}: ${cells.join(", ")}.`, rows: [row] };
}

const both = oneOf(wordsOf("tables", "both"));

/** "A head torch battery" is neither the torch nor the spare battery; "torches or batteries" are both. */
export function isMixed({ filters, words }: Request): boolean {
  if (words.some(({ word }) => both.test(word))) return false;
  return filters.some((one) =>
    filters.some((other) => other.column === one.column && !one.rows.values().some((row) => other.rows.has(row))),
  );
}

function numbersIn(table: Table, column: number, rows: readonly number[]): readonly number[] {
  return rows.flatMap((row) => table.columns[column]?.numbers[row] ?? []);
}

function nameOf(table: Table, column: number): string {
  return table.columns[column]?.name ?? "";
}

/** What a row is called: its first cell of words or a date that isn't the result itself. */
function labelOf(table: Table, row: number, besides: number): string {
  const isLabel = (column: number) =>
    column !== besides && table.columns[column]?.kind !== "number" && table.rows[row]?.[column] !== "";
  const labels = [...table.columns.keys()].filter(isLabel);
  // An id names a row only where nothing else does.
  if (labels.length > 1 && table.columns[labels[0] ?? 0]?.name === "id") labels.shift();
  const first = labels[0];
  const isDated = first !== undefined && table.columns[first]?.kind === "date";
  const shown = isDated ? labels.slice(0, 2) : labels.slice(0, 1);
  return shown.map((column) => table.rows[row]?.[column] ?? "").join(", ");
}

/** As the table writes numbers, with at most four decimals. */
function written(table: Table, column: number, value: number): string {
  const decimals = Math.max(0, ...table.rows.map((row) => /[.,](\d{1,4})$/.exec(row[column] ?? "")?.[1]?.length ?? 0));
  const rounded = Math.round(value * 10_000) / 10_000;
  const plain = Number.isInteger(rounded * 10 ** decimals) ? rounded.toFixed(decimals) : String(rounded);
  return table.columns[column]?.hasDecimalComma === true ? plain.replace(".", ",") : plain;
}

function countOf(values: number, rows: number): string {
  const all = `${rows} ${rows === 1 ? "row" : "rows"}`;
  return values === rows ? all : `${values} of ${all} (the others have no value)`;
}
