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

export function createPassageStore(db: DatabaseSync, now: () => number) {
  const addPassage = db.prepare(`
    INSERT INTO passages (knowledge_base_id, row_id, origin, chunk_index, chunk_count, section_start, level, start_char,
      end_char, content, title, url, metadata, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING rowid`);
  const addWords = db.prepare("INSERT INTO passage_words (rowid, base, heading, above, body) VALUES (?, ?, ?, ?, ?)");

  const removals = {
    row: removalOf("knowledge_base_id = ? AND row_id = ?"),
    origin: removalOf("knowledge_base_id = ? AND origin = ?"),
    all: removalOf("knowledge_base_id = ?"),
  };

  function removalOf(condition: string): (...values: readonly (string | number)[]) => void {
    const words = db.prepare(
      `DELETE FROM passage_words WHERE rowid IN (SELECT rowid FROM passages WHERE ${condition})`,
    );
    const passages = db.prepare(`DELETE FROM passages WHERE ${condition}`);
    return (...values) => {
      words.run(...values);
      passages.run(...values);
    };
  }

  function insertRow(knowledgeBaseId: number, row: Row, { origin = "", bySection = false }: InsertOptions): void {
    const id = row.id ?? createHash("sha256").update(row.content).digest("hex").slice(0, 16);
    removals.row(knowledgeBaseId, id);
    const updatedAt = timestamp(now());
    const pieces = piecesOf(row.content);
    const title = row.title ?? "";
    const url = row.url ?? "";
    for (const [index, piece] of pieces.entries()) {
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
        JSON.stringify(row.metadata ?? {}),
        updatedAt,
      );
      const above = [title, ...piece.parents].filter((words) => words !== piece.heading);
      const heading = piece.heading === "" ? title : piece.heading;
      addWords.run(Number(added?.["rowid"]), baseWord(knowledgeBaseId), heading, above.join("\n"), content);
    }
  }

  return {
    insert: (knowledgeBaseId: number, rows: readonly Row[], options: InsertOptions = {}) =>
      inTransaction(db, () => {
        for (const row of rows) insertRow(knowledgeBaseId, row, options);
      }),
    deleteRows: (knowledgeBaseId: number, rowIds: readonly string[]) =>
      inTransaction(db, () => {
        for (const id of rowIds) removals.row(knowledgeBaseId, id);
      }),
    deleteOrigin: (knowledgeBaseId: number, origin: string) =>
      inTransaction(db, () => removals.origin(knowledgeBaseId, origin)),
    deleteAll: (knowledgeBaseId: number) => inTransaction(db, () => removals.all(knowledgeBaseId)),
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
