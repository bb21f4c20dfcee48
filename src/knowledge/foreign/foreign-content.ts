/** Parses untrusted content in a child process, one task at a time, fairly between owners. */

import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { createFairTurns } from "../../core/tools/fair-turns.ts";
import { createTaskChild, type TaskOutcome } from "../../operations/child/task-child.ts";
import { contentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { TaskKind, TaskRequest, Tasks } from "./foreign-child.ts";

export type ForeignContent = {
  /**
   * `owner`: the queue for fair scheduling. The signal removes a queued task; a running one is waited for, because it
   * still uses its files. `onBegin`: called when the task's turn has come; what it throws becomes the task's error.
   * Throws ReadFailure, or the signal's reason.
   */
  readonly run: <K extends TaskKind>(
    kind: K,
    task: Tasks[K]["task"],
    options: {
      readonly owner: string;
      readonly signal?: AbortSignal | undefined;
      readonly onBegin?: () => void;
    },
  ) => Promise<Tasks[K]["result"]>;
  readonly close: () => Promise<void>;
};

/** Per task, without its time in the queue. */
const limitsMs: Readonly<Record<TaskKind, number>> = {
  page: 20_000,
  rows: 30_000,
  document: 60_000,
  documentText: 15_000,
  text: 5_000,
  gitRequest: 20_000,
  gitFiles: 600_000,
  robotsRules: 5_000,
  robotsCheck: 5_000,
};
/** Large enough for the largest pages that are read, and keeps the process below 350 MB. */
const heapMegabytes = 192;
/** A larger child would have no room for the next large page. */
const maxKeptBytes = 200 * 1024 * 1024;

export function createForeignContent(options: {
  /** The only folder the child may write to and, besides its own code, read from. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}): ForeignContent {
  const { folder, clock, log } = options;
  const turns = createFairTurns({ atOnce: 1, perQueue: 1 });
  const child = createTaskChild({
    program: new URL("./foreign-child.ts", import.meta.url),
    folder,
    heapMegabytes,
    maxKeptBytes,
    clock,
  });
  let isClosed = false;

  async function perform(request: TaskRequest): Promise<unknown> {
    const { kind } = request;
    const outcome = await child.perform(request);
    if (outcome.outcome === "done") return outcome.result;
    if (isClosed) throw closed();
    if (outcome.outcome !== "refused") log.warn({ task: kind, ...outcome }, "Foreign content could not be parsed");
    throw failureOf(outcome, kind);
  }

  return {
    run: (kind, task, { owner, signal, onBegin }) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal?.reason);
        const begin = async () => {
          signal?.removeEventListener("abort", onAbort);
          signal?.throwIfAborted();
          if (isClosed) throw closed();
          onBegin?.();
          return perform({ kind, task, limitMs: limitsMs[kind] } as TaskRequest);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) onAbort();
        // The child's result for this kind of task.
        turns.run(owner, begin).then((result) => resolve(result as Tasks[typeof kind]["result"]), reject);
      }),

    close: async () => {
      isClosed = true;
      await child.close();
    },
  };
}

function failureOf(outcome: Exclude<TaskOutcome, { outcome: "done" }>, kind: TaskKind): ReadFailure {
  switch (outcome.outcome) {
    case "refused":
      return new ReadFailure("unreadable", outcome.reason);
    case "late":
      return new ReadFailure("unreadable", `reading it took longer than ${limitsMs[kind] / 1000} s`);
    case "gone":
      return new ReadFailure("unreadable", "reading it needs too much memory");
    case "failed":
      return new ReadFailure("unreadable", contentSentences.tooComplex, outcome.error);
    case "unstarted":
      return new ReadFailure(
        "unreadable",
        "Parley has no memory or process left to read it. Try again later",
        outcome.error,
      );
    default:
      return outcome satisfies never;
  }
}

function closed(): Error {
  return new Error("Parley is shutting down; nothing more is read.");
}
