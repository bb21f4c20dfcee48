/**
 * The port to collections: records in the store that are found by declared indexes. One declaration says what a record
 * is found by, whose words it holds, and how long it is kept. One contract suite runs on every backend.
 */
import type { z } from "zod";

export type FieldValue = string | number;

/** An index has the records that have all these fields, sorted by `order`, which is a number, and then by id. */
export type IndexDefinition<F extends string> = { readonly by: readonly F[]; readonly order: F };

/** Gives back the value without that person's ids and names. */
export type Strip = <V>(value: V) => V;

/** Whose words it holds. "nobody": it names no person. */
export type PersonRule<T> =
  | "nobody"
  | {
      /** Heading in exports and reports. */
      readonly kind: string;
      /** What erasing a person does to each record about them. A function returns what stays of the record. */
      readonly erase: "delete" | ((record: T, strip: Strip) => T);
      /** It can hold a name without an id. */
      readonly isBare?: true;
    };

export type Retention<F extends string> =
  | "until it is removed"
  /**
   * Days, or the setting that has their number, counted from the time in that field. Without a field: what it is derived
   * from is deleted then, and it with that.
   */
  | { readonly days: "RETENTION_DAYS" | "AUDIT_DAYS" | number; readonly since?: F };

/** F: the names of its fields. */
export type CollectionDefinition<T, F extends string = string> = {
  /** What it is, for people who read docs/privacy.md. */
  readonly holds: string;
  readonly person: PersonRule<T>;
  readonly retain: Retention<F>;
  /**
   * Derived from other records, again after a power loss. On SQLite its writes don't wait for the disk: a power loss may
   * undo the newest of them, with everything written after them and nothing before. Deletions do wait.
   */
  readonly isDerived?: true;
  /** A record that doesn't pass is damaged: skipped, logged once and counted. Absent: any JSON passes. */
  readonly schema?: z.ZodType<unknown>;
  /**
   * Values by which records are found, computed from the record. A record without the value isn't found by it. One that
   * is NaN or infinite is refused.
   */
  readonly fields: { readonly [K in F]: (record: T) => FieldValue | undefined };
  readonly indexes: readonly IndexDefinition<F>[];
  /** Words by which a record is found, sorted by the field `order`. */
  readonly text?: {
    readonly of: (record: T) => readonly string[];
    readonly order: F;
    /** Redis finds so many of the highest records by words, SQLite all of them. Default: 20,000. */
    readonly newest?: number;
  };
};

export type Entry<T> = {
  readonly id: string;
  /** Changes with every write, and never comes again. */
  readonly version: number;
  readonly record: T;
};

export type Query<F extends string> = {
  /** The field that sorts them; an index declares it. */
  readonly order: F;
  /** Records that have all these values. Undefined: any. */
  readonly where?: { readonly [K in F]?: FieldValue | undefined };
  /** Lowest value of `order`. */
  readonly from?: number | undefined;
  /** Above the highest value of `order`. */
  readonly until?: number | undefined;
  /** The lowest first. Default: the highest first. */
  readonly isAscending?: boolean;
  /** Records that have every word of one of these lists. `order` is the text's. */
  readonly words?: readonly (readonly string[])[];
};

export type Page<T> = {
  readonly entries: readonly Entry<T>[];
  /** Where the next page begins. Absent: this is the last one. Records that arrive meanwhile don't shift it. */
  readonly next?: string;
};

/** Records with the same values of an index. */
export type Group<F extends string> = {
  readonly values: { readonly [K in F]?: FieldValue };
  readonly count: number;
  /** The record with the highest `order`. */
  readonly newest: { readonly id: string; readonly order: number };
};

/**
 * All writes are atomic with their index entries, and durable when the promise resolves. Everything rejects with
 * state_unavailable while storage is down. Reading yields to the event loop in between. Ids are not empty.
 */
export type Collection<T, F extends string = string> = {
  readonly name: string;
  readonly definition: CollectionDefinition<T, F>;
  /** Put-if-absent. The loser gets the record that is there. A damaged record is replaced. */
  readonly create: (
    id: string,
    record: T,
  ) => Promise<{ readonly created: true } | { readonly created: false; readonly existing: Entry<T> }>;
  /** Creates or replaces it. A fence that was stored stays. */
  readonly put: (id: string, record: T) => Promise<void>;
  readonly get: (id: string) => Promise<Entry<T> | undefined>;
  /**
   * Replaces the record with what `change` returns, unless that is undefined. `change` may run again, if another write
   * came in between. With a fence: refused if a higher one was stored, else stores it. Returns the new entry, or
   * undefined if there is none or the change was refused.
   */
  readonly update: (
    id: string,
    change: (entry: Entry<T>) => T | undefined,
    fence?: number,
  ) => Promise<Entry<T> | undefined>;
  /** Deleting what isn't there succeeds. */
  readonly delete: (id: string) => Promise<void>;
  /** `after`: `next` of the page before. One that makes no sense begins at the start. */
  readonly query: (query: Query<F>, limit: number, after?: string) => Promise<Page<T>>;
  /** The first that match, without reading them: also those that are damaged. */
  readonly ids: (query: Query<F>, limit: number) => Promise<readonly { readonly id: string; readonly order: number }[]>;
  /** Everything that matches, page by page. */
  readonly all: (query: Query<F>) => AsyncIterable<Entry<T>>;
  /** Counts up to `most`. `isMore`: it ended there. */
  readonly count: (query: Query<F>, most: number) => Promise<{ readonly count: number; readonly isMore: boolean }>;
  /** Counts the records of a declared index for each of its values, the group with the newest record first. */
  readonly groups: (
    index: IndexDefinition<F>,
    range?: { readonly from?: number; readonly until?: number },
  ) => Promise<readonly Group<F>[]>;
  /** Deletes what matches, also what is damaged; returns the number. */
  readonly deleteWhere: (query: Query<F>) => Promise<number>;
  /** Every record, in no particular order, also those that no index has. */
  readonly entries: () => AsyncIterable<Entry<T>>;
};

/** Any collection, for what goes through all of them. */
// biome-ignore lint/suspicious/noExplicitAny: T is in arguments too, and no other type accepts every record.
export type AnyCollection = Collection<any, string>;
export type AnyDefinition = AnyCollection["definition"];

/** The same name always has the same definition. */
export type CollectionFactory = <T, F extends string>(
  name: string,
  definition: CollectionDefinition<T, F>,
) => Collection<T, F>;
