/** What is due is done by kind, and a failure holds up nothing else. */
import { expect, it, onTestFinished } from "vitest";
import { createDueWork } from "../../../src/insight/schedules/schedules.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

async function open() {
  const clock = createFakeClock();
  const state = await openState({ dataDir: await temporaryFolder("due"), clock, log });
  onTestFinished(state.close);
  const { rankings, claims, coordinator } = state;
  return { clock, rankings, dueWork: createDueWork(appOf({ rankings, claims, coordinator, clock, log })) };
}

it("a kind that nobody registered is left as it is", async () => {
  const { clock, rankings, dueWork } = await open();
  await dueWork.put("reviews", "memory/T1/a1", clock.now());
  await dueWork.look();
  expect(await rankings.count("reviews-due")).toBe(1);
});

it("each kind has its own list, and a failure is tried again after a minute", async () => {
  const { clock, rankings, dueWork } = await open();
  const done: string[] = [];
  let isBroken = true;
  dueWork.register("schedules", async () => {
    if (isBroken) throw new Error("Not now.");
    done.push("schedule");
    return undefined;
  });
  dueWork.register("reviews", async (member, dueAtMs) => {
    done.push(member);
    return dueAtMs + 86_400_000;
  });
  const nowMs = clock.now();
  await dueWork.put("schedules", "memory/T1/s1", nowMs);
  await dueWork.put("reviews", "memory/T1/a1", nowMs);

  await dueWork.look();
  expect(done).toEqual(["memory/T1/a1"]);
  isBroken = false;
  await dueWork.look();
  expect(done).toEqual(["memory/T1/a1"]);
  await clock.advance(60_000);
  await dueWork.look();

  expect(done).toEqual(["memory/T1/a1", "schedule"]);
  expect(await rankings.count("schedules-due")).toBe(0);
  expect(await rankings.upTo("reviews-due", nowMs + 86_400_000, 10)).toEqual([
    { member: "memory/T1/a1", score: nowMs + 86_400_000 },
  ]);
});

it("looks every 15 seconds until it is drained", async () => {
  const { clock, dueWork } = await open();
  const done: number[] = [];
  dueWork.register("schedules", async (_member, dueAtMs) => {
    done.push(dueAtMs);
    return dueAtMs + 15_000;
  });
  const nowMs = clock.now();
  await dueWork.put("schedules", "memory/T1/s1", nowMs + 15_000);
  const before = clock.pending();
  dueWork.start();
  await clock.advance(16_000);
  expect(done).toEqual([nowMs + 15_000]);
  await dueWork.drain();
  await clock.advance(60_000);
  expect(done).toHaveLength(1);
  expect(clock.pending()).toBe(before);
});
