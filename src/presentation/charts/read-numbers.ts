/** Reads a column of numbers as people write them: "1,240", "1.240,5", "12 %", "€3", "−4", "(4)", "2.5M". Linear. */

export type NumberColumn = {
  /** One per row. Undefined: the cell is empty, or not a finite number. */
  readonly values: readonly (number | undefined)[];
  /** "%", a currency's sign or its code, as written. */
  readonly unit?: string;
};

/** No number that people write is longer. */
const maxNumberChars = 40;

/** Cells that say that there is no value. */
const noValue = /^(?:|-|–|—|n\/?a|null|none|nan|[+-]?inf(?:inity)?|[+-]?∞)$/i;

const currencyCodes =
  "USD EUR GBP CHF JPY CNY INR BRL RUB PLN CZK SEK NOK DKK CAD AUD NZD MXN TRY ZAR KRW SGD HKD ILS AED".split(" ");
const currency = `\\p{Sc}|(?:${currencyCodes.join("|")})(?![\\p{L}])`;
const unitBefore = new RegExp(`^(${currency})\\s*`, "iu");
const unitAfter = new RegExp(`\\s*(%|\\p{Sc}|(?<![\\p{L}])(?:${currencyCodes.join("|")}))$`, "iu");
/** "Revenue (€)", "Share in %", "Price USD". */
const unitOfHeader = new RegExp(`(?:^|[\\s([])(%|\\p{Sc}|${currencyCodes.join("|")})[)\\]]?$`, "u");

const powers: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9, b: 1e9 };

/** Digits of other scripts that stand for the same numbers. */
const otherDigits = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g;

/** The digits and marks of one cell, its sign, its power of ten, and its unit. */
type Written = { readonly body: string; readonly factor: number; readonly unit?: string };

type Mark = "." | ",";

/** Undefined if a cell is neither a number nor empty, or if units differ. Reads no further than it needs. */
export function readNumbers(header: string, cells: Iterable<string>): NumberColumn | undefined {
  const written: (Written | undefined)[] = [];
  const units = new Set<string>();
  let isDecimal: Mark | undefined;
  const unmarked: string[] = [];
  for (const cell of cells) {
    const one = cell.length > maxNumberChars ? undefined : writtenNumber(cell);
    if (one === undefined && !noValue.test(cell.trim())) return undefined;
    written.push(one);
    if (one === undefined) continue;
    if (one.unit !== undefined) units.add(one.unit);
    const mark = decimalMark(one.body);
    if (mark === "none") {
      unmarked.push(one.body);
      continue;
    }
    if (isDecimal !== undefined && isDecimal !== mark) return undefined;
    isDecimal = mark;
  }
  if (units.size > 1 || written.every((one) => one === undefined)) return undefined;
  const decimal = isDecimal ?? (areDotsGroups(unmarked) ? "," : ".");
  const values: (number | undefined)[] = [];
  for (const one of written) {
    const value = one === undefined ? undefined : numberOf(one, decimal);
    // Neither reading of its marks is a number: "1,2,3", "10.0.0.1".
    if (one !== undefined && value === undefined) return undefined;
    values.push(value !== undefined && Number.isFinite(value) ? value : undefined);
  }
  const unit = [...units][0] ?? unitOfHeader.exec(header.trim())?.[1];
  return unit === undefined ? { values } : { values, unit };
}

/** The numbers of a column, one per cell. Undefined unless all cells are numbers. */
export function columnNumbers(header: string, cells: readonly string[]): readonly number[] | undefined {
  const values = readNumbers(header, cells)?.values.filter((value) => value !== undefined);
  return values?.length === cells.length ? values : undefined;
}

