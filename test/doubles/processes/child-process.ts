/** A real process of this project that a test talks to by lines, and can kill. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export type LineProcess = {
  readonly send: (line: string) => void;
  /** The next line that it writes. Rejects when it ends instead. */
  readonly line: () => Promise<string>;
  readonly signal: (name: "SIGSTOP" | "SIGCONT") => void;
  /** kill -9. */
  readonly kill: () => Promise<void>;
};

export function startLineProcess(script: string, args: readonly string[]): LineProcess {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [script, ...args]);
  child.stderr.pipe(process.stderr);
  // A line that is sent while it dies breaks the pipe.
  child.stdin.on("error", () => {});
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (line) => child.stdin.write(`${line}\n`),
    line: async () => {
      const next = await lines.next();
      if (next.done === true) throw new Error("The process ended without another line.");
      return next.value;
    },
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
