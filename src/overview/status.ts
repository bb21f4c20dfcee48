/** Reads the state of the installation for the Overview page, from what is known already. */

import type { App } from "../app.ts";
import type { Installation } from "../core/overview/installation.ts";
import type { NowCounts } from "../core/overview/overview.ts";
import type { Status, StatusReader } from "../core/overview/status.ts";

/** Several people look at the page, which asks again every few seconds. */
const keptMs = 2_000;
/** Of very many unfinished questions no more are counted. */
const maxCounted = 2_000;

export function createStatus(
  app: App,
  { installation, counts }: { readonly installation: Installation; readonly counts: NowCounts },
): StatusReader {
  const { clock } = app;
  const { version } = app.settings;
  const { turns } = app.state;
  const platforms = () => [...app.sites.values()].map(({ platform }) => platform);
  const { startedAtMs, labelOf, isShared } = installation;
  let kept: { readonly status: Promise<Status>; readonly untilMs: number } | undefined;

  /** Other instances' questions are known from the store alone. */
  async function countNow(): Promise<Status["now"]> {
    if (!isShared) return counts();
    let running = 0;
    let waiting = 0;
    for await (const { state } of turns.unfinished()) {
      if (state === "running") running += 1;
      else waiting += 1;
      if (running + waiting >= maxCounted) break;
    }
    return { running, waiting };
  }

  async function read(): Promise<Status> {
    const [now, service, storage] = await Promise.all([countNow(), installation.service(), installation.storage()]);
    const { problems: found, checkedAtMs } = installation.problems();
    const { failing } = service;
    const problems = failing === undefined ? found : [{ name: "the language model", says: failing }, ...found];
    const connected = platforms().map(({ name, health }) => ({ name, label: labelOf(name), ...health() }));
    return {
      now,
      service,
      storage,
      version,
      startedAtMs,
      problems,
      platforms: connected,
      checkedAtMs,
    };
  }

  return {
    now: () => {
      if (kept !== undefined && kept.untilMs > clock.now()) return kept.status;
      const status = read();
      const entry = { status, untilMs: clock.now() + keptMs };
      kept = entry;
      status.catch(() => {
        if (kept === entry) kept = undefined;
      });
      return status;
    },
  };
}
