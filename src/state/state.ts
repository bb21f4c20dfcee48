/** Durable state as the rest of the program uses it, on any backend. */
import type { Settings } from "../config/settings.ts";
import type { QuestionLogStore } from "../core/overview/question-log.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { ChangingKeyValueFactory, Claims, Coordinator, JobStore, TurnStore } from "../core/ports/state.ts";
import type { AuditIndex } from "../core/ports/storage/audit-index.ts";
import type { QuestionIndex } from "../core/ports/storage/question-index.ts";
import type { Rankings } from "../core/ports/storage/rankings.ts";
import type { Tallies } from "../core/ports/storage/tallies.ts";
import type { Damage } from "./damaged-records.ts";

export type State = {
  readonly kind: "SQLite" | "Redis";
  /** How large it is now. Undefined: unknown. */
  readonly bytes: () => Promise<number | undefined>;
  readonly keyValue: ChangingKeyValueFactory;
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  readonly rankings: Rankings;
  readonly questions: QuestionIndex;
  readonly tallies: Tallies;
  readonly questionLog: QuestionLogStore;
  readonly auditIndex: AuditIndex;
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

/** With a REDIS_URL, DATA_DIR is neither used nor locked. */
export type StateSettings = Pick<Settings, "dataDir" | "redisUrl">;

export type OpenStateOptions = StateSettings & {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the wait for a folder that another process is using. */
  readonly signal?: AbortSignal;
  /** On SQLite: a commit that took long is followed by a pause as long, at most this. Default: none. */
  readonly maxPauseMs?: number;
};
