/** All stores of the built-in service, over one database file. */

import { createPassageSearch, type PassageSearch } from "../answering/passage-search.ts";
import { openDatabase } from "./database.ts";
import { createPassageStore, type PassageStore } from "./passage-store.ts";
import {
  createFileStore,
  createMetaStore,
  createNamedStore,
  type FileStore,
  type MetaStore,
  type NamedStore,
} from "./resource-store.ts";

export type Store = {
  readonly agents: NamedStore;
  readonly bases: NamedStore;
  readonly files: FileStore;
  readonly meta: MetaStore;
  readonly passages: PassageStore & PassageSearch;
  readonly close: () => void;
};

export function openStore(path: string, now: () => number): Store {
  const db = openDatabase(path);
  return {
    agents: createNamedStore(db, "agents", now),
    bases: createNamedStore(db, "knowledge_bases", now),
    files: createFileStore(db),
    meta: createMetaStore(db),
    passages: { ...createPassageStore(db, now), ...createPassageSearch(db) },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
