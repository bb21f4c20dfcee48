/**
 * SQL statements to search a knowledge base and to delete its rows. Only SQL can do these two. SQL errors come with
 * status 200, so the body decides. Statements contain only quoted names and texts.
 *
 * Measured on both generations: a quote inside a text is doubled; a backslash escapes the quote after it and is literal
 * anywhere else; no way of writing it is literal everywhere. So search texts lose their backslashes, and an id with a
 * backslash where it would escape is refused.
 */
import { z } from "zod";
import { ParleyError } from "../../core/errors.ts";
import type { ListedDocument, Passage } from "../../core/ports/agent-service.ts";
import { redactInternals } from "../http/texts.ts";
import { documentsOf } from "../listed-documents.ts";
import {
  arePassages,
  chunkIndexOf,
  documentOf,
  passageContent,
  passageRows,
  type Row,
  relevanceOf,
  sourceOf,
} from "./observation.ts";

const sqlAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("table"), column_names: z.array(z.string()), data: z.array(z.array(z.unknown())) }),
  z.object({ type: z.literal("ok") }),
  z.object({ type: z.literal("error"), error_message: z.string().catch("") }),
]);

/** Ids in one DELETE. */
export const maxIdsPerStatement = 100;

export function searchStatement(project: string, knowledgeBase: string, words: string, limit: number): string {
  const rows = Math.max(1, Math.trunc(limit));
  return `SELECT * FROM ${quoteName(project)}.${quoteName(knowledgeBase)} WHERE content = ${quoteWords(words)} LIMIT ${rows}`;
}

/** Without a search, both generations list passages in no promised order. */
export function listStatement(project: string, knowledgeBase: string, limit: number): string {
  return `SELECT * FROM ${quoteName(project)}.${quoteName(knowledgeBase)} LIMIT ${Math.max(1, Math.trunc(limit))}`;
}

export function deleteStatement(project: string, knowledgeBase: string, ids: readonly string[]): string {
  const [first, ...others] = ids.map(quoteExactly);
  const condition = others.length === 0 ? `id = ${first}` : `id IN (${[first, ...others].join(", ")})`;
  return `DELETE FROM ${quoteName(project)}.${quoteName(knowledgeBase)} WHERE ${condition}`;
}

/** Passages by descending relevance. Those without one come last, in their original order. */
export function readPassages(body: unknown): readonly Passage[] {
  return readRows(body)
    .sort((a, b) => (relevanceOf(b) ?? -1) - (relevanceOf(a) ?? -1))
    .map((row) => ({ content: passageContent(row), source: sourceOf(row) }));
}

/** Every document of which a passage was listed. */
export function readDocuments(body: unknown): readonly ListedDocument[] {
  return documentsOf(readRows(body).flatMap((row) => documentOf(row) ?? []));
}

/** Of these rows, in their order, each with its passages in theirs. */
export function readTexts(body: unknown, rowIds: readonly string[]): readonly string[] {
  const positions = new Map(rowIds.map((id, index) => [id, index]));
  return readRows(body)
    .flatMap((row) => {
      const [at, index] = [positions.get(documentOf(row)?.id ?? ""), chunkIndexOf(row)];
      return at === undefined ? [] : [{ at, index, text: passageContent(row) }];
    })
    .sort((one, other) => one.at - other.at || one.index - other.index)
    .map(({ text }) => text);
}

/** None if the columns aren't those of a knowledge base. */
function readRows(body: unknown): Row[] {
  const answer = readSqlAnswer(body);
  if (answer.type !== "table" || !arePassages(answer.column_names)) return [];
  return passageRows(answer.column_names, answer.data);
}

/** Throws the error that the service reports inside a 200 response. */
export function readSqlAnswer(body: unknown): z.infer<typeof sqlAnswer> {
  const parsed = sqlAnswer.safeParse(body);
  if (!parsed.success) throw new ParleyError("service_not_understood", { cause: new Error("Unexpected SQL answer.") });
  if (parsed.data.type === "error") throw sqlError(parsed.data.error_message);
  return parsed.data;
}

function sqlError(said: string): ParleyError {
  const cause = new Error(`SQL: ${redactInternals(said).slice(0, 1000)}`);
  if (/index is already used/i.test(said)) return new ParleyError("knowledge_base_busy", { cause, retryAfterMs: 2000 });
  if (/not found|does not exist/i.test(said)) return new ParleyError("knowledge_base_not_found", { cause });
  if (/Error code: \d{3}|embedding|api key/i.test(said)) return new ParleyError("model_unavailable", { cause });
  return new ParleyError("service_failed", { cause });
}

/** Quotes a name in backticks. Throws name_not_allowed for a name with a backtick: no quoted name can hold one. */
export function quoteName(name: string): string {
  if (name === "" || name.includes("`") || hasControl(name)) throw new ParleyError("name_not_allowed");
  return `\`${name}\``;
}

/** Quotes a search text. Its words stay the same, and it can't end the quoted text. */
export function quoteWords(words: string): string {
  return `'${words.replaceAll("\\", " ").replaceAll("\0", " ").replaceAll("'", "''")}'`;
}

/** Quotes a value that must match exactly. Throws service_request_refused where quoting would change it. */
export function quoteExactly(value: string): string {
  if (/\\(?:'|$)/.test(value) || value.includes("\0")) {
    throw new ParleyError("service_request_refused", { cause: new Error("An id with a backslash before a quote.") });
  }
  return `'${value.replaceAll("'", "''")}'`;
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  return /[\u0000-\u001f\u007f]/.test(text);
}
