/** Runs the real Parley as a process, started like `npm start`, with its own folder and port, to be ended or killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../network/free-port.ts";
import { watchFolder, watchForKeys } from "../planted-keys.ts";
import { main } from "./built.ts";

/** On a machine with many others at work: it says that a start went wrong, not how long one takes. */
const startLimitMs = 120_000;

export type ParleyProcess = {
  readonly url: string;
  readonly dataDir: string;
  /** All it has written to standard output and error, over all its lives. */
  readonly output: () => string;
  /** Starts it (again), and resolves when this probe answers 200: by default when everything it needs is there. */
  readonly start: (probe?: "/readyz" | "/healthz") => Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  readonly end: () => Promise<number | null>;
  /** SIGKILL: nothing is closed in order. */
  readonly kill: () => Promise<void>;
  /** Stands still: its connections stay open, it answers nothing and hears nothing. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly isRunning: () => boolean;
  readonly pid: () => number | undefined;
  /** Ends what runs and removes the folder. */
  readonly close: () => Promise<void>;
};

type Settings = Readonly<Record<string, string>>;

/** `settings`: may depend on where it will listen. `program`: by default what `npm start` runs. */
export async function createParleyProcess(
  settings: Settings | ((at: { readonly port: number }) => Settings) = {},
  program = main,
): Promise<ParleyProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-journey-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = "";

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function exited(signal: NodeJS.Signals): Promise<number | null> {
    if (child === undefined || !isRunning()) return child?.exitCode ?? null;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  return {
    url,
    dataDir,
    output: () => output,
    start: async (probe = "/readyz") => {
      const env = {
        ...{ PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: String(port) },
        ...(typeof settings === "function" ? settings({ port }) : settings),
      };
      // A folder without .env, so that the settings of whoever runs the tests stay out of them.
      const started = spawn(process.execPath, [program], {
        cwd: dataDir,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.on("data", (part: Buffer) => {
          output += part.toString();
          watchForKeys("a process", output.slice(-part.length - 100));
        });
      }
      const untilMs = Date.now() + startLimitMs;
      for (;;) {
        if (started.exitCode !== null) throw new Error(`Parley ended with ${started.exitCode}: ${output}`);
        const isReady = await fetch(`${url}${probe}`).then(
          (response) => response.ok,
          () => false,
        );
        if (isReady) return;
        if (Date.now() > untilMs) throw new Error(`Parley is not ready: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    end: () => exited("SIGTERM"),
    kill: async () => {
      await exited("SIGKILL");
    },
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    isRunning,
    pid: () => child?.pid,
    close: async () => {
      await exited("SIGKILL");
      await watchFolder(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
