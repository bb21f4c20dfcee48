/** Which rows of a table a question is about: those with the dates, names and words that it gives. */
import { oneOf, wordsOf } from "../../../../core/languages/languages.ts";
import { isStopWord } from "../stop-words.ts";
import { isNumber, likeness, plainNumber, readWords, type Word } from "../words.ts";
import { isGeneric } from "./request.ts";
import { type CalendarDate, calendarDate, orderOf, type Table } from "./table.ts";

/** Rows that one word or phrase of the question chooses. */
export type Filter = {
  readonly column: number;
  readonly rows: ReadonlySet<number>;
  readonly at: number;
  readonly isWhole: boolean;
  /** Only a part of a compound fits: "Brötchen" of "Käsebrötchen". */
  readonly isVague: boolean;
};

export type Filters = {
  readonly filters: readonly Filter[];
  /** Positions of the question's words that chose rows. */
  readonly used: ReadonlySet<number>;
  /** It gives a date that no row has. */
  readonly isOutside: boolean;
};

/** `named`: columns that the question names, and where. Their cells are looked at first. */
export function filtersOf(
  table: Table,
  words: readonly Word[],
  named: readonly { readonly column: number; readonly at: number }[],
): Filters {
  const taken = new Set(named.map(({ at }) => at));
  const isNamed = (column: number) => named.some((one) => one.column === column);
  const order = [...table.columns.keys()].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  const used = new Set<number>();
  const dates = dateFilters(table, words, used);
  const values = valueFilters(table, words, used, { taken, order, isNamed });
  const others = wordFilters(table, words, { taken: new Set([...used, ...taken]), order, isNamed });
  for (const { at } of others) used.add(at);
  const filters = [...dates.filters, ...values, ...ofOneThing(others, words)];
  return { filters, used, isOutside: dates.isOutside };
}

/** "The ticket for students": words of one cell, with nothing but small words between, choose the rows that have all. */
function ofOneThing(filters: readonly Filter[], words: readonly Word[]): readonly Filter[] {
  const merged: Filter[] = [];
  let end = -1;
  for (const next of filters) {
    const last = merged.at(-1);
    const rows = last === undefined || last.column !== next.column ? undefined : last.rows.intersection(next.rows);
    const isBeside = words.slice(end + 1, next.at).every(({ word }) => isStopWord(word) && !isListing.test(word));
    end = next.at;
    if (last === undefined || rows === undefined || rows.size === 0 || !isBeside) merged.push(next);
    else merged[merged.length - 1] = { ...last, rows, isVague: last.isVague && next.isVague };
  }
  return merged;
}

const isListing = oneOf(wordsOf("tables", "both"));

/** Of each column, the rows that one of its filters has; of several columns, what all of them have. */
export function chosenRows(table: Table, filters: readonly Filter[]): readonly number[] {
  const columns = [...new Set(filters.map(({ column }) => column))];
  return table.rows
    .keys()
    .filter((row) => columns.every((column) => filters.some((one) => one.column === column && one.rows.has(row))))
    .toArray();
}

type Mention = CalendarDate & { readonly at: number };

const sinceWords = oneOf(wordsOf("tables", "since"));
const untilWords = oneOf(wordsOf("tables", "until"));
const betweenWords = oneOf(wordsOf("tables", "between"));
const rangeWords = [betweenWords, sinceWords, untilWords];

function dateFilters(table: Table, words: readonly Word[], used: Set<number>) {
  const column = table.columns.findIndex(({ kind }) => kind === "date");
  const dates = table.columns[column]?.dates ?? [];
  // "In 2025", of months below a heading that says so.
  const isOfHeading = ({ year, month }: CalendarDate) =>
    month === undefined && dates.every((date) => (date?.year ?? 0) === 0) && table.name.includes(String(year));
  const mentions = column < 0 ? [] : mentionsIn(words, used).filter((mention) => !isOfHeading(mention));
  if (mentions.length === 0) return { filters: [], isOutside: false };
  const [first, second] = mentions;
  const isRange = words.some(({ word }) => rangeWords.some((pattern) => pattern.test(word)));
  if (isRange && first !== undefined && second !== undefined && mentions.length === 2) {
    const [from, to] = [orderOf(first), endOf(second)];
    const rows = rowsWith(dates, (date) => orderOf(date) >= from && orderOf(date) <= to);
    const ends = [first, second].every((end) => dates.some((date) => date !== undefined && isWithin(date, end)));
    return { filters: [{ column, rows, at: first.at, isWhole: true, isVague: false }], isOutside: !ends };
  }
  const beside = words[(first?.at ?? 0) - 1]?.word ?? "";
  const since = mentions.length === 1 && first !== undefined ? openRange(first, beside, dates) : undefined;
  if (since !== undefined) {
    const rows = rowsWith(dates, since);
    used.add((first?.at ?? 0) - 1);
    return {
      filters: [{ column, rows, at: first?.at ?? 0, isWhole: true, isVague: false }],
      isOutside: rows.size === 0,
    };
  }
  const filters = mentions.map((mention): Filter => {
    return {
      column,
      rows: rowsWith(dates, (date) => isWithin(date, mention)),
      at: mention.at,
      isWhole: true,
      isVague: false,
    };
  });
  return { filters, isOutside: filters.some(({ rows }) => rows.size === 0) };
}

