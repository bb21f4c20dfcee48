/** Reads text as the child process does, without one. */
import { ReadFailure } from "../../src/knowledge/pages/read-failure.ts";
import { decodedText } from "../../src/knowledge/rows/decoded-text.ts";
import { createReadingNotes } from "../../src/knowledge/rows/reading-notes.ts";

export async function readText(bytes: Uint8Array) {
  const notes = createReadingNotes();
  const parts: string[] = [];
  try {
    async function* source() {
      yield bytes;
    }
    for await (const part of decodedText(source, notes)) parts.push(part);
    return { text: parts.join(""), note: notes.line() };
  } catch (thrown) {
    // The real one decodes an empty file as UTF-8.
    if (thrown instanceof ReadFailure) return bytes.length === 0 ? { text: "" } : undefined;
    throw thrown;
  }
}
