import { expect, it } from "vitest";
import { createRest } from "../../src/ports/tools/pause.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";

it("lets background work begin after the start, and rest as long as it worked, or longer while others work", async () => {
  const clock = createFakeClock();
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  let share = 1;
  const rest = createRest({ now: clock.now, sleep }, new AbortController().signal, () => share);

  for (const workedMs of [60, 3, 20, 9, 60_000]) {
    await clock.advance(workedMs);
    await rest();
  }
  share = 4;
  await clock.advance(20);
  await rest();

  expect(slept).toEqual([1_000, 23, 10, 10_000, 80]);
});

it("ends the rest of background work when the process ends", async () => {
  const ending = new AbortController();
  const rest = createRest(createFakeClock(), ending.signal)();

  ending.abort(new Error("The process is ending."));

  await expect(rest).rejects.toThrow("The process is ending.");
});
