/** An upgrade on Redis, one instance after the other: what the version before answers meanwhile is counted, once. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { composeParley } from "../../src/parley.ts";
import type { ChatPlatform } from "../../src/ports/chat-platform.ts";
import type { Overview } from "../../src/ports/overview/overview.ts";
import { systemClock as clock } from "../../src/ports/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../doubles/composition.ts";
import { createMemoryPlatform } from "../doubles/memory-platform.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../doubles/processes/redis-server.ts";
import { createAgents } from "../doubles/service/agents.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";
import { turnOf } from "./questions/room.ts";

describe.skipIf(!hasRedisServer())("with a real redis-server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server?.stop());

  async function openStore() {
    const dataDir = await temporaryFolder("upgrade");
    const state = await openState({ dataDir, redisUrl: server.url, clock, log });
    onTestFinished(() => state.close());
    return state;
  }

  /** An instance of this version. */
  async function start(): Promise<Overview> {
    let overview: Overview | undefined;
    const parley = await composeParley({
      ...{
        settings: settingsWith(),
        state: await openStore(),
        service: createAgents(),
        metrics: noMetrics,
        clock,
        log,
      },
      reading: readingFor(clock),
      platforms: [
        {
          name: "memory",
          connect: async (parts) => {
            overview = parts.overview;
            return createMemoryPlatform({ clock }) as ChatPlatform;
          },
        },
      ],
    });
    await parley.start();
    onTestFinished(async () => {
      await parley.close();
      await parley.drain(0);
    });
    if (overview === undefined) throw new Error("The platform was not connected.");
    return overview;
  }

  it("lists and counts what an instance of the version before answered before and during the upgrade, each once", async () => {
    const before = await openStore();
    /** It knows nothing of the overview. */
    const answers = async (...ids: readonly string[]) => {
      const endedAtMs = clock.now();
      for (const id of ids) await before.turns.create(turnOf(id, { createdAtMs: endedAtMs - 2_000, endedAtMs }));
    };
    const numbers = async (overview: Overview) => {
      const { rows } = await overview.questions.list("memory/T1/U9", {}, 50);
      return `${rows.length} ${(await overview.figures.of(7, "UTC")).total.questions}`;
    };
    await answers("old-a", "old-b", "old-c");

    const first = await start();
    await until("what was there is counted", async () => (await numbers(first)) === "3 3");
    await answers("old-d", "old-e");
    const second = await start();

    await until("what came meanwhile is counted", async () => (await numbers(second)) === "5 5");
    await until("by the first instance too", async () => (await numbers(first)) === "5 5");
    const third = await start();
    await until("nothing is read any longer", async () => (await third.questions.list("x", {}, 1)).older === undefined);
    expect(await numbers(third)).toBe("5 5");
  });
});
