/**
 * Collections over a backend: what is common to all of them. A backend stores rows of text with the values by which
 * they are found; here they are parsed, checked, and changed one version at a time.
 */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { ParleyError } from "../core/errors.ts";
import type {
  AnyCollection,
  AnyDefinition,
  Collection,
  CollectionDefinition,
  CollectionFactory,
  Entry,
  FieldValue,
  Group,
  IndexDefinition,
  Query,
} from "../core/ports/collection.ts";
import { parseJson } from "../core/tools/parse-json.ts";
import type { DamagedRecords } from "./damaged-records.ts";

/** Entries read or deleted at once by what goes through many. */
const pageSize = 200;

/** Names are constants of the code, and become part of SQL. */
const nameFormat = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;

export type Row = { readonly id: string; readonly version: number; readonly fence: number; readonly json: string };

/** A row that a search has found, with the value that sorts it. */
export type FoundRow = Row & { readonly order: number };

export type RowWrite = {
  readonly id: string;
  /** What has to be there: anything, nothing, or that version. */
  readonly over: "any" | "absent" | number;
  /** Undefined: that of the row that is there stays. */
  readonly fence: number | undefined;
  readonly json: string;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly words: readonly string[];
};

export type Position = { readonly order: number; readonly id: string };

export type Search = {
  readonly order: string;
  /** Indexes that have every record that matches, with this order. */
  readonly indexes: readonly IndexDefinition<string>[];
  readonly where: Readonly<Record<string, FieldValue>>;
  readonly words?: readonly (readonly string[])[] | undefined;
  readonly from: number;
  readonly until: number;
  readonly isAscending: boolean;
  readonly after: Position | undefined;
};

export type Range = { readonly from: number; readonly until: number };

/** One collection in a database. */
export type CollectionBackend = {
  /** The new version, or what is there instead; undefined: nothing. */
  readonly write: (row: RowWrite) => Promise<{ readonly version: number } | { readonly instead: Row | undefined }>;
  readonly read: (id: string) => Promise<Row | undefined>;
  /** Whether it was there, in that version if one is given. */
  readonly remove: (id: string, version?: number) => Promise<boolean>;
  readonly find: (search: Search, limit: number) => Promise<readonly FoundRow[]>;
  readonly ids: (search: Search, limit: number) => Promise<readonly Position[]>;
  /** Up to `most`, or more. */
  readonly count: (search: Search, most: number) => Promise<number>;
  readonly groups: (index: IndexDefinition<string>, range: Range) => Promise<readonly Group<string>[]>;
  /** Every row, in pages. */
  readonly pages: () => AsyncIterable<readonly Row[]>;
};

export type OpenBackend = (name: string, definition: AnyDefinition) => CollectionBackend;

/** A record with the fence that its next writer needs at least. */
export type StoredRecord = {
  readonly name: string;
  readonly id: string;
  readonly fence: number;
  readonly record: unknown;
};

export type Collections = {
  readonly collection: CollectionFactory;
  /** Those that were opened. */
  readonly opened: () => readonly AnyCollection[];
  /** Every record of those that were opened, each once. */
  readonly records: () => AsyncIterable<StoredRecord>;
  /** Creates or replaces it, with that fence. Rejects with internal if its collection wasn't opened. */
  readonly putRecord: (record: StoredRecord) => Promise<void>;
};

export function createCollections(open: OpenBackend, damaged: DamagedRecords): Collections {
  const known = new Map<string, AnyCollection>();
  const backends = new Map<string, CollectionBackend>();
  return {
    collection: <T, F extends string>(name: string, definition: CollectionDefinition<T, F>) => {
      const before = known.get(name) as Collection<T, F> | undefined;
      if (before !== undefined) {
        if (before.definition !== definition) throw new Error(`Two collections are named ${name}.`);
        return before;
      }
      for (const each of [name, ...Object.keys(definition.fields)]) {
        if (!nameFormat.test(each)) throw new Error(`A collection, or a field of it, can't be named ${each}.`);
      }
      const backend = open(name, definition as unknown as AnyDefinition);
      const collection = createCollection(name, definition, backend, damaged);
      known.set(name, collection as unknown as AnyCollection);
      backends.set(name, backend);
      return collection;
    },
    opened: () => [...known.values()],
    records: async function* () {
      for (const [name, backend] of backends) {
        // A page can have a row of an earlier one, on Redis.
        const seen = new Set<string>();
        for await (const rows of backend.pages()) {
          for (const row of rows) {
            if (seen.has(row.id)) continue;
            seen.add(row.id);
            const { id, fence } = row;
            const read = readRow(name, row, known.get(name)?.definition.schema, damaged);
            if (read !== undefined) yield { name, id, fence, record: read.record };
          }
        }
      }
    },
    putRecord: async ({ name, id, fence, record }) => {
      const [collection, backend] = [known.get(name), backends.get(name)];
      if (collection === undefined || backend === undefined) throw unknownCollection(name);
      await backend.write(rowOf(name, collection.definition, { id, record, over: "any", fence }));
    },
  };
}

