import { access } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { newGap, type StoredGap } from "../../src/insight/gaps/gap-record.ts";
import { gapsIn } from "../../src/insight/gaps/gap-store.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleJob, sampleTurn } from "../contracts/storage/sample-records.ts";
import { hasRedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

describe("the state", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder("open");
  });

  const open = (redisUrl?: string) =>
    openState({ dataDir, clock: systemClock, log: silentLog, ...(redisUrl === undefined ? {} : { redisUrl }) });

  async function useAll(state: State): Promise<void> {
    await state.ping();
    await state.turns.create(sampleTurn("t1"));
    await state.jobs.create(sampleJob("j1"));
    await state.keyValue<number>("n").set("k", 1);
    const lease = await state.coordinator.lanes.acquire("lane", "t1", "1");
    await state.turns.transition("t1", ["queued"], "running", {}, lease.fence);
    await lease.release();
  }

  async function expectAll(state: State): Promise<void> {
    expect((await state.turns.get("t1"))?.state).toBe("running");
    expect(await state.jobs.get("j1")).toEqual(sampleJob("j1"));
    expect(await state.keyValue<number>("n").get("k")).toBe(1);
    const lease = await state.coordinator.lanes.acquire("lane", "t1", "1");
    expect((await state.turns.transition("t1", ["running"], "answered", {}, lease.fence))?.state).toBe("answered");
    await lease.release();
  }

  it("is in DATA_DIR, and there again after a restart", async () => {
    const first = await open();
    await useAll(first);
    await first.close();

    const second = await open();

    await expectAll(second);
    await second.close();
    await expect(second.ping()).rejects.toMatchObject({ code: "state_unavailable" });
  });

  it("tidies its index of words in many small commits, so that nobody waits for all of it", async () => {
    const state = await open();
    const scope = { platform: "memory", workspace: "T1", agent: { project: "mindsdb", name: "support" } };
    const gap = (index: number): StoredGap => {
      const terms = Array.from({ length: 8 }, (_, term) => `word${index}-${term}`);
      return {
        ...newGap({ ...scope, id: `g${index}`, nowMs: 1 }),
        forms: [{ turnId: "t", form: { anchors: "", terms } }],
      };
    };
    const gaps = gapsIn(state);
    await Promise.all(Array.from({ length: 2_000 }, (_, index) => gaps.put(`memory/T1/g${index}`, gap(index))));
    await gaps.delete("memory/T1/g7");
    const reader = new DatabaseSync(join(dataDir, "parley.db"), { readOnly: true });
    const versions = new Set<unknown>();

    let isDone = false;
    const scrubbed = state.scrub().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      versions.add(reader.prepare("PRAGMA data_version").get()?.["data_version"]);
      await nextLoopTurn();
    }
    await scrubbed;

    expect(versions.size).toBeGreaterThan(3);
    reader.close();
    await state.close();
  });

  it.skipIf(!hasRedisServer())(
    "is on Redis when there is one, shared by instances, and DATA_DIR is left alone",
    async () => {
      const server = await startRedisServer();
      const first = await open(server.url);
      const second = await open(server.url);

      await useAll(first);
      await expectAll(second);

      await first.close();
      await second.close();
      await expect(access(join(dataDir, "parley.lock"))).rejects.toThrow("ENOENT");
      await expect(second.ping()).rejects.toMatchObject({ code: "state_unavailable" });
      await server.stop();
    },
  );

  it.skipIf(!hasRedisServer())("says that Redis is down, and that it is back", async () => {
    const server = await startRedisServer();
    const state = await open(server.url);
    await server.kill();
    await expect(state.ping()).rejects.toMatchObject({ code: "state_unavailable" });

    await server.restart();
    const isBack = () =>
      state.ping().then(
        () => true,
        () => false,
      );
    await until("Redis", isBack);

    await useAll(state);
    await state.close();
    await server.stop();
  });
});
