/** Runs the real Parley as a process, everything around it in another one, and reads its memory from the system. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createParleyProcess } from "../../test/doubles/processes/parley-process.ts";
import { appToken, botToken } from "../../test/fakes/slack/index.ts";
import { startOrders } from "../bots/orders.ts";
import type { Order, Report, World, WorldOptions } from "./world.ts";

const megabyte = 1_000_000;

export type JobsRoom = Awaited<ReturnType<typeof openJobsRoom>>;

export async function openJobsRoom(options: WorldOptions, settings: Readonly<Record<string, string>> = {}) {
  const world = startOrders<Order>(new URL("world.ts", import.meta.url));
  const { apiUrl, serviceUrl, sites } = await world.tell<World>({ do: "start", options });
  const parley = await createParleyProcess({
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: apiUrl,
    AGENT_SERVICE_URL: serviceUrl,
    INGEST_ALLOW_PRIVATE: "true",
    ...settings,
  });
  await parley.start();
  const report = () => world.tell<Report>({ do: "report" });

  return {
    sites,
    parley,
    report,
    ingest: (urls: readonly string[], more = "") => world.tell<void>({ do: "ingest", urls, more }),
    complete: (typed: readonly string[], pauseMs: number) =>
      world.tell<readonly number[]>({ do: "complete", typed, pauseMs }),
    memory: () => memoryOf(parley.pid()),
    /** Resolves when it holds, looking every 100 ms. */
    until: async (isSo: (seen: Report) => boolean | Promise<boolean>): Promise<Report> => {
      for (;;) {
        const seen = await report();
        if (await isSo(seen)) return seen;
        await sleep(100);
      }
    },
    close: async () => {
      await parley.close();
      world.end();
    },
  };
}

/** What the system keeps in memory for that process, in MB. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024) / megabyte;
}
