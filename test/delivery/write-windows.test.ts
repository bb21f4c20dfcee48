import { expect, it } from "vitest";
import { createWriteWindows } from "../../src/delivery/pace/write-windows.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

const window = { limit: 5, windowMs: 5_200 };

async function started() {
  const clock = createFakeClock();
  const windows = createWriteWindows(window, clock);
  const takenAtOnce = (key = "c") => {
    let count = 0;
    while (windows.take(key, 0).taken) count += 1;
    return count;
  };
  return { clock, windows, takenAtOnce };
}

it("allows fewer writes in a channel where the platform complained, and all of them after quiet minutes", async () => {
  const { clock, windows, takenAtOnce } = await started();
  windows.penalise("c", 2_000);
  expect(takenAtOnce()).toBe(0);
  expect(takenAtOnce("other")).toBe(5);

  await clock.advance(2_000);
  expect(takenAtOnce()).toBe(3);
  await clock.advance(200_000);

  expect(takenAtOnce()).toBe(5);
});

it("always leaves a write for progress and one for the end", async () => {
  const { clock, windows, takenAtOnce } = await started();
  for (let count = 0; count < 10; count += 1) {
    windows.penalise("c", 1_000);
    await clock.advance(11_000);
  }

  expect(windows.take("c", 1)).toEqual({ taken: true });
  expect(windows.take("c", 1).taken).toBe(false);
  expect(takenAtOnce()).toBe(1);
});
