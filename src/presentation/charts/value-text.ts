/** Writes the values of a chart for people: 1,240 or 2.5M, never 0.30000000000000004. */

const exact = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** Short, as on an axis. */
export function valueText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(1);
  if (size >= 100_000) return compact.format(value);
  return smallText(value);
}

/** Whole, as in a sentence, with its unit: "1,240,000", "12%", "€3", "3 EUR". */
export function sentenceValue(value: number, unit?: string): string {
  const text = Math.abs(value) >= 1e15 ? value.toExponential(2) : smallText(value);
  if (unit === undefined) return text;
  if (unit === "%") return `${text}%`;
  if (/^\p{Sc}$/u.test(unit)) return text.startsWith("-") ? `-${unit}${text.slice(1)}` : `${unit}${text}`;
  return `${text} ${unit}`;
}

function smallText(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.01) return size < 1e-6 ? value.toExponential(1) : small.format(value);
  return exact.format(value);
}
