/**
 * Makes one question of a follow-up about a table and the question before it. "and helmets?" after "how many ropes are
 * there?" takes the place of the ropes. Pure.
 */
import { kindAsked } from "../kind-asked.ts";
import { isStopWord } from "../stop-words.ts";
import { isCalendarWord, readWords, type Word } from "../words.ts";
import { namedColumns } from "./columns.ts";
import { filtersOf } from "./filters.ts";
import { operationsIn } from "./request.ts";
import type { Table } from "./table.ts";

/** `questions`: oldest first; the last one is the follow-up. */
export function composed(table: Table, questions: readonly string[]): string {
  return questions.reduce((before, next) => replaced(table, readWords(before), readWords(next)));
}

function replaced(table: Table, before: readonly Word[], next: readonly Word[]): string {
  const told = next.filter(({ word }) => !isStopWord(word) || operationsIn([word]).length > 0);
  if (told.length === 0) return textOf(next);
  const [old, own] = [read(table, before), read(table, next)];
  const [kind, ownKind] = [before, next].map((words) => kindAsked(textOf(words))?.kind);
  if (ownKind !== undefined && ownKind !== kind) {
    // "Who sells it?" after what it costs: only the rows are the same.
    const rows = before.filter((word, at) => !own.filtered.has(old.columnOf.get(at) ?? -1) && isOfRows(word, at, old));
    return textOf([...next, ...rows]);
  }
  const isReplaced = ({ word }: Word, at: number) =>
    (old.columnOf.has(at) && own.filtered.has(old.columnOf.get(at))) ||
    (old.numbers.has(at) && own.numbers.size > 0) ||
    (old.operations.has(at) && own.operations.size > 0) ||
    (isCalendarWord(word) && own.hasMonth) ||
    (isYear(word) && own.hasYear);
  const first = before.findIndex(isReplaced);
  const place = first < 0 ? before.length : first;
  const kept = (from: number, to: number) =>
    before.flatMap((word, at) => (at >= from && at < to && !isReplaced(word, at) ? [word.written] : []));
  return [...kept(0, place), ...told.map(({ written }) => written), ...kept(place, before.length)].join(" ");
}

function textOf(words: readonly Word[]): string {
  return words.map(({ written }) => written).join(" ");
}

function isOfRows({ word }: Word, at: number, { columnOf }: ReturnType<typeof read>): boolean {
  return columnOf.has(at) || isCalendarWord(word) || isYear(word);
}

/** Which words of a question choose rows, columns of numbers, and what is to be worked out. */
function read(table: Table, words: readonly Word[]) {
  const named = namedColumns(table, words);
  const { filters, used } = filtersOf(table, words, named);
  const ofText = filters.filter(({ column }) => table.columns[column]?.kind !== "date");
  const columnOf = new Map<number, number>();
  for (const { at, column } of ofText) {
    // A cell of several words.
    for (let next = at; next === at || (used.has(next) && !ofText.some((other) => other.at === next)); next += 1) {
      columnOf.set(next, column);
    }
  }
  return {
    columnOf,
    filtered: new Set<number | undefined>(ofText.map(({ column }) => column)),
    numbers: new Set(named.filter(({ column }) => table.columns[column]?.kind === "number").map(({ at }) => at)),
    operations: new Set(operationsIn(words.map(({ word }) => word)).map(({ at }) => at)),
    hasMonth: words.some(({ word }) => isCalendarWord(word)),
    hasYear: words.some(({ word }) => isYear(word)),
  };
}

function isYear(word: string): boolean {
  return /^(?:19|20)\d\d$/.test(word);
}
