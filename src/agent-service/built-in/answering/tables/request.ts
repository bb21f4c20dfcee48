/** What a question wants of a table: highest, sum, trend and the like, in English and German. A small closed set. */
import { anyOf, oneOf, wordsOf } from "../../../../core/languages/languages.ts";
import { folded } from "../words.ts";

export type Operation = "max" | "min" | "sum" | "mean" | "trend" | "compare" | "count";
export type ColumnHint = "price" | "size" | "weight" | "date" | "duration" | "quantity" | "place" | "pay" | "person";

type Pattern<Meaning> = readonly [Meaning, RegExp];

/** The first that matches is meant. */
const operations: readonly Pattern<Operation>[] = (["trend", "mean", "max", "min", "sum", "compare"] as const).map(
  (operation) => [operation, oneOf(wordsOf("tables", operation))],
);

const hints: readonly Pattern<ColumnHint>[] = (["price", "size", "weight", "date", "duration"] as const).map((hint) => [
  hint,
  oneOf(wordsOf("tables", `${hint}Hints`)),
]);

/** Their numbers say when something began. */
const yearColumn = inName("yearColumns");
/** The oldest has the highest. */
const ageColumn = new RegExp(`\\b(?:${wordsOf("tables", "ageColumns").join("|")})\\b`);

const columnsFor: Readonly<Record<ColumnHint, RegExp>> = {
  price: inName("priceColumns"),
  size: inName("sizeColumns"),
  weight: inName("weightColumns"),
  date: inName("dateColumns"),
  duration: inName("durationColumns"),
  place: inName("placeColumns"),
  pay: inName("payColumns"),
  person: inName("personColumns"),
  quantity: inName("quantityColumns"),
};

function inName(list: Parameters<typeof wordsOf<"tables">>[1]): RegExp {
  return new RegExp(anyOf(wordsOf("tables", list)), "u");
}

/** Words that speak of rows or cells, whatever they hold. */
const generic = oneOf(wordsOf("tables", "generic"));

/** What rows often are, where their own column is just called "name". */
const subject = oneOf(wordsOf("tables", "subjects"));
/** Verbs that only say that something is counted. */
const counting = oneOf(wordsOf("tables", "counting"));

const whole = oneOf(wordsOf("tables", "whole"));
const periods = oneOf(wordsOf("tables", "periods"));

export function isSubject(word: string): boolean {
  return subject.test(word);
}

export function isCounting(word: string): boolean {
  return counting.test(word);
}

export function operationsIn(
  words: readonly string[],
): readonly { readonly operation: Operation; readonly at: number }[] {
  const found = words.flatMap((word, at): readonly { readonly operation: Operation; readonly at: number }[] => {
    const isDirection =
      (word === "up" || word === "down") && /^(?:go|goes|going|gone|went|or)$/.test(words[at - 1] ?? "");
    // "What does it mean?"
    const isVerb = word === "mean" && words.slice(0, at).some((one) => /^(?:does|do|did)$/.test(one));
    // "In the whole year"; but a whole loaf is one.
    const isAll = whole.test(word) && periods.test(words[at + 1] ?? "");
    const operation = isDirection ? "trend" : isVerb ? undefined : isAll ? "sum" : meaningOf(operations, word);
    return operation === undefined ? [] : [{ operation, at }];
  });
  const order = operations.map(([operation]) => operation);
  return found.toSorted((a, b) => order.indexOf(a.operation) - order.indexOf(b.operation));
}

export function hintOf(word: string): ColumnHint | undefined {
  return meaningOf(hints, word);
}

export function isColumnFor(hint: ColumnHint, name: string): boolean {
  return columnsFor[hint].test(folded(name).replaceAll("_", " "));
}

export function isYearColumn(name: string): boolean {
  return yearColumn.test(folded(name));
}

export function isAgeColumn(name: string): boolean {
  return ageColumn.test(folded(name));
}

export function isGeneric(word: string): boolean {
  return generic.test(word);
}

function meaningOf<Meaning>(patterns: readonly Pattern<Meaning>[], word: string): Meaning | undefined {
  return patterns.find(([, pattern]) => pattern.test(word))?.[0];
}
