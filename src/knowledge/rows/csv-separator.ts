/** Finds what separates the cells of a CSV file: Excel's `sep=` line, else what gives the most records the same width. */
import { parse } from "csv-parse/sync";
import { lineBreaks } from "./csv-records.ts";

const marks = [",", ";", "\t", "|"] as const;
/** Occurs in no text: a table of one column. */
const noMark = "\u001F";
/** As many records as are looked at, for the width of the table too. */
export const sampledRecords = 200;

export type Separator = {
  readonly delimiter: string;
  /** The line that says so. */
  readonly skippedChars: number;
};

/** `head`: the beginning of the file, or all of it. */
export function separatorOf(head: string): Separator {
  const said = /^"?sep=([^\r\n"])"?[,;\t| ]*(?:\r\n|\n|\r|$)/i.exec(head);
  if (said?.[1] !== undefined) return { delimiter: said[1], skippedChars: said[0].length };
  const found = marks.flatMap((mark) => scoreOf(head, mark) ?? []);
  const [best] = found.sort((one, other) => other.share - one.share || other.width - one.width);
  return { delimiter: best?.mark ?? noMark, skippedChars: 0 };
}

type Score = { readonly mark: string; readonly share: number; readonly width: number };

/** Undefined if it separates nothing. */
function scoreOf(head: string, mark: string): Score | undefined {
  if (!head.includes(mark)) return undefined;
  const widths = recordsOf(head, mark).map((cells) => cells.length);
  const width = usualWidth(widths.filter((one) => one > 1));
  if (width === undefined || isProse(head, mark, widths[0])) return undefined;
  return { mark, width, share: widths.filter((one) => one === width).length / widths.length };
}

/** The commas of sentences and numbers in a table of one column: its heading has none, and no other cell begins there. */
function isProse(head: string, mark: string, headingWidth: number | undefined): boolean {
  return (
    headingWidth === 1 &&
    head
      .split(mark)
      .slice(1)
      .every((after) => /^\s/.test(after) || (mark === "," && /^\d/.test(after)))
  );
}

/** Without quotes if these are broken: an estimate is enough. The last record may be cut off. */
function recordsOf(head: string, delimiter: string): readonly (readonly string[])[] {
  const options = {
    delimiter,
    record_delimiter: lineBreaks,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: sampledRecords,
  };
  const read = (): string[][] => {
    try {
      return parse(head, options);
    } catch {
      return parse(head, { ...options, quote: null });
    }
  };
  const records = read();
  return records.length > 2 ? records.slice(0, -1) : records;
}

/** The most frequent one, and the largest among equals; undefined for none. */
export function usualWidth(widths: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [usual] = [...counts].sort(([one, often], [other, seldom]) => seldom - often || other - one);
  return usual?.[0];
}
