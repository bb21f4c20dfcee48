/**
 * A Job as this process knows it, and its writes. Items change far more often than they need be stored: what was lost
 * with the process is only done again, and every kind of work may be done twice. So changes are gathered for a moment.
 */
import type { Clock } from "../bridge/ports/clock.ts";
import { type JobStore, unfinishedJobStates } from "../bridge/ports/state.ts";
import type { Job, JobItem, Reply } from "../bridge/words.ts";
import type { Log } from "../operations/log.ts";

const gatherMs = 1_000;
const retryMs = 1_000;
/** A store that stays away for longer ends the Job's life here; it is taken up again. */
const patienceMs = 120_000;

export type JobRecord = {
  readonly job: () => Job;
  readonly change: (index: number, patch: Partial<JobItem>) => void;
  readonly changeAll: (change: (item: JobItem) => JobItem) => void;
  /** Throws when the store stays away, or when somebody else has gone on with the Job. */
  readonly move: (to: Job["state"], patch?: Partial<Job>) => Promise<void>;
  readonly saveReply: (reply: Reply) => Promise<void>;
  /** No further writes. */
  readonly close: () => void;
};

export function createJobRecord(
  initial: Job,
  deps: { readonly jobs: JobStore; readonly clock: Clock; readonly log: Log; readonly onChange: () => void },
): JobRecord {
  const { jobs, clock, log, onChange } = deps;
  let job = initial;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  // One write at a time: an older state must not follow a newer one.
  let last: Promise<unknown> = Promise.resolve();

  async function write(to: Job["state"], patch: Partial<Job>): Promise<void> {
    const whole = { ...patch, items: job.items };
    const untilMs = clock.now() + patienceMs;
    for (;;) {
      try {
        const written = await jobs.transition(job.id, unfinishedJobStates, to, whole, job.fence);
        if (written === undefined) throw new JobLost();
        // What happened meanwhile is newer than what was written.
        job = { ...written, items: job.items };
        return;
      } catch (failure) {
        if (failure instanceof JobLost || clock.now() > untilMs) throw failure;
        log.warn({ err: failure, jobId: job.id }, "A job's state could not be stored");
        await clock.sleep(retryMs);
      }
    }
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  function changed(items: readonly JobItem[]): void {
    job = { ...job, items };
    onChange();
    cancelTimer ??= clock.after(gatherMs, () => {
      cancelTimer = undefined;
      if (isClosed) return;
      inTurn(() => write(job.state, {})).catch((failure: unknown) =>
        log.warn({ err: failure, jobId: job.id }, "A job's progress could not be stored"),
      );
    });
  }

  return {
    job: () => job,
    change: (index, patch) => {
      const before = job.items[index];
      if (before !== undefined) changed(job.items.with(index, { ...before, ...patch }));
    },
    changeAll: (change) => changed(job.items.map(change)),
    move: (to, patch = {}) => {
      cancelTimer?.();
      cancelTimer = undefined;
      return inTurn(() => write(to, patch));
    },
    saveReply: (reply) => inTurn(() => write(job.state, { reply })),
    close: () => {
      isClosed = true;
      cancelTimer?.();
    },
  };
}

/** Another instance has gone on with it. */
export class JobLost extends Error {
  override readonly name = "JobLost";
}
