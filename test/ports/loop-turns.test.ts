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

it("lets several writes through in one turn, each after all that the one before does at once", async () => {
  const loopTurn = createLoopTurns(60_000);
  const steps: string[] = [];
  const write = async (name: string) => {
    await loopTurn("writes");
    for (const part of ["begins", "waits for promises", "ends"]) {
      steps.push(`${name} ${part}`);
      await Promise.resolve();
    }
  };

  for (const name of ["one", "two", "three"]) void write(name);
  await turnOver();

  const parts = ["begins", "waits for promises", "ends"];
  expect(steps).toEqual(["one", "two", "three"].flatMap((name) => parts.map((part) => `${name} ${part}`)));
});

it("makes further writes wait for the next turn when the first have taken long", async () => {
  const loopTurn = createLoopTurns();
  let through = 0;
  const slowWrite = async () => {
    await loopTurn("writes");
    through += 1;
    const untilMs = performance.now() + 10;
    while (performance.now() < untilMs);
  };

  for (let writer = 0; writer < 3; writer += 1) void slowWrite();
  const seen: number[] = [];
  while (through < 3) {
    await turnOver();
    seen.push(through);
  }

  expect(seen).toEqual([1, 2, 3]);
});
