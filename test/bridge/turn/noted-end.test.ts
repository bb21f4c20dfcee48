/** What an answer says about itself becomes a gap after its end, and leaves with a conversation that is forgotten. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Gap } from "../../../src/core/model/insight.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { createGaps } from "../../../src/insight/gaps/gaps.ts";
import { appOf } from "../../doubles/app.ts";
import { alice, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({
    notes: (state, clock) => createGaps(appOf({ ...state, clock }), { isQuestion: () => true }).notes,
  });
});
afterEach(async () => {
  await parley.stop();
});

async function gaps(): Promise<readonly Gap[]> {
  return Array.fromAsync(gapsIn(parley.state()).entries(), ({ record }) => record);
}

async function notes(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const [key] of parley.state().keyValue("open-signals").entries("")) found.push(key);
  return found;
}

describe("an answer without a source", () => {
  it("is a gap once its end is shown and recorded, and none once its conversation is forgotten", async () => {
    await parley.say("How do I reset the wifi password?").done;
    (await parley.agents.run(0)).answer("I don't know.");
    await parley.settle(1_000);

    expect(parley.texts().join("\n")).toContain("I don't know.");
    const [gap, ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap?.askers).toMatchObject([{ question: "How do I reset the wifi password?", signals: ["nothing"] }]);
    expect(await notes()).toEqual([]);

    const forgetting = parley.bridge().forget(thread, alice, false);
    await parley.settle(1_000);
    expect(await forgetting).toBe(1);
    expect(await gaps()).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  it("is no longer one once Try again has a better answer", async () => {
    await parley.say("How do I reset the wifi password?").done;
    (await parley.agents.run(0)).answer("I don't know.");
    await parley.settle(1_000);
    expect(await gaps()).toHaveLength(1);

    const [turn] = await parley.state().turns.recent(1);
    await parley.press("retry", turn?.id ?? "").done;
    const again = await parley.agents.run(1);
    again.send({ type: "step-started", tool: "search", input: "" });
    again.send({
      type: "step-finished",
      observation: "",
      outcome: { kind: "passages", count: 1 },
      sources: [{ title: "Wifi" }],
    });
    again.answer("Ask the reception.");
    await parley.settle(1_000);
    expect(await gaps()).toEqual([]);
  });
});
