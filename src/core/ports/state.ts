/** The ports to durable state and coordination. One contract suite per port runs on every backend. */

import type { Job, JobState } from "../model/job.ts";
import type { Place } from "../model/place.ts";
import type { Turn, TurnState } from "../model/turn.ts";
import type { AnyCollection, CollectionFactory } from "./collection.ts";
import type { Contents } from "./storage/contents.ts";
import type { Works } from "./storage/works.ts";

/**
 * Small records by key, in namespaces (keyv underneath). Keys begin with the workspace. Values are JSON; a value that
 * is not JSON is skipped. Last write wins; callers that need more hold a lane or a lease.
 */
export type KeyValue<T> = {
  readonly get: (key: string) => Promise<T | undefined>;
  readonly set: (key: string, value: T, ttlMs?: number) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
  /** All entries whose key begins with `prefix`, in no particular order. */
  readonly entries: (prefix: string) => AsyncIterable<readonly [string, T]>;
};

export type ChangingKeyValue<T> = KeyValue<T> & {
  /**
   * Replaces a value, and keeps the time at which it expires. Does nothing if there is none. `to`: moves it to that key.
   * Not atomic, but it can be repeated.
   */
  readonly change: (key: string, change: (value: T) => T, to?: string) => Promise<void>;
};

export type KeyValueFactory = <T>(namespace: string) => KeyValue<T>;
export type ChangingKeyValueFactory = <T>(namespace: string) => ChangingKeyValue<T>;

/** What every stored Turn and Job has. */
export type StoredRecord = {
  readonly id: string;
  readonly eventKey: string;
  readonly state: string;
  readonly createdAtMs: number;
  readonly fence: number;
};

/** A place among all records of a store. Any record is one. */
export type RecordCursor = Pick<StoredRecord, "id" | "createdAtMs">;

/** Maximum numbers of unfinished records, counted by the store over all instances. */
export type WaitingLimits = {
  /** The key of the asker, with platform and workspace. */
  readonly asker: string;
  readonly ofAsker: number;
  readonly all: number;
};

/**
 * Records with a state machine. All writes are atomic, and durable when the promise resolves. A record that storage
 * can't read, or that lacks a required field, is treated as absent: skipped in every list, logged once, counted.
 */
export type RecordStore<R extends StoredRecord, S extends string = R["state"] & string> = {
  /**
   * Put-if-absent by `eventKey`: this claims a platform event. The loser gets the record that won. With limits, nothing
   * is stored when there are too many unfinished records; `refused` says which limit. Rejects after at most 1,500 ms
   * (`state_unavailable`), so that the event can be left for the platform to resend.
   */
  readonly create: (
    record: R,
    limits?: WaitingLimits,
  ) => Promise<
    | { readonly created: true }
    | { readonly created: false; readonly existing: R }
    | { readonly created: false; readonly refused: "asker" | "all" }
  >;
  /** Nothing but the records says from then on who asked. Their unfinished ones count for nobody. */
  readonly forgetAsker: (asker: string) => Promise<void>;
  /** Whether that finished record can become unfinished again; it then counts for its asker. */
  readonly admit: (id: string, limits: WaitingLimits) => Promise<"admitted" | "asker" | "all">;
  readonly get: (id: string) => Promise<R | undefined>;
  readonly getByEventKey: (eventKey: string) => Promise<R | undefined>;
  /**
   * Changes the record if its state is in `from` and `fence` is not below the stored one; stores `fence`. Keys of
   * `patch` replace the record's; a key set to undefined is removed. Returns the new record, or undefined if refused.
   */
  readonly transition: (
    id: string,
    from: readonly S[],
    to: S,
    patch?: Partial<{ [K in keyof R]: R[K] | undefined }>,
    fence?: number,
  ) => Promise<R | undefined>;
  /** Those whose state is not final, oldest first; of those that aren't wanted only ids are read. Yields in between. */
  readonly unfinished: (
    isWanted?: (about: { readonly id: string; readonly createdAtMs: number }) => boolean,
  ) => AsyncIterable<R>;
  /** All records of that Conversation, finished or not. */
  readonly ofConversation: (conversation: Place) => AsyncIterable<R>;
  /** Newest first, including finished ones: those before that record, or the newest. Fewer than `limit`: the last ones. */
  readonly recent: (limit: number, before?: RecordCursor) => Promise<readonly R[]>;
  /** Of all records, finished or not. */
  readonly count: () => Promise<number>;
  /** Deletes finished records created before that time; returns the number. */
  readonly prune: (beforeMs: number) => Promise<number>;
  readonly delete: (id: string) => Promise<void>;
};

export type TurnStore = RecordStore<Turn, TurnState>;
export type JobStore = RecordStore<Job, JobState>;

/** States that are not final, per store. */
export const unfinishedTurnStates: readonly TurnState[] = ["queued", "running", "waiting", "interrupted"];
export const unfinishedJobStates: readonly JobState[] = ["queued", "running"];

/** An exclusive claim, renewed while the process lives; expires at most 15 s after it died. */
export type Lease = {
  /** Increases with every holder of the same key; writes carry it so that an older holder is refused. */
  readonly fence: number;
  /** Aborts when the lease was lost: the store was unreachable for too long, and another instance may hold it. */
  readonly lost: AbortSignal;
  /** False when it may have expired by this instance's clock; after a stall this is known before `lost` aborts. */
  readonly isCurrent: () => boolean;
  /** Idempotent; never rejects. */
  readonly release: () => Promise<void>;
};

