/**
 * The ports to durable state. Backends live in src/state (SQLite, Redis, memory for tests);
 * one contract suite per port runs on every backend.
 */
import type { Job, JobState } from "./model/job.ts";
import type { Place } from "./model/place.ts";
import type { Turn, TurnState } from "./model/turn.ts";

/**
 * Small records by key, in namespaces (keyv underneath). Keys begin with the workspace.
 * Values are JSON. Last write wins; whoever needs more holds a lane or a lease. A value that is not JSON is skipped.
 */
export type KeyValue<T> = {
  readonly get: (key: string) => Promise<T | undefined>;
  readonly set: (key: string, value: T, ttlMs?: number) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
  /** All entries whose key begins with `prefix`, in no order. */
  readonly entries: (prefix: string) => AsyncIterable<readonly [string, T]>;
};

export type KeyValueFactory = <T>(namespace: string) => KeyValue<T>;

type Stored = {
  readonly id: string;
  readonly eventKey: string;
  readonly state: string;
  readonly createdAtMs: number;
  readonly fence: number;
};

/** How many unfinished records there may be, counted by the store itself, over all instances. */
export type WaitingLimits = {
  /** Whose they are: who asked, with platform and workspace. */
  readonly asker: string;
  readonly ofAsker: number;
  readonly all: number;
};

/**
 * Records with a state machine. All writes are atomic and durable when the promise resolves. A record that storage
 * cannot read any more, or that lacks a required field, is treated as absent: skipped in every list, logged once, counted.
 */
export type RecordStore<R extends Stored, S extends string = R["state"] & string> = {
  /**
   * Put if absent, by `eventKey`: this is the claim of a platform event. The loser gets the record that won.
   * Rejects after 1,500 ms at most (`state_unavailable`), so that the platform can be left to send it again.
   */
  readonly create: (
    record: R,
  ) => Promise<{ readonly created: true } | { readonly created: false; readonly existing: R }>;
  /** The same, unless there are too many unfinished ones: then nothing is stored, and `refused` says of whom. */
  readonly createWithin: (
    record: R,
    limits: WaitingLimits,
  ) => Promise<
    | { readonly created: true }
    | { readonly created: false; readonly existing: R }
    | { readonly created: false; readonly refused: "asker" | "all" }
  >;
  /** Whether that record, which is finished, may become an unfinished one again; it then counts for its asker. */
  readonly admit: (id: string, limits: WaitingLimits) => Promise<"admitted" | "asker" | "all">;
  readonly get: (id: string) => Promise<R | undefined>;
  readonly getByEventKey: (eventKey: string) => Promise<R | undefined>;
  /**
   * Changes the record if its state is one of `from` and `fence` is not below the stored one; stores `fence`.
   * `patch` keys replace the record's; a key set to undefined is removed. Returns the new record, or undefined when refused.
   */
  readonly transition: (
    id: string,
    from: readonly S[],
    to: S,
    patch?: Partial<{ [K in keyof R]: R[K] | undefined }>,
    fence?: number,
  ) => Promise<R | undefined>;
  /** Records whose state is not final, oldest first. Gives way to the event loop in between. */
  readonly unfinished: () => AsyncIterable<R>;
  /** All records of that Conversation, finished or not. Those of 0.1.0 are looked for one by one. */
  readonly ofConversation: (conversation: Place) => AsyncIterable<R>;
  /** Newest first, finished ones included. */
  readonly recent: (limit: number) => Promise<readonly R[]>;
  /** Deletes finished records created before that moment; returns how many. */
  readonly prune: (beforeMs: number) => Promise<number>;
  readonly delete: (id: string) => Promise<void>;
};

/** A Turn without what people wrote: enough to wait for it, of thousands. */
export type TurnOutline = Pick<
  Turn,
  "id" | "ref" | "state" | "conversation" | "order" | "createdAtMs" | "startedAtMs" | "resumptions" | "fence"
>;

export type TurnStore = RecordStore<Turn, TurnState> & {
  readonly outline: (id: string) => Promise<TurnOutline | undefined>;
  /** As `unfinished`, of those that are wanted: of all others only ids are looked at. */
  readonly outlines: (
    isWanted: (about: { readonly id: string; readonly createdAtMs: number }) => boolean,
  ) => AsyncIterable<TurnOutline>;
};
export type JobStore = RecordStore<Job, JobState>;

