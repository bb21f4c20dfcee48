/** Defines rows, and detects the format of files and pasted text. */

import { createHash } from "node:crypto";
import { numberText } from "../../presentation/sentences.ts";
import { maxColumnNameChars, maxColumns } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type Cell = string | number | boolean | null;
/** Has `id` and `content`, optionally `title` and `url`, and any further columns. */
export type Row = Readonly<Record<string, Cell>>;
/** A row as its file has it. */
export type FoundRow = {
  readonly cells: Readonly<Record<string, unknown>>;
  /** Among the file's rows, from 1. Absent for the title above the table. */
  readonly number?: number;
};
export type RowsFormat = "json" | "jsonl" | "csv" | "text";

const endings: Readonly<Record<string, RowsFormat>> = {
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  csv: "csv",
  tsv: "csv",
  txt: "text",
  md: "text",
  markdown: "text",
  rst: "text",
  log: "text",
};

/** Undefined for any other file. */
export function formatOfFile(fileName: string): RowsFormat | undefined {
  return endings[/\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ""];
}

/** Pasted text is recognised by how it begins. */
export function formatOfText(text: string): RowsFormat {
  const given = text.trim();
  if (/^"?sep=[^\r\n"]"?\s*\n/i.test(given)) return "csv";
  if (/^\[\s*(?:\{|\])/.test(given)) return "json";
  if (given.startsWith("{")) return /\}[^\S\n]*\n\s*\{/.test(given) ? "jsonl" : "json";
  const lines = given.split(/\r?\n/);
  const columns = lines[0]?.split(/[,;\t|]/).map((name) => name.trim()) ?? [];
  const areNames = columns.every((name) => /^"?[\p{L}_][\p{L}\p{N}_-]*(?:[ .][\p{L}\p{N}_-]+){0,2}"?$/u.test(name));
  const isTable = lines.length > 1 && columns.length > 1 && areNames && /[,;\t|]/.test(lines[1] ?? "");
  return isTable ? "csv" : "text";
}

/** Throws ReadFailure. */
export function checkColumnCount(columns: number): void {
  if (columns > maxColumns)
    throw new ReadFailure(
      "unreadable",
      `it has ${numberText(columns)} columns: at most ${numberText(maxColumns)} can be added`,
    );
}

/** Throws ReadFailure. */
export function checkColumns(names: readonly string[]): void {
  checkColumnCount(names.length);
  const long = names.findIndex((name) => name.length > maxColumnNameChars);
  if (long >= 0)
    throw new ReadFailure(
      "unreadable",
      `the name of column ${long + 1} is longer than ${numberText(maxColumnNameChars)} characters`,
    );
}

/** Derived from the content's identity, so that adding it again replaces the earlier row. */
export function rowId(kind: "row" | "text" | "file" | "chat", what: string): string {
  return `${kind}-${createHash("sha256").update(what).digest("hex").slice(0, 24)}`;
}

/** True for the id of a row of a table that gives none itself. */
export function isRowId(id: string): boolean {
  return /^row-[0-9a-f]{24}$/.test(id);
}
