/**
 * The port to everything that is stored, for what moves it as a whole: a backup reads it, and a restore writes it into a
 * store of any kind. It says nothing of leases, lines and rate limits, which belong to instances that run.
 */
import type { Job } from "../../model/job.ts";
import type { Turn } from "../../model/turn.ts";

/** One stored thing. Everything in it is JSON, and times are ms since 1970. */
export type StoredItem =
  | { readonly in: "turns"; readonly record: Turn }
  | { readonly in: "jobs"; readonly record: Job }
  | {
      readonly in: "collections";
      readonly name: string;
      readonly id: string;
      readonly fence: number;
      readonly record: unknown;
    }
  | {
      readonly in: "values";
      readonly namespace: string;
      readonly key: string;
      readonly value: unknown;
      readonly expiresAtMs?: number | undefined;
    }
  | { readonly in: "claims"; readonly key: string; readonly expiresAtMs: number }
  | ({ readonly in: "works" } & StoredWork)
  /** No lease has had a higher fence. */
  | { readonly in: "fences"; readonly highest: number };

/** A work that waits, also for its next attempt, or one that has failed for good. */
export type StoredWork = {
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  readonly state: "waiting" | "failed";
  /** When it runs next; of one that has failed, when that was. */
  readonly dueAtMs: number;
  /** When it was due at first. */
  readonly sinceAtMs: number;
  /** Of its first attempt. */
  readonly firstAtMs?: number | undefined;
  readonly attempts: number;
  readonly begun: number;
  readonly error?: string | undefined;
};

export type Contents = {
  /**
   * Everything, each once, in no order. Left out: what has expired, and damaged records, which the state's `damage` has
   * then. What a dead process was doing is waiting. Rejects with state_unavailable, and with internal if there is a
   * collection that nobody has opened here.
   */
  readonly read: () => AsyncIterable<StoredItem>;
  /** Durable when it resolves. What is there is kept or replaced by the same; what has expired is left out. */
  readonly write: (items: readonly StoredItem[]) => Promise<void>;
  /** The note of a restore that has begun and not ended. */
  readonly restoring: () => Promise<string | undefined>;
  /** While there is a note, `openState` refuses the store, unless it is for a restore. Undefined: the restore has ended. */
  readonly setRestoring: (note: string | undefined) => Promise<void>;
  /** Whether another process is connected to the store now. On SQLite never: it has locked its folder. */
  readonly isShared: () => Promise<boolean>;
};
