/**
 * Durable state as the program holds it, whatever it is stored on.
 */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Claims, Coordinator, JobStore, KeyValueFactory, TurnStore } from "../ports/state.ts";
import type { Damage } from "./damaged-records.ts";

export type State = {
  readonly keyValue: KeyValueFactory;
  readonly turns: TurnStore;
  readonly jobs: JobStore;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  /** What operators should know although the store can be written: one sentence each. */
  readonly notices: () => readonly string[];
  /** What could not be read so far and is skipped. */
  readonly damage: () => Damage;
  /** What is wrong with how much the store keeps, and the remedy; undefined where it keeps everything. */
  readonly eviction: () => string | undefined;
  /** Reads all there is, so that `damage` knows of everything. */
  readonly readAll: () => Promise<void>;
  /** Resolves when the store can be written; rejects with state_unavailable. */
  readonly ping: () => Promise<void>;
  /** Gives back what is held and closes. What was written stays written. */
  readonly close: () => Promise<void>;
};

export type StateSettings = {
  readonly dataDir: string;
  /** When set, DATA_DIR is neither used nor locked. */
  readonly redisUrl?: string;
};

export type OpenStateOptions = StateSettings & {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the wait for a folder that another process is using. */
  readonly signal?: AbortSignal;
};
