/** Progress beside an answer that can't be removed: tried again less and less often, and given up after a day. */
import { expect, it } from "vitest";
import { createTidying } from "../../../src/bridge/shown/tidying.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { openSqlite } from "../../../src/state/sqlite/database.ts";
import { createSqliteTurnStore } from "../../../src/state/sqlite/records.ts";
import { createSqliteWorks } from "../../../src/state/sqlite/works.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { appOf } from "../../doubles/app.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { general } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

const hourMs = 3_600_000;

type Room = {
  readonly error: "platform_unreachable" | "not_permitted";
  readonly state?: Turn["state"];
  readonly isOff?: boolean;
};

async function room({ error, state = "answered", isOff = false }: Room) {
  const clock = createFakeClock();
  const { log, text } = createCollectedLog();
  const database = await openSqlite({ dataDir: await temporaryFolder("tidying"), clock, log: silentLog });
  const turns = createSqliteTurnStore(database);
  const platform = createMemoryPlatform({ clock });
  platform.fail({ on: "remove", error, times: 1_000 });
  platform.fail({ on: "edit", error, times: 1_000 });
  const post = (generation: number) =>
    platform.post(
      general,
      { text: "progress", tone: "running", actions: [], summary: "" },
      { replyId: "turn1", part: 0, generation },
      { urgency: "progress" },
    );
  const [progress, answer] = [await post(0), await post(1)];
  const parts = [{ index: 0, messageId: answer, state: "final" as const, hash: "h", generation: 1 }];
  const reply: Turn["reply"] = { place: general, parts, superseded: [{ messageId: progress }] };
  const turn = sampleTurn("turn1", { state, reply });
  await turns.create(turn);
  const coordinator = createMemoryCoordinator({ clock });
  const delivery = createDelivery({ platform, coordinator, clock, log: silentLog });
  let works = createSqliteWorks({ database, clock, log });
  const siteOf = () => (isOff ? undefined : { platform, delivery });
  let looked = 0;
  const counted = {
    ...turns,
    get: (id: string) => {
      looked += 1;
      return turns.get(id);
    },
  };
  const tidying = createTidying(appOf({ works, turns: counted, siteOf, clock, log }));
  await tidying.note(turn);
  await works.start();
  return {
    platform,
    text,
    /** That Turn's end in a process that noted nothing of it, on a platform that refuses nothing. */
    endInNextProcess: async () => {
      await works.drain();
      works = createSqliteWorks({ database, clock, log });
      const healthy = createMemoryPlatform({ clock });
      const site = { platform: healthy, delivery: createDelivery({ platform: healthy, coordinator, clock, log }) };
      const next = createTidying(appOf({ works, turns, siteOf: () => site, clock, log }));
      await works.start();
      next.begin(turn);
    },
    looked: () => looked,
    left: async () => [...(await works.list("tidying", "delayed", 9)), ...(await works.list("tidying", "waiting", 9))],
    superseded: async () => (await turns.get("turn1"))?.reply.superseded,
    pass: async (ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += hourMs / 4) await clock.advance(hourMs / 4);
    },
    close: async () => {
      await works.drain();
      await coordinator.close();
      await database.close();
    },
  };
}

it.each(["platform_unreachable", "not_permitted"] as const)(
  "is given up after a day of %s, with a line in the log, and not tried every time",
  async (error) => {
    const { platform, text, superseded, pass, close } = await room({ error });

    await pass(23 * hourMs);
    expect(await superseded()).toHaveLength(1);
    const tries = platform.writes.filter(({ kind }) => kind === "remove").length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(40);
    await pass(2 * hourMs);

    expect(await superseded()).toBeUndefined();
    expect(text()).toContain("could not be removed for a day");
    await close();
  },
);

it.each([
  ["a question that is not over", { state: "running" }],
  ["a platform that is switched off", { isOff: true }],
] as const)("is looked at less and less often because of %s, and given up after a day", async (_, about) => {
  const { looked, left, text, pass, close } = await room({ error: "not_permitted", ...about });

  await pass(23 * hourMs);
  expect(looked()).toBeGreaterThan(10);
  expect(looked()).toBeLessThan(40);
  expect(await left()).toHaveLength(1);
  await pass(3 * hourMs);

  expect(await left()).toEqual([]);
  expect(text()).toContain("could not be removed for a day");
  await close();
});

it("is removed at once when its question ends in another process than the one that noted it", async () => {
  const { superseded, pass, endInNextProcess, close } = await room({ error: "platform_unreachable" });
  await pass(6 * hourMs);
  await endInNextProcess();

  await expect.poll(superseded).toBeUndefined();
  await close();
});
