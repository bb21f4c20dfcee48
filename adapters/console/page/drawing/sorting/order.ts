/**
 * Sorts the cells of a column: numbers by value, dates by time, other text as people sort it. Loaded with the first press
 * on a heading.
 */
import { isNothing, isNumber } from "../numbers.ts";

export type Order = "none" | "ascending" | "descending";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
/** "2026-11", "2026-11-21", "2026-11-21 04:48 UTC", "2026-11-21T04:48:10Z". */
const isoDate = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?UTC|Z)?)?)?$/;
/** "12 Nov 2026", "12 November 2026", "Nov 12, 2026". */
const namedDate = /^(?:\d{1,2} [A-Za-z]{3,9}|[A-Za-z]{3,9} \d{1,2},?) \d{4}$/;

const factors: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9, bn: 1e9 };

/** The value of "1,240", "1.240,50", "−4", "(4)", "€3", "12 %" or "2.5M". */
export function numberIn(text: string): number {
  const digits = /\d[\d.,'’\u00a0\u202f ]*|\.\d+/.exec(text)?.[0] ?? "";
  const lastPoint = digits.lastIndexOf(".");
  const lastComma = digits.lastIndexOf(",");
  // Separators of thousands repeat, or come before three digits; a decimal separator comes last.
  const isCommaDecimal = lastComma > lastPoint && (lastPoint >= 0 || !/^\d{1,3}(?:,\d{3})+$/.test(digits.trim()));
  const isPointGrouping = lastPoint >= 0 && (isCommaDecimal || digits.indexOf(".") !== lastPoint);
  const plain = (isPointGrouping ? digits.replaceAll(".", "") : digits)
    .replaceAll(",", isCommaDecimal ? "." : "")
    .replace(/['’\u00a0\u202f ]/g, "");
  const after = text.slice(text.indexOf(digits) + digits.length);
  const power = Number(/^e([+-]?\d{1,3})/.exec(after)?.[1] ?? 0);
  const factor = factors[/^\s?(k|K|M|bn|B)\b/.exec(after)?.[1] ?? ""] ?? 1;
  const isNegative = /^\s*[(\-−–]/.test(text) || /^\D{0,5}[-−–]\d/.test(text);
  return Number(plain) * 10 ** power * factor * (isNegative ? -1 : 1);
}

function dateIn(text: string): number {
  if (namedDate.test(text)) return Date.parse(`${text} UTC`);
  return isoDate.test(text) ? Date.parse(text.replace(/ ?UTC$/, "Z").replace(" ", "T")) : Number.NaN;
}

/** What a column's cells are compared by; undefined for cells without a value. */
function keysOf(cells: readonly string[]): readonly (string | number | undefined)[] {
  const texts = cells.map((cell) => cell.trim());
  const given = texts.filter((text) => !isNothing(text));
  const read = given.every(isNumber)
    ? numberIn
    : given.every((text) => !Number.isNaN(dateIn(text)))
      ? dateIn
      : (text: string) => text;
  return texts.map((text) => (isNothing(text) ? undefined : read(text)));
}

/** The rows' numbers in their new order. Rows without a value come last in either direction; equal ones stay in order. */
export function sortedBy(cells: readonly string[], order: Order): readonly number[] {
  const rows = cells.map((_, index) => index);
  if (order === "none") return rows;
  const keys = keysOf(cells);
  const sign = order === "ascending" ? 1 : -1;
  return rows.sort((a, b) => {
    const [one, other] = [keys[a], keys[b]];
    if (one === undefined || other === undefined) return (one === undefined ? 1 : 0) - (other === undefined ? 1 : 0);
    const isNumeric = typeof one === "number" && typeof other === "number";
    return sign * (isNumeric ? one - other : collator.compare(String(one), String(other)));
  });
}
