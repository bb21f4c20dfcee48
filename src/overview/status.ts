/** Reads the state of the installation from what is known already: waits for nothing that is down. */

import type { OverviewApp } from "./app.ts";
import type { Problem, ServiceStatus, StorageStatus } from "./installation.ts";

/** Several people look at the page, which asks again every few seconds. */
const keptMs = 2_000;
/** Of very many unfinished questions no more are counted. */
const maxCounted = 2_000;

export type PlatformStatus = {
  readonly name: string;
  /** "Slack", "Discord", "page". */
  readonly label: string;
  readonly isConnected: boolean;
  /** What it lacks, or why it isn't connected, with the remedy. */
  readonly reason?: string;
};

export type Status = {
  /** Over all instances. */
  readonly now: { readonly running: number; readonly waiting: number };
  /** Those that are switched on. */
  readonly platforms: readonly PlatformStatus[];
  readonly service: ServiceStatus;
  readonly storage: StorageStatus;
  readonly version: string;
  readonly startedAtMs: number;
  readonly problems: readonly Problem[];
  /** When `problems` were last looked for. Absent: not yet since the start. */
  readonly checkedAtMs?: number;
};

/** Rejects with state_unavailable. */
export const statusOf = (app: OverviewApp): Promise<Status> => app.remember("status", keptMs, () => read(app));

async function read(app: OverviewApp): Promise<Status> {
  const { installation, settings, sites } = app;
  const [now, service, storage] = await Promise.all([countNow(app), installation.service(), installation.storage()]);
  const { problems: found, checkedAtMs } = installation.problems();
  const { failing } = service;
  const platforms = [...sites.values()].map(({ platform: { name, health } }) => {
    return { name, label: installation.labelOf(name), ...health() };
  });
  return {
    now,
    service,
    storage,
    version: settings.version,
    startedAtMs: installation.startedAtMs,
    problems: failing === undefined ? found : [{ name: "the language model", says: failing }, ...found],
    platforms,
    checkedAtMs,
  };
}

/** Other instances' questions are known from the store alone. */
async function countNow({ installation, counts, state: { turns } }: OverviewApp): Promise<Status["now"]> {
  if (!installation.isShared) return counts();
  let running = 0;
  let waiting = 0;
  for await (const { state } of turns.unfinished()) {
    if (state === "running") running += 1;
    else waiting += 1;
    if (running + waiting >= maxCounted) break;
  }
  return { running, waiting };
}
