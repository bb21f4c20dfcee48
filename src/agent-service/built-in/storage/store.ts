/** All stores of the built-in service, over one database file. */
import { createPassageSearch } from "../answering/passage-search.ts";
import { createEmbeddingStore } from "../embedding/embedding-store.ts";
import { openDatabase } from "./database.ts";
import { createPassageStore } from "./passage-store.ts";
import { createFileStore, createMetaStore, createNamedStore } from "./resource-store.ts";

export type Store = ReturnType<typeof openStore>;

export function openStore(path: string, now: () => number) {
  const db = openDatabase(path);
  return {
    agents: createNamedStore(db, "agents", now),
    bases: createNamedStore(db, "knowledge_bases", now),
    files: createFileStore(db),
    meta: createMetaStore(db),
    passages: { ...createPassageStore(db, now), ...createPassageSearch(db) },
    embeddings: createEmbeddingStore(db),
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
