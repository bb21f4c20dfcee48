/** A service that is busy for a while: people read until when, and each question still has exactly one ending. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  await parley.stop();
});

const clockAt = (ms: number) => new Date(ms).toISOString().slice(11, 19);

async function waiting(forMs = 12_000) {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  run.send({ type: "waiting", forMs });
  await parley.settle(100);
  return { run, turnId: parley.last()?.mark.replyId ?? "" };
}

describe("while the service is busy", () => {
  it("the message says when it is asked again, and becomes the answer", async () => {
    const untilMs = parley.clock.now() + 12_000;
    const { run } = await waiting();
    expect(parley.texts()[0]).toContain(`Busy right now. Asking again at ${clockAt(untilMs)} UTC.`);

    await parley.settle(12_000);
    run.send({ type: "waiting" });
    await parley.settle(2_000);
    expect(parley.texts()[0]).not.toContain("Busy right now");
    run.answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
    expect(parley.texts()[0]).not.toContain("Busy");
  });

  it.each([true, false])(
    "Stop ends it at once, and nothing is asked later (closing stops runs: %s)",
    async (closes) => {
      parley.agents.set({ profile: { closeStopsRun: closes } });
      const { run, turnId } = await waiting();
      await parley.press("stop", turnId).done;
      await parley.settle();

      expect(run.isAborted()).toBe(true);
      expect(parley.texts()).toHaveLength(1);
      expect(parley.texts()[0]).toContain("Stopped");
      // Its permit is free for the next question.
      await parley.say("And now?").done;
      (await parley.agents.run(1)).answer("At three.");
      await parley.settle();
      expect(parley.texts().at(-1)).toContain("At three.");
    },
  );

  it("a restart leads to exactly one ending", async () => {
    await waiting();
    await parley.restart(5_000);
    await parley.settle();
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle(60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("a refused question runs nowhere, so the next one doesn't wait for it", async () => {
    parley.agents.set({ profile: { maxRuns: 1 } });
    await parley.say("When?").done;
    (await parley.agents.run(0)).fail(new ParleyError("service_busy", { retryAfterMs: 600_000 }));
    await parley.settle(100);
    await parley.say("And where?").done;
    await parley.settle(1_000);

    expect(parley.agents.runs).toHaveLength(2);
  });

  it("a question that can't be asked in time says until when, and offers Try again", async () => {
    await parley.say("When?").done;
    const untilMs = Math.ceil((parley.clock.now() + 600_500) / 60_000) * 60_000;
    (await parley.agents.run(0)).fail(new ParleyError("service_busy", { retryAfterMs: 600_500 }));
    await parley.settle();

    const at = new Date(untilMs).toISOString().slice(0, 16).replace("T", " ");
    expect(parley.texts()[0]).toContain(`The agent service is busy until ${at} UTC.`);
    expect(parley.last()?.payload.actions.map(({ label }) => label)).toContain("Try again");
  });
});
