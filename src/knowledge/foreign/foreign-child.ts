/**
 * Child process that parses all untrusted content, one task at a time: whatever a page or file does to a parser, it does
 * here. Content itself travels through files, never through messages, so a result is small whatever the content was.
 */

import { createReadStream } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import type { DocumentSize } from "../../core/model/job.ts";
import { serveTasks } from "../../operations/child/serve-tasks.ts";
import { documentSentences, numberText } from "../../presentation/sentences.ts";
import { readDocument } from "../documents/document.ts";
import { storedParts, textOfParts } from "../documents/document-rows.ts";
import { type PageContent, plainPage, readPageContent, type Stated } from "../pages/page-content.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { mayRead, type RobotsRules, rulesIn } from "../pages/robots-rules.ts";
import { isTablePage, tablePageText } from "../pages/table-page.ts";
import { decodedText } from "../rows/decoded-text.ts";
import { createReadingNotes } from "../rows/reading-notes.ts";
import { type RowsOptions, readRows } from "../rows/rows.ts";
import { gitFiles, gitRequest } from "../sync/git-pack.ts";
import { maxRows, maxRowsBytes, maxRowsMegabytes } from "./content-limits.ts";

/** `path`: the fetched file. `into`: the file for the result. */
export type Tasks = {
  readonly page: {
    /** `into`: for the Markdown. */
    readonly task: Stated & { readonly path: string; readonly into: string };
    readonly result: Omit<PageContent, "content">;
  };
  readonly rows: {
    /** Writes one line of JSON per row. */
    readonly task: { readonly path: string; readonly into: string; readonly how: RowsOptions };
    readonly result: {
      readonly rows: number;
      /** What was assumed to read it, as one line. */
      readonly note?: string;
    };
  };
  readonly document: {
    /** `name`: of the document, as sources name it. Writes one line of JSON per part (`StoredPart`). */
    readonly task: { readonly path: string; readonly into: string; readonly name: string };
    readonly result: {
      /** It has sheets, whose rows are a table's. */
      readonly hasSheets: boolean;
      readonly size: DocumentSize;
      readonly note?: string;
    };
  };
  readonly documentText: {
    /** Writes Markdown, of at most that many characters. */
    readonly task: {
      readonly path: string;
      readonly into: string;
      readonly maxChars: number;
    };
    readonly result: { readonly note?: string };
  };
  readonly text: {
    /** Writes it in UTF-8. */
    readonly task: { readonly path: string; readonly into: string };
    readonly result: { readonly note?: string };
  };
  readonly gitRequest: {
    /** `refs`: what a git server advertised. Writes what to post to it. */
    readonly task: { readonly refs: string; readonly into: string };
    readonly result: Record<string, never>;
  };
  readonly gitFiles: {
    /** `pack`: what it answered. Writes one line of JSON per file (`GitEntry`) to `list`, and their bytes to `into`. */
    readonly task: { readonly refs: string; readonly pack: string; readonly list: string; readonly into: string };
    readonly result: { readonly leftOut: number };
  };
  readonly robotsRules: {
    readonly task: { readonly path: string; readonly contentType: string; readonly agent: string };
    readonly result: RobotsRules;
  };
  readonly robotsCheck: {
    readonly task: { readonly rules: string; readonly url: string };
    readonly result: { readonly mayRead: boolean };
  };
};

export type TaskKind = keyof Tasks;
export type TaskRequest = {
  [K in TaskKind]: { readonly kind: K; readonly task: Tasks[K]["task"]; readonly limitMs: number };
}[TaskKind];

/** `bounded` runs synchronous work, and throws when it exceeds the time limit. Throws ReadFailure. */
async function performTask(request: TaskRequest, bounded: <T>(work: () => T) => T): Promise<Tasks[TaskKind]["result"]> {
  switch (request.kind) {
    case "page": {
      const { path, into, contentType, address, ...stated } = request.task;
      const table = isTablePage(contentType, address) ? await tablePageText(() => createReadStream(path)) : undefined;
      if (table !== undefined) {
        const { content, ...result } = plainPage(table.text, address);
        await writeFile(into, content, { flag: "wx" });
        return { ...result, note: table.note };
      }
      const bytes = await readFile(path);
      const { content, ...result } = bounded(() => readPageContent(bytes, contentType, address, stated));
      await writeFile(into, content, { flag: "wx" });
      return result;
    }
    case "rows": {
      const { path, into, how } = request.task;
      const notes = createReadingNotes();
      const rows = await writeLines(
        into,
        readRows(() => createReadStream(path), how, notes),
      );
      return { rows, note: notes.line() };
    }
    case "document": {
      const { path, into, name } = request.task;
      const notes = createReadingNotes();
      const document = await readDocument(await readFile(path));
      for (const note of document.notes) notes.add(note);
      await writeLines(into, storedParts(document, name, notes));
      const hasSheets = document.parts.some((part) => "csv" in part);
      return { hasSheets, size: document.size, note: notes.line() };
    }
    case "documentText": {
      const { path, into, maxChars } = request.task;
      const notes = createReadingNotes();
      const document = await readDocument(await readFile(path));
      const { text, left } = textOfParts(document, maxChars);
      for (const note of document.notes) notes.add(note);
      if (left.length > 0) notes.add(documentSentences.left(left));
      await writeFile(into, text, { flag: "wx" });
      return { note: notes.line() };
    }
    case "text": {
      const { path, into } = request.task;
      const notes = createReadingNotes();
      await writeFile(
        into,
        decodedText(() => createReadStream(path), notes),
        { flag: "wx" },
      );
      return { note: notes.line() };
    }
    case "gitRequest": {
      const { refs, into } = request.task;
      await writeFile(into, await gitRequest(refs), { flag: "wx" });
      return {};
    }
    case "gitFiles": {
      const { refs, pack, list, into } = request.task;
      const bytes = await open(into, "wx");
      const counts = { leftOut: 0 };
      const entries = gitFiles(refs, pack, (part) => bytes.appendFile(part), counts);
      await writeLines(list, entries).finally(() => bytes.close());
      return counts;
    }
    case "robotsRules": {
      const { path, contentType, agent } = request.task;
      const bytes = await readFile(path);
      return bounded(() => rulesIn(bytes, contentType, agent));
    }
    case "robotsCheck": {
      const { rules, url } = request.task;
      return { mayRead: bounded(() => mayRead(rules, url)) };
    }
    default:
      return request satisfies never;
  }
}

/** Rows are written in pieces of this size. */
const pieceChars = 64 * 1024;

/** As one line of JSON each. Resolves with their number. */
async function writeLines(into: string, rows: AsyncIterable<unknown>): Promise<number> {
  const file = await open(into, "wx");
  try {
    let piece = "";
    let count = 0;
    let bytes = 0;
    for await (const row of rows) {
      count += 1;
      if (count > maxRows)
        throw new ReadFailure(
          "unreadable",
          `it has more than ${numberText(maxRows)} rows: split it into several files`,
        );
      piece += `${JSON.stringify(row)}\n`;
      if (piece.length < pieceChars) continue;
      bytes += Buffer.byteLength(piece);
      if (bytes > maxRowsBytes)
        throw new ReadFailure(
          "unreadable",
          `its rows add up to more than ${maxRowsMegabytes} MB: split it into several files`,
        );
      await file.appendFile(piece);
      piece = "";
    }
    await file.appendFile(piece);
    return count;
  } finally {
    await file.close();
  }
}

serveTasks({
  perform: (request, bounded) => performTask(request as TaskRequest, bounded),
  reasonOf: (thrown) => (thrown instanceof ReadFailure ? thrown.reason : undefined),
});
