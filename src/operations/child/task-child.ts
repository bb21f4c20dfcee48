/**
 * Runs tasks in a child process with few rights, one at a time. Whatever a task does to the child (out of memory,
 * endless loop, crash) fails only that task: the child is killed and restarted. It exits when idle.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../core/ports/clock.ts";
import { packageFolder } from "../../core/tools/package-folder.ts";
import type { ChildAnswer, ChildOutcome, ChildRequest } from "./serve-tasks.ts";

export type TaskOutcome =
  | ChildOutcome
  | { readonly outcome: "unstarted"; readonly error: string }
  | { readonly outcome: "gone"; readonly exitCode: number | null; readonly signal: string | null };

export type TaskChild = {
  /** Starts the child if there is none. Only one task at a time. Never rejects. */
  readonly perform: (request: ChildRequest) => Promise<TaskOutcome>;
  readonly close: () => Promise<void>;
};

export type TaskChildOptions = {
  /** Module that calls `serveTasks`. */
  readonly program: URL;
  /** The only folder that the child may write to and, besides its own code, read from. */
  readonly folder?: string;
  readonly heapMegabytes: number;
  /** A child larger than this after a task isn't reused. */
  readonly maxKeptBytes: number;
  readonly clock: Clock;
};

/** The child enforces the limit of a task itself where it can, and may need to start first. */
const graceMs = 5_000;
const idleMs = 30_000;

export function createTaskChild(options: TaskChildOptions): TaskChild {
  const { folder, clock, maxKeptBytes } = options;
  const program = builtOrSource(options.program);
  const folders = folder === undefined ? [] : [folder];
  const execArgv = [
    `--max-old-space-size=${options.heapMegabytes}`,
    "--max-semi-space-size=4",
    "--permission",
    ...[...codeFolders(program), ...folders].map((path) => `--allow-fs-read=${path}`),
    ...folders.map((path) => `--allow-fs-write=${path}`),
  ];
  let child: ChildProcess | undefined;
  let cancelIdle = () => {};

  function start(): ChildProcess {
    const started = fork(program, [], {
      execArgv,
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

  return {
    perform: async (request) => {
      cancelIdle();
      child ??= start();
      keepAlive(child, true);
      const { rssBytes = 0, ...outcome } = await ask(child, request, clock);
      if (outcome.outcome === "late" || outcome.outcome === "unstarted" || rssBytes > maxKeptBytes) await end();
      if (child !== undefined) keepAlive(child, false);
      cancelIdle = clock.after(idleMs, () => void end());
      return outcome;
    },
    close: async () => {
      cancelIdle();
      await end();
    },
  };
}

/** In dist, the programs are beside each other. */
function builtOrSource(program: URL): string {
  if (import.meta.url.endsWith(".ts")) return fileURLToPath(program);
  return join(import.meta.dirname, `${basename(program.pathname, ".ts")}.js`);
}

const packagesFolder = `${sep}node_modules${sep}`;

const within = (path: string) => path.slice(0, path.indexOf(packagesFolder) + packagesFolder.length);

/**
 * The program's code and the packages, where they are looked for and where a link leads: no settings, no data, no other
 * process.
 */
function codeFolders(program: string): readonly string[] {
  const [own = ""] = relative(packageFolder, program).split(sep);
  return [
    join(packageFolder, own),
    join(packageFolder, "package.json"),
    within(join(packageFolder, packagesFolder)),
    within(fileURLToPath(import.meta.resolve("linkedom"))),
  ];
}

/** Buffers aren't part of the heap, so its limit doesn't hold them. Only Linux tells the memory of another process. */
const maxBytes = 800 * 1024 * 1024;
const watchMs = 250;

/** Kills a child that takes too much memory. */
function watchMemory(child: ChildProcess): () => void {
  const timer = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, "utf8").then(
      (status) => {
        const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
        if (Number(kilobytes) * 1024 > maxBytes) child.kill("SIGKILL");
      },
      () => undefined,
    );
  }, watchMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves with the task's outcome. The child runs no other task meanwhile. */
function ask(
  child: ChildProcess,
  request: ChildRequest,
  clock: Clock,
): Promise<TaskOutcome & { readonly rssBytes?: number }> {
  return new Promise((resolve) => {
    const settle = (outcome: TaskOutcome) => {
      cancel();
      endWatch();
      child.off("message", onAnswer).off("exit", onExit).off("error", onError);
      resolve(outcome);
    };
    const onAnswer = (answer: unknown) => settle(answer as ChildAnswer);
    const onExit = (exitCode: number | null, signal: string | null) => settle({ outcome: "gone", exitCode, signal });
    const onError = (error: Error) => settle({ outcome: "unstarted", error: error.message });
    const cancel = clock.after(request.limitMs + graceMs, () => settle({ outcome: "late" }));
    const endWatch = watchMemory(child);
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
