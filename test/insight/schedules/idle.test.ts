/** Ten thousand schedules that aren't due: what a look at them costs, in processor time and memory. */
import { expect, it } from "vitest";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createDueWork } from "../../../src/insight/schedules/schedules.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

const count = 10_000;
/** A quarter of an hour of looks. */
const looks = 60;

it("ten thousand idle schedules cost one small read for each look, and no memory", async () => {
  const state = await openState({ dataDir: await temporaryFolder("idle"), clock: systemClock, log });
  const { rankings, claims, coordinator } = state;
  let isDone = false;
  const dueWork = createDueWork(appOf({ rankings, claims, coordinator, clock: systemClock, log }));
  dueWork.register("schedules", async () => {
    isDone = true;
    return undefined;
  });
  const inAnHour = systemClock.now() + 3_600_000;
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: 500 }, (_, index) => `memory/T1/s${from + index}`);
    await Promise.all(batch.map((member, index) => dueWork.put("schedules", member, inAnHour + from + index)));
  }
  expect(await rankings.count("schedules-due")).toBe(count);
  await dueWork.look();
  const before = { cpu: process.cpuUsage(), heap: process.memoryUsage().heapUsed };

  for (let look = 0; look < looks; look += 1) await dueWork.look();

  const { user, system } = process.cpuUsage(before.cpu);
  // Under 0.1 % of the quarter of an hour.
  expect((user + system) / 1_000).toBeLessThan(900);
  expect(process.memoryUsage().heapUsed - before.heap).toBeLessThan(10_000_000);
  expect(isDone).toBe(false);
  await state.close();
});
