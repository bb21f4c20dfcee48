/** Ten thousand schedules that aren't due: what they cost, in processor time and memory. */
import { expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

const count = 10_000;

it("ten thousand idle schedules cost next to nothing, also while another one is done", async () => {
  const { works, close } = await openState({ dataDir: await temporaryFolder("idle"), clock: systemClock, log });
  const done: string[] = [];
  works.define("schedules", {
    ...{ concurrency: 10, attempts: 1, backoff: () => 1_000, giveUpAfterMs: 60_000 },
    run: async ({ key }) => void done.push(key),
  });
  const inAnHour = systemClock.now() + 3_600_000;
  const add = (key: string, dueAtMs: number) => works.add("schedules", key, null, { dueAtMs });
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: 500 }, (_, index) => `memory/T1/s${from + index}`);
    await Promise.all(batch.map((key, index) => add(key, inAnHour + from + index)));
  }
  await works.start();
  const before = { cpu: process.cpuUsage(), heap: process.memoryUsage().heapUsed };

  for (let index = 0; index < 20; index += 1) {
    await add(`memory/T1/due${index}`, systemClock.now());
    await until("it", () => done.length === index + 1);
  }

  const { user, system } = process.cpuUsage(before.cpu);
  // 15 ms for each of those that are done, with their share of the runner.
  expect((user + system) / 1_000).toBeLessThan(300);
  expect(process.memoryUsage().heapUsed - before.heap).toBeLessThan(10_000_000);
  expect(done).toHaveLength(20);
  await close();
});
