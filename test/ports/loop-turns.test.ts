import { expect, it } from "vitest";
import { createLoopTurns } from "../../src/ports/tools/system-clock.ts";

/** Resolves at the end of the event loop's present turn. */
const turnOver = () => new Promise<void>((resolve) => setImmediate(resolve));

it("lets one caller through in each turn of the event loop, in the order of the calls", async () => {
  const loopTurn = createLoopTurns();
  const through: number[] = [];
  const seen: number[] = [];

  for (let caller = 0; caller < 5; caller += 1) void loopTurn("events").then(() => through.push(caller));
  while (through.length < 5) {
    await turnOver();
    seen.push(through.length);
  }

  expect(through).toEqual([0, 1, 2, 3, 4]);
  expect(seen.every((count, at) => count <= at + 1)).toBe(true);
});

it("doesn't wait for earlier callers in another line", async () => {
  const loopTurn = createLoopTurns();
  const through: string[] = [];

  for (let caller = 0; caller < 5; caller += 1) void loopTurn("events").then(() => through.push("event"));
  await loopTurn("writes").then(() => through.push("write"));

  expect(through.length).toBeLessThanOrEqual(2);
});
