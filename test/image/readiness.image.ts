/** How soon a container answers, from the engine's command on. */
import { afterAll, expect, it } from "vitest";
import { createVolume, removeAll, startContainer } from "./container.ts";

/** The fastest counts: what other programs take of the machine only ever makes a start slower. */
const tries = 3;
const limitMs = 1_500;

afterAll(removeAll);

it("is ready within 1.5 seconds, on an empty volume and on a used one", async () => {
  const first: number[] = [];
  const again: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const volume = await createVolume();
    for (const taken of [first, again]) {
      const container = await startContainer(volume);
      taken.push(await container.ready());
      await container.stop();
    }
  }

  const words = (taken: readonly number[]) => taken.map((ms) => `${Math.round(ms)} ms`).join(", ");
  process.stdout.write(`ready on an empty volume after ${words(first)}; on a used one after ${words(again)}\n`);
  expect(Math.min(...first)).toBeLessThan(limitMs);
  expect(Math.min(...again)).toBeLessThan(limitMs);
});
