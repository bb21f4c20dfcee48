/**
 * Runs the real Parley as a process, started like `npm start`, among hostile services and pages. Parley's own histogram
 * gives the event loop's delay; the system gives the memory of it and its children.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { startOrders } from "../bots/orders.ts";
import type { Hostility } from "./service.ts";
import type { Order, PlatformName, Shown, World } from "./world.ts";

const megabyte = 1_000_000;
const sampleMs = 50;
/** A scene that is not over by then is measured as it stands. */
const sceneLimitMs = 90_000;
const endLimitMs = 10_000;
/** One that hangs for another reason ends here, with everything that it started. */
const hangLimitMs = 4 * 60_000;
/** A process that answers nothing for so long is as good as gone. */
const probeLimitMs = 30_000;

export type Suffered = {
  readonly loopMs: number;
  /** Of the delay, what was its own work; undefined when it died. */
  readonly ownMs: number | undefined;
  readonly mainMegabytes: number;
  readonly childrenMegabytes: number;
  /** It is there still, and did what was asked of it in time. */
  readonly isAlive: boolean;
  readonly seconds: number;
  readonly shown: Shown;
};

/** `act` begins what is measured; it is over when a Turn or a Job has ended. */
export async function suffer(
  platform: PlatformName,
  hostility: Hostility,
  act: (tell: (order: Order) => Promise<void>, serviceUrl: string) => Promise<void>,
): Promise<Suffered> {
  const world = startOrders<Order>(new URL("world.ts", import.meta.url));
  const { serviceUrl, settings } = await world.tell<World>({ do: "start", platform, hostility });
  const parley = await createParleyProcess({
    ...settings,
    ...{ AGENT_SERVICE_URL: serviceUrl, INGEST_ALLOW_PRIVATE: "true" },
    NODE_OPTIONS: `--import=${new URL("probe.ts", import.meta.url).href}`,
  });
  const killParley = () => killLeft(parley.pid());
  process.once("exit", killParley);
  const hanging = setTimeout(() => {
    throw new Error("The scene hangs");
  }, hangLimitMs);
  const pid = await parley.start().then(parley.pid);
  await world.tell({ do: "wait" });
  await sleep(1_000);
  await metricsOf(parley.url);
  if (pid !== undefined) process.kill(pid, "SIGUSR2");

  const children = watchChildren(pid ?? 0);
  const beganMs = Date.now();
  await act((order) => world.tell(order), serviceUrl);
  let loopMs = 0;
  let mainMegabytes = 0;
  let isOver = false;
  let isAlive = true;
  while (!isOver && isAlive && Date.now() - beganMs < sceneLimitMs) {
    await sleep(250);
    const seen = await metricsOf(parley.url);
    isAlive = seen !== undefined;
    loopMs = Math.max(loopMs, seen?.loopMs ?? 0);
    isOver = seen?.hasEnded === true;
    mainMegabytes = Math.max(mainMegabytes, await peakOf(pid ?? 0));
  }
  const childrenMegabytes = await children.end();
  const shown = await world.tell<Shown>({ do: "look" });
  // Its end in order is no part of what is measured; one that takes too long is killed.
  await Promise.race([parley.end(), sleep(endLimitMs)]);
  await parley.close();
  world.end();
  clearTimeout(hanging);
  process.off("exit", killParley);
  const seconds = (Date.now() - beganMs) / 1_000;
  const ownMs = /^own work (\S+)$/m.exec(parley.output())?.[1];
  return {
    loopMs,
    ownMs: ownMs === undefined ? undefined : Number(ownMs),
    mainMegabytes,
    childrenMegabytes,
    isAlive: isAlive && isOver,
    seconds,
    shown,
  };
}

/** The histogram begins anew each time it is asked for. Undefined when Parley is gone. */
async function metricsOf(url: string): Promise<{ readonly loopMs: number; readonly hasEnded: boolean } | undefined> {
  const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(probeLimitMs) }).then(
    (response) => response.text(),
    () => undefined,
  );
  if (text === undefined) return undefined;
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? [];
  const ended = [...text.matchAll(/^parley_(?:turns|jobs)_total\{[^}]*\} (\d+)$/gm)];
  return { loopMs: Number(seconds) * 1_000, hasEnded: ended.some(([, count]) => Number(count) > 0) };
}

function killLeft(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function peakOf(pid: number): Promise<number> {
  return (await statusOf(pid)).peakMegabytes;
}

type Status = { readonly parent: number; readonly megabytes: number; readonly peakMegabytes: number };

async function statusOf(pid: number): Promise<Status> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return {
    parent: kilobytes("PPid"),
    megabytes: (kilobytes("VmRSS") * 1_024) / megabyte,
    peakMegabytes: (kilobytes("VmHWM") * 1_024) / megabyte,
  };
}

/** The most that all children of a process held together. */
function watchChildren(parent: number): { readonly end: () => Promise<number> } {
  const ending = new AbortController();
  let most = 0;
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
      const all = await Promise.all(pids.filter((pid) => pid > parent).map(statusOf));
      const own = all.filter((status) => status.parent === parent);
      most = Math.max(
        most,
        own.reduce((sum, { megabytes }) => sum + megabytes, 0),
      );
      await sleep(sampleMs);
    }
  })();
  return {
    end: async () => {
      ending.abort();
      await watching;
      return most;
    },
  };
}
