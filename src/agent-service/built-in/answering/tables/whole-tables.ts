/**
 * Puts tables together again. A file's rows are stored one by one, so that each can be found, replaced and deleted; its
 * name and their number are in their titles. Up to `maxRows` they are one document.
 */
import type { FoundPassage, PassageSearch } from "../passage-search.ts";
import { markdownOf, maxRows, maxTableChars, type Table, tableOf, tablesIn } from "./table.ts";

export type FoundTable = {
  readonly table: Table;
  /** What an answer from it rests on. */
  readonly passage: FoundPassage;
  /** One row of a table that is too long to be read as a whole. */
  readonly isPart?: true;
};

/** As Parley titles the rows of a file; compared by a test. */
const rowTitle = /^(.+?), row (\d{1,9})(?:: (.+))?$/;
/** As Parley makes ids of rows that have none; compared by a test. */
const madeId = /^row-[0-9a-f]{24}$/;
/** Most tables of one knowledge base that a question is put to. */
const maxTables = 20;
/** Most sections whose text is read for tables. */
const maxReadSections = 25;

/** The file whose row this is. */
export function fileOf({ title, level }: Pick<FoundPassage, "title" | "level">): string | undefined {
  return level === 0 ? rowTitle.exec(title)?.[1] : undefined;
}

/** The short tables of the knowledge base, and the others that the passages are of. */
export function tablesAmong(
  passages: PassageSearch,
  base: { readonly id: number },
  found: readonly FoundPassage[],
): readonly FoundTable[] {
  const others = passages.firstRows(base.id, maxTables);
  const files = new Set([...found, ...others].flatMap((passage) => fileOf(passage) ?? []));
  const ofFiles = [...files].slice(0, maxTables).flatMap((name): readonly FoundTable[] => {
    const whole = wholeFile(passages, base.id, name);
    if (whole !== undefined) return [whole];
    return found.filter((passage) => fileOf(passage) === name).map(rowAlone);
  });
  const sections = new Map(found.map((passage) => [`${passage.rowId}/${passage.sectionStart}`, passage]));
  const ofPages = [...sections.values()].slice(0, maxReadSections).flatMap((passage) => {
    const text = markdownSection(
      passages.section(passage).filter(({ sectionStart }) => sectionStart === passage.sectionStart),
    );
    const heading = passage.level > 0 ? text.slice(0, text.indexOf("\n")) : "";
    return tablesIn(text, `${heading} ${passage.title}`).map((table): FoundTable => ({ table, passage }));
  });
  return [...ofFiles, ...ofPages];
}

/** With each row of a short table replaced by the whole table, once. */
export function withWholeTables(passages: PassageSearch, found: readonly FoundPassage[]): readonly FoundPassage[] {
  const whole = new Map<string, FoundPassage | undefined>();
  const kept = found.flatMap((passage): readonly FoundPassage[] => {
    const name = fileOf(passage);
    if (name === undefined) return [passage];
    const key = `${passage.knowledgeBaseId}/${name}`;
    if (whole.has(key)) return whole.get(key) === undefined ? [passage] : [];
    const table = wholeFile(passages, passage.knowledgeBaseId, name)?.passage;
    const { relevance } = passage;
    whole.set(key, table);
    return [table === undefined ? passage : { ...table, ...(relevance === undefined ? {} : { relevance }) }];
  });
  return kept;
}

/** Undefined if it is too long to be read as a whole. */
function wholeFile(passages: PassageSearch, baseId: number, name: string): FoundTable | undefined {
  const rows = passages
    .titled(baseId, `${name}, row `, maxRows + 1)
    .filter((row) => fileOf(row) === name && row.chunkIndex === 0);
  const number = ({ title }: FoundPassage) => Number(rowTitle.exec(title)?.[2] ?? 0);
  const sorted = rows.toSorted((a, b) => number(a) - number(b));
  const [first] = sorted;
  if (first === undefined || sorted.length > maxRows || sorted.some(({ chunkCount }) => chunkCount > 1))
    return undefined;
  const { columns, rows: cells } = cellsOf(sorted);
  if (columns.length < 2) return undefined;
  const table = tableOf(name, columns, cells);
  const content = markdownOf(table, [...table.rows.keys()]);
  if (content.length > maxTableChars) return undefined;
  return { table, passage: { ...first, title: name, content, isTable: true } };
}

function rowAlone(passage: FoundPassage): FoundTable {
  const { columns, rows } = cellsOf([passage]);
  const table = tableOf(fileOf(passage) ?? "", columns, rows);
  return { table, passage, isPart: true };
}

/** A row whose text isn't made of its cells. */
export function hasOwnText({ content, metadata }: FoundPassage): boolean {
  return ![...Object.keys(metadata), "title", "url"].some((name) => content.startsWith(`${name}: `));
}

/** Columns called "id", "title", "content" and "url" are kept apart from the others. */
function cellsOf(passages: readonly FoundPassage[]) {
  const others = [...new Set(passages.flatMap(({ metadata }) => Object.keys(metadata)))];
  const own: Readonly<Record<string, (passage: FoundPassage) => string>> = {
    id: ({ rowId }) => (madeId.test(rowId) ? "" : rowId),
    title: ({ title }) => rowTitle.exec(title)?.[3] ?? "",
    content: (passage) => (hasOwnText(passage) ? passage.content : ""),
    url: ({ url }) => url,
  };
  const has = (name: string) => passages.some((passage) => own[name]?.(passage) !== "");
  const columns = ["id", ...withTitle(), "content", "url"].filter((name) => own[name] === undefined || has(name));
  const cell = (passage: FoundPassage, name: string) => own[name]?.(passage) ?? cellText(passage.metadata[name]);
  return { columns, rows: passages.map((passage) => columns.map((name) => cell(passage, name))) };

  /** The title where the file has it: a text made of cells has them in their order. */
  function withTitle(): readonly string[] {
    const lines = passages.find(({ content }) => /^title: /m.test(content))?.content.split("\n") ?? [];
    const before = lines.slice(
      0,
      Math.max(
        0,
        lines.findIndex((line) => line.startsWith("title: ")),
      ),
    );
    const last = others.findLastIndex((name) => before.some((line) => line.startsWith(`${name}: `)));
    return [...others.slice(0, last + 1), "title", ...others.slice(last + 1)];
  }
}

function cellText(cell: unknown): string {
  return cell === null || cell === undefined ? "" : String(cell);
}

/** A long table is split between its lines. */
function markdownSection(pieces: readonly FoundPassage[]): string {
  return pieces.reduce((text, { content }) => {
    const isWithin = content.startsWith("|") && (text.split("\n").at(-1) ?? "").startsWith("|");
    return text === "" ? content : `${text}${isWithin ? "\n" : "\n\n"}${content}`;
  }, "");
}
