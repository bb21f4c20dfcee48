/**
 * Reads an uploaded file into rows: a text as one row, a table as one row per line. Other formats are refused. So is
 * Markdown, because other agent services refuse it and it is sent as text.
 */
import { parse } from "csv-parse/sync";
import { ParleyError } from "../../../core/errors.ts";
import type { StoredFile } from "./resource-store.ts";

const separators: Readonly<Record<string, string>> = { csv: ",", tsv: "\t" };

export function readUploadedFile(name: string, fileName: string, bytes: Uint8Array): StoredFile {
  const format = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const separator = separators[format];
  if (format !== "txt" && separator === undefined) {
    throw new ParleyError("file_refused", { cause: new Error(`The format is ${format === "" ? "unknown" : format}.`) });
  }
  const text = new TextDecoder("utf-8").decode(bytes);
  if (separator === undefined) {
    return { name, columns: ["content", "metadata"], rows: [{ content: text, source: fileName }] };
  }
  const [columns = [], ...records] = parse(text, {
    delimiter: separator,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const rows = records.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])));
  return { name, columns, rows };
}