/** "since May", "until 2024": a month without a year is the last one that the table has. */
function openRange(
  mention: CalendarDate,
  before: string,
  dates: readonly (CalendarDate | undefined)[],
): ((date: CalendarDate) => boolean) | undefined {
  const isSince = sinceWords.test(before);
  if (!isSince && !untilWords.test(before)) return undefined;
  const years = dates.flatMap((date) => (date !== undefined && isWithin(date, mention) ? [date.year] : []));
  if (years.length === 0) return () => false;
  const year = mention.year > 0 ? mention.year : Math.max(...years);
  const [from, to] = [orderOf({ ...mention, year }), endOf({ ...mention, year })];
  return (date) => (isSince ? orderOf(date) >= from : orderOf(date) <= to);
}

/** The last day of a year or a month. */
function endOf({ year, month = 12, day = 31 }: CalendarDate): number {
  return orderOf({ year, month, day });
}

function rowsWith(
  dates: readonly (CalendarDate | undefined)[],
  fits: (date: CalendarDate) => boolean,
): ReadonlySet<number> {
  return new Set(dates.flatMap((date, row) => (date !== undefined && fits(date) ? [row] : [])));
}

/** Year 0: any. */
function isWithin(date: CalendarDate, { year, month, day }: CalendarDate): boolean {
  return (
    (year === 0 || date.year === year) &&
    (month === undefined || date.month === month) &&
    (day === undefined || date.day === day)
  );
}

function mentionsIn(words: readonly Word[], used: Set<number>): readonly Mention[] {
  const found: Mention[] = [];
  for (const [at, { word }] of words.entries()) {
    if (used.has(at)) continue;
    const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(word);
    const next = words[at + 1]?.word ?? "";
    const before = words[at - 1]?.word ?? "";
    const isYear = (text: string) => /^(?:19|20)\d\d$/.test(text);
    if (iso !== null) add(at, calendarDate(iso[1], iso[2], iso[3]));
    else if (word.startsWith("m:")) {
      const day = /^(?:[1-9]|[12]\d|3[01])$/.test(before) && !used.has(at - 1) ? before : undefined;
      if (day !== undefined) used.add(at - 1);
      if (isYear(next)) used.add(at + 1);
      add(at, calendarDate(isYear(next) ? next : "0", word.slice(2), day));
    } else if (isYear(word)) add(at, { year: Number(word) });
  }
  // "from January to June 2025"
  const year = found.findLast((mention) => mention.year > 0)?.year ?? 0;
  return found.map((mention) => (mention.year === 0 ? { ...mention, year } : mention));

  function add(at: number, date: CalendarDate | undefined): void {
    if (date === undefined) return;
    used.add(at);
    found.push({ ...date, at });
  }
}

type Look = {
  /** Positions of words that mean something else. */
  readonly taken: ReadonlySet<number>;
  /** Of the columns. */
  readonly order: readonly number[];
  readonly isNamed: (column: number) => boolean;
};

/** Whole cells that the question has, the longest first. */
function valueFilters(
  table: Table,
  words: readonly Word[],
  used: Set<number>,
  { taken, order }: Look,
): readonly Filter[] {
  const values = new Map<
    string,
    { readonly column: number; readonly words: readonly string[]; readonly rows: Set<number> }
  >();
  for (const column of order) {
    if (table.columns[column]?.kind !== "text") continue;
    for (const [row, cells] of table.rows.entries()) {
      const cell = (cells[column] ?? "").replace(/\([^()]*\)/g, " ");
      const key = `${column}/${cell.toLowerCase()}`;
      const known = values.get(key) ?? {
        column,
        words: readWords(cell).map(({ word }) => word),
        rows: new Set<number>(),
      };
      known.rows.add(row);
      values.set(key, known);
    }
  }
  const longestFirst = [...values.values()]
    .filter((value) => value.words.length > 0)
    .sort((a, b) => b.words.length - a.words.length);
  const filters: Filter[] = [];
  for (const { column, words: cell, rows } of longestFirst) {
    for (let at = 0; at + cell.length <= words.length; at += 1) {
      const isFree = cell.every((_, index) => !used.has(at + index) && !taken.has(at + index));
      if (!isFree || !cell.every((one, index) => likeness(words[at + index]?.word ?? "", one) === 1)) continue;
      for (const index of cell.keys()) used.add(at + index);
      filters.push({ column, rows, at, isWhole: true, isVague: false });
    }
  }
  return filters;
}

/** "Corvo 16": the number is in the name, behind the word that it is behind in the question. */
function isNumberOfName(cell: readonly string[], words: readonly Word[], at: number): boolean {
  return cell.some((word, index) => index > 0 && word === words[at]?.word && cell[index - 1] === words[at - 1]?.word);
}

/** A part of a compound chooses rows only where no cell has the word itself. */
const steps = [1, 0.8, 0.5];

/** Words that some cells have, with whatever else. */
function wordFilters(table: Table, words: readonly Word[], { taken, order, isNamed }: Look): readonly Filter[] {
  const cells = table.rows.map((row) =>
    row.map((cell, column) => (table.columns[column]?.kind === "date" ? [] : readWords(cell).map(({ word }) => word))),
  );
  return words.flatMap(({ word, written }, at): readonly Filter[] => {
    if (taken.has(at) || isStopWord(word) || isGeneric(word)) return [];
    for (const least of steps) {
      for (const column of order) {
        const isFit = (others: readonly string[] = [], cell = "") =>
          isNumber(word)
            ? (isNamed(column) || column === 0) &&
              (plainNumber(cell) === plainNumber(written) || isNumberOfName(others, words, at))
            : table.columns[column]?.kind === "text" && others.some((other) => likeness(word, other) >= least);
        const rows = new Set(
          cells.flatMap((row, index) => (isFit(row[column], table.rows[index]?.[column]) ? [index] : [])),
        );
        if (rows.size > 0) return [{ column, rows, at, isWhole: false, isVague: least < 0.8 }];
      }
    }
    return [];
  });
}
