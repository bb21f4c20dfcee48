import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(() => parley.stop());

describe("a process that was frozen for longer than its lease", () => {
  it("shows nothing more of a question before it knows that it still holds it", async () => {
    let isCurrent = true;
    const lanes = parley.state().coordinator.lanes as {
      -readonly [K in keyof Coordinator["lanes"]]: Coordinator["lanes"][K];
    };
    const { acquire } = lanes;
    lanes.acquire = async (...given) => ({ ...(await acquire(...given)), isCurrent: () => isCurrent });
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    await parley.settle(5_000);
    const before = parley.last()?.payload;

    isCurrent = false;
    run.send({ type: "step-started", tool: "kb_list_tool", input: "" });
    await parley.settle(30_000);
    const meanwhile = parley.last()?.payload;
    isCurrent = true;
    await parley.settle(30_000);

    expect(meanwhile).toEqual(before);
    expect(parley.last()?.payload).not.toEqual(before);
  });
});

describe("a question that waits in a process that was frozen", () => {
  it("is left as it is once another instance has ended it", async () => {
    await parley.say("First?").done;
    await parley.say("Second?").done;
    const third = { eventKey: "memory/T1/general/300", order: "0000000300", messageId: "300" };
    await parley.say("Third?", third).done;
    await parley.settle(5_000);
    const { turns } = parley.state();
    const turn = await turns.getByEventKey(third.eventKey);
    if (turn === undefined) throw new Error("The third question is not there.");
    await turns.transition(turn.id, ["queued"], "answered", {}, 2 ** 50);
    const before = parley.last();

    (await parley.agents.run(0)).answer("One.");
    await parley.settle(30_000);

    expect(before?.payload.text).toContain("ahead of yours");
    expect(parley.last()).toEqual(before);
  });
});
