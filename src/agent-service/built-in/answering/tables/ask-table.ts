/**
 * Reads what a question wants of one table, or chooses the rows that it is about. Gives nothing where a word of the
 * question is in no column, cell or name of the table: then it asks for something else. Pure.
 */
import { oneOf, wordsOf } from "../../../../core/languages/languages.ts";
import { type Asked, kindAsked } from "../kind-asked.ts";
import { isStopWord } from "../stop-words.ts";
import { likeness, readWords, type Word } from "../words.ts";
import {
  calculated,
  isMeasured,
  isMixed,
  isOfKind,
  maxShownRows,
  type Request,
  type TableAnswer,
} from "./calculate.ts";
import { isQualifier, namedColumns, partsOf } from "./columns.ts";
import { chosenRows, filtersOf } from "./filters.ts";
import {
  type ColumnHint,
  hintOf,
  isColumnFor,
  isCounting,
  isGeneric,
  isSubject,
  isYearColumn,
  operationsIn,
} from "./request.ts";
import type { Table } from "./table.ts";

/** `names`: of the knowledge base and the page, whose words a question may have too. */
export function askTable(table: Table, question: string, names: string): TableAnswer | undefined {
  const words = readWords(question);
  const columns = namedColumns(table, words);
  const { filters, used, isOutside } = filtersOf(table, words, columns);
  if (isOutside) return undefined;
  const isWholeName = (column: number, at: number) => {
    const [part = "", ...rest] = partsOf(table, column);
    return rest.length === 0 && likeness(part, words[at]?.word ?? "") === 1;
  };
  // "minimum" may be a column; "longest" in "longest_page_minutes" is still asked for.
  const isColumn = (at: number) => columns.some((one) => one.at === at && isWholeName(one.column, at));
  const operations = operationsIn(words.map(({ word }) => word)).filter(({ at }) => !isColumn(at));
  const hints = words.flatMap(({ word }) => hintOf(word) ?? []);
  const wordsIn = (text: string) => readWords(text.replaceAll("_", " ")).map(({ word }) => word);
  const [fileWords, nameWords] = [wordsIn(table.name), wordsIn(`${table.name} ${names}`)];
  const asked = kindAsked(question);
  if (asked !== undefined && !hasKind(table, asked, words)) return undefined;
  if (isRelative.test(question) || isTold.test(question) || isWithout.test(question)) return undefined;
  const asksForSize = words.some(({ word }) => /^(?:sizes?|gross|grossen?|big|large)$/.test(word));
  if (asksForSize && !table.columns.some(({ name }) => isColumnFor("size", name))) return undefined;
  const isExplained = ({ word, written }: Word, at: number) =>
    // "Locker C" asks for more than a locker, and "used in May" for more than May.
    (isStopWord(word) && !/^(?:[B-HJ-Z]|used)$/.test(written)) ||
    isGeneric(word) ||
    asked?.words.has(word) === true ||
    used.has(at) ||
    columns.some((one) => one.at === at) ||
    operations.some((one) => one.at === at) ||
    hintOf(word) !== undefined ||
    // "rooms.csv" has no bathrooms, and that of the rescue team needn't be of rescues.
    (asked?.counted?.includes(word) === true
      ? fileWords.some((name) => likeness(word, name) > 0.9)
      : nameWords.some((name) => likeness(word, name) > 0)) ||
    unitOf(table, word);
  const isPicking = operations.length > 0 || asked?.counted !== undefined;
  const unexplained = words.flatMap((word, at) => (isExplained(word, at) ? [] : [at]));
  // "In the whole year" chooses all rows.
  const isChosen = filters.some(({ isWhole }) => isWhole) || operations.some(({ operation }) => operation === "sum");
  const isForgiven = unexplained.every(
    (at) => (isPicking && isNameOfRows(table, words, at)) || (isChosen && isVerb(table, words, at, columns)),
  );
  if (unexplained.length > 1 || !isForgiven) return undefined;
  // "Which event had the most visits?", where a row is a month and events are counted.
  const isNumber = ({ column }: { readonly column: number }) => table.columns[column]?.kind === "number";
  const thing = words.findIndex(({ word }) => /^(?:which|welche[rnsm]?)$/.test(word)) + 1;
  const ofThing = columns.filter(({ at }) => thing > 0 && at === thing);
  // "Which day had the most visits?", where each row is a month.
  const dates = table.columns.find(({ kind }) => kind === "date")?.dates ?? [];
  const hasDays = dates.some((date) => date?.day !== undefined);
  if (thing > 0 && isDayWord.test(words[thing]?.word ?? "") && dates.length > 0 && !hasDays) return undefined;
  if (operations.length > 0 && ofThing.length > 0 && ofThing.every(isNumber)) return undefined;
  const request: Request = {
    table,
    words,
    filters,
    hints,
    asked,
    operations: new Set(operations.map(({ operation }) => operation)),
    named: [...new Set(columns.map(({ column }) => column))],
    rows: chosenRows(table, filters),
  };
  return calculated(request) ?? quotedRows(request) ?? allRows(request, fileWords);
}