/** Another version's. */
export const unknownCollection = (name: string) =>
  new ParleyError("internal", {
    what: `There are records of a kind that this version of Parley doesn't know (${cleanName(name)}).`,
    hint: "Use the version that wrote them, or a newer one.",
  });

const cleanName = (name: string) => (nameFormat.test(name) ? name : "its name isn't one");

/** With the values and the words by which it is found. Throws internal if one of them can't be. */
function rowOf<T>(
  name: string,
  definition: CollectionDefinition<T>,
  { id, record, over, fence }: Pick<RowWrite, "id" | "over" | "fence"> & { readonly record: T },
): RowWrite {
  const fields = Object.entries(definition.fields).flatMap(([field, read]) => {
    const value = read(record);
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new ParleyError("internal", { what: `The field ${field} of a record in ${name} can't be ${value}.` });
    }
    return value === undefined ? [] : [[field, value] as const];
  });
  const words = [...new Set(definition.text?.of(record) ?? [])];
  return { id, over, fence, json: JSON.stringify(record), fields: Object.fromEntries(fields), words };
}

/** Of the damaged record in the log and in reports. */
const collectionRecord = (name: string, id: string): string => `${name}/${id}`;

/** Registers the row as damaged, or as readable again. What is wrong is said without quoting it. */
export function readRow(
  name: string,
  { id, json }: Row,
  schema: AnyDefinition["schema"],
  damaged: DamagedRecords,
): { readonly record: unknown } | undefined {
  const key = collectionRecord(name, id);
  const record = parseJson(json);
  if (record === undefined) {
    damaged.add(key, "it is not JSON");
    return undefined;
  }
  // Members that the schema doesn't know stay: another version wrote them.
  const issues = schema?.safeParse(record).error?.issues;
  if (issues === undefined) {
    damaged.remove(key);
    return { record };
  }
  const paths = issues.map(({ path }) => path.join(".")).filter((path) => path !== "");
  const wrong = [...new Set(paths)].slice(0, 5).join(", ");
  damaged.add(key, wrong === "" ? "it is not such a record" : `missing or wrong: ${wrong}`);
  return undefined;
}

