/**
 * Deletes finished Turns and Jobs after RETENTION_DAYS. Conversations and other small records have an expiry of their
 * own.
 */
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { JobStore, TurnStore } from "../ports/state.ts";

const pruneEveryMs = 3_600_000;
/** Not during the start. */
const firstPruneMs = 60_000;
const dayMs = 86_400_000;

/**
 * Prunes a minute after the start and then every hour. Every instance does, since pruning is idempotent.
 * Returns the function that stops it.
 */
export function startRetention(options: {
  readonly turns: Pick<TurnStore, "prune">;
  readonly jobs: Pick<JobStore, "prune">;
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
}): () => void {
  const { turns, jobs, retentionDays, clock, log } = options;
  let isStopped = false;
  let cancel = clock.after(firstPruneMs, () => void prune());

  async function prune(): Promise<void> {
    const beforeMs = clock.now() - retentionDays * dayMs;
    try {
      const counts = { turns: await turns.prune(beforeMs), jobs: await jobs.prune(beforeMs) };
      if (counts.turns + counts.jobs > 0) log.info(counts, "Deleted records older than RETENTION_DAYS");
    } catch (err) {
      log.warn({ err }, "Can't delete records older than RETENTION_DAYS; retrying in an hour");
    }
    if (!isStopped) cancel = clock.after(pruneEveryMs, () => void prune());
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
