/** Stores a vector with each passage. Rowids only grow, so a mark says up to which passage all have one. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { inTransaction } from "../storage/database.ts";
import { toSigns } from "./vectors.ts";

export type EmbeddingStore = ReturnType<typeof createEmbeddingStore>;

type Unembedded = { readonly id: number; readonly base: number; readonly text: string };

const modelKey = "embeddings.model";
const markKey = "embeddings.upTo";
const maxTextChars = 6_000;

/** Passages are deleted in many ways; each takes its vector along, and leaves its id here. */
const noteDeleted = `
  CREATE TEMP TABLE deleted_embeddings (passage INTEGER NOT NULL) STRICT;
  CREATE TEMP TRIGGER note_deleted_embedding AFTER DELETE ON main.embeddings
  BEGIN INSERT INTO deleted_embeddings (passage) VALUES (old.passage); END;
`;

export function createEmbeddingStore(db: DatabaseSync) {
  const meta = db.prepare("SELECT value FROM meta WHERE key = ?");
  const setMeta = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const next = db.prepare(`
    SELECT rowid AS id, knowledge_base_id AS base, title, content FROM passages WHERE rowid > ? ORDER BY rowid LIMIT ?`);
  const put = db.prepare(
    "INSERT OR REPLACE INTO embeddings (passage, vector) SELECT rowid, ? FROM passages WHERE rowid = ?",
  );
  let takeDeleted: StatementSync | undefined;
  const drop = db.prepare("DELETE FROM embeddings WHERE passage IN (SELECT passage FROM embeddings LIMIT ?)");
  const read = db.prepare(`
    SELECT e.passage AS id, p.knowledge_base_id AS base, e.vector FROM embeddings e JOIN passages p ON p.rowid = e.passage
    WHERE e.passage > ? ORDER BY e.passage LIMIT ?`);
  const some = db.prepare(
    "SELECT passage AS id, vector FROM embeddings WHERE passage IN (SELECT value FROM json_each(?))",
  );
  const counts = db.prepare(
    "SELECT (SELECT count(*) FROM embeddings) AS done, (SELECT count(*) FROM passages) AS passages",
  );
  const extent = db.prepare(
    "SELECT count(*) AS passages, max(rowid) AS last FROM passages WHERE knowledge_base_id = ?",
  );
  const sample = db.prepare("SELECT rowid AS id FROM passages WHERE knowledge_base_id = ? ORDER BY rowid LIMIT ?");
  const last = db.prepare("SELECT max(rowid) AS id FROM passages");
  const text = (key: string) => {
    const value = meta.get(key)?.["value"];
    return value === undefined ? undefined : String(value);
  };
  const mark = () => Number(text(markKey) ?? 0);

  return {
    /** "" if there are none. */
    model: (): string => text(modelKey) ?? "",
    /** From now on vectors are of this model, and no passage has one. */
    begin: (model: string): void =>
      inTransaction(db, () => {
        setMeta.run(modelKey, model);
        setMeta.run(markKey, "0");
      }),
    /** Returns whether there was anything left to delete. */
    deleteSome: (limit: number): boolean => Number(drop.run(limit).changes) > 0,
    isComplete: (): boolean => Number(last.get()?.["id"] ?? 0) <= mark(),
    next: (limit: number): readonly Unembedded[] =>
      next.all(mark(), limit).map((row) => ({
        id: Number(row["id"]),
        base: Number(row["base"]),
        text: `${row["title"]}\n${row["content"]}`.trim().slice(0, maxTextChars).toWellFormed(),
      })),
    /**
     * Returns the ids of the passages that are still there: one may have been deleted while its vector was computed. A
     * passage without a vector is left out from now on. Undefined if another process has begun with another model.
     */
    put: (
      model: string,
      upTo: number,
      vectors: readonly { readonly id: number; readonly bytes: Int8Array }[],
    ): ReadonlySet<number> | undefined =>
      inTransaction(db, () => {
        if (text(modelKey) !== model) return undefined;
        const stored = vectors.filter(({ id, bytes }) => Number(put.run(bytes, id).changes) > 0);
        setMeta.run(markKey, String(upTo));
        return new Set(stored.map(({ id }) => id));
      }),
    /** Ids of passages whose vectors were deleted since the last call. */
    deleted: (): readonly number[] => {
      if (takeDeleted === undefined) {
        db.exec(noteDeleted);
        takeDeleted = db.prepare("DELETE FROM deleted_embeddings RETURNING passage");
      }
      return takeDeleted.all().map((row) => Number(row["passage"]));
    },
    signs: (after: number, limit: number) =>
      read.all(after, limit).map((row) => {
        const bytes = bytesOf(row["vector"]);
        return { id: Number(row["id"]), base: Number(row["base"]), dimensions: bytes.length, signs: toSigns(bytes) };
      }),
    vectors: (ids: readonly number[]): ReadonlyMap<number, Int8Array> =>
      new Map(some.all(JSON.stringify(ids)).map((row) => [Number(row["id"]), bytesOf(row["vector"])])),
    /** Changes with the passages of a knowledge base. */
    version: (base: number): string => {
      const row = extent.get(base);
      return `${row?.["passages"]}/${row?.["last"]}`;
    },
    /** Ids of some passages of a knowledge base. */
    some: (base: number, limit: number): readonly number[] => sample.all(base, limit).map((row) => Number(row["id"])),
    counts: () => {
      const row = counts.get();
      return { done: Number(row?.["done"]), passages: Number(row?.["passages"]) };
    },
  };
}

function bytesOf(blob: unknown): Int8Array {
  return blob instanceof Uint8Array ? new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength) : new Int8Array();
}
