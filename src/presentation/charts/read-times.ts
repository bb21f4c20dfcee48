/** Reads a column of dates, months, quarters or years in the ways that people write them. Pure, and blind to time zones. */

export type TimeColumn = {
  /** One per row, larger is later. Undefined: the order is as written, because months or quarters have no year. */
  readonly order?: readonly number[];
};

/** Months by name in the ten languages of docs/charts.md, in full and short. */
const languages = ["en", "de", "fr", "es", "pt", "it", "nl", "ru", "ja", "zh"];

const maxTimeChars = 40;
const maxYear = 2200;
const minYear = 1000;

/** Undefined if a label is no time, or if two readings are possible. */
export function readTimes(labels: readonly string[]): TimeColumn | undefined {
  const read = [readIso, readDotted, readSlashed, readNamedMonths, readQuarters, readYears];
  const trimmed = labels.map((label) => label.trim());
  if (trimmed.some((label) => label.length > maxTimeChars)) return undefined;
  for (const one of read) {
    const found = one(trimmed);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Reader = (labels: readonly string[]) => TimeColumn | undefined;

/** Of every item, or undefined: most columns are no times, which the first label tells. */
function readEach<T, R>(items: readonly T[], read: (item: T) => R | undefined): readonly R[] | undefined {
  const results: R[] = [];
  for (const item of items) {
    const one = read(item);
    if (one === undefined) return undefined;
    results.push(one);
  }
  return results;
}

function each<T>(items: readonly T[], orderOf: (item: T) => number | undefined): TimeColumn | undefined {
  const order = readEach(items, orderOf);
  return order === undefined ? undefined : { order };
}

/** Days of the calendar, in milliseconds; undefined for 31 June. */
function day(year: number, month: number, date: number, timeMs = 0): number | undefined {
  if (year < minYear || year > maxYear || month < 1 || month > 12 || date < 1) return undefined;
  const ms = Date.UTC(year, month - 1, date);
  return new Date(ms).getUTCDate() === date ? ms + timeMs : undefined;
}

/** 2026-12-31, 2026-12, 2026-W32, with or without a time of day. 2026/12/31 is the same. */
const readIso: Reader = (labels) =>
  each(labels, (label) => {
    const week = /^(\d{4})-?W(\d{1,2})$/i.exec(label);
    if (week !== null) {
      const number = Number(week[2]);
      return number >= 1 && number <= 53 ? day(Number(week[1]), 1, 1, number * 7 * 86_400_000) : undefined;
    }
    const found =
      /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?)?$/i.exec(
        label,
      );
    if (found === null) return undefined;
    const [, year, month, date = "1", hours = "0", minutes = "0", seconds = "0"] = found;
    const timeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return day(Number(year), Number(month), Number(date), timeMs);
  });

/** 31.12.2026 and 12.2026. */
const readDotted: Reader = (labels) =>
  each(labels, (label) => {
    const found = /^(?:(\d{1,2})\.\s?)?(\d{1,2})\.\s?(\d{4})$/.exec(label);
    return found === null ? undefined : day(Number(found[3]), Number(found[2]), Number(found[1] ?? "1"));
  });

/** 12/31/2026 or 31/12/2026: only if one label of the column tells which. */
const readSlashed: Reader = (labels) => {
  const parts = readEach(labels, (label) => /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(label)?.slice(1).map(Number));
  if (parts === undefined) return undefined;
  const isMonthFirst = parts.some(([, second = 0]) => second > 12);
  const isDayFirst = parts.some(([first = 0]) => first > 12);
  if (isMonthFirst === isDayFirst) return undefined;
  return each(parts, ([first = 0, second = 0, year = 0]) =>
    isMonthFirst ? day(year, first, second) : day(year, second, first),
  );
};

/** "May 2026", "Mai", "mayo de 2026", "12 May 2026", "May 12, 2026", "2026年5月". */
const readNamedMonths: Reader = (labels) => {
  const found = readEach(labels, namedMonth);
  if (found?.every(({ year }) => year === undefined)) return {};
  return found && each(found, ({ year, month, date }) => (year === undefined ? undefined : day(year, month, date)));
};

type NamedMonth = { readonly month: number; readonly date: number; readonly year?: number };

function namedMonth(label: string): NamedMonth | undefined {
  const eastern = /^(?:(\d{4})年)?\s?(\d{1,2})月$/.exec(label);
  if (eastern !== null) return monthOf(Number(eastern[2]), 1, eastern[1]);
  const words = label
    .toLowerCase()
    .split(/[\s.,/-]+/)
    .filter((word) => word !== "" && word !== "de" && word !== "г");
  if (words.length > 3) return undefined;
  let month: number | undefined;
  let year: string | undefined;
  let date: number | undefined;
  for (const word of words) {
    const short = /^['’](\d{2})$/.exec(word)?.[1];
    const named = monthNames().get(folded(word));
    if (named !== undefined && month === undefined) month = named;
    else if (/^\d{4}$/.test(word) && year === undefined) year = word;
    else if (short !== undefined && year === undefined) year = `20${short}`;
    else if (/^\d{1,2}$/.test(word) && date === undefined) date = Number(word);
    else return undefined;
  }
  // "May 12" is the 12th of a month without a year, or May 2012.
  if (month === undefined || (date !== undefined && year === undefined)) return undefined;
  return monthOf(month, date ?? 1, year);
}

function monthOf(month: number, date: number, year: string | undefined): NamedMonth | undefined {
  if (month < 1 || month > 12) return undefined;
  return year === undefined ? { month, date } : { month, date, year: Number(year) };
}

let names: ReadonlyMap<string, number> | undefined;

function monthNames(): ReadonlyMap<string, number> {
  if (names !== undefined) return names;
  const made = new Map<string, number>([["sept", 9]]);
  for (const language of languages) {
    for (const month of ["long", "short"] as const) {
      // With a day, some languages decline the name.
      for (const options of [{ month }, { month, day: "numeric" }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
        for (let number = 1; number <= 12; number++) {
          const parts = format.formatToParts(Date.UTC(2026, number - 1, 1));
          const name = folded((parts.find(({ type }) => type === "month")?.value ?? "").toLowerCase().replace(".", ""));
          if (/\p{L}{3}/u.test(name)) made.set(name, number);
        }
      }
    }
  }
  names = made;
  return made;
}

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}+/gu, "");

/** 2026-Q3, Q3 2026, Q3. */
const readQuarters: Reader = (labels) => {
  const found = readEach(labels, (label) => {
    const [, before, quarter, after] = /^(?:(\d{4})[\s/-]?)?[QT]([1-4])(?:[\s/-]?(\d{4}))?$/i.exec(label) ?? [];
    if (quarter === undefined || (before !== undefined && after !== undefined)) return undefined;
    return { quarter: Number(quarter), year: before ?? after };
  });
  if (found?.every(({ year }) => year === undefined)) return {};
  return (
    found &&
    each(found, ({ year, quarter }) => (year === undefined ? undefined : day(Number(year), quarter * 3 - 2, 1)))
  );
};

/** Years alone, as they are in a column of numbers too. */
const readYears: Reader = (labels) =>
  each(labels, (label) => {
    const year = /^(?:19|20)\d{2}$/.exec(label);
    return year === null ? undefined : Number(label);
  });
