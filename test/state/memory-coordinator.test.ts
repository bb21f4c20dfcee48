import { expect, it } from "vitest";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { unattendedEntryMs } from "../../src/state/memory/queues.ts";
import { describeCoordinator } from "../contracts/storage/coordination/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

describeCoordinator("memory", async () => {
  const clock = createFakeClock();
  const coordinator = createMemoryCoordinator({ clock });
  return {
    a: coordinator,
    b: coordinator,
    pass: clock.advance,
    unattendedMs: unattendedEntryMs,
    close: coordinator.close,
  };
});

it("leaves no timer behind once lanes are free and buckets are full again", async () => {
  const clock = createFakeClock();
  const coordinator = createMemoryCoordinator({ clock });
  for (let index = 0; index < 100; index += 1) {
    await coordinator.lanes.enqueue(`lane ${index}`, "t1", "1");
    const lease = await coordinator.lanes.acquire(`lane ${index}`, "t1", "1");
    await coordinator.takeToken(`bucket ${index}`, { capacity: 2, refillPerMinute: 60 }, 0);
    await coordinator.penalise(`penalised ${index}`, 1_000);
    await lease.release();
  }
  expect(clock.pending()).toBe(1);

  await clock.advance(300_000);

  expect(clock.pending()).toBe(0);
});

it("gives fences above the first one that it was given", async () => {
  const coordinator = createMemoryCoordinator({ clock: createFakeClock(), firstFence: 5_000 });

  expect((await coordinator.lease("k")).fence).toBeGreaterThan(5_000);
});

it("gives fewer tokens after a penalty, and all of them again after quiet minutes", async () => {
  const clock = createFakeClock();
  const coordinator = createMemoryCoordinator({ clock });
  const bucket = { capacity: 10, refillPerMinute: 60 };
  const takenAtOnce = async () => {
    let count = 0;
    while ((await coordinator.takeToken("k", bucket, 0)).taken) count += 1;
    return count;
  };
  expect(await takenAtOnce()).toBe(10);

  await coordinator.penalise("k", 1_000);
  await clock.advance(20_000);
  expect(await takenAtOnce()).toBe(7);
  await clock.advance(120_000);
  expect(await takenAtOnce()).toBe(9);
  await clock.advance(60_000);

  expect(await takenAtOnce()).toBe(10);
});

it("always gives the bucket's only token", async () => {
  const clock = createFakeClock();
  const coordinator = createMemoryCoordinator({ clock });
  await coordinator.penalise("k", 1_000);
  await clock.advance(1_000);

  expect(await coordinator.takeToken("k", { capacity: 1, refillPerMinute: 1 }, 3)).toEqual({ taken: true });
});
