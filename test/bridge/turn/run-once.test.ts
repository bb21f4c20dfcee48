/** Private runs for proofs and checks: asked like a question, stored nowhere, and never beyond the service's permits. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { general, project } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

const support = { project, name: "support" };
const question = "Can a guest move a booking?";
const never = new AbortController().signal;

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  await parley.stop();
});

it("asks the question alone, gives its answer with the sources, and stores and shows nothing", async () => {
  const asked = parley.runOnce(support, question, never);
  const run = await parley.agents.run(0);
  expect(run.agent).toBe("support");
  expect(run.messages).toEqual([{ question, answer: "" }]);
  run.send(
    { type: "step-started", tool: "search", input: "SELECT 1" },
    {
      ...{ type: "step-finished", tool: "search", observation: "one" },
      ...{ outcome: { kind: "passages", count: 1 }, sources: [{ title: "Bookings", relevance: 0.8 }] },
    },
  );
  run.answer("Yes, once.");
  const view = await asked;
  expect(view).toMatchObject({ state: "answered", answer: "Yes, once.", sources: [{ title: "Bookings" }] });
  expect(await parley.state().turns.recent(10)).toEqual([]);
  expect(parley.texts()).toEqual([]);
});

it("waits for a permit of the service, and asks when one is free", async () => {
  parley.agents.set({ profile: { maxRuns: 1 } });
  const first = parley.runOnce(support, "The first?", never);
  const run = await parley.agents.run(0);
  const second = parley.runOnce(support, "The second?", never);
  await parley.settle(1_000);
  expect(parley.agents.runs).toHaveLength(1);
  run.answer("One.");
  await first;
  (await parley.agents.run(1)).answer("Two.");
  expect((await second).answer).toBe("Two.");
});

it("tells a failure in words that can be shown, and doesn't ask a service that is known to be down", async () => {
  for (const at of [0, 1]) {
    const asked = parley.runOnce(support, question, never);
    (await parley.agents.run(at)).fail(new ParleyError("service_unreachable"));
    expect((await asked).error?.code).toBe("service_unreachable");
  }
  const unasked = await parley.runOnce(support, question, never);
  expect(unasked).toMatchObject({ state: "failed", error: { code: "service_unreachable" } });
  expect(parley.agents.runs).toHaveLength(2);
});

it("rejects with the signal's reason, and holds the permit while the service may still be working", async () => {
  parley.agents.set({ profile: { maxRuns: 1 } });
  const ending = new AbortController();
  const asked = parley.runOnce(support, question, ending.signal);
  await parley.agents.run(0);
  const reason = new Error("The process is ending.");
  const refused = expect(asked).rejects.toBe(reason);
  ending.abort(reason);
  await refused;
  const next = parley.runOnce(support, "The next?", never);
  await parley.settle(5_000);
  expect(parley.agents.runs).toHaveLength(1);
  await parley.settle(6_000);
  (await parley.agents.run(1)).answer("Now.");
  expect((await next).answer).toBe("Now.");
});

it("holds no permit of a run that a busy service refused", async () => {
  parley.agents.set({ profile: { maxRuns: 1 } });
  const asked = parley.runOnce(support, question, never);
  (await parley.agents.run(0)).fail(new ParleyError("service_busy", { retryAfterMs: 600_000 }));
  expect((await asked).error?.code).toBe("service_busy");

  const next = parley.runOnce(support, "The next?", never);
  await parley.settle(1_000);
  expect(parley.agents.runs).toHaveLength(2);
  (await parley.agents.run(1)).answer("Now.");
  await next;
});

it("asks the plain endpoint once when the answer was lost", async () => {
  parley.agents.set({ plain: "Yes, once." });
  const asked = parley.runOnce(support, question, never);
  const run = await parley.agents.run(0);
  run.send({ type: "step-started", tool: "search", input: "" });
  run.end();
  expect(await asked).toMatchObject({ state: "answered", answer: "Yes, once." });
});

it("takes no permit that people need for a run that nobody waits for, and takes one once another stays free", async () => {
  parley.agents.set({ profile: { maxRuns: 2 } });
  const first = parley.runOnce(support, "A person's?", never);
  const run = await parley.agents.run(0);
  const spare = parley.runOnce(support, "A check's?", never, { ...general, isSpare: true });
  await parley.settle(1_000);
  expect(parley.agents.runs).toHaveLength(1);
  const second = parley.runOnce(support, "Another person's?", never, general);
  (await parley.agents.run(1)).answer("Two.");
  await second;
  await parley.settle(1_000);
  expect(parley.agents.runs).toHaveLength(2);
  run.answer("One.");
  await first;
  (await parley.agents.run(2)).answer("Three.");
  expect((await spare).question).toBe("A check's?");
});
