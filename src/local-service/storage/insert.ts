/**
 * Inserts the content of `PUT …/knowledge_bases/{name}`: rows, then files, URLs and a query. A failure stops there; what
 * was inserted before stays.
 */
import { z } from "zod";
import { present } from "../../ports/tools/present.ts";
import { problems } from "../routes/problem.ts";
import type { CellValue, Row } from "./passage-store.ts";
import type { Stored } from "./resource-store.ts";
import { select } from "./selection.ts";
import { parseStatement, SqlError } from "./sql.ts";
import type { Store } from "./store.ts";

/** A page from the service's page reader. `id` is the same for every version of the page. */
type ReadPage = { readonly id: string; readonly url: string; readonly title: string; readonly content: string };

/** Throws an Error whose message says what is wrong with which URL. */
export type ReadPages = (request: {
  readonly urls: readonly string[];
  /** Most pages in all. */
  readonly limit: number;
  readonly depth: number;
  /** Matched from the start of a URL. */
  readonly filters: readonly RegExp[];
  /** Further hosts that links may lead to, including their subdomains. */
  readonly domains: readonly string[];
}) => AsyncIterable<ReadPage>;

const insertBody = z.object({
  rows: z.unknown().optional(),
  files: z.unknown().optional(),
  urls: z.unknown().optional(),
  query: z.unknown().optional(),
  limit: z.number().int().nullish(),
  crawl_depth: z.number().int().nullish(),
  filters: z.unknown().optional(),
});

/** Rows inserted before yielding to the event loop: this service shares its process with Parley. */
const rowsAtOnce = 25;

/** Without `readPages`, URLs are refused. */
export type InsertInto = {
  readonly store: Store;
  readonly project: string;
  readonly readPages: ReadPages | undefined;
};

export async function insertContent(into: InsertInto, base: Stored, body: unknown): Promise<void> {
  const { store, readPages } = into;
  const what = insertBody.parse(body);
  if (isGiven(what.urls) && readPages === undefined) {
    throw problems.insertFailed("this service was started without a page reader");
  }
  if (isGiven(what.rows)) await insertRows(store, base, rowsOf(what.rows));
  for (const name of isGiven(what.files) ? textsOf(what.files, "files") : []) {
    const file = store.files.get(name.toLowerCase());
    if (file === undefined) throw problems.insertFailed(`File '${name}' does not exists`);
    await insertRows(store, base, rowsOf(file.rows));
  }
  if (isGiven(what.urls) && readPages !== undefined) await insertPages(store, base, what, readPages);
  if (isGiven(what.query)) await insertRows(store, base, rowsOf(await selected(into, String(what.query))));
}

async function selected({ store, project }: InsertInto, query: string): Promise<readonly unknown[]> {
  try {
    const statement = parseStatement(query);
    if (statement.kind === "select") return (await select(store, project, statement)).rows;
  } catch (thrown) {
    throw thrown instanceof SqlError ? problems.insertFailed(thrown.message) : thrown;
  }
  throw problems.insertFailed("The SQL statement cannot be parsed: it gives no rows.");
}

/** Each page replaces the earlier content of its URL. A limit below 1 means 1, as in the API's other servers. */
async function insertPages(
  store: Store,
  base: Stored,
  { urls, limit, crawl_depth, filters }: z.infer<typeof insertBody>,
  readPages: ReadPages,
): Promise<void> {
  const request = {
    urls: textsOf(urls, "urls"),
    limit: Math.max(1, limit ?? 1),
    depth: Math.max(0, crawl_depth ?? (limit === undefined || limit === null ? 0 : maxDepth)),
    ...filtersOf(filters),
  };
  const outside = request.urls.find((url) => !isWithin(url, request.domains));
  if (outside !== undefined) throw problems.insertFailed(`'${outside}'`);
  const pages = readPages(request)[Symbol.asyncIterator]();
  for (;;) {
    const page = await pages.next().catch((thrown: unknown) => {
      throw problems.insertFailed(thrown instanceof Error ? thrown.message : String(thrown));
    });
    if (page.done) return;
    store.passages.insert(base.id, [page.value]);
  }
}

/** A limit without a depth follows links to any depth. */
const maxDepth = 100;

/** `{"allowed_domains": […]}` as the API document has it, or regular expressions as its other servers take them. */
function filtersOf(filters: unknown): { readonly filters: readonly RegExp[]; readonly domains: readonly string[] } {
  if (!isGiven(filters)) return { filters: [], domains: [] };
  const documented = z.object({ allowed_domains: z.array(z.string()).optional() }).safeParse(filters);
  if (documented.success) {
    const domains = (documented.data.allowed_domains ?? []).map((domain) => domain.trim().toLowerCase());
    return { filters: [], domains: domains.filter((domain) => domain !== "") };
  }
  return { filters: textsOf(filters, "filters").map(expressionOf), domains: [] };
}

/** The URLs that an insert starts with must be allowed too. */
function isWithin(url: string, domains: readonly string[]): boolean {
  if (domains.length === 0 || !URL.canParse(url)) return true;
  const { hostname } = new URL(url);
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

function expressionOf(filter: string): RegExp {
  try {
    return new RegExp(`^(?:${filter})`);
  } catch {
    throw problems.insertFailed(`bad filter, not a regular expression: ${filter.slice(0, 100)}`);
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

function textsOf(value: unknown, name: "files" | "urls" | "filters"): readonly string[] {
  const texts = z.array(z.string()).safeParse(value);
  if (!texts.success) throw problems.insertFailed(`${name} must be a list of texts`);
  return texts.data;
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
  return present({
    id: textOf(id),
    content: String(content ?? ""),
    title: textOf(title),
    url: textOf(url),
    metadata,
  });
}

function textOf(value: unknown): string | undefined {
  return isGiven(value) ? String(value) : undefined;
}

function cellOf(value: unknown): CellValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
