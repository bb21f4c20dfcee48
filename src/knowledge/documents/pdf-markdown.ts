/** Writes the lines of a page as Markdown: headings by the size of their letters, tables by the places of their cells. */
import { type Cell, type Line, roundedSize } from "./pdf-lines.ts";

/** Letters of a heading are at least this much larger than those of the text. */
const headingFactor = 1.15;
const maxHeadingChars = 150;
const maxLevels = 4;
/** In letter sizes: the next line of a paragraph is closer. */
const paragraphGap = 1.75;

/** Largest first. */
export function headingSizesOf(lines: readonly Line[], body: number): readonly number[] {
  const sizes = lines.filter((line) => isHeading(line, body)).map(({ size }) => roundedSize(size));
  return [...new Set(sizes)].sort((one, other) => other - one);
}

function isHeading(line: Line, body: number): boolean {
  const text = textOf(line);
  return roundedSize(line.size) >= body * headingFactor && text.length <= maxHeadingChars && /\p{L}/u.test(text);
}

/** `sizes`: of headings, from `headingSizesOf` of the whole document. */
export function markdownOf(lines: readonly Line[], body: number, sizes: readonly number[]): string {
  const blocks: string[] = [];
  let last: Line | undefined;
  for (let at = 0; at < lines.length; ) {
    const table = tableAt(lines, at, body);
    const line = lines[at];
    if (table !== undefined) {
      blocks.push(table.markdown);
      at += table.lines;
      last = undefined;
      continue;
    }
    at += 1;
    if (line === undefined) continue;
    const text = textOf(line);
    if (isHeading(line, body)) {
      const level = Math.min(sizes.indexOf(roundedSize(line.size)) + 1, maxLevels);
      const isSame = last !== undefined && isHeading(last, body) && continues(last, line);
      if (isSame) blocks.push(`${blocks.pop()} ${text}`);
      else blocks.push(`${"#".repeat(Math.max(level, 1))} ${text}`);
    } else if (last !== undefined && !isHeading(last, body) && continues(last, line) && !isListed(text)) {
      blocks.push(joined(blocks.pop() ?? "", text));
    } else {
      blocks.push(text.replace(/^[•‣▪●◦∙·]\s*/, "- "));
    }
    last = line;
  }
  return blocks.join("\n\n").replace(/^(- .*)\n\n(?=- )/gm, "$1\n");
}

function textOf({ cells }: Line): string {
  return cells
    .map(({ text }) => text)
    .join(" ")
    .trim();
}

function continues(above: Line, line: Line): boolean {
  const gap = above.y - line.y;
  return gap > 0 && gap <= paragraphGap * Math.max(above.size, line.size) && above.size === line.size;
}

function isListed(text: string): boolean {
  return /^(?:[•‣▪●◦∙·–—*-]|\d{1,3}[.)]|\p{L}\))\s/u.test(text);
}

/** A word that was divided at the end of a line is put together again. */
function joined(above: string, text: string): string {
  return /\p{L}-$/u.test(above) && /^\p{Ll}/u.test(text) ? `${above.slice(0, -1)}${text}` : `${above} ${text}`;
}

type Column = { readonly from: number; readonly to: number };

/** The table that begins with that line. */
function tableAt(lines: readonly Line[], at: number, body: number) {
  const first = lines[at];
  if (first === undefined || first.cells.length < 2 || isLarge(first, body)) return undefined;
  let end = at + 1;
  for (let line = lines[end]; line !== undefined && isOfTable(lines, end, body); line = lines[end]) end += 1;
  const found = lines.slice(at, end);
  if (found.filter(({ cells }) => cells.length > 1).length < 2) return undefined;
  const columns = columnsOf(found);
  if (columns.length < 2) return undefined;
  return { markdown: isProse(found, columns) ? proseOf(found, columns) : written(found, columns), lines: end - at };
}

function isLarge({ size }: Line, body: number): boolean {
  return roundedSize(size) >= body * headingFactor;
}

/** In letter sizes. Behind a larger gap, another table begins. */
const rowGap = 4;

/** A line with one cell belongs to a table if the table continues below it, or if it continues a cell after the first. */
function isOfTable(lines: readonly Line[], at: number, body: number): boolean {
  const [above, line, below] = [lines[at - 1], lines[at], lines[at + 1]];
  if (above === undefined || line === undefined || isLarge(line, body)) return false;
  const gap = above.y - line.y;
  if (gap <= 0 || gap > rowGap * line.size) return false;
  if (line.cells.length > 1) return true;
  const [cell] = line.cells;
  const start = above.cells[0];
  if (cell === undefined || start === undefined) return false;
  if (cell.from > start.to) return true;
  const next = below?.cells.length ?? 0;
  return next > 1 && cell.to < (below?.cells[1]?.from ?? 0) && below !== undefined && line.y > below.y;
}

/** Cells that overlap from line to line are one column. */
function columnsOf(lines: readonly Line[]): readonly Column[] {
  const cells = lines.flatMap((line) => line.cells).toSorted((one, other) => one.from - other.from);
  const columns: Column[] = [];
  for (const { from, to } of cells) {
    const last = columns.at(-1);
    if (last === undefined || from > last.to) columns.push({ from, to });
    else columns[columns.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return columns;
}

function cellsIn(line: Line, columns: readonly Column[]): readonly string[] {
  const isIn = ({ from, to }: Cell, column: Column) => from <= column.to && to >= column.from;
  return columns.map((column) =>
    line.cells
      .filter((cell) => isIn(cell, column))
      .map(({ text }) => text)
      .join(" "),
  );
}

function written(lines: readonly Line[], columns: readonly Column[]): string {
  const rows: string[][] = [];
  for (const line of lines) {
    const cells = [...cellsIn(line, columns)];
    const last = rows.at(-1);
    // The rest of cells that are wrapped.
    if (last !== undefined && rows.length > 1 && cells[0] === "" && line.cells.length < columns.length) {
      rows[rows.length - 1] = last.map((cell, index) => [cell, cells[index] ?? ""].filter(Boolean).join(" "));
    } else rows.push(cells);
  }
  const [head = [], ...body] = rows.map((cells) => `| ${cells.map(escaped).join(" | ")} |`);
  return [head, `| ${columns.map(() => "---").join(" | ")} |`, ...body].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}

const minProseLines = 6;
const minProseChars = 30;

/** Columns of text, as in a newspaper, that the page writes line by line. */
function isProse(lines: readonly Line[], columns: readonly Column[]): boolean {
  if (lines.length < minProseLines) return false;
  return columns.every((_column, index) => {
    const cells = lines.map((line) => cellsIn(line, columns)[index] ?? "").filter((cell) => cell !== "");
    return cells.reduce((sum, cell) => sum + cell.length, 0) >= minProseChars * cells.length && cells.length > 1;
  });
}

function proseOf(lines: readonly Line[], columns: readonly Column[]): string {
  return columns
    .map((_column, index) =>
      lines
        .map((line) => cellsIn(line, columns)[index] ?? "")
        .filter((cell) => cell !== "")
        .reduce((text, cell) => (text === "" ? cell : joined(text, cell)), ""),
    )
    .join("\n\n");
}
