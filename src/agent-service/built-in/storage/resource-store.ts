/** Stores agents, knowledge bases and files of the project. */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, timestamp } from "./database.ts";

export type Fields = Readonly<Record<string, unknown>>;

export type Stored = {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly fields: Fields;
};

export type StoredFile = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
};

/** Stores one kind of named resource. */
export function createNamedStore(db: DatabaseSync, table: "agents" | "knowledge_bases", now: () => number) {
  const all = db.prepare(`SELECT * FROM ${table} ORDER BY id`);
  const one = db.prepare(`SELECT * FROM ${table} WHERE name = ?`);
  const add = db.prepare(`INSERT INTO ${table} (name, record, created_at, updated_at) VALUES (?, ?, ?, ?)`);
  const change = db.prepare(`UPDATE ${table} SET name = ?, record = ?, updated_at = ? WHERE id = ?`);
  const drop = db.prepare(`DELETE FROM ${table} WHERE id = ?`);

  function get(name: string): Stored | undefined {
    const row = one.get(name);
    return row === undefined ? undefined : storedOf(row);
  }

  return {
    list: () => all.all().map(storedOf),
    get,
    /** Undefined if the name is taken. */
    create: (name: string, fields: Fields) =>
      inTransaction(db, () => {
        if (get(name) !== undefined) return undefined;
        const at = timestamp(now());
        add.run(name, JSON.stringify(fields), at, at);
        return get(name);
      }),
    /** Undefined if another one has the name. */
    update: (id: number, name: string, fields: Fields) =>
      inTransaction(db, () => {
        const taken = get(name);
        if (taken !== undefined && taken.id !== id) return undefined;
        change.run(name, JSON.stringify(fields), timestamp(now()), id);
        return get(name);
      }),
    remove: (id: number) => {
      drop.run(id);
    },
  };
}

export function createFileStore(db: DatabaseSync) {
  const all = db.prepare("SELECT name FROM files ORDER BY rowid");
  const one = db.prepare("SELECT * FROM files WHERE name = ?");
  const add = db.prepare("INSERT INTO files (name, columns, rows) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const drop = db.prepare("DELETE FROM files WHERE name = ?");
  return {
    names: () => all.all().map((row) => String(row["name"])),
    get: (name: string): StoredFile | undefined => {
      const row = one.get(name);
      if (row === undefined) return undefined;
      const columns = JSON.parse(String(row["columns"])) as string[];
      return { name, columns, rows: JSON.parse(String(row["rows"])) as Record<string, string>[] };
    },
    /** False if the name is taken. */
    create: ({ name, columns, rows }: StoredFile) =>
      Number(add.run(name, JSON.stringify(columns), JSON.stringify(rows)).changes) > 0,
    remove: (name: string) => {
      drop.run(name);
    },
  };
}

export function createMetaStore(db: DatabaseSync) {
  const one = db.prepare("SELECT value FROM meta WHERE key = ?");
  const put = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return {
    get: (key: string) => {
      const row = one.get(key);
      return row === undefined ? undefined : String(row["value"]);
    },
    set: (key: string, value: string) => {
      put.run(key, value);
    },
  };
}

function storedOf(row: Readonly<Record<string, unknown>>): Stored {
  return {
    id: Number(row["id"]),
    name: String(row["name"]),
    createdAt: String(row["created_at"]),
    updatedAt: String(row["updated_at"]),
    fields: JSON.parse(String(row["record"])) as Fields,
  };
}
