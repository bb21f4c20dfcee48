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

/**
 * Call it before works start. The returned function schedules the first run; later ones follow hourly. It never rejects.
 */
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

  async function prune(signal: AbortSignal): Promise<void> {
    const beforeMs = clock.now() - retentionMs;
    await attempt("Can't delete records older than RETENTION_DAYS", signal, async () => {
      await works.prune(beforeMs);
      signal.throwIfAborted();
      const prunedTurns = await turns.prune(beforeMs);
      signal.throwIfAborted();
      const prunedJobs = await jobs.prune(beforeMs);
      signal.throwIfAborted();
      const counts = { turns: prunedTurns, jobs: prunedJobs, gapQuestions: (await pruneGaps?.(beforeMs)) ?? 0 };
      if (counts.turns + counts.jobs + counts.gapQuestions > 0)
        log.info(counts, "Deleted records older than RETENTION_DAYS");
    });
    for (const { name, definition, deleteWhere } of collections?.() ?? []) {
      const { retain } = definition;
      if (typeof retain === "string" || retain.since === undefined) continue;
      const { since } = retain;
      const keptMs = typeof retain.days === "number" ? retain.days * dayMs : settingsMs[retain.days];
      const step = async () => void (await deleteWhere({ order: since, until: clock.now() - keptMs }));
      await attempt("Can't delete old records", signal, step, { collection: name });
    }
    await attempt("Can't remove deleted words from the files of the storage", signal, async () => scrub?.());
  }

  /** The other steps don't need it. Rejects when the process is ending. */
  async function attempt(
    problem: string,
    signal: AbortSignal,
    step: () => Promise<void>,
    about: { readonly collection?: string } = {},
  ): Promise<void> {
    signal.throwIfAborted();
    try {
      await step();
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err, ...about }, `${problem}; retrying in an hour`);
    }
  }

  works.define<null>("retention", {
    concurrency: 1,
    attempts: Number.POSITIVE_INFINITY,
    backoff: () => hourMs,
    giveUpAfterMs: dayMs,
    run: async (_work, signal) => {
      await prune(signal);
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
