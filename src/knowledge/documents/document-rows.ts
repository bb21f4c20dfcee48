/**
 * The rows of a document. The child process writes the parts of its text, and whole rows of its sheets; what depends on
 * where the document was found, its ids and URLs, is added when they are read back.
 */
import { documentSentences } from "../../presentation/sentences.ts";
import { maxPageTextChars } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { ReadingNotes } from "../rows/reading-notes.ts";
import { isRowId, type Row, rowId } from "../rows/row-format.ts";
import { readRows } from "../rows/rows.ts";
import { readStoredRows } from "../rows/stored-rows.ts";
import type { Part, ReadDocument } from "./parts.ts";

/** A line of the file that the child process writes. */
export type StoredPart =
  | { readonly row: Row }
  | { readonly label: string; readonly fragment: string; readonly title: string; readonly content: string };

/** `name`: of the document. Throws ReadFailure. */
export async function* storedParts(
  { parts }: ReadDocument,
  name: string,
  notes: ReadingNotes,
): AsyncGenerator<StoredPart, void, void> {
  const hasSheets = parts.filter(isSheet).length > 1;
  checkText(parts);
  for (const part of parts) {
    if (!isSheet(part)) {
      const { label, fragment = "", text } = part;
      yield { label, fragment, title: documentSentences.titleOf(name, label), content: text };
      continue;
    }
    const title = documentSentences.sheetOf(name, part.label);
    for await (const row of readRows(() => bytesOf(part.csv), { format: "csv", title }, notes)) {
      yield { row: hasSheets ? { ...row, id: idIn(part.label, String(row["id"])) } : row };
    }
  }
}

/** For the words of a question. `maxChars`: the rest is left out. Throws ReadFailure. */
export function textOfParts(
  { parts }: ReadDocument,
  maxChars: number,
): { readonly text: string; readonly left: readonly string[] } {
  const kept: string[] = [];
  const left: string[] = [];
  let chars = 0;
  for (const part of parts) {
    const content = isSheet(part) ? part.csv : part.text;
    const text = part.label === "" ? content : `(${part.label})\n${content}`;
    const isFull = left.length > 0 || (chars + text.length > maxChars && kept.length > 0);
    if (isFull) left.push(part.label);
    else kept.push(text.slice(0, maxChars));
    chars += text.length;
    if (text.length > maxChars && !isFull) left.push(documentSentences.restOf(part.label));
  }
  return { text: kept.join("\n\n"), left };
}

function isSheet(part: Part): part is Extract<Part, { csv: string }> {
  return "csv" in part;
}

function checkText(parts: readonly Part[]): void {
  const chars = parts.reduce((sum, part) => sum + (isSheet(part) ? 0 : part.text.length), 0);
  if (chars > maxPageTextChars) {
    throw new ReadFailure("unreadable", documentSentences.tooMuchText(maxPageTextChars / 1_000_000));
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

/** Two sheets may have the same rows, and the same numbers in a column "id". */
function idIn(sheet: string, id: string): string {
  return isRowId(id) ? rowId("row", `${sheet} ${id}`) : `${sheet}/${id}`;
}

/** `idOf`: of a part of the text, by its label; the same for every version of the document. */
export async function* rowsOfDocument(
  path: string,
  idOf: (label: string) => string,
  url?: string,
): AsyncGenerator<Row, void, void> {
  for await (const stored of readStoredRows<StoredPart>(path)) {
    const [row, fragment] =
      "row" in stored
        ? [stored.row, ""]
        : [{ id: idOf(stored.label), title: stored.title, content: stored.content }, stored.fragment];
    yield url === undefined || "url" in row ? row : { ...row, url: `${url}${fragment}` };
  }
}