/** No list of things says so. */
const asksElse = /^(?:who|whom|whose|when|where|wer|wem|wen|wessen|wann|wo)$/;

/** A longer table isn't quoted whole: this is about one screen. */
const maxListedRows = 30;

const isDayWord = /^(?:days?|date|weekday|night|tag|datum|wochentag|nacht)$/;

/** No table knows which day it is. */
const isRelative =
  /(?<!\p{L})(?:(?:last|this|next) (?:year|month|week|time)|yesterday|today|tomorrow|right now|(?:letzte[snmr]?|diese[snmr]?|n[äa]chste[snmr]?) (?:jahr|monat|woche|mal)|gestern|heute|morgen)(?!\p{L})/iu;

/** Only prose says why something is so, and what it does. */
const isTold = /^\W*(?:why|how come|warum|wieso|weshalb|what (?:does|do) [^?]{1,60} do\W*$|was (?:macht|machen)\b)/iu;

/** Rows are chosen by what they have. */
const isWithout =
  /(?<![\p{L}_])(?:not|no|without|except|isn['’]t|aren['’]t|ohne|au(?:ß|ss)er|kein\p{L}{0,2}|nicht)(?![\p{L}_])/iu;

/** A price, a weight or a colour is told by a column or by cells of that kind. */
function hasKind(table: Table, asked: Asked, words: readonly Word[]): boolean {
  const { kind } = asked;
  if (asked.words.size === 0 || !(kind === "money" || kind === "weight" || kind === "colour")) return true;
  // What people pay isn't what one earns.
  if (words.some(({ word }) => earning.test(word))) return table.columns.some(({ name }) => isColumnFor("pay", name));
  return [...table.columns.keys()].some((column) => isOfKind(table, column, asked));
}

const earning = oneOf(wordsOf("tables", "earning"));

/** What the rows are can be said by any word, "which customer", where their own column is just called "name". */
function isNameOfRows(table: Table, words: readonly Word[], at: number): boolean {
  const labels = table.columns.find(({ kind }) => kind === "text")?.name ?? "";
  if (!/^(?:names?|titles?|bezeichnung|titel)$/i.test(labels)) return false;
  const word = words[at]?.word ?? "";
  const before = words[at - 1]?.word ?? "";
  const isPicked = operationsIn(words.map((one) => one.word)).some(
    ({ operation }) => operation === "max" || operation === "min",
  );
  return isSubject(word) || (isPicked && /^(?:which|welche[rnsm]?)$/.test(before));
}

