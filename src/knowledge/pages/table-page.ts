/** Reads a table that is served as a page: each row with the names of its columns, so that each can be found alone. */
import { maxPageTextChars } from "../foreign/content-limits.ts";
import type { Source } from "../rows/encoding.ts";
import { createReadingNotes } from "../rows/reading-notes.ts";
import { readRows } from "../rows/rows.ts";
import { tableTypes } from "./media-types.ts";
import { ReadFailure } from "./read-failure.ts";

export function isTablePage(contentType: string, address: string): boolean {
  return (
    tableTypes.test(contentType) ||
    (/^text\/plain\b/i.test(contentType) && /\.[ct]sv$/i.test(new URL(address).pathname))
  );
}

/** Undefined for what is better read as text: it has no rows, or their text is longer than a page's may be. */
export async function tablePageText(
  source: Source,
): Promise<{ readonly text: string; readonly note: string | undefined } | undefined> {
  const notes = createReadingNotes();
  const texts: string[] = [];
  let chars = 0;
  try {
    for await (const { content } of readRows(source, { format: "csv", title: "" }, notes)) {
      const text = String(content);
      chars += text.length;
      if (chars > maxPageTextChars) return undefined;
      texts.push(text);
    }
  } catch (thrown) {
    if (thrown instanceof ReadFailure) return undefined;
    throw thrown;
  }
  return { text: texts.join("\n\n"), note: notes.line() };
}
