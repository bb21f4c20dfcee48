/**
 * Holds a Job's state in this process and writes it to the store. Items change far more often than they need storing:
 * what a crash loses is only repeated, and most work may run twice. So changes are batched for a moment. A refused
 * write means that another instance has taken over; this one then stays silent.
 */

import type { Job, JobItem } from "../../core/model/job.ts";
import type { Reply } from "../../core/model/reply.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { type JobStore, unfinishedJobStates } from "../../core/ports/state.ts";

const gatherMs = 1_000;
const retryMs = 1_000;
/** After this long without the store the Job stops here, and is recovered later. */
const patienceMs = 120_000;

export type JobRecord = ReturnType<typeof createJobRecord>;

export function createJobRecord(
  initial: Job,
  deps: { readonly jobs: JobStore; readonly clock: Clock; readonly log: Log; readonly onChange: () => void },
) {
  const { jobs, clock, log, onChange } = deps;
  const taken = new AbortController();
  const cancelled = new AbortController();
  let job = initial;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  // One write at a time, so that an older state can't overwrite a newer one.
  let last: Promise<unknown> = Promise.resolve();
  let nextSave: Promise<void> | undefined;

  async function write(to: Job["state"], patch: Partial<Job>): Promise<void> {
    const untilMs = clock.now() + patienceMs;
    for (;;) {
      if (taken.signal.aborted) throw new JobLost();
      try {
        const written = await jobs.transition(
          job.id,
          unfinishedJobStates,
          to,
          { ...patch, items: job.items },
          job.fence,
        );
        if (written === undefined) return lose();
        // Changes made during the write are newer than what was written.
        job = { ...written, items: job.items };
        if (job.options["cancelledBy"] !== undefined) cancelled.abort();
        return;
      } catch (failure) {
        if (failure instanceof JobLost || clock.now() > untilMs) throw failure;
        log.warn({ err: failure, jobId: job.id }, "A job's state could not be stored");
        await clock.sleep(retryMs);
      }
    }
  }

  function lose(): never {
    taken.abort();
    throw new JobLost();
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  function save(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    // Callers during the wait share the next write.
    nextSave ??= inTurn(() => {
      nextSave = undefined;
      return write(job.state, {});
    });
    return nextSave;
  }

  function changed(items: readonly JobItem[]): void {
    job = { ...job, items };
    onChange();
    cancelTimer ??= clock.after(gatherMs, () => {
      cancelTimer = undefined;
      if (isClosed) return;
      save().catch((failure: unknown) =>
        log.warn({ err: failure, jobId: job.id }, "A job's progress could not be stored"),
      );
    });
  }

  return {
    job: () => job,
    /** What is undefined stays as it was: a page without a title keeps the one that is known. */
    change: (index: number, patch: Partial<JobItem>) => {
      const before = job.items[index];
      const known = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      if (before !== undefined) changed(job.items.with(index, { ...before, ...known }));
    },
    changeAll: (change: (item: JobItem) => JobItem) => changed(job.items.map(change)),
    /**
     * Stores pending changes now. This and the next two throw when the store stays unavailable, or when another instance
     * has taken over.
     */
    save,
    move: (to: Job["state"], patch: Partial<Job> = {}) => {
      cancelTimer?.();
      cancelTimer = undefined;
      return inTurn(() => write(to, patch));
    },
    saveReply: (reply: Reply) => inTurn(() => write(job.state, { reply })),
    /** The lease was lost and has been reacquired. */
    regained: (fence: number) =>
      inTurn(async () => {
        const stored = await jobs.get(job.id);
        // Another instance held the lease in between, and has taken over.
        if (stored === undefined || stored.fence > job.fence) lose();
        job = { ...job, fence };
      }),
    /** Aborts when a write shows that another instance has taken over. */
    taken: taken.signal,
    /** Aborts when a write shows that it was cancelled on another instance. */
    cancelled: cancelled.signal,
    /** No further writes. */
    close: () => {
      isClosed = true;
      cancelTimer?.();
    },
  };
}

/** Another instance has taken over the Job. */
export class JobLost extends Error {
  override readonly name = "JobLost";
}
