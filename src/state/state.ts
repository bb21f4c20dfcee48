/** How the state is opened. */
import type { Settings } from "../config/settings.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";

/** With a REDIS_URL, DATA_DIR is neither used nor locked. */
export type StateSettings = Pick<Settings, "dataDir" | "redisUrl">;

export type OpenStateOptions = StateSettings & {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the wait for a folder that another process is using. */
  readonly signal?: AbortSignal;
  /** Opens a store also while a restore into it has begun and not ended. */
  readonly isForRestore?: boolean;
  /** On SQLite: a commit that took long is followed by a pause as long, at most this. Default: none. */
  readonly maxPauseMs?: number;
};
