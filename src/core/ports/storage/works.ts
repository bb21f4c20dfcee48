/**
 * The port to works: what must be done once, whatever dies in between. A work is stored before it is done, and deleted
 * when it is done; any instance continues what another one left.
 */

/** delayed: its time has not come. failed: given up, and kept with its error until it is retried or added again. */
export type WorkState = "waiting" | "delayed" | "active" | "failed";

export type Work<P> = {
  readonly key: string;
  /** The newest that was added with this key. */
  readonly payload: P;
  /** When it was due. A retry doesn't change it; a time that a run resolves with does. */
  readonly dueAtMs: number;
  /** How often it was begun, this time included. Above 1 some of it may be done: it failed, was stopped, or a process died. */
  readonly begun: number;
};

export type WorkDefinition<P> = {
  /**
   * Does it. Resolves with undefined when it is done, or with the time of its next run, for which attempts and the time
   * limit start anew. When it rejects, it is retried after `backoff`. Aborted by the signal: it was cancelled, the process
   * is ending, it takes longer than `giveUpAfterMs`, or another instance may have taken it over. It is never run twice at the same time, but it may run again after a crash.
   */
  readonly run: (work: Work<P>, signal: AbortSignal) => Promise<number | undefined>;
  /** How many of this kind an instance does at the same time. */
  readonly concurrency: number;
  /** A process that died while it ran counts as a failed attempt. */
  readonly attempts: number;
  /** Ms from that failed attempt (1, 2, …) to the next. */
  readonly backoff: (attempt: number) => number;
  /** Counted from its first attempt. */
  readonly giveUpAfterMs: number;
  /** It failed for good. Called before that is recorded, so again after a crash. */
  readonly onGivenUp?: (work: Work<P>, error: unknown) => Promise<void>;
};

export type ListedWork = {
  readonly key: string;
  readonly dueAtMs: number;
  readonly attempts: number;
  /** Of its last failed attempt. */
  readonly error?: string;
};

export type WorkCounts = Readonly<Record<WorkState, number>> & { readonly kind: string };

export type Works = {
  /** Each process defines the kinds that it does, before `start`. Works of other kinds stay stored. */
  readonly define: <P>(kind: string, definition: WorkDefinition<P>) => void;
  /**
   * Resolves when it is stored, with whether the key is new. A key is one work: the newest payload and time count. Added
   * while it is active, it runs once more afterwards. Keys hold ids only, no words and no names. Default for `dueAtMs`:
   * now. Rejects with state_unavailable; with internal when the payload is larger than a megabyte or the time is no number.
   */
  readonly add: <P>(kind: string, key: string, payload: P, options?: { readonly dueAtMs?: number }) => Promise<boolean>;
  /** Deletes it, or stops it if it is active, on any instance. It doesn't run again. Rejects with state_unavailable. */
  readonly cancel: (kind: string, key: string) => Promise<void>;
  /** How many there are of each kind that this process has defined. */
  readonly counts: () => Promise<readonly WorkCounts[]>;
  /** The earliest first, those that failed newest first. */
  readonly list: (kind: string, state: WorkState, limit: number) => Promise<readonly ListedWork[]>;
  /** Everything of that kind, in no order: what it says about people can be read and cancelled. */
  readonly entries: (kind: string) => AsyncIterable<readonly [key: string, payload: unknown]>;
  /** Begins one that failed anew. False: there is none. */
  readonly retry: (kind: string, key: string) => Promise<boolean>;
  /** Deletes those that failed before that time. */
  readonly prune: (beforeMs: number) => Promise<void>;
  /** Begins what is due, and what dead processes left. Also after `drain`. */
  readonly start: () => Promise<void>;
  /** Begins nothing more, and stops what runs, which is continued later. Resolves when that has ended. */
  readonly drain: () => Promise<void>;
};
