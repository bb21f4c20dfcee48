/**
 * Manages the Jobs of this process: start, cancel, retry, recover, drain. Whatever must survive a crash is stored
 * before anyone is told. A cancel on one instance reaches the instance that runs the Job.
 */

import type { CommandContext } from "../../core/commands.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import type { Place } from "../../core/model/place.ts";
import { unfinishedJobStates } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { newId, refOf } from "../../core/tools/ids.ts";
import type { JobApp } from "./app.ts";
import { liveJob } from "./job-life.ts";
import { type CrawlLimits, jobOptions, type Payload } from "./payload.ts";

const topic = "jobs";
/** A Job without a lease may belong to another instance for this long: leases last 15 s. */
const recoverAfterMs = 20_000;
/** Time limit for waiting until other Jobs have started. */
const beginMs = 5_000;
const endedStates: readonly Job["state"][] = ["done", "failed", "cancelled"];

export type JobDraft = {
  readonly context: Pick<CommandContext, "actor" | "place" | "eventKey">;
  readonly project: string;
  readonly knowledgeBase: string;
  readonly way: Job["way"];
  /** The command's path, for the audit. */
  readonly action: string;
  readonly items: readonly { readonly item: JobItem; readonly payload: Payload }[];
  readonly limits?: CrawlLimits;
  /** It posts no message; `ended` returns the result. */
  readonly isSilent?: boolean;
  /** It reads documents of the ledger again. */
  readonly isRefresh?: boolean;
  /** A schedule began it: it shows its end alone, and only if something changed; what is gone is removed. */
  readonly isScheduled?: boolean;
  /** The agent whose checks it runs; it adds to no knowledge base, whose name is "" then. */
  readonly checked?: string;
  /** Where its message is. Default: where it was asked for. */
  readonly shownIn?: Place;
};

export type Begun = {
  /** Undefined when another Job is already adding every URL. */
  readonly job: Job | undefined;
  /** URLs that another Job is currently adding to the same knowledge base. */
  readonly running: readonly string[];
};

export type Jobs = {
  /** Resolves once the Job is stored; it continues in the background. Throws state_unavailable. */
  readonly begin: (draft: JobDraft) => Promise<Begun>;
  /** Waits for the Job if it runs in this process. */
  readonly ended: (jobId: string) => Promise<Job | undefined>;
  readonly get: (jobId: string, place: Place) => Promise<Job | undefined>;
  /** The workspace's Jobs, newest first. */
  readonly recent: (place: Place, limit: number) => Promise<readonly Job[]>;
  /** False when it had already ended. */
  readonly cancel: (job: Job, actorId: string) => Promise<boolean>;
  /** Retries failed and cancelled items, in the same message. False when there are none. */
  readonly retry: (job: Job) => Promise<boolean>;
  /**
   * Recovers unfinished Jobs that run nowhere: all of them at the start, later only those that may have been abandoned.
   */
  readonly recover: (isStart: boolean) => Promise<void>;
  /** Gives running Jobs `graceMs` to finish; the rest is left to the next process. */
  readonly drain: (graceMs: number) => Promise<void>;
};

type Life = {
  readonly cancel: () => void;
  readonly leave: () => void;
  isRunning: boolean;
  readonly over: Promise<void>;
};

