import { afterEach, describe, expect, it } from "vitest";
import type { AppSettings } from "../../../src/app.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { alice, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
afterEach(() => parley.stop());

async function open(settings: Partial<AppSettings> = {}, isDirect = false): Promise<void> {
  parley = await createHarness({ settings, platform: { isDirect: () => isDirect } });
}

/** Asked, and answered that much later. */
async function answeredAfter(ms: number, changes: Record<string, unknown> = {}): Promise<void> {
  const { length } = parley.agents.runs;
  await parley.say("When?", changes).done;
  const run = await parley.agents.run(length);
  await parley.settle(ms);
  run.answer("At two.");
  await parley.settle();
}

const told = () => parley.notices().map(({ document, place }) => [document.summary, place.thread]);
const ready = ["Your answer is ready.", thread.thread];

describe("the line that says that an answer is ready", () => {
  it("comes after more than NOTIFY_AFTER_SECONDS, to the asker alone, in the thread", async () => {
    await open();
    await answeredAfter(61_000);

    expect(told()).toEqual([ready]);
    const spans = parley.notices()[0]?.document.blocks.flatMap((block) => (block.kind === "text" ? block.text : []));
    expect(spans?.map(({ text }) => text).join("")).toBe(`${alice.name}: your answer is ready.`);
    expect(spans?.filter(({ notifies }) => notifies === true).map(({ actorId }) => actorId)).toEqual([alice.id]);
  });

  it("comes not sooner, and never with 0", async () => {
    await open();
    await answeredAfter(59_000);
    expect(told()).toEqual([]);
    await parley.stop();

    await open({ notifyAfterMs: 0 });
    await answeredAfter(600_000);
    expect(told()).toEqual([]);
  });

  it("says so if the question failed", async () => {
    await open();
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    await parley.settle(61_000);
    run.fail(new ParleyError("service_failed"));
    await parley.settle();

    expect(told()).toEqual([["Your question couldn't be answered.", thread.thread]]);
  });

  it("doesn't come in a direct message", async () => {
    await open({}, true);
    await answeredAfter(61_000, { isDirect: true });

    expect(parley.texts()[0]).toContain("At two.");
    expect(told()).toEqual([]);
  });

  it("doesn't come after a stop", async () => {
    await open();
    await parley.say("When?").done;
    await parley.agents.run(0);
    await parley.settle(61_000);
    const [turn] = await Array.fromAsync(parley.state().turns.ofConversation(thread));
    await parley.press("stop", turn?.id ?? "").done;
    await parley.settle();

    expect(parley.texts()[0]).toContain("Stopped");
    expect(told()).toEqual([]);
  });

  it("counts from Try again, also when Parley restarts meanwhile", async () => {
    await open();
    await answeredAfter(1_000);
    await parley.settle(120_000);
    const [turn] = await Array.fromAsync(parley.state().turns.ofConversation(thread));
    await parley.press("retry", turn?.id ?? "").done;
    const run = await parley.agents.run(1);
    await parley.settle(30_000);
    run.answer("At three.");
    await parley.settle();
    expect(told()).toEqual([]);

    await parley.press("retry", turn?.id ?? "").done;
    await parley.agents.run(2);
    await parley.settle(45_000);
    await parley.restart();
    const resumed = await parley.agents.run(3);
    await parley.settle(45_000);
    resumed.answer("At four.");
    await parley.settle();
    expect(told()).toEqual([ready]);
  });
});