function createCollection<T, F extends string>(
  name: string,
  definition: CollectionDefinition<T, F>,
  backend: CollectionBackend,
  damaged: DamagedRecords,
): Collection<T, F> {
  const newRow = (id: string, record: T, over: RowWrite["over"], fence?: number) =>
    rowOf(name, definition as CollectionDefinition<T>, { id, record, over, fence });

  function entryOf(row: Row): Entry<T> | undefined {
    const read = readRow(name, row, definition.schema, damaged);
    return read === undefined ? undefined : { id: row.id, version: row.version, record: read.record as T };
  }

  function searchOf({ order, where = {}, words, from, until, isAscending = false }: Query<F>, after?: string): Search {
    const wanted = Object.entries<FieldValue | undefined>(where).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value] as const],
    );
    const indexes = definition.indexes.filter(
      (index) => index.order === order && index.by.every((field) => wanted.some(([given]) => given === field)),
    );
    if (words === undefined ? indexes.length === 0 : definition.text?.order !== order) {
      throw new Error(`The collection ${name} has no index for this query.`);
    }
    const range = { from: from ?? Number.NEGATIVE_INFINITY, until: until ?? Number.POSITIVE_INFINITY };
    const position = positionOf(after);
    const isWithin = position !== undefined && position.order >= range.from && position.order < range.until;
    return {
      ...range,
      order,
      indexes,
      isAscending,
      words: words?.filter((list) => list.length > 0),
      where: Object.fromEntries(wanted),
      after: isWithin ? position : undefined,
    };
  }

  async function page(query: Query<F>, limit: number, after?: string) {
    // One more shows whether there is a next page.
    const found = await backend.find(searchOf(query, after), limit + 1);
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { rows: found.slice(0, limit), next: last === undefined ? undefined : cursorOf(last) };
  }

  /** Only other instances can come in between, so many changes of a record at once cost one write each. */
  const changing = new Map<string, Promise<unknown>>();

  async function update(id: string, change: (entry: Entry<T>) => T | undefined, fence?: number) {
    const before = changing.get(id) ?? Promise.resolve();
    const changed = before.then(() => updateNow(id, change, fence));
    const ended = changed.catch(() => undefined);
    changing.set(id, ended);
    return await changed.finally(() => {
      if (changing.get(id) === ended) changing.delete(id);
    });
  }

  async function updateNow(id: string, change: (entry: Entry<T>) => T | undefined, fence: number | undefined) {
    let row = await backend.read(id);
    while (row !== undefined) {
      const entry = entryOf(row);
      if (entry === undefined || (fence !== undefined && fence < row.fence)) return undefined;
      const record = change(entry);
      if (record === undefined) return undefined;
      const written = await backend.write(newRow(id, record, row.version, fence));
      if ("version" in written) return { id, version: written.version, record };
      row = written.instead;
    }
    return undefined;
  }

  const readable = (rows: readonly Row[]) => rows.map(entryOf).filter((entry) => entry !== undefined);

  return {
    name,
    definition,
    create: async (id, record) => {
      for (let over: RowWrite["over"] = "absent"; ; ) {
        const written = await backend.write(newRow(id, record, over));
        if ("version" in written) break;
        const existing = written.instead === undefined ? undefined : entryOf(written.instead);
        if (existing !== undefined) return { created: false, existing };
        over = written.instead?.version ?? "absent";
      }
      damaged.remove(collectionRecord(name, id));
      return { created: true };
    },
    put: async (id, record) => {
      await backend.write(newRow(id, record, "any"));
      damaged.remove(collectionRecord(name, id));
    },
    get: async (id) => {
      const row = await backend.read(id);
      return row === undefined ? undefined : entryOf(row);
    },
    update,
    delete: async (id) => {
      await backend.remove(id);
      damaged.remove(collectionRecord(name, id));
    },
    query: async (query, limit, after) => {
      const { rows, next } = await page(query, limit, after);
      return { entries: readable(rows), next };
    },
    ids: (query, limit) => backend.ids(searchOf(query), limit),
    all: async function* (query) {
      for (let after: string | undefined; ; ) {
        const { rows, next } = await page(query, pageSize, after);
        yield* readable(rows);
        if (next === undefined) return;
        after = next;
        await nextLoopTurn();
      }
    },
    count: async (query, most) => {
      const count = await backend.count(searchOf(query), most);
      return count > most ? { count: most, isMore: true } : { count, isMore: false };
    },
    groups: async (index, { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = {}) => {
      const found = await backend.groups(index, { from, until });
      return [...found].sort((a, b) => b.newest.order - a.newest.order) as readonly Group<F>[];
    },
    deleteWhere: async (query) => {
      let count = 0;
      for (;;) {
        const rows = await backend.find(searchOf(query), pageSize);
        if (rows.length === 0) return count;
        const removed = await Promise.all(rows.map(({ id, version }) => backend.remove(id, version)));
        count += removed.filter((isRemoved) => isRemoved).length;
        for (const { id } of rows) damaged.remove(collectionRecord(name, id));
        await nextLoopTurn();
      }
    },
    entries: async function* () {
      for await (const rows of backend.pages()) yield* readable(rows);
    },
  };
}

const cursorOf = ({ order, id }: Position) => `${order}:${id}`;

function positionOf(cursor = ""): Position | undefined {
  const [, order, id] = /^(-?\d{1,22}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?):(.+)$/s.exec(cursor) ?? [];
  return order === undefined || id === undefined ? undefined : { order: Number(order), id };
}
