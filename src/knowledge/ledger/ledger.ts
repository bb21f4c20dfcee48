/**
 * The ledger over two namespaces of small records: a document without its row ids, and its row ids in pieces. A list of
 * thousands of documents then reads no ids, of which one document can have a hundred thousand.
 */
import type { Named } from "../../core/access.ts";
import type { Ledger, LedgerDocument } from "../../core/content/ledger.ts";
import type { KeyValue } from "../../core/ports/state.ts";

const idsPerRecord = 1_000;

/** Namespaces "ledger" and "ledger-rows". Keys begin with project and base; bases belong to no workspace. */
export function createLedger(stores: {
  readonly documents: KeyValue<LedgerDocument>;
  readonly rows: KeyValue<readonly string[]>;
}): Ledger {
  const { documents, rows } = stores;
  const prefixOf = ({ project, name }: Named) => `${encodeURIComponent(project)}/${encodeURIComponent(name)}/`;
  const keyOf = (base: Named, id: string) => `${prefixOf(base)}${encodeURIComponent(id)}`;
  /** Padded, so that the pieces sort. */
  const pieceKey = (key: string, piece: number) => `${key}/${String(piece).padStart(6, "0")}`;

  async function deleteRowsOf(key: string, from = 0): Promise<void> {
    const pieces: string[] = [];
    for await (const [piece] of rows.entries(`${key}/`)) if (piece >= pieceKey(key, from)) pieces.push(piece);
    for (const piece of pieces) await rows.delete(piece);
  }

  return {
    put: async (document, rowIds) => {
      const key = keyOf({ project: document.project, name: document.knowledgeBase }, document.id);
      // The ids first: a document whose ids are missing could not be removed completely.
      const pieces = Math.ceil(rowIds.length / idsPerRecord);
      for (let piece = 0; piece < pieces; piece += 1) {
        const start = piece * idsPerRecord;
        await rows.set(pieceKey(key, piece), rowIds.slice(start, start + idsPerRecord));
      }
      await documents.set(key, document);
      await deleteRowsOf(key, pieces);
    },
    get: (base, id) => documents.get(keyOf(base, id)),
    rowIds: async (base, id) => {
      const pieces: (readonly [string, readonly string[]])[] = [];
      for await (const piece of rows.entries(`${keyOf(base, id)}/`)) pieces.push(piece);
      return pieces.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ids]) => ids);
    },
    rowIdsByDocument: async (base) => {
      const prefix = prefixOf(base);
      const all = new Map<string, string[]>();
      for await (const [key, ids] of rows.entries(prefix)) {
        const id = decodeURIComponent(key.slice(prefix.length).split("/")[0] ?? "");
        all.set(id, [...(all.get(id) ?? []), ...ids]);
      }
      return all;
    },
    allRowIds: async (base) => {
      const all = new Set<string>();
      for await (const [, ids] of rows.entries(prefixOf(base))) for (const id of ids) all.add(id);
      return all;
    },
    page: async (base, from, count) => {
      const all: LedgerDocument[] = [];
      for await (const [, document] of documents.entries(prefixOf(base))) all.push(document);
      all.sort((one, other) => other.addedAtMs - one.addedAtMs || (one.id < other.id ? -1 : 1));
      return { documents: all.slice(from, from + count), total: all.length };
    },
    delete: async (base, id) => {
      const key = keyOf(base, id);
      await documents.delete(key);
      await deleteRowsOf(key);
    },
    deleteBase: async (base) => {
      const prefix = prefixOf(base);
      const keys: string[] = [];
      for await (const [key] of documents.entries(prefix)) keys.push(key);
      for (const key of keys) await documents.delete(key);
      const pieces: string[] = [];
      for await (const [key] of rows.entries(prefix)) pieces.push(key);
      for (const key of pieces) await rows.delete(key);
    },
  };
}
