/**
 * Parses a tool's result text into an Outcome, Sources and a Table. 25.x prints CSV, 26.x a Markdown table, and both
 * print failures as plain text. Only the text itself tells which it is. Rows of a knowledge base are passages, with the
 * same columns whether they come from a tool or from SQL; where title and URL are found depends on the generation.
 */
import { answerRowId } from "../../core/content/answering.ts";
import { runLimits } from "../../core/model/agent-event.ts";
import type { Outcome, Source, Table } from "../../core/model/turn.ts";
import type { ListedDocument } from "../../core/ports/agent-service.ts";
import { isObject, parseJson } from "../../core/tools/parse-json.ts";
import { cut } from "../http/texts.ts";
import { parsePythonLiteral } from "./python-literal.ts";
import { parseCsv, parseMarkdownTable } from "./tables.ts";

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
  const passages = passageRows(columns, rows.slice(0, maxPassages));
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

/** The whole lines that fit into `maxChars`, and the rest. A first line that is longer is cut. */
function cutAtLineEnd(text: string, maxChars: number): { readonly text: string; readonly rest: string } {
  if (text.length <= maxChars) return { text, rest: "" };
  const lineEnd = text.lastIndexOf("\n", maxChars - 1);
  const end = lineEnd < 0 ? maxChars : lineEnd + 1;
  return { text: text.slice(0, end), rest: text.slice(end) };
}

/** The port limits a Source's excerpt to this length. */
const maxExcerptChars = 300;
const maxRowIdChars = 100;

/** Reads a cell by column: text from a tool, or any JSON value from the SQL endpoint. */
export type Row = (column: string) => unknown;

/** Whether rows with these columns are passages of a knowledge base; all others are a table. */
export function arePassages(columns: readonly string[]): boolean {
  return columns.includes("chunk_content");
}

export function passageRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  const position = new Map(columns.map((column, index) => [column, index]));
  return rows.map(
    (cells): Row =>
      (column) =>
        cells[position.get(column) ?? -1],
  );
}

export function passageContent(row: Row): string {
  return text(row("chunk_content")) ?? "";
}

/**
 * The title is `title`, else the URL, the file (`source`) or the document's id. A URL must be http or https. 26.x has
 * null metadata for rows inserted from `urls` and `files`: then only the row's own columns count.
 */
export function sourceOf(row: Row): Source {
  const metadata = readMetadata(row("metadata"));
  const field = (name: string) => text(row(name)) ?? text(metadata[name]);
  const url = webUrl(field("url")) ?? webUrl(field("source"));
  const title =
    field("title") ?? url ?? field("source") ?? field("url") ?? field("_original_doc_id") ?? text(row("id"));
  const excerpt = cut(passageContent(row), maxExcerptChars).text;
  return {
    title: title ?? "",
    url,
    relevance: relevanceOf(row),
    excerpt: excerpt || undefined,
    updatedAtMs: timeOf(field("_updated_at")),
    rowId: answerRowOf(field("answer_id"), field("_original_doc_id"), text(row("id")), text(row("chunk_id"))),
  };
}

/** Only rows of added answers: they name their author. A chunk's id begins with its row's. */
function answerRowOf(answerId: string | undefined, ...ids: readonly (string | undefined)[]): string | undefined {
  const known = answerId === undefined ? undefined : answerRowId(answerId);
  const id = known ?? ids.find((one) => one?.startsWith(answerRowId("")));
  return id?.replace(/:.*/s, "").slice(0, maxRowIdChars);
}

/** Which passage of its row it is, from 0. */
export function chunkIndexOf(row: Row): number {
  const { _chunk_index: index, chunk_index: plain = index } = readMetadata(row("metadata"));
  return Number.isFinite(Number(plain)) ? Number(plain) : 0;
}

/** The document that the row is a passage of; undefined without an id. */
export function documentOf(row: Row): ListedDocument | undefined {
  const metadata = readMetadata(row("metadata"));
  const field = (name: string) => text(row(name)) ?? text(metadata[name]);
  const id = text(row("id")) ?? field("_original_doc_id");
  if (id === undefined) return undefined;
  const url = webUrl(field("url")) ?? webUrl(field("source"));
  return { id, title: field("title"), url, updatedAtMs: timeOf(field("_updated_at")) };
}

/** "2026-11-21 05:32:43", without a zone. Read as UTC: it is shown as a month. */
function timeOf(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(value)) return undefined;
  const ms = Date.parse(`${value.slice(0, 19).replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

export function relevanceOf(row: Row): number | undefined {
  const cell = row("relevance");
  const relevance = typeof cell === "string" && cell.trim() !== "" ? Number(cell) : cell;
  if (typeof relevance !== "number" || !Number.isFinite(relevance)) return undefined;
  return Math.min(1, Math.max(0, relevance));
}

function readMetadata(cell: unknown): Readonly<Record<string, unknown>> {
  const value = typeof cell === "string" ? (parsePythonLiteral(cell) ?? parseJson(cell)) : cell;
  return isObject(value) ? value : {};
}

/** How Python and its tables print a missing value. */
const absent = new Set(["", "None", "nan", "NaN", "null", "NULL", "<NA>"]);

function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const trimmed = value.trim();
  return absent.has(trimmed) ? undefined : trimmed;
}

function webUrl(value: string | undefined): string | undefined {
  if (value === undefined || !/^https?:\/\//i.test(value)) return undefined;
  return URL.canParse(value) ? value : undefined;
}
