/**
 * Runs a real redis-server for a test: a free port, a folder that is removed with it, and a server's faults: killed,
 * restarted with what it had written, frozen. Without the program these tests are skipped, loudly; with REQUIRE_ALL=1
 * that is a failure.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../network/free-port.ts";
import { watchFolder } from "../planted-keys.ts";

const program = "redis-server";

/** For `describe.skipIf(!hasRedisServer())`. */
export function hasRedisServer(): boolean {
  if (spawnSync(program, ["--version"]).status === 0) return true;
  if (process.env["REQUIRE_ALL"] === "1") {
    throw new Error("redis-server is missing, and REQUIRE_ALL=1 forbids to skip what needs it.");
  }
  process.stderr.write("\nSKIPPED: redis-server is not installed, so nothing that needs Redis is tested here.\n\n");
  return false;
}

export type RedisServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: () => number | undefined;
  /** kill -9; the port refuses connections when it resolves. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port, with what it had written unless `forgets`. */
  readonly restart: (options?: { readonly forgets: boolean }) => Promise<void>;
  /** Connections stay open, nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

/** `more`: arguments of redis-server. */
export async function startRedisServer(...more: readonly string[]): Promise<RedisServer> {
  const port = await freePort();
  const folders: string[] = [];
  let child: ChildProcess | undefined;

  async function newFolder(): Promise<void> {
    folders.push(await mkdtemp(join(tmpdir(), "parley-redis-")));
  }

  async function start(): Promise<void> {
    const settings = ["--port", port, "--bind", "127.0.0.1", "--dir", folders.at(-1), "--save", ""];
    const args = [...settings, "--appendonly", "yes", "--appendfsync", "always", ...more].map(String);
    const started = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    for await (const line of createInterface({ input: started.stdout })) {
      if (line.includes("Ready to accept connections")) {
        started.stdout.resume();
        return;
      }
    }
    throw new Error("redis-server ended before it was ready.");
  }

  async function kill(): Promise<void> {
    const killed = child;
    child = undefined;
    if (killed === undefined) return;
    killed.kill("SIGKILL");
    if (killed.exitCode === null && killed.signalCode === null) await once(killed, "exit");
  }

  // A failed test may end without stopping it.
  const killAtExit = () => child?.kill("SIGKILL");
  process.once("exit", killAtExit);
  await newFolder();
  await start();
  return {
    port,
    pid: () => child?.pid,
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: async (options) => {
      await kill();
      if (options?.forgets) await newFolder();
      await start();
    },
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    stop: async () => {
      await kill();
      process.off("exit", killAtExit);
      for (const folder of folders) {
        await watchFolder(folder);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
