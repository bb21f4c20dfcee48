import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { general } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

const opened = { ...general, thread: "900" };
const event = { eventKey: "memory/T1/general/300", order: "0000000300", messageId: "300" };

/** How long it takes to open the thread, by instance. */
let openMs: number[];
let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({ settings: { isShared: true, laneSettleMs: 150 } });
  Object.assign(parley.platform, {
    replyPlaces: {
      prepare: async () => {
        await parley.clock.sleep(openMs.shift() ?? 0);
        return opened;
      },
    },
  });
  await parley.restart();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

describe("a question that a second instance handles while the first one still opens its thread", () => {
  it.each([
    ["just before the thread is there", 1_100],
    ["long before that", 8_000],
  ])("is asked once: %s", async (_, firstMs) => {
    openMs = [firstMs];
    await parley.say("When?", event).done;
    await parley.settle(1_010);
    await parley.say("When?", event, parley.neighbour()).done;
    await parley.settle(2_000);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(30_000);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts(opened)).toHaveLength(1);
    expect(parley.texts(opened)[0]).toContain("At two.");
  });
});