export function createJobs(app: JobApp): Jobs {
  const { metrics, clock, log } = app;
  const { jobs, coordinator } = app.state;
  const lives = new Map<string, Life>();
  let isDraining = false;

  coordinator.subscribe(topic, (jobId) => lives.get(jobId)?.cancel());

  function count(): void {
    const running = [...lives.values()].filter(({ isRunning }) => isRunning).length;
    metrics.jobsNow({ waiting: lives.size - running, running });
  }

  function live(jobId: string): void {
    if (isDraining) return;
    const before = lives.get(jobId);
    if (before !== undefined) {
      // It may be retried between its shown end and the end of its life here.
      void before.over.then(() => live(jobId));
      return;
    }
    const cancelled = new AbortController();
    const drained = new AbortController();
    const control = {
      cancelled: cancelled.signal,
      drained: drained.signal,
      onRunning: () => {
        life.isRunning = true;
        count();
      },
    };
    const over = Promise.resolve()
      .then(() => liveJob(jobId, control, app))
      .catch((failure: unknown) => {
        if (!drained.signal.aborted) log.error({ err: failure, jobId }, "A job broke off");
      })
      .finally(() => {
        lives.delete(jobId);
        count();
      });
    const life: Life = {
      cancel: () => cancelled.abort(),
      leave: () => drained.abort(),
      isRunning: false,
      over,
    };
    lives.set(jobId, life);
    count();
  }

  async function create(draft: JobDraft, taken: ReadonlySet<string>): Promise<Begun> {
    const { context, project, knowledgeBase, way, action, limits, isRefresh, isScheduled, checked } = draft;
    const { shownIn = context.place } = draft;
    // A workspace as a whole has no place for a message.
    const isSilent = draft.isSilent === true || shownIn.channel === "";
    const isTaken = ({ kind, state, url = "" }: JobItem) => kind === "url" && state === "waiting" && taken.has(url);
    const kept = draft.items.filter(({ item }) => !isTaken(item));
    const running = draft.items.filter(({ item }) => isTaken(item)).map(({ item }) => item.label);
    if (running.length > 0 && !kept.some(({ item }) => item.state === "waiting")) return { job: undefined, running };
    const id = newId(clock.now());
    const payloads = kept.map(({ payload }) => payload);
    const created = await jobs.create({
      version: 1,
      id,
      ref: refOf(id),
      eventKey: context.eventKey,
      askedIn: context.place,
      actor: context.actor,
      project,
      knowledgeBase,
      way,
      options: jobOptions({ action, payloads, limits, isSilent, isRefresh, isScheduled, checked }),
      items: kept.map(({ item }) => item),
      state: "queued",
      reply: { place: shownIn, parts: [] },
      createdAtMs: clock.now(),
      fence: 0,
    });
    return { job: "existing" in created ? created.existing : await jobs.get(id), running };
  }

  /** URLs that unfinished Jobs are adding to the same knowledge base. */
  async function addressesBeingAdded({ project, knowledgeBase }: JobDraft): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for await (const job of jobs.unfinished()) {
      if (job.project !== project || job.knowledgeBase !== knowledgeBase) continue;
      for (const { state, url } of job.items) {
        if (url !== undefined && (state === "waiting" || state === "running")) found.add(url);
      }
    }
    return found;
  }

  async function recover(isStart: boolean): Promise<void> {
    // A Job can hold megabytes: those that live here aren't read.
    const mayBeLeft = ({ id, createdAtMs }: Pick<Job, "id" | "createdAtMs">) =>
      !lives.has(id) && (isStart || clock.now() - createdAtMs > recoverAfterMs);
    for await (const { id } of jobs.unfinished(mayBeLeft)) live(id);
  }

  return {
    begin: async (draft) => {
      const patience = new AbortController();
      const cancel = clock.after(beginMs, () => patience.abort(new ParleyError("state_unavailable")));
      const key = `begin-job/${draft.project}/${draft.knowledgeBase}`;
      const lease = await coordinator.lease(key, { signal: patience.signal }).finally(cancel);
      try {
        const begun = await create(draft, await addressesBeingAdded(draft));
        if (begun.job !== undefined) live(begun.job.id);
        return begun;
      } finally {
        await lease.release();
      }
    },

    ended: async (jobId) => {
      await lives.get(jobId)?.over;
      return jobs.get(jobId);
    },

    get: async (jobId, place) => {
      const job = await jobs.get(jobId);
      // Ids are untrusted: only Jobs of the caller's own workspace exist.
      return job !== undefined && isSameWorkspace(job.askedIn, place) ? job : undefined;
    },

    recent: async (place, limit) => {
      const all = await jobs.recent(maxLooked);
      return all.filter((job) => isSameWorkspace(job.askedIn, place)).slice(0, limit);
    },

    cancel: async (job, actorId) => {
      if (!unfinishedJobStates.includes(job.state)) return false;
      const cancelled = await changeRecord(jobs, job.id, ({ state, options }) =>
        unfinishedJobStates.includes(state) ? { options: { ...options, cancelledBy: actorId } } : undefined,
      );
      if (cancelled === undefined) return false;
      await coordinator.publish(topic, job.id).catch(() => undefined);
      // If it runs nowhere, it is ended here.
      live(job.id);
      return true;
    },

    retry: async (job) => {
      const now = await jobs.get(job.id);
      if (now === undefined || !endedStates.includes(now.state)) return false;
      if (!now.items.some(({ state }) => state === "failed" || state === "cancelled")) return false;
      const { cancelledBy: _cancelledBy, ...options } = now.options;
      const items = now.items.map(tryAgain);
      const patch = { items, options, endedAtMs: undefined };
      if ((await jobs.transition(now.id, endedStates, "queued", patch, now.fence)) === undefined) return false;
      live(now.id);
      return true;
    },

    recover,

    drain: async (graceMs) => {
      isDraining = true;
      const leave = (which: (life: Life) => boolean) => {
        for (const life of lives.values()) if (which(life)) life.leave();
      };
      leave(({ isRunning }) => !isRunning);
      const cancel = clock.after(graceMs, () => leave(() => true));
      await Promise.all([...lives.values()].map(({ over }) => over));
      cancel();
    },
  };
}

/** Newest Jobs searched for those of one workspace. */
const maxLooked = 500;

function isSameWorkspace(one: Place, other: Place): boolean {
  return one.platform === other.platform && one.workspace === other.workspace;
}

function tryAgain(item: JobItem): JobItem {
  if (item.state !== "failed" && item.state !== "cancelled") return item;
  const { reason: _reason, startedAtMs: _startedAtMs, endedAtMs: _endedAtMs, pages: _pages, ...known } = item;
  const {
    attempts: _attempts,
    size: _size,
    outcome: _outcome,
    synced: _synced,
    replaced: _replaced,
    checked: _checked,
    notes: _notes,
    ...rest
  } = known;
  return { ...rest, state: "waiting" };
}
