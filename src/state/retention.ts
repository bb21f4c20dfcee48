/**
 * Deletes finished Turns and Jobs after RETENTION_DAYS, as a work that is due each hour: one instance does it for all.
 * Conversations and other small records expire.
 */

import type { Clock } from "../core/ports/clock.ts";
import type { AnyCollection } from "../core/ports/collection.ts";
import type { Log } from "../core/ports/log.ts";
import type { JobStore, TurnStore } from "../core/ports/state.ts";
import type { Works } from "../core/ports/storage/works.ts";
import { hourMs, soonAfterStartMs } from "./every-hour.ts";

const dayMs = 86_400_000;

/** Before works are started. The returned function has it done, soon after each start and each hour. Never rejects. */
export function createRetention(options: {
  readonly turns: Pick<TurnStore, "prune">;
  readonly jobs: Pick<JobStore, "prune">;
  readonly works: Pick<Works, "define" | "add" | "prune">;
  /** Each says how long its records stay. */
  readonly collections?: () => readonly AnyCollection[];
  /** Deletes questions of that age that were not answered well, and returns their number. */
  readonly pruneGaps?: (beforeMs: number) => Promise<number>;
  /** Removes what was deleted from the files too, also what people deleted since the last time. */
  readonly scrub?: () => Promise<void>;
  readonly retentionMs: number;
  /** AUDIT_DAYS. */
  readonly auditMs?: number;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<void> {
  const { turns, jobs, works, collections, pruneGaps, scrub, retentionMs, auditMs = 0, clock, log } = options;
  const settingsMs = { RETENTION_DAYS: retentionMs, AUDIT_DAYS: auditMs };

  async function prune(): Promise<void> {
    const beforeMs = clock.now() - retentionMs;
    try {
      await works.prune(beforeMs);
      const records = { turns: await turns.prune(beforeMs), jobs: await jobs.prune(beforeMs) };
      const counts = { ...records, gapQuestions: (await pruneGaps?.(beforeMs)) ?? 0 };
      if (counts.turns + counts.jobs + counts.gapQuestions > 0)
        log.info(counts, "Deleted records older than RETENTION_DAYS");
    } catch (err) {
      log.warn({ err }, "Can't delete records older than RETENTION_DAYS; retrying in an hour");
    }
    for (const { name, definition, deleteWhere } of collections?.() ?? []) {
      const { retain } = definition;
      if (typeof retain === "string" || retain.since === undefined) continue;
      const keptMs = typeof retain.days === "number" ? retain.days * dayMs : settingsMs[retain.days];
      try {
        await deleteWhere({ order: retain.since, until: clock.now() - keptMs });
      } catch (err) {
        log.warn({ err, collection: name }, "Can't delete old records; retrying in an hour");
      }
    }
    try {
      await scrub?.();
    } catch (err) {
      log.warn({ err }, "Can't remove deleted words from the files of the storage; retrying in an hour");
    }
  }

  works.define<null>("retention", {
    concurrency: 1,
    attempts: Number.POSITIVE_INFINITY,
    backoff: () => hourMs,
    giveUpAfterMs: dayMs,
    run: async () => {
      await prune();
      return clock.now() + hourMs;
    },
  });

  return async () => {
    try {
      await works.add("retention", "all", null, { dueAtMs: clock.now() + soonAfterStartMs });
    } catch (err) {
      log.warn({ err }, "Old records are deleted after the next start");
    }
  };
}
