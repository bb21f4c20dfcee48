/** The two forms in which tools print rows: 25.x as CSV, 26.x as a padded Markdown table. */
import { runLimits } from "../../core/model/agent-event.ts";
import type { Table } from "../../core/model/turn.ts";

const separatorPattern = /^\|(?: ?:?-+:? ?\|)+$/;

/**
 * The table, or undefined if the text doesn't begin with one. O(n). Nothing is escaped: a cell may hold pipes and raw
 * line ends. The padding helps: a line whose pipes are under those of the header is split there. Other lines are joined
 * until a record is complete, and surplus pipes go to the widest column.
 */
export function parseMarkdownTable(text: string): Table | undefined {
  const lines = text.trimEnd().split("\n");
  const header = lines[0]?.trimEnd();
  const separator = lines[1]?.trimEnd();
  if (header === undefined || separator === undefined) return undefined;
  if (!header.startsWith("|") || !separatorPattern.test(separator)) return undefined;

  const edges = pipesOf(separator);
  // Every record would get this many cells.
  if (edges.length - 1 > runLimits.tableColumns) return undefined;
  const columns = cutAt(header, edges) ?? splitCells(header);
  if (columns.length !== edges.length - 1) return undefined;
  const widest = indexOfWidest(edges);

  const rows: string[][] = [];
  let open: string[] = [];
  for (let index = 2; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const whole = open.length === 0 || startsRecord(line, edges) ? cutAt(line.trimEnd(), edges) : undefined;
    if (whole !== undefined) {
      if (open.length > 0) rows.push(padTo(splitCells(open.join("\n")), columns.length, widest));
      open = [];
      rows.push(whole);
      continue;
    }
    if (closesRecord(open) && line.startsWith("| ")) {
      rows.push(padTo(splitCells(open.join("\n")), columns.length, widest));
      open = [];
    }
    open.push(line);
  }
  if (open.length > 0) rows.push(padTo(splitCells(open.join("\n")), columns.length, widest));
  return { columns, rows };
}

/** The positions of the pipes in a separator line, which consists of pipes, dashes, colons and spaces. */
function pipesOf(separator: string): number[] {
  const edges: number[] = [];
  for (let at = separator.indexOf("|"); at >= 0; at = separator.indexOf("|", at + 1)) edges.push(at);
  return edges;
}

function startsRecord(line: string, edges: readonly number[]): boolean {
  return line.startsWith("| ") && line[edges[1] ?? 0] === "|";
}

/** The cells of a line if its pipes stand exactly under those of the separator. */
function cutAt(line: string, edges: readonly number[]): string[] | undefined {
  const last = edges[edges.length - 1] as number;
  if (line.length !== last + 1) return undefined;
  const cells: string[] = [];
  for (let index = 0; index < edges.length; index += 1) {
    if (line.charCodeAt(edges[index] as number) !== 124) return undefined;
    if (index > 0) cells.push(line.slice((edges[index - 1] as number) + 1, edges[index]).trim());
  }
  return cells;
}

function splitCells(record: string): string[] {
  const inner = record.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?:^|(?<= ))\|(?= |$)/).map((cell) => cell.trim());
}

/** Checks only the last line: counting cells at every line would make a long broken cell quadratic. */
function closesRecord(lines: readonly string[]): boolean {
  return lines.length > 0 && (lines[lines.length - 1] as string).trimEnd().endsWith("|");
}

function indexOfWidest(edges: readonly number[]): number {
  let widest = 0;
  const width = (index: number) => (edges[index + 1] as number) - (edges[index] as number);
  for (let index = 1; index < edges.length - 1; index += 1) if (width(index) > width(widest)) widest = index;
  return widest;
}

/** Exactly `columns` cells: surplus ones come from pipes in a text and are joined again, missing ones are empty. */
function padTo(cells: string[], columns: number, widest: number): string[] {
  const extra = cells.length - columns;
  if (extra > 0) return cells.toSpliced(widest, extra + 1, cells.slice(widest, widest + extra + 1).join(" | "));
  return [...cells, ...Array.from({ length: -extra }, () => "")];
}

/**
 * The first `maxRecords` records of CSV in Python's "excel" dialect, including the header. O(n); records end in LF or
 * CRLF. Quoted cells may hold commas, line ends and doubled quotes. An unclosed quote ends with the text, because nobody
 * checks what a tool prints.
 */
export function parseCsv(text: string, maxRecords = Number.POSITIVE_INFINITY): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < maxRecords) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    record.push(cell);
    at = end;
    if (text[at] === ",") {
      at += 1;
      if (at < text.length && text[at] !== "\r" && text[at] !== "\n") continue;
      record.push("");
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    records.push(record);
    record = [];
  }
  return records;
}

function readPlain(text: string, start: number): { cell: string; end: number } {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === 44 || code === 10 || code === 13) break;
    end += 1;
  }
  return { cell: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): { cell: string; end: number } {
  let from = start + 1;
  let cell = "";
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { cell: cell + text.slice(from), end: text.length };
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      // Text between a closing quote and the next comma belongs to the cell, so that nothing is lost.
      const rest = readPlain(text, quote + 1);
      return { cell: cell + rest.cell, end: rest.end };
    }
    cell += '"';
    from = quote + 2;
  }
}
