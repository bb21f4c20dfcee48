/**
 * Turns one row of a knowledge base search into a Source. Rows arrive as CSV, as Markdown or as an SQL result, with the
 * same column names. Where the title and the URL are found depends on the generation.
 */

import { answerRowId } from "../../../core/content/answering.ts";
import type { Source } from "../../../core/model/turn.ts";
import type { ListedDocument } from "../../../core/ports/agent-service.ts";
import { isObject, parseJson } from "../../../core/tools/parse-json.ts";
import { parsePythonLiteral } from "./python-literal.ts";

/** The port limits a Source's excerpt to this length. */
const maxExcerptChars = 300;
const maxRowIdChars = 100;

/** Reads a cell by column: text from a tool, or any JSON value from the SQL endpoint. */
export type Row = (column: string) => unknown;

/** Whether rows with these columns are passages of a knowledge base; all others are a table. */
export function arePassages(columns: readonly string[]): boolean {
  return columns.includes("chunk_content");
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
  const excerpt = excerptOf(passageContent(row));
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

function excerptOf(content: string): string {
  if (content.length <= maxExcerptChars) return content;
  const cut = content.slice(0, maxExcerptChars);
  // A cut inside a surrogate pair would leave a broken character.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
