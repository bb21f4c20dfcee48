/**
 * Converts pasted or attached data to rows, streamed where the format allows. A table of a million lines takes no more
 * memory than one of ten. Refuses only what can't be a table; what it had to assume is noted.
 */
import { rowSentences } from "../../presentation/sentences.ts";
import { maxWholeBytes, maxWholeMegabytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { readCsv } from "./csv-rows.ts";
import { decodedText } from "./decoded-text.ts";
import type { Source } from "./encoding.ts";
import { readJson, readJsonLines } from "./json-rows.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import { type Cell, checkColumns, type FoundRow, type Row, type RowsFormat, rowId } from "./row-format.ts";

export type RowsOptions = {
  readonly format: RowsFormat;
  /** The title if the text becomes one row. Rows without a title are named by it and their number. */
  readonly title: string;
  /** The id if the text becomes one row, so that a newer version replaces it. Default: derived from the text. */
  readonly textId?: string;
};

/** Throws ReadFailure. */
export async function* readRows(
  source: Source,
  options: RowsOptions,
  notes: ReadingNotes,
): AsyncGenerator<Row, void, void> {
  let rows = 0;
  const empty = { first: 0, count: 0 };
  for await (const { cells, number } of foundRows(decodedText(source, notes), options, notes)) {
    const row = toRow(cells, (name) =>
      number === undefined ? options.title : rowSentences.titleOf(options.title, number, name),
    );
    if (row !== undefined) {
      rows += 1;
      yield row;
    } else {
      if (empty.count === 0) empty.first = number ?? 1;
      empty.count += 1;
    }
  }
  if (rows === 0) {
    throw new ReadFailure("unreadable", empty.count > 0 ? `row ${empty.first} has no content` : "it has no rows");
  }
  if (empty.count > 0) notes.add(rowSentences.emptyRows(empty.count));
}

async function* foundRows(
  texts: AsyncGenerator<string, void, void>,
  { format, title, textId }: RowsOptions,
  notes: ReadingNotes,
): AsyncGenerator<FoundRow, void, void> {
  switch (format) {
    case "csv":
      return yield* readCsv(texts, title, notes);
    case "jsonl":
      return yield* readJsonLines(texts, notes);
    case "json":
      return yield* readJson(await whole(texts), notes);
    case "text": {
      const text = (await whole(texts)).trim();
      if (text === "") throw new ReadFailure("unreadable", rowSentences.emptyFile);
      yield { cells: { id: textId ?? rowId("text", text), title, content: text } };
      return;
    }
    default:
      return format satisfies never;
  }
}

async function whole(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  for await (const text of texts) {
    size += text.length;
    if (size > maxWholeBytes) throw new ReadFailure("unreadable", `larger than ${maxWholeMegabytes} MB`);
    parts.push(text);
  }
  return parts.join("");
}

const ownColumns = new Set(["id", "content", "title", "url"]);
/** A longer content is a text, not a cell of a table. */
const maxCellChars = 200;

/**
 * A row without content gets all its cells as content, so that it can be found. `titleOf`: its title in its file.
 * Undefined for one that says nothing.
 */
function toRow(cells: Readonly<Record<string, unknown>>, titleOf: (name: string) => string): Row | undefined {
  checkColumns(Object.keys(cells));
  const row: Readonly<Record<string, Cell>> = Object.fromEntries(
    Object.entries(cells).map(([column, value]) => {
      const plain = column.trim().toLowerCase();
      return [ownColumns.has(plain) ? plain : column, cellOf(value)];
    }),
  );
  const said = Object.entries(row).filter(([column, cell]) => column !== "id" && cell !== null && cell !== "");
  const content = typeof row["content"] === "string" ? row["content"].trim() : String(row["content"] ?? "");
  const text = content === "" ? said.map(([column, cell]) => `${column}: ${cell}`).join("\n") : content;
  if (text === "") return undefined;
  const given = String(row["id"] ?? "").trim();
  const name = String(row["title"] ?? "").trim();
  // A row with a text of its own is a document; any other one belongs to its table, whatever its columns are called.
  const isOfTable =
    content === "" || (content.length <= maxCellChars && Object.keys(row).some((one) => !ownColumns.has(one)));
  const title = name === "" ? titleOf("") : isOfTable ? titleOf(name.replace(/\s+/g, " ")) : row["title"];
  // Rows of a table often have the same text in one column.
  const told = isOfTable ? said.map(([column, cell]) => `${column}: ${cell}`).join("\n") : text;
  return { ...row, id: given === "" ? rowId("row", told) : given, content: text, title: title ?? null };
}

function cellOf(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
