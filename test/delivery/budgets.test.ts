import { expect, it } from "vitest";
import { budgetsOf, createBudgets } from "../../src/delivery/budgets.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { place } from "./delivery-bench.ts";

const limits = { perChannel: { limit: 5, windowMs: 5_200 }, keptForFinals: 1 };
const channel = (name: string) => budgetsOf(limits, { ...place, channel: name });

async function started() {
  const clock = createFakeClock();
  const budgets = createBudgets({ limits, coordinator: createMemoryCoordinator({ clock }), clock, log: silentLog });
  const isTaken = async (rank: "end" | "step" = "end", name = "c") =>
    (await budgets.take(channel(name), rank, "edit")) === undefined;
  const takenAtOnce = async (name = "c") => {
    let count = 0;
    while (await isTaken("end", name)) count += 1;
    return count;
  };
  return { clock, budgets, isTaken, takenAtOnce };
}

it("allows fewer writes in a channel where the platform complained, and all of them after quiet minutes", async () => {
  const { clock, budgets, takenAtOnce } = await started();
  await budgets.penalise(channel("c"), "edit", 2_000);
  expect(await takenAtOnce()).toBe(0);
  expect(await takenAtOnce("other")).toBe(5);

  await clock.advance(2_000);
  expect(await takenAtOnce()).toBe(3);
  await clock.advance(200_000);

  expect(await takenAtOnce()).toBe(5);
});

it("always leaves a write for progress and one for the end", async () => {
  const { clock, budgets, isTaken, takenAtOnce } = await started();
  for (let count = 0; count < 10; count += 1) {
    await budgets.penalise(channel("c"), "edit", 1_000);
    await clock.advance(11_000);
  }

  expect(await isTaken("step")).toBe(true);
  expect(await isTaken("step")).toBe(false);
  expect(await takenAtOnce()).toBe(1);
});