function writtenNumber(cell: string): Written | undefined {
  // Most are, and reading them is six times as fast.
  if (/^\d[\d.,]*$/.test(cell)) return { body: cell, factor: 1 };
  let body = cell
    .normalize("NFKC")
    .replace(otherDigits, (digit) => String(digitOf(digit)))
    .replace(/[−–]/g, "-")
    .trim();
  let factor = 1;
  const bracketed = /^\((.*)\)$/.exec(body)?.[1];
  if (bracketed !== undefined) {
    body = bracketed.trim();
    factor = -1;
  }
  let unit: string | undefined;
  const takeSign = () => {
    const sign = /^([+-])\s*/.exec(body);
    if (sign === null) return;
    body = body.slice(sign[0].length);
    if (sign[1] === "-") factor = -factor;
  };
  takeSign();
  const before = unitBefore.exec(body);
  if (before !== null) {
    unit = before[1];
    body = body.slice(before[0].length);
    takeSign();
  }
  const after = unitAfter.exec(body);
  if (after !== null) {
    if (unit !== undefined) return undefined;
    unit = after[1];
    body = body.slice(0, after.index);
  }
  const power = /(?<=\d)\s?(k|m|bn|b)$/i.exec(body);
  // A small m is metres or minutes.
  if (power !== null && power[1] !== "m") {
    factor *= powers[power[1]?.toLowerCase() ?? ""] ?? 1;
    body = body.slice(0, power.index);
  }
  if (!/^\d[\d.,'’ _]*(?:e[+-]?\d{1,3})?$/i.test(body)) {
    if (!/^\.\d+$/.test(body)) return undefined;
    body = `0${body}`;
  }
  return unit === undefined ? { body, factor } : { body, factor, unit: unit.toUpperCase() };
}

function digitOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  const zero = [0x0966, 0x06f0, 0x0660].find((start) => point >= start) ?? point;
  return point - zero;
}

/** Which mark separates decimals, if this number alone tells. "1,240" and "1.240" don't. */
function decimalMark(body: string): Mark | "none" {
  const dot = body.lastIndexOf(".");
  const comma = body.lastIndexOf(",");
  if (dot < 0 && comma < 0) return "none";
  if (dot >= 0 && comma >= 0) return dot > comma ? "." : ",";
  const mark: Mark = dot >= 0 ? "." : ",";
  const other: Mark = mark === "." ? "," : ".";
  const at = Math.max(dot, comma);
  // "1,240,000": a number has one decimal mark.
  if (body.indexOf(mark) !== at) return other;
  const isGrouped = body.length - at - 1 === 3 && at <= 3 && !body.startsWith("0");
  return isGrouped ? "none" : mark;
}

/**
 * "13.100" beside "400": nobody fills up the decimals of one number only, so the dot separates thousands. `bodies` don't
 * tell it one by one.
 */
function areDotsGroups(bodies: readonly string[]): boolean {
  const dotless = bodies.filter((body) => !body.includes("."));
  const isFilledUp = bodies.some((body) => /\.\d\d0$/.test(body));
  return isFilledUp && dotless.length > 0 && dotless.every((body) => /^\d{1,3}$/.test(body));
}

const whole = (mark: string) => `(\\d+|\\d{1,3}(?:[${mark}'’ _]\\d{2,3})*[${mark}'’ _]\\d{3})`;
/** By the mark before decimals. */
const patterns: Readonly<Record<Mark, RegExp>> = {
  ".": new RegExp(`^${whole(",")}(?:\\.(\\d*))?(e[+-]?\\d+)?$`, "i"),
  ",": new RegExp(`^${whole(".")}(?:,(\\d*))?(e[+-]?\\d+)?$`, "i"),
};

/** "1.240" alone is a decimal, as programs write it, and "1,240" is a thousand. */
function numberOf({ body, factor }: Written, decimal: Mark): number | undefined {
  const [, digits, fraction = "", exponent = ""] = patterns[decimal].exec(body) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(`${digits.replace(/\D/g, "")}.${fraction || "0"}${exponent}`) * factor;
  return value === 0 ? 0 : value;
}
