/**
 * What a tool call found: text -> Outcome, Sources, Table. 25.x prints CSV, 26.x a Markdown table, both print their
 * failures as plain text, and nothing but the text itself tells which it is.
 */
import type { Outcome, Source, Table } from "../bridge/words.ts";
import { parseCsv } from "./csv.ts";
import { parseMarkdownTable } from "./markdown-table.ts";
import { arePassages, type Row, relevanceOf, sourceOf } from "./passage.ts";

export type Observed = {
  readonly outcome: Outcome;
  readonly sources: readonly Source[];
  /** Rows that are not passages. */
  readonly table?: Table;
};

/** Rows kept of one observation's table; the rest is counted. More than anybody reads in a chat. */
const maxTableRows = 1000;

const csvHeading = "Result in CSV format (dialect is 'excel'):\n";
const failurePattern = /^(?:Error\b|Traceback\b|No valid SQL query provided)/;
const nothingPattern = /^(?:No (?:knowledge bases|tables|rows|results|data)\b|\[\]$|$)/i;

export function readObservation(observation: string): Observed {
  const csvStart = observation.startsWith("Output columns:") ? observation.indexOf(csvHeading) : -1;
  if (csvStart >= 0) return readRows(tableOfCsv(observation.slice(csvStart + csvHeading.length)));

  const trimmed = observation.trim();
  if (isFailure(trimmed)) return { outcome: { kind: "failed" }, sources: [] };
  if (nothingPattern.test(trimmed)) return { outcome: { kind: "nothing" }, sources: [] };
  const names = namesOf(trimmed);
  if (names !== undefined) return { outcome: { kind: "names", names }, sources: [] };
  const table = trimmed.startsWith("|") ? parseMarkdownTable(trimmed) : undefined;
  return table === undefined ? { outcome: { kind: "text" }, sources: [] } : readRows(table);
}

/** Tools tell their failures as text, in the place of a result. */
export function isFailure(observation: string): boolean {
  return failurePattern.test(observation.trimStart());
}

/** Rows as passages with their sources, or as a table. */
function readRows(table: Table): Observed {
  if (table.rows.length === 0) return { outcome: { kind: "nothing" }, sources: [] };
  if (!arePassages(table.columns)) {
    return { outcome: { kind: "rows", count: table.rows.length }, sources: [], table: limitRows(table) };
  }
  const position = new Map(table.columns.map((column, index) => [column, index]));
  const rows = table.rows.map(
    (cells): Row =>
      (column) =>
        cells[position.get(column) ?? -1],
  );
  const relevances = rows.map(relevanceOf).filter((relevance) => relevance !== undefined);
  return {
    outcome: {
      kind: "passages",
      count: rows.length,
      ...(relevances.length === 0 ? {} : { bestRelevance: relevances.reduce((a, b) => Math.max(a, b)) }),
    },
    sources: rows.map(sourceOf),
  };
}

export function limitRows(table: Table): Table {
  if (table.rows.length <= maxTableRows) return table;
  return {
    columns: table.columns,
    rows: table.rows.slice(0, maxTableRows),
    omittedRows: table.rows.length - maxTableRows,
  };
}

function tableOfCsv(csv: string): Table {
  const [columns = [], ...records] = parseCsv(csv);
  // An empty line is no record; every other one gets exactly as many cells as there are columns.
  const rows = records
    .filter((cells) => cells.length > 1 || cells[0] !== "" || columns.length === 1)
    .map((cells) => columns.map((_, index) => cells[index] ?? ""));
  return { columns, rows };
}

function namesOf(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((name) => typeof name === "string") ? parsed : undefined;
  } catch {
    return undefined;
  }
}
