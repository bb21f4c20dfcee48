import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({ settings: { recoveryIntervalMs: 5_000 } });
  await parley.bridge().recover();
});
afterEach(() => parley.stop());

describe("a question whose process freezes as soon as it is stored", () => {
  it("keeps its place before a follow-up that others take meanwhile", async () => {
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { create } = turns;
    turns.create = async (turn, limits) => {
      await create(turn, limits);
      return new Promise(() => {});
    };
    void parley.say("First?").done;
    await parley.settle();
    turns.create = create;

    await parley.say("Second?").done;
    await parley.settle(15_000);
    const first = await parley.agents.run(0);

    expect(parley.agents.runs).toHaveLength(1);
    expect(first.question).toBe("First?");
    first.answer("One.");
    await parley.settle();
    expect((await parley.agents.run(1)).question).toContain("Second?");
  });

  it("leaves no entry in line for an event that was stored before", async () => {
    const again = { eventKey: "memory/T1/general/7", messageId: "7", order: "0000000007" };
    await parley.say("First?", again).done;
    (await parley.agents.run(0)).answer("One.");
    await parley.settle();

    await parley.say("First?", again).done;
    await parley.say("Second?").done;
    await parley.settle(1_000);

    expect((await parley.agents.run(1)).question).toContain("Second?");
  });

  it("holds up nothing when it ends after a search found it unfinished", async () => {
    await parley.say("First?").done;
    const run = await parley.agents.run(0);
    const [first] = await Array.fromAsync(parley.state().turns.unfinished());
    if (first === undefined) throw new Error("It was not stored.");
    run.answer("One.");
    await parley.settle(15_000);
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { unfinished } = turns;
    turns.unfinished = async function* () {
      turns.unfinished = unfinished;
      yield first;
    };
    await parley.settle(5_000);
    expect(turns.unfinished).toBe(unfinished);

    await parley.say("Second?").done;
    await parley.settle(1_000);

    expect((await parley.agents.run(1)).question).toContain("Second?");
  });
});
