/**
 * Parses untrusted content in a child process, one task at a time, fairly between owners. Whatever a page or file does
 * to the child (out of memory, endless loop, crash) fails only that task: the child is killed and restarted. It is
 * reused while it stays small, and exits when idle.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { contentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { createFairTurns } from "./fair-turns.ts";
import type { TaskAnswer, TaskKind, TaskOutcome, TaskRequest, Tasks } from "./foreign-tasks.ts";

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
  robotsRules: 5_000,
  robotsCheck: 5_000,
};
/** The child enforces the limit itself where it can, and may need to start first. */
const graceMs = 5_000;
const idleMs = 30_000;
/** Large enough for the largest pages that are read, and keeps the process below 350 MB. */
const heapOptions = ["--max-old-space-size=192", "--max-semi-space-size=4"];
/** A child larger than this after a task isn't reused: it would have no room for the next large page. */
const maxKeptBytes = 200 * 1024 * 1024;

const program = fileURLToPath(new URL("./foreign-child.ts", import.meta.url));

/** The code of the child and its parsers, wherever it is installed: no settings, no data, no other process. */
function codeFolders(): readonly string[] {
  const parser = createRequire(import.meta.url).resolve("linkedom");
  const packages = parser.slice(0, parser.indexOf(packagesFolder) + packagesFolder.length);
  const [source, manifest] = ["../..", "../../../package.json"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return [source ?? "", manifest ?? "", packages];
}

const packagesFolder = `${sep}node_modules${sep}`;

type Outcome =
  | TaskOutcome
  | { readonly outcome: "unstarted"; readonly error: string }
  | { readonly outcome: "gone"; readonly exitCode: number | null; readonly signal: string | null };

export function createForeignContent(options: {
  /** The only folder the child may write to and, besides its own code, read from. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}): ForeignContent {
  const { folder, clock, log } = options;
  const turns = createFairTurns({ atOnce: 1, perQueue: 1 });
  const readable = [...codeFolders(), folder].map((path) => `--allow-fs-read=${path}`);
  let child: ChildProcess | undefined;
  let isClosed = false;
  let cancelIdle = () => {};

  function start(): ChildProcess {
    const started = fork(program, [], {
      execArgv: [...heapOptions, "--permission", ...readable, `--allow-fs-write=${folder}`],
      // Empty: a process that reads untrusted content has no tokens.
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("exit", () => {
      if (child === started) child = undefined;
    });
    // The waiting task handles it; without any listener it would crash Parley.
    started.on("error", () => undefined);
    return started;
  }

  async function end(): Promise<void> {
    const ended = child;
    child = undefined;
    if (ended?.pid === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    // Otherwise Parley could exit while it waits, before cleaning up.
    keepAlive(ended, true);
    const gone = once(ended, "exit");
    ended.kill("SIGKILL");
    await gone;
  }

  async function perform(request: TaskRequest): Promise<unknown> {
    cancelIdle();
    const { kind } = request;
    child ??= start();
    keepAlive(child, true);
    const { rssBytes = 0, ...outcome } = await ask(child, request, clock);
    if (outcome.outcome === "late" || outcome.outcome === "unstarted" || rssBytes > maxKeptBytes) await end();
    if (child !== undefined) keepAlive(child, false);
    cancelIdle = clock.after(idleMs, () => void end());
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
      cancelIdle();
      await end();
    },
  };
}

/** Resolves with the task's outcome. The child runs no other task meanwhile. */
function ask(child: ChildProcess, request: TaskRequest, clock: Clock): Promise<Outcome & { rssBytes?: number }> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      cancel();
      child.off("message", onAnswer).off("exit", onExit).off("error", onError);
      resolve(outcome);
    };
    const onAnswer = (answer: unknown) => settle(answer as TaskAnswer);
    const onExit = (exitCode: number | null, signal: string | null) => settle({ outcome: "gone", exitCode, signal });
    const onError = (error: Error) => settle({ outcome: "unstarted", error: error.message });
    const cancel = clock.after(request.limitMs + graceMs, () => settle({ outcome: "late" }));
    child.on("message", onAnswer).on("exit", onExit).on("error", onError);
    // A dead child emits an event. So does one that never started (no file handle left), which has no channel.
    if (child.connected) child.send(request, () => undefined);
  });
}

/** Keeps Parley alive while a task runs, and not for an idle child. */
function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function failureOf(outcome: Exclude<Outcome, { outcome: "done" }>, kind: TaskKind): ReadFailure {
  switch (outcome.outcome) {
    case "refused":
      return new ReadFailure("unreadable", outcome.reason);
    case "late":
      return new ReadFailure("unreadable", contentSentences.tooSlow(limitsMs[kind] / 1000));
    case "gone":
      return new ReadFailure("unreadable", contentSentences.tooMuch);
    case "failed":
      return new ReadFailure("unreadable", contentSentences.tooComplex, outcome.error);
    case "unstarted":
      return new ReadFailure("unreadable", contentSentences.unstarted, outcome.error);
    default:
      return outcome satisfies never;
  }
}

function closed(): Error {
  return new Error("Parley is shutting down; nothing more is read.");
}
