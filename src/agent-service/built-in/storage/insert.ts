/**
 * Inserts into a knowledge base: rows, then files and URLs. A failure stops there; what was inserted before stays.
 */

import { type InsertReason, ParleyError } from "../../../core/errors.ts";
import type { Insert } from "../../../core/ports/agent-service.ts";
import type { CellValue, Row } from "./passage-store.ts";
import type { Stored } from "./resource-store.ts";
import type { Store } from "./store.ts";

/** The rows of pages; a row has the same id in every version of its page. Throws insert_failed, with the reason. */
export type ReadPages = (request: {
  readonly urls: readonly string[];
  /** Most pages in all. */
  readonly limit: number;
  readonly depth: number;
  /** Further hosts that links may lead to, including their subdomains. */
  readonly domains: readonly string[];
  readonly signal: AbortSignal;
}) => AsyncIterable<Readonly<Record<string, CellValue>>>;

/** Rows between which an insert can be ended. */
const rowsAtOnce = 25;

export type InsertInto = {
  readonly store: Store;
  /** Without it, URLs are refused. */
  readonly readPages: ReadPages | undefined;
  /** Throws its reason on abort. */
  readonly signal: AbortSignal;
};

export async function insertContent(into: InsertInto, base: Stored, what: Insert): Promise<void> {
  const { urls = [], files = [], rows = [], query } = what;
  if (query !== undefined) throw insertFailed("query-invalid", "This service runs no queries.");
  if (urls.length > 0 && into.readPages === undefined) {
    throw insertFailed("no-page-reader", "This service was started without a page reader.");
  }
  await insertRows(into, base, rows.map(rowOf));
  for (const name of files) {
    const file = into.store.files.get(name.toLowerCase());
    if (file === undefined) throw insertFailed("file-unknown", `There is no file ${name}.`);
    await insertRows(into, base, file.rows.map(rowOf));
  }
  if (urls.length > 0) await insertPages(into, base, { ...what, urls });
}

/** Each page replaces the earlier content of its URL. A limit below 1 means 1, as in other agent services. */
async function insertPages(
  { store, readPages, signal }: InsertInto,
  base: Stored,
  { urls, limit, crawlDepth, allowedDomains = [] }: Insert & { readonly urls: readonly string[] },
): Promise<void> {
  const domains = allowedDomains.map((domain) => domain.trim().toLowerCase()).filter((domain) => domain !== "");
  const outside = urls.find((url) => !isWithin(url, domains));
  if (outside !== undefined) throw insertFailed("no-page-matched", `${outside} is outside ${domains.join(", ")}.`);
  const request = {
    urls,
    limit: Math.max(1, limit ?? (crawlDepth === undefined ? 1 : urls.length)),
    depth: Math.max(0, crawlDepth ?? (limit === undefined ? 0 : maxDepth)),
    domains,
    signal,
  };
  for await (const row of readPages?.(request) ?? []) {
    signal.throwIfAborted();
    await store.passages.insert(base.id, [rowOf(row)]);
  }
}

/** A limit without a depth follows links to any depth. */
const maxDepth = 100;

/** The URLs that an insert starts with must be allowed too. */
function isWithin(url: string, domains: readonly string[]): boolean {
  if (domains.length === 0 || !URL.canParse(url)) return true;
  const { hostname } = new URL(url);
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

async function insertRows({ store, signal }: InsertInto, base: Stored, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    signal.throwIfAborted();
    await store.passages.insert(base.id, rows.slice(at, at + rowsAtOnce));
  }
}

function rowOf(cells: Readonly<Record<string, unknown>>): Row {
  const { id, content, title, url, ...others } = cells;
  if (content === undefined) {
    throw insertFailed("row-empty", `A row has only ${Object.keys(cells).join(", ")}.`);
  }
  const metadata = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, cellOf(value)]));
  return {
    id: textOf(id),
    content: String(content ?? ""),
    title: textOf(title),
    url: textOf(url),
    metadata,
  };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === "" ? undefined : String(value);
}

function cellOf(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function insertFailed(reason: InsertReason, why: string): ParleyError {
  return new ParleyError("insert_failed", { reason, cause: new Error(why) });
}
