/**
 * Stores the rows of knowledge bases as passages: inserts, replaces by id, deletes. A row is stored as the pieces of its
 * content (sections.ts). The words of each piece go into the full-text index under the same rowid.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type Piece, piecesOf } from "../answering/sections.ts";
import { inTransaction, timestamp } from "./database.ts";

export type CellValue = string | number | boolean | null;

export type Row = {
  /** Absent: a hash of the content, so that the same content is stored once. */
  readonly id?: string;
  readonly content: string;
  readonly title?: string;
  readonly url?: string;
  /** The row's other columns; returned with every passage. */
  readonly metadata?: Readonly<Record<string, CellValue>>;
};

type InsertOptions = {
  /** Marks the rows, for `deleteOrigin`. "" for people's rows. */
  readonly origin?: string;
  /** Titles and URLs point to the section, for documents that are served with anchors. */
  readonly bySection?: boolean;
};

/** One change, and how many characters of text it writes. */
type Step = { readonly make: () => void; readonly chars: number };

/** Of one transaction: about 10 ms (2026-11). */
const maxSteps = 100;
const maxChars = 200_000;

export function createPassageStore(db: DatabaseSync, now: () => number) {
  const addPassage = db.prepare(`
    INSERT INTO passages (knowledge_base_id, row_id, origin, chunk_index, chunk_count, section_start, level, start_char,
      end_char, content, title, url, metadata, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING rowid`);
  const addWords = db.prepare("INSERT INTO passage_words (rowid, base, heading, above, body) VALUES (?, ?, ?, ?, ?)");

  const removeWords = db.prepare("DELETE FROM passage_words WHERE rowid = ?");
  const removePassage = db.prepare("DELETE FROM passages WHERE rowid = ?");
  const idsIn = {
    row: idsWhere("knowledge_base_id = ? AND row_id = ?"),
    origin: idsWhere("knowledge_base_id = ? AND origin = ?"),
    base: idsWhere("knowledge_base_id = ?"),
  };

  function idsWhere(condition: string) {
    return db.prepare(`SELECT rowid AS id FROM passages WHERE ${condition} LIMIT ${maxSteps}`);
  }

  function* removals(of: keyof typeof idsIn, ...values: readonly (string | number)[]): Generator<Step> {
    const found = () => idsIn[of].all(...values).map((row) => Number(row["id"]));
    for (let ids = found(); ids.length > 0; ids = found()) {
      for (const id of ids) yield { chars: 0, make: () => remove(id) };
    }
  }

  function remove(id: number): void {
    removeWords.run(id);
    removePassage.run(id);
  }

  function* rowSteps(knowledgeBaseId: number, row: Row, { origin = "", bySection = false }: InsertOptions) {
    const id = row.id ?? createHash("sha256").update(row.content).digest("hex").slice(0, 16);
    yield* removals("row", knowledgeBaseId, id);
    const updatedAt = timestamp(now());
    const pieces = piecesOf(row.content);
    // Splitting a text took as long as storing a part of it.
    yield { chars: row.content.length, make: () => {} };
    const title = row.title ?? "";
    const url = row.url ?? "";
    const metadata = JSON.stringify(row.metadata ?? {});

    function add(piece: Piece, index: number): void {
      const content = row.content.slice(piece.start, piece.end).trim();
      const shownTitle = bySection ? sectionTitle(title, piece) : title;
      const shownUrl = bySection && piece.level > 1 ? `${url}#${encodeURIComponent(piece.anchor)}` : url;
      const added = addPassage.get(
        knowledgeBaseId,
        id,
        origin,
        index,
        pieces.length,
        piece.sectionStart,
        piece.level,
        piece.start,
        piece.end,
        content,
        shownTitle,
        shownUrl,
        metadata,
        updatedAt,
      );
      const above = [title, ...piece.parents].filter((words) => words !== piece.heading);
      const heading = piece.heading === "" ? title : piece.heading;
      addWords.run(Number(added?.["rowid"]), baseWord(knowledgeBaseId), heading, above.join("\n"), content);
    }

    for (const [index, piece] of pieces.entries()) {
      yield { chars: piece.end - piece.start, make: () => add(piece, index) };
    }
  }

  let last: Promise<unknown> = Promise.resolve();

  /**
   * Makes the changes of one call before those of the next one. A few steps are one transaction. Many are several, with
   * everything else in between, because this service shares its process with Parley: a large document is found in part
   * until the last one, and after a crash until it is inserted again.
   */
  function inOrder(steps: () => Generator<Step>, end: () => void = () => {}): Promise<void> {
    const made = last.then(async () => {
      const left = steps();
      for (let next = "more"; next === "more"; await new Promise((resolve) => setImmediate(resolve))) {
        next = makeSome(left);
      }
      end();
    });
    last = made.catch(() => undefined);
    return made;
  }

  function makeSome(left: Generator<Step>): "more" | "over" {
    return inTransaction(db, () => {
      for (let steps = 0, chars = 0; steps < maxSteps && chars < maxChars; steps += 1) {
        const { done, value } = left.next();
        if (done === true) return "over";
        value.make();
        chars += value.chars;
      }
      return "more";
    });
  }

  return {
    /** A row replaces the one with its id. */
    insert: (knowledgeBaseId: number, rows: readonly Row[], options: InsertOptions = {}) =>
      inOrder(function* () {
        for (const row of rows) yield* rowSteps(knowledgeBaseId, row, options);
      }),
    deleteRows: (knowledgeBaseId: number, rowIds: readonly string[]) =>
      inOrder(function* () {
        for (const id of rowIds) yield* removals("row", knowledgeBaseId, id);
      }),
    deleteOrigin: (knowledgeBaseId: number, origin: string) =>
      inOrder(() => removals("origin", knowledgeBaseId, origin)),
    /** `end`: before anything else is inserted. */
    deleteAll: (knowledgeBaseId: number, end: () => void) => inOrder(() => removals("base", knowledgeBaseId), end),
  };
}

/** A knowledge base as a word of the index: searching for it is faster than filtering rows. */
export function baseWord(knowledgeBaseId: number): string {
  return `base${knowledgeBaseId}`;
}

/** "Connect Slack (README)": the section first, then its document. */
function sectionTitle(title: string, piece: Piece): string {
  if (piece.level <= 1 || piece.heading === title) return title;
  return `${piece.heading} (${title})`;
}
