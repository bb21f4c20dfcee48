/**
 * Reads an uploaded file into rows: a text as one row, a table as one row per line. Other formats are refused with the
 * message that clients know. So is Markdown, because the API's other servers refuse it and clients send it as text.
 */
import { Problem } from "../routes/problem.ts";
import type { StoredFile } from "./resource-store.ts";

const separators: Readonly<Record<string, string>> = { csv: ",", tsv: "\t" };

export function readUploadedFile(name: string, fileName: string, bytes: Uint8Array): StoredFile {
  const format = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const separator = separators[format];
  if (format !== "txt" && separator === undefined) {
    throw new Problem(400, "Error", `Not supported format: ${format === "" ? "unknown" : format}`);
  }
  const text = new TextDecoder("utf-8").decode(bytes);
  if (separator === undefined) {
    return { name, columns: ["content", "metadata"], rows: [{ content: text, source: fileName }] };
  }
  const [columns = [], ...records] = readTable(text, separator);
  const rows = records.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])));
  return { name, columns, rows };
}

/** Parses RFC 4180, the header first; empty lines are skipped. O(n). */
export function readTable(text: string, separator: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRecord = () => {
    record.push(cell);
    cell = "";
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) {
      record.push(cell);
      cell = "";
    } else if (character === "\n") endRecord();
    else if (character !== "\r" || text[at + 1] !== "\n") cell += character;
  }
  endRecord();
  return records;
}
