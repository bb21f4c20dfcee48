/**
 * Parses a tool's result text into an Outcome, Sources and a Table. 25.x prints CSV, 26.x a Markdown table, and both
 * print failures as plain text. Only the text itself tells which it is.
 */
import { runLimits } from "../../../core/model/agent-event.ts";
import type { Outcome, Source, Table } from "../../../core/model/turn.ts";
import { parseJson } from "../../../core/tools/parse-json.ts";
import { cutAtLineEnd } from "../../http/cut.ts";
import { parseCsv } from "./csv.ts";
import { parseMarkdownTable } from "./markdown-table.ts";
import { arePassages, type Row, relevanceOf, sourceOf } from "./passage.ts";

export type Observed = {
  readonly outcome: Outcome;
  readonly sources: readonly Source[];
  /** Rows that are not passages. */
  readonly table?: Table;
};

/** Most rows that are counted: half a million rows of one digit take a quarter of a second. */
const maxRecords = 20_000;
/** Most names that are stored. */
const maxNames = 1_000;
/** Most passages whose sources are read: an answer names eight. */
const maxPassages = 500;

const csvHeading = "Result in CSV format (dialect is 'excel'):\n";
const failurePattern = /^(?:Error\b|Traceback\b|No valid SQL query provided)/;
const nothingPattern = /^(?:No (?:knowledge bases|tables|rows|results|data)\b|\[\]$|$)/i;

export function readObservation(whole: string): Observed {
  const { text: observation, rest } = cutAtLineEnd(whole, runLimits.observationRead);
  const isCut = rest !== "";
  const csvStart = observation.startsWith("Output columns:") ? observation.indexOf(csvHeading) : -1;
  if (csvStart >= 0) {
    const table = recordsOfCsv(observation.slice(csvStart + csvHeading.length));
    return readRows(table, isCut || table.rows.length >= maxRecords);
  }

  const trimmed = observation.trim();
  if (isFailure(trimmed)) return { outcome: { kind: "failed" }, sources: [] };
  if (nothingPattern.test(trimmed)) return { outcome: isCut ? { kind: "text" } : { kind: "nothing" }, sources: [] };
  const names = namesOf(trimmed);
  if (names !== undefined) return { outcome: { kind: "names", names }, sources: [] };
  const table = trimmed.startsWith("|") ? parseMarkdownTable(trimmed) : undefined;
  return table === undefined ? { outcome: { kind: "text" }, sources: [] } : readRows(table, isCut);
}

/** The table if the answer itself is rows; undefined if it is text. */
export function readAnswerTable(content: string): Table | undefined {
  const { text, rest } = cutAtLineEnd(content, runLimits.observationRead);
  const table = parseMarkdownTable(text);
  if (table === undefined) return undefined;
  const limited = limitRows(table);
  // In the tables of 26.x each row is a line.
  const unread = rest.trim() === "" ? 0 : rest.trim().split("\n").length;
  return unread === 0 ? limited : { ...limited, omittedRows: (limited.omittedRows ?? 0) + unread };
}

/** Whether the text reports a failure: tools print it in place of a result. */
export function isFailure(observation: string): boolean {
  return failurePattern.test(observation.trimStart());
}

/** Reads rows as passages with their sources, or else as a table. */
function readRows({ columns, rows }: Table, isCut: boolean): Observed {
  if (rows.length === 0) return { outcome: isCut ? { kind: "text" } : { kind: "nothing" }, sources: [] };
  const isAtLeast = isCut || undefined;
  if (!arePassages(columns)) {
    const table = columns.length > runLimits.tableColumns ? undefined : limitRows({ columns, rows });
    const outcome = { kind: "rows" as const, count: rows.length, isAtLeast };
    return { outcome, sources: [], table };
  }
  const position = new Map(columns.map((column, index) => [column, index]));
  const passages = rows.slice(0, maxPassages).map(
    (cells): Row =>
      (column) =>
        cells[position.get(column) ?? -1],
  );
  const relevances = passages.map(relevanceOf).filter((relevance) => relevance !== undefined);
  const bestRelevance = relevances.length === 0 ? undefined : relevances.reduce((a, b) => Math.max(a, b));
  return {
    outcome: { kind: "passages" as const, count: rows.length, isAtLeast, bestRelevance },
    sources: passages.map(sourceOf),
  };
}

/** The first rows, each with exactly one cell per column. Only these are padded, since there may be many columns. */
function limitRows({ columns, rows }: Table): Table {
  const kept = rows.slice(0, runLimits.tableRows).map((cells) => columns.map((_, index) => cells[index] ?? ""));
  const omittedRows = rows.length - kept.length;
  return omittedRows === 0 ? { columns, rows: kept } : { columns, rows: kept, omittedRows };
}

function recordsOfCsv(csv: string): Table {
  const [columns = [], ...records] = parseCsv(csv, maxRecords + 1);
  // An empty line isn't a record.
  const rows = records.filter((cells) => cells.length > 1 || cells[0] !== "" || columns.length === 1);
  return { columns, rows };
}

function namesOf(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  const parsed = parseJson(text);
  if (!Array.isArray(parsed) || !parsed.every((name) => typeof name === "string")) return undefined;
  return parsed.slice(0, maxNames);
}