/** States that are not final, per store. */
export const unfinishedTurnStates: readonly TurnState[] = ["queued", "running", "interrupted"];
export const unfinishedJobStates: readonly JobState[] = ["queued", "running"];

/**
 * Something held for a while. Renewed by itself while the process lives; lapses at most 15 s after it died.
 */
export type Lease = {
  /** Grows with every holder of the same key; goes with writes so that an older holder is refused. */
  readonly fence: number;
  /** Aborts when the lease was lost (the store was away for too long and somebody else may hold it now). */
  readonly lost: AbortSignal;
  /** False when it may have lapsed by this instance's own clock: after a standstill that is known before `lost` aborts. */
  readonly isCurrent: () => boolean;
  /** Idempotent; never rejects. */
  readonly release: () => Promise<void>;
};

export type WaitOptions = {
  readonly signal?: AbortSignal;
  /** Called with 1 for the next in line, and again on every change while waiting. Never called when there is no wait. */
  readonly onPosition?: (position: number) => void;
};

/** One token bucket. */
export type Bucket = {
  readonly capacity: number;
  readonly refillPerMinute: number;
};

/**
 * What instances agree on. In one process this is memory (lost with the process, and that is fine: the Turns are not);
 * over Redis it is shared.
 */
export type Coordinator = {
  readonly lanes: {
    /**
     * Puts an entry into a lane at its place by `order` (string comparison). Twice is once. An entry that nobody is
     * acquiring leaves its lane after 30 s. Rejects with state_unavailable while storage is away.
     */
    readonly enqueue: (lane: string, entry: string, order: string) => Promise<void>;
    /**
     * Resolves when the entry is first in its lane and the lane is free; enqueues it first when it is not there.
     * Release removes the entry. Rejects with the signal's reason on abort, the entry then stays in line for 30 s.
     * While storage is away it goes on waiting. Two who acquire the same entry get it one after the other.
     */
    readonly acquire: (lane: string, entry: string, order: string, options?: WaitOptions) => Promise<Lease>;
    /**
     * Takes a waiting entry out of line. Whoever is acquiring it goes on until his own signal aborts; the entry then
     * does not stay. Rejects with state_unavailable while storage is away.
     */
    readonly remove: (lane: string, entry: string) => Promise<void>;
  };
  /**
   * One of `n` permits under `key`, fair over `group` (a workspace) and then first come first served. The `n` of the
   * newest call counts for all. While storage is away it goes on waiting. A permit is never lost while its process lives:
   * the work it stands for goes on, so it counts, beyond `n` if others got some while this instance was cut off.
   */
  readonly permit: (key: string, n: number, group: string, options?: WaitOptions) => Promise<Lease>;
  /** An exclusive lease; waits for it. */
  readonly lease: (key: string, options?: WaitOptions) => Promise<Lease>;
  /**
   * Takes one token if more than `keep` are left; else says in how many ms that may be so.
   * `penalise` empties the bucket for that long (a platform's Retry-After); then one token is there.
   * While shared storage is away every instance counts for itself: these two never wait long and never reject for it.
   */
  readonly takeToken: (
    key: string,
    bucket: Bucket,
    keep: number,
  ) => Promise<{ readonly taken: true } | { readonly taken: false; readonly waitMs: number }>;
  readonly penalise: (key: string, forMs: number) => Promise<void>;
  /**
   * At most once, to every subscriber on every instance, the own one included. The own subscribers hear it also while
   * storage is away; the promise then rejects with state_unavailable.
   */
  readonly publish: (topic: string, message: string) => Promise<void>;
  readonly subscribe: (topic: string, listener: (message: string) => void) => () => void;
  /** Ends every wait with state_unavailable, gives back what is held. */
  readonly close: () => Promise<void>;
};

/**
 * Claims of events that make no record: a button, a form, a command said in a message. Whoever claims first deals with it.
 */
export type Claims = {
  /** True for the first caller of that key within `ttlMs`, on any instance; durable. */
  readonly claim: (key: string, ttlMs: number) => Promise<boolean>;
};
