import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { general } from "../../doubles/people.ts";
import { view } from "../../presentation/views.ts";
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

it("shows an end of another instance again over its own late progress, though it never noticed that it lost the lane", async () => {
  openMs = [];
  const { turns } = parley.state();
  await parley.say("When?", event).done;
  await parley.settle(2_000);
  const run = await parley.agents.run(0);
  await parley.settle(2_000);
  const turn = await turns.getByEventKey(event.eventKey);
  if (turn === undefined) throw new Error("It is not stored.");
  const outcome = view({ turnId: turn.id, ref: turn.ref, state: "answered", answer: "At two." });
  parley.platform.setLatencyMs(1_500);
  run.send({ type: "step-started", id: "late", tool: "search", input: "late progress" });
  await parley.settle(100);

  // The other instance ends it while that edit is on its way.
  const ended = { outcome, isUnderWay: undefined, endedAtMs: parley.clock.now(), shownAtMs: parley.clock.now() };
  expect(await turns.transition(turn.id, [turn.state], "answered", ended, turn.fence + 100)).toBeDefined();
  run.send({ type: "run", run: { id: "r1" } });
  await parley.settle(10_000);

  expect(parley.texts(opened).join()).toContain("At two.");
});

it("shows an end of another instance again over its own late place in line", async () => {
  openMs = [];
  const { turns } = parley.state();
  await parley.say("When?", event).done;
  await parley.settle(2_000);
  const next = { eventKey: "memory/T1/general/301", order: "0000000301", messageId: "301" };
  await parley.say("And where?", next).done;
  await parley.settle(2_000);
  expect(parley.texts(opened).at(-1)).toContain("1 question ahead of yours.");
  const turn = await turns.getByEventKey(next.eventKey);
  if (turn === undefined) throw new Error("It is not stored.");

  // While this instance stood still, the other one ended it, and then this one wrote what it had left to write.
  const outcome = view({ turnId: turn.id, ref: turn.ref, state: "answered", answer: "In Oslo." });
  const ended = { outcome, isUnderWay: undefined, endedAtMs: parley.clock.now(), shownAtMs: parley.clock.now() };
  expect(await turns.transition(turn.id, [turn.state], "answered", ended, turn.fence + 100)).toBeDefined();
  (await parley.agents.run(0)).answer("At two.");
  await parley.settle(10_000);

  expect(parley.texts(opened).at(-1)).toContain("In Oslo.");
});