/** "How many tickets did Acme open?": the verb of a question whose column and row are clear. */
function isVerb(
  table: Table,
  words: readonly Word[],
  at: number,
  columns: readonly { readonly column: number }[],
): boolean {
  const isLast = at >= words.length - 1 || isStopWord(words[at + 1]?.word ?? "");
  const isAuxiliary = words.some(({ word }) => /^(?:did|does|do|have|has|hat|haben|habt)$/.test(word));
  const isNumberNamed = columns.some(({ column }) => table.columns[column]?.kind === "number");
  return (
    isLast &&
    isCounting(words[at]?.word ?? "") &&
    isAuxiliary &&
    isNumberNamed &&
    !/^\p{Lu}/u.test(words[at]?.written ?? "")
  );
}

/** "euro" in "Preis_Euro". */
function unitOf({ columns }: Table, word: string): boolean {
  return columns.some(({ name }) => {
    const parts = readWords(name.replaceAll("_", " ")).map((part) => part.word);
    return parts.includes(word) && !parts.some(isQualifier);
  });
}

/** Rows that the question chooses, where it wants nothing that is worked out and asks for nothing that they lack. */
function quotedRows(request: Request): TableAnswer | undefined {
  const { rows, filters, named, operations } = request;
  const isChosen = filters.length > 0 && rows.length > 0 && rows.length <= maxShownRows;
  const isOnlyPart =
    (filters.every(({ isWhole }) => !isWhole) && named.length === 0) || filters.some(({ isVague }) => isVague);
  // "Compare Starter and Team", where no column is named.
  const isCompared = rows.length > 1 && [...operations].every((operation) => operation === "compare");
  if (!isChosen || !(operations.size === 0 || isCompared) || isOnlyPart || lacksKind(request) || isMixed(request))
    return undefined;
  return { said: "", rows };
}

/**
 * "Which plans are there?", "what are the room prices?": the whole table, where the question names what its rows are or
 * what the table is called, and asks for nothing else. `title`: words of the table's name.
 */
function allRows(request: Request, title: readonly string[]): TableAnswer | undefined {
  const { table, words, filters, named, operations, asked } = request;
  if (filters.length > 0 || operations.size > 0 || (asked !== undefined && asked.kind !== "money")) return undefined;
  const label = table.columns.findIndex(({ kind }) => kind === "text");
  const isTitled = words.some(({ word }) => !isStopWord(word) && title.some((one) => likeness(word, one) > 0.9));
  if (!(named.includes(label) || isTitled) || table.rows.length > maxListedRows) return undefined;
  if (asksElse.test(words[0]?.word ?? "") || lacksKind(request) || isMixed(request)) return undefined;
  return { said: "", rows: [...table.rows.keys()] };
}

/** The table has no column for what is asked. */
function lacksKind({ table, named, asked, hints, words }: Request): boolean {
  const { columns } = table;
  const hasFor = (hint: ColumnHint) => columns.some(({ name }) => isColumnFor(hint, name));
  const byName = named.flatMap((column) => columns[column] ?? []);
  if (hints.includes("price") && !hasFor("price")) return true;
  const numbers = named.filter((column) => columns[column]?.kind === "number");
  // "What does delivery cost?", where the column of deliveries has days.
  const isOfOther = (of: Asked) => numbers.length > 0 && !numbers.some((column) => isOfKind(table, column, of));
  switch (asked?.kind) {
    case "money":
      return !hasFor("price") || isOfOther(asked);
    case "weight":
    case "duration":
      return !hasFor(asked.kind) || isOfOther(asked);
    case "place":
      return !hasFor("place");
    case "time":
    case "date":
      return !columns.some(({ kind, name }) => kind === "date" || isYearColumn(name));
    case "person":
      return !byName.some(({ kind }) => kind === "text") && (byName.length > 0 || !hasFor("person"));
    case "amount":
      return (
        hints.length === 0 &&
        !byName.some(({ kind, name }) => kind === "number" && !(asked.counted !== undefined && isMeasured(name, words)))
      );
    default:
      return false;
  }
}