export type WaitOptions = {
  readonly signal?: AbortSignal;
  /**
   * Called with 1 for the next in line, and again on every change while waiting. Never called when there is no wait.
   */
  readonly onPosition?: (position: number) => void;
};

/** For permits. */
export type PermitOptions = WaitOptions & {
  /**
   * Work that nobody waits for: granted only while nobody else waits and another permit stays free; of a single permit,
   * while nobody else waits. It has no position.
   */
  readonly isSpare?: true;
};

/** One token bucket. */
export type Bucket = {
  readonly capacity: number;
  readonly refillPerMinute: number;
};

/** What instances coordinate: in memory for one process, on Redis for many. */
export type Coordinator = {
  readonly lanes: {
    /**
     * Enqueues an entry in a lane, sorted by `order` (string comparison). Idempotent. An entry that nobody acquires
     * leaves its lane after 30 s. Rejects with state_unavailable while storage is unreachable.
     */
    readonly enqueue: (lane: string, entry: string, order: string) => Promise<void>;
    /**
     * Resolves when the entry is first in its lane and the lane is free; enqueues it first if needed. Releasing removes
     * the entry. On abort it rejects with the signal's reason, and the entry stays in line for 30 s. Keeps waiting
     * while storage is unreachable. Two callers that acquire the same entry get it one after the other.
     */
    readonly acquire: (lane: string, entry: string, order: string, options?: WaitOptions) => Promise<Lease>;
    /**
     * Removes a waiting entry from the line. A caller that is acquiring it waits until its own signal aborts; the entry
     * then does not stay. Rejects with state_unavailable while storage is unreachable.
     */
    readonly remove: (lane: string, entry: string) => Promise<void>;
  };
  /**
   * One of `n` permits under `key`, fair over `group` (a workspace), then first come first served. The newest call's
   * `n` applies to all. Keeps waiting while storage is unreachable. A permit is never lost while its process lives: the
   * work continues and counts, beyond `n` if others got permits while this instance was cut off.
   */
  readonly permit: (key: string, n: number, group: string, options?: PermitOptions) => Promise<Lease>;
  /** An exclusive lease; waits for it. */
  readonly lease: (key: string, options?: WaitOptions) => Promise<Lease>;
  /**
   * Takes one token if more than `keep` are left; else returns the ms until that may be so. `penalise` empties the
   * bucket for that time (a platform's Retry-After); then one token is available, and the bucket is smaller and slower
   * until it has been quiet for minutes. While shared storage is unreachable
   * every instance counts for itself: neither waits long nor rejects for it.
   */
  readonly takeToken: (
    key: string,
    bucket: Bucket,
    keep: number,
  ) => Promise<{ readonly taken: true } | { readonly taken: false; readonly waitMs: number }>;
  /** Gives back a token that was taken and not used. Never more than the bucket holds; nothing during a penalty. */
  readonly returnToken: (key: string, bucket: Bucket) => Promise<void>;
  /** Resolves with the share of the bucket that is used from then on. */
  readonly penalise: (key: string, forMs: number) => Promise<number>;
  /**
   * At most once, to every subscriber on every instance, including this one. Local subscribers get it even while
   * storage is unreachable; the promise then rejects with state_unavailable.
   */
  readonly publish: (topic: string, message: string) => Promise<void>;
  readonly subscribe: (topic: string, listener: (message: string) => void) => () => void;
  /** Ends every wait with state_unavailable and releases everything held. */
  readonly close: () => Promise<void>;
};

/** Claims of events without a record: a button, a form, a command sent as a message. The first claimer handles it. */
export type Claims = {
  /** True for the first caller with that key within `ttlMs`, on any instance; durable. */
  readonly claim: (key: string, ttlMs: number) => Promise<boolean>;
};

export type Damage = {
  /** Damaged records seen and not repaired or deleted since; at most 10,000. */
  readonly count: number;
  /** The first few of their keys, for example "turns/0mh2…" or "bindings/slack/T1/C1". */
  readonly keys: readonly string[];
};

/** Durable state as the rest of the program uses it, on any backend: what a new one has to implement. */
export type State = {
  readonly kind: "SQLite" | "Redis";
  /** How large it is now. Undefined: unknown. */
  readonly bytes: () => Promise<number | undefined>;
  readonly keyValue: ChangingKeyValueFactory;
  readonly collection: CollectionFactory;
  /** Collections that were opened, for what goes through everything stored. */
  readonly collections: () => readonly AnyCollection[];
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  readonly works: Works;
  /** All of the above, for backups. */
  readonly contents: Contents;
  /** Warnings for operators while the store is writable, one sentence each. */
  readonly notices: () => readonly string[];
  /** Damaged records found so far. */
  readonly damage: () => Damage;
  /** The problem and its remedy if the store may evict data; undefined if it retains everything. */
  readonly eviction: () => string | undefined;
  /** Reads every record, so that `damage` is complete. */
  readonly readAll: () => Promise<void>;
  /**
   * Removes from the files what was deleted before the call. Rejects with state_unavailable. On SQLite it is overwritten
   * when it is deleted, and a copy is in the write-ahead log until then; Redis rewrites its files when it is set to.
   */
  readonly scrub: () => Promise<void>;
  /** Resolves if the store is writable; rejects with state_unavailable. */
  readonly ping: () => Promise<void>;
  /** Releases leases and locks, and closes. Writes that have resolved are durable. */
  readonly close: () => Promise<void>;
};
