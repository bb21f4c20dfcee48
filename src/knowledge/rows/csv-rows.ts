/**
 * Reads the rows of a CSV file as people have them. Any separator, a title above, headings that are missing or repeated,
 * and rows that are empty or of another width are read; what had to be assumed is noted.
 */
import { countText, numberText, ordinal, rowSentences } from "../../presentation/sentences.ts";
import { type Headings, headingsOf, isEmpty } from "./csv-headings.ts";
import { type CsvRecord, csvRecords } from "./csv-records.ts";
import { sampledRecords, separatorOf } from "./csv-separator.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import type { FoundRow } from "./row-format.ts";

const says = {
  unnamedHeadings: (column: number, name: string, others: number): string => {
    const named = `${ordinal(column)} heading named “${name}”`;
    return others === 0 ? named : `${named}, and ${others} more without a name named alike`;
  },
};

/** In which the separator is looked for. */
const headChars = 32 * 1024;

/** `title`: of the lines above the headings, which become a row of their own. Throws ReadFailure. */
export async function* readCsv(
  texts: AsyncIterator<string, void, void>,
  title: string,
  notes: ReadingNotes,
): AsyncGenerator<FoundRow, void, void> {
  const { head, isWhole } = await beginning(texts);
  const { delimiter, skippedChars } = separatorOf(head);
  const unclosed: number[] = [];
  const records = csvRecords(behind(head.slice(skippedChars), isWhole ? undefined : texts), {
    delimiter,
    firstLine: skippedChars === 0 ? 1 : 2,
    onUnclosed: (line) => unclosed.push(line),
  });
  const sample = await firstOf(records, sampledRecords);
  const headings = headingsOf(sample, notes);
  const { titles, dataFrom } = headings;
  if (titles.length > 0) {
    notes.add(`${titles.length === 1 ? "the line" : `${titles.length} lines`} above the headings added as text`);
    const content = titles.map(({ cells }) => cells.filter((cell) => cell !== "").join(" ")).join("\n");
    yield { cells: { title, content } };
  }
  const shape = createShapeCount(headings);
  let number = 0;
  let isFirst = true;
  for await (const { cells } of both(sample.slice(dataFrom), records)) {
    const isRule = isFirst && isRuled(cells);
    isFirst = false;
    if (isRule) continue;
    if (isEmpty(cells)) {
      shape.empty();
      continue;
    }
    number += 1;
    yield { cells: shape.row(cells, number), number };
  }
  shape.note(notes);
  if (unclosed[0] !== undefined)
    notes.add(
      `a quotation mark in line ${numberText(unclosed[0])}${unclosed.length === 1 ? "" : ` and ${numberText(unclosed.length - 1)} more`} isn't closed and counts as a character`,
    );
}

/** The line that Markdown, psql and sqlcmd draw below the headings. */
function isRuled(cells: readonly string[]): boolean {
  const written = cells.filter((cell) => cell !== "");
  return written.some((cell) => cell.includes("---")) && written.every((cell) => /^:?-+(?:\+-+)*:?$/.test(cell));
}

/** Programs write `="0049"` for Excel, which then shows the text and keeps its zeros. */
function shownCell(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

/** Counts what is unlike the headings. */
function createShapeCount({ names, nameBeyond, unnamed }: Headings) {
  // A separator at the end of each line makes no column.
  let required = names.length;
  while (unnamed.has(required)) required -= 1;
  const used = new Set<number>();
  const short = { rows: 0, first: 0, values: 0 };
  const long = { rows: 0, first: 0, values: 0 };
  let empty = 0;

  function count(kind: typeof short, number: number, values: number): void {
    if (values <= 0) return;
    kind.rows += 1;
    if (kind.rows > 1) return;
    kind.first = number;
    kind.values = values;
  }

  return {
    empty: () => {
      empty += 1;
    },
    row: (cells: readonly string[], number: number): Readonly<Record<string, string>> => {
      count(short, number, required - cells.length);
      count(long, number, cells.slice(names.length).filter((cell) => cell !== "").length);
      return Object.fromEntries(
        cells.flatMap((cell, index) => {
          const position = index + 1;
          const isNamed = index < names.length && !unnamed.has(position);
          if (cell === "" && !isNamed) return [];
          if (unnamed.has(position)) used.add(position);
          return [[names[index] ?? nameBeyond(position), shownCell(cell)]];
        }),
      );
    },
    note: (notes: ReadingNotes) => {
      const [first = 1, ...others] = [...used].sort((one, other) => one - other);
      if (used.size > 0) notes.add(says.unnamedHeadings(first, names[first - 1] ?? "", others.length));
      if (short.rows > 0)
        notes.add(`row ${numberText(short.first)} has ${fewText(short.values)} too few${othersText(short.rows - 1)}`);
      if (long.rows > 0)
        notes.add(
          `row ${numberText(long.first)} has ${fewText(long.values)} too many${othersText(long.rows - 1)}, kept from “${nameBeyond(names.length + 1)}” on`,
        );
      if (empty > 0) notes.add(rowSentences.emptyRows(empty));
    },
  };
}

async function beginning(
  texts: AsyncIterator<string, void, void>,
): Promise<{ readonly head: string; readonly isWhole: boolean }> {
  let head = "";
  while (head.length < headChars) {
    const next = await texts.next();
    if (next.done) return { head, isWhole: true };
    head += next.value;
  }
  return { head, isWhole: false };
}

async function* behind(
  head: string,
  texts: AsyncIterator<string, void, void> | undefined,
): AsyncGenerator<string, void, void> {
  yield head;
  for (let next = await texts?.next(); next !== undefined && !next.done; next = await texts?.next()) yield next.value;
}

async function firstOf(records: AsyncIterator<CsvRecord, void, void>, count: number): Promise<readonly CsvRecord[]> {
  const first: CsvRecord[] = [];
  while (first.length < count) {
    const next = await records.next();
    if (next.done) break;
    first.push(next.value);
  }
  return first;
}

async function* both(
  first: readonly CsvRecord[],
  then: AsyncIterable<CsvRecord>,
): AsyncGenerator<CsvRecord, void, void> {
  yield* first;
  yield* then;
}

function fewText(values: number): string {
  return values === 1 ? "one value" : `${numberText(values)} values`;
}

function othersText(rows: number): string {
  return rows === 0 ? "" : `, like ${countText(rows, "other row")}`;
}
