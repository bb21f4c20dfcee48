/** Background work for those who run Parley, over a real store: read without secrets, and retried with an audit. */
import { expect, it } from "vitest";
import { createAudit } from "../../src/access/audit.ts";
import { auditEntriesIn } from "../../src/core/audit.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { listWorks } from "../../src/overview/pages/works.ts";
import { pagesOf } from "../../src/overview/pages.ts";
import { appOf } from "../doubles/app.ts";
import { overviewAppOf } from "../doubles/overview-app.ts";
import { alice } from "../doubles/people.ts";
import { until } from "../doubles/until.ts";
import { openRoom } from "./questions/room.ts";

it("lists what failed by kind without secrets, and retries it with an audit that doesn't name the work", async () => {
  const { state, close } = await openRoom();
  try {
    const app = appOf({ ...state, clock: systemClock, settings: { secrets: ["planted-secret"] } });
    const overview = overviewAppOf(app, { audit: createAudit(app) });
    const works = pagesOf(overview).find(({ name }) => name === "works");
    const retry = (input: object) => works?.post?.["/retry"]?.({ viewer: alice, input });
    let isBroken = true;
    for (const kind of ["letters", "parcels"]) {
      state.works.define(kind, {
        ...{ concurrency: 1, attempts: 1, backoff: () => 0, giveUpAfterMs: 60_000 },
        run: async () => {
          if (isBroken) throw new Error("The door said planted-secret\u202E");
          return undefined;
        },
      });
      await state.works.add(kind, "slack/T1/1", null);
    }
    await state.works.start();
    const failed = () => listWorks(overview, "failed");
    await until("both failures", async () => (await failed()).length === 2);

    expect((await failed()).map(({ kind, key, error }) => [kind, key, error])).toEqual([
      ["letters", "slack/T1/1", "The door said [redacted]"],
      ["parcels", "slack/T1/1", "The door said [redacted]"],
    ]);
    expect(await listWorks(overview, "failed", "parcels")).toHaveLength(1);
    expect(await listWorks(overview, "failed", "unknown")).toEqual([]);
    expect((await state.works.counts()).map(({ kind, failed: count }) => [kind, count])).toEqual([
      ["letters", 1],
      ["parcels", 1],
    ]);

    isBroken = false;
    expect(await retry({ kind: "parcels", key: "slack/T1/1" })).toEqual({ isBegun: true });
    await until("its end", async () => (await failed()).length === 1);
    await expect(retry({ kind: "parcels", key: "slack/T1/1" })).rejects.toThrow("place_gone");
    const entries: unknown[] = [];
    for await (const { record } of auditEntriesIn(state).entries()) entries.push(record);
    expect(entries).toMatchObject([
      { action: "work retry", about: { kind: "parcels" }, outcome: "done", role: "manage", actor: { id: alice.id } },
    ]);
    expect(JSON.stringify(entries)).not.toContain("slack/T1/1");
  } finally {
    await close();
  }
});
