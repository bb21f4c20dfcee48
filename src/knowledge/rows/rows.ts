/**
 * Converts pasted or attached data to rows, streamed where the format allows. A table of a million lines takes no more
 * memory than one of ten. Errors name line and column, and then nothing is inserted.
 */
import { isAscii } from "node:buffer";
import { isObject } from "../../ports/tools/parse-json.ts";
import { rowSentences } from "../../presentation/sentences.ts";
import { maxLineChars, maxWholeBytes, maxWholeMegabytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { checkColumns, readCsv } from "./csv-rows.ts";
import { parseJson } from "./json-rows.ts";
import { type Cell, type Row, type RowsFormat, rowId } from "./row-format.ts";

export type RowsOptions = {
  readonly format: RowsFormat;
  /** The title if the text becomes one row. Rows without a title are named by it and their number. */
  readonly title: string;
  /** The id if the text becomes one row, so that a newer version replaces it. Default: derived from the text. */
  readonly textId?: string;
};

/** Throws ReadFailure. */
export async function* readRows(
  content: AsyncIterable<Uint8Array>,
  options: RowsOptions,
): AsyncGenerator<Row, void, void> {
  const texts = decoded(content);
  let number = 0;
  for await (const cells of recordsOf(texts, options)) {
    number += 1;
    yield toRow(cells, number, options.title);
  }
  if (number === 0) throw new ReadFailure("unreadable", rowSentences.noRows);
}

async function* recordsOf(
  texts: AsyncGenerator<string, void, void>,
  { format, title, textId }: RowsOptions,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, void> {
  switch (format) {
    case "csv":
      return yield* readCsv(texts);
    case "jsonl":
      return yield* readJsonLines(texts);
    case "json": {
      const parsed = parseJson(await whole(texts), 1);
      const list = Array.isArray(parsed)
        ? parsed
        : isObject(parsed) && Array.isArray(parsed["rows"])
          ? parsed["rows"]
          : [parsed];
      for (const [index, entry] of list.entries()) yield objectOf(entry, index + 1);
      return;
    }
    case "text": {
      const text = (await whole(texts)).trim();
      if (text === "") throw new ReadFailure("unreadable", rowSentences.emptyFile);
      yield { id: textId ?? rowId("text", text), title, content: text };
      return;
    }
    default:
      return format satisfies never;
  }
}

async function* readJsonLines(texts: AsyncGenerator<string, void, void>) {
  let rest = "";
  let number = 0;
  function* rowOf(line: string) {
    number += 1;
    if (line.length > maxLineChars) throw new ReadFailure("unreadable", rowSentences.longLine(number, maxLineChars));
    if (line.trim() !== "") yield objectOf(parseJson(line, number), number);
  }
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* rowOf(line);
    // The incomplete line may already be too long.
    if (rest.length > maxLineChars) yield* rowOf(rest);
  }
  yield* rowOf(rest);
}

/** UTF-8 if the first non-ASCII bytes are valid, else windows-1252, the old encoding of tables. */
async function* decoded(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isEmpty = true;
  for await (const bytes of content) {
    isEmpty &&= bytes.length === 0;
    if (decoder === undefined && !isAscii(bytes)) decoder = new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252");
    const text = decoder?.decode(bytes, { stream: true }) ?? Buffer.from(bytes).toString("latin1");
    if (text.includes("\0")) throw new ReadFailure("unreadable", rowSentences.binary);
    yield text;
  }
  if (isEmpty) throw new ReadFailure("unreadable", rowSentences.emptyFile);
  if (decoder !== undefined) yield decoder.decode();
}

/** The piece may end inside a character. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

async function whole(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  for await (const text of texts) {
    size += text.length;
    if (size > maxWholeBytes) throw new ReadFailure("unreadable", rowSentences.tooLarge(maxWholeMegabytes));
    parts.push(text);
  }
  return parts.join("");
}

/** A row without content gets all its cells as content, so that it can be found. `of`: what it is a row of. */
function toRow(cells: Readonly<Record<string, unknown>>, number: number, of: string): Row {
  checkColumns(Object.keys(cells));
  const row: Readonly<Record<string, Cell>> = Object.fromEntries(
    Object.entries(cells).map(([name, value]) => {
      const plain = name.trim().toLowerCase();
      const isOwn = plain === "id" || plain === "content" || plain === "title" || plain === "url";
      return [isOwn ? plain : name, cellOf(value)];
    }),
  );
  const said = Object.entries(row).filter(([name, cell]) => name !== "id" && cell !== null && cell !== "");
  const content = typeof row["content"] === "string" ? row["content"].trim() : String(row["content"] ?? "");
  const text = content === "" ? said.map(([name, cell]) => `${name}: ${cell}`).join("\n") : content;
  if (text === "") throw new ReadFailure("unreadable", rowSentences.emptyRow(number));
  const given = String(row["id"] ?? "").trim();
  const title = String(row["title"] ?? "").trim() === "" ? rowSentences.titleOf(of, number) : row["title"];
  return { ...row, id: given === "" ? rowId("row", text) : given, content: text, title: title ?? null };
}

function cellOf(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function objectOf(value: unknown, number: number): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new ReadFailure("unreadable", rowSentences.notAnObject(number));
}
