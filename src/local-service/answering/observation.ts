/** Prints search results as the API's servers do: CSV in Python's "excel" dialect, metadata as a Python dict. */
import { present } from "../../ports/tools/present.ts";
import type { FoundPassage } from "./passage-search.ts";

export const passageColumns = ["id", "chunk_id", "chunk_content", "metadata", "distance", "relevance"] as const;

/** A passage's cells by column, as the SQL endpoint returns them. */
export function passageCells(passage: FoundPassage): Readonly<Record<(typeof passageColumns)[number], unknown>> {
  const { rowId, chunkIndex, chunkCount, startChar, endChar, relevance } = passage;
  return {
    id: rowId,
    chunk_id: `${rowId}:content:${chunkIndex + 1}of${chunkCount}:${startChar}to${endChar}`,
    chunk_content: passage.content,
    metadata: metadataOf(passage),
    distance: relevance === undefined ? null : Math.round((1 - relevance) * 10_000) / 10_000,
    relevance: relevance ?? null,
  };
}

export function queryObservation(passages: readonly FoundPassage[]): string {
  const heading = `Output columns: ${passageColumns.map((column) => `'${column}'`).join(", ")}`;
  const rows = passages.map((passage) => {
    const cells = passageCells(passage);
    return passageColumns.map((column) => csvCell(cellText(cells[column]))).join(",");
  });
  const csv = [passageColumns.join(","), ...rows, ""].join("\r\n");
  return `${heading}\nResult in CSV format (dialect is 'excel'):\n${csv}`;
}

function metadataOf(passage: FoundPassage): Readonly<Record<string, unknown>> {
  return {
    _chunk_index: passage.chunkIndex,
    _content_column: "content",
    _end_char: passage.endChar,
    _original_doc_id: passage.rowId,
    _source: "MarkdownSections",
    _start_char: passage.startChar,
    _updated_at: passage.updatedAt.slice(0, 19),
    ...passage.metadata,
    ...present({ title: passage.title || undefined, url: passage.url || undefined }),
  };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? pythonLiteral(value) : String(value);
}

function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The repr of plain data. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "None";
  if (typeof value === "string") return `'${value.replace(/[\\'\n\r\t]/g, (mark) => escapes[mark] ?? mark)}'`;
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${pythonLiteral(key)}: ${pythonLiteral(item)}`)
    .join(", ")}}`;
}
