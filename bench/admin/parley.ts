/** Runs the real Parley over a store, started like `npm start`, with its page and a probe inside. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/doubles/network/free-port.ts";
import { main } from "../../test/doubles/processes/built.ts";
import type { Looked } from "./probe.ts";

const probe = new URL("probe.ts", import.meta.url).href;
const limitMs = 60_000;

export type Store = { readonly dataDir: string; readonly redisUrl?: string };

export type RunningParley = Awaited<ReturnType<typeof startParley>>;

/** Resolves once /readyz answers 200. */
export async function startParley({ dataDir, redisUrl }: Store) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env["PATH"],
    ...{ DATA_DIR: dataDir, PORT: String(port), CONSOLE: "on", LOG_LEVEL: "warn" },
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
  const beganMs = performance.now();
  const child = spawn(process.execPath, [`--import=${probe}`, main], {
    cwd: dataDir,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });

  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;

  async function look(order: "look" | "collect" = "look"): Promise<Looked> {
    const answer = once(child, "message");
    child.send(order);
    const [looked] = await answer;
    return looked as Looked;
  }

  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`Parley ended with ${child.exitCode}`);
    if (performance.now() - beganMs > limitMs) throw new Error("Parley is not ready");
    await sleep(5);
  }
  const startMs = performance.now() - beganMs;
  return {
    url,
    startMs,
    startCpuMs: await usedMsOf(child.pid),
    /** Since the last look. */
    look,
    end: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Processor time of all threads of a process, as Linux counts it: in hundredths of a second. */
async function usedMsOf(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
