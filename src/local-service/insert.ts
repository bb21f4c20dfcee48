/**
 * What `PUT …/knowledge_bases/{name}` puts in: rows, then files, then addresses, then a query, in that order; a failure
 * stops there and what came before stays. Addresses and queries are not supported yet and say so before anything is
 * put in.
 */
import { z } from "zod";
import type { CellValue, Row } from "./passage-store.ts";
import { problems } from "./problem.ts";
import type { Stored } from "./resource-store.ts";
import type { Store } from "./store.ts";

const insertBody = z.object({
  rows: z.unknown().optional(),
  files: z.unknown().optional(),
  urls: z.unknown().optional(),
  query: z.unknown().optional(),
});

/** Rows put in before other work gets its turn: this service shares its process. */
const rowsAtOnce = 25;

export async function insertContent(store: Store, base: Stored, body: unknown): Promise<void> {
  const what = insertBody.parse(body);
  if (isGiven(what.urls)) throw problems.insertFailed("inserting urls is not supported yet by the local service");
  if (isGiven(what.query)) throw problems.insertFailed("inserting a query is not supported yet by the local service");
  if (isGiven(what.rows)) await insertRows(store, base, rowsOf(what.rows));
  if (!isGiven(what.files)) return;
  for (const name of namesOf(what.files)) {
    const file = store.files.get(name.toLowerCase());
    if (file === undefined) throw problems.insertFailed(`File '${name}' does not exists`);
    await insertRows(store, base, rowsOf(file.rows));
  }
}

async function insertRows(store: Store, base: Stored, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    store.passages.insert(base.id, rows.slice(at, at + rowsAtOnce));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function namesOf(files: unknown): readonly string[] {
  const names = z.array(z.string()).safeParse(files);
  if (!names.success) throw problems.insertFailed("files must be a list of names of uploaded files");
  return names.data;
}

function rowsOf(rows: unknown): readonly Row[] {
  const parsed = z.array(z.record(z.string(), z.unknown())).safeParse(rows);
  if (!parsed.success) throw problems.insertFailed("rows must be a list of objects");
  return parsed.data.map(rowOf);
}

function rowOf(cells: Readonly<Record<string, unknown>>): Row {
  const { id, content, title, url, ...others } = cells;
  if (content === undefined) {
    const names = Object.keys(cells).filter((name) => name !== "id");
    throw problems.insertFailed(
      `Content columns None not found in dataset: [${names.map((name) => `'${name}'`).join(", ")}]`,
    );
  }
  const metadata = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, cellOf(value)]));
  return {
    ...(isGiven(id) ? { id: String(id) } : {}),
    content: String(content ?? ""),
    ...(isGiven(title) ? { title: String(title) } : {}),
    ...(isGiven(url) ? { url: String(url) } : {}),
    metadata,
  };
}

function cellOf(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
