import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { run } from "../../../src/bridge/turn/run.ts";
import { initialView } from "../../../src/bridge/turn/turn-view.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { createAgents } from "../../doubles/agents.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { general } from "../../doubles/people.ts";

function start(signal = new AbortController().signal) {
  const clock = createFakeClock();
  const agents = createAgents();
  const shownAtMs: number[] = [];
  const startedAtMs = clock.now();
  const running = run({
    ...{ service: agents, coordinator: createMemoryCoordinator({ clock }), clock, place: general, signal },
    ...{ project: "mindsdb", agent: "guide", heartbeatMs: 10_000 },
    view: initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" }),
    circuit: { check: () => {}, reached: () => {}, failed: () => {} },
    isAskedAgain: false,
    waitForLimit: async () => {},
    onView: () => shownAtMs.push(clock.now() - startedAtMs),
    onWaiting: () => {},
    begin: async () => [{ question: "When?", answer: "" }],
    onFirstEvent: () => {},
    onFailure: () => {},
    onStream: () => {},
  });
  return { clock, agents, running, shownAtMs };
}

it("removes its listeners from the signal: Node keeps a combined signal and all it holds alive while it has any", async () => {
  const signal = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
  const { agents, running } = start(signal);
  (await agents.run(0)).answer("At two.");

  expect((await running).view.answer).toBe("At two.");
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("is redrawn after ten seconds without an event, and not while events arrive", async () => {
  const { clock, agents, running, shownAtMs } = start();
  const asked = await agents.run(0);
  for (let step = 0; step < 6; step += 1) {
    await clock.advance(4_000);
    asked.send({ type: "step-started", tool: "kb_list_tool", input: `${step}` });
  }
  await clock.advance(25_000);
  asked.answer("At two.");
  await running;

  expect(shownAtMs).toEqual([4_000, 8_000, 12_000, 16_000, 20_000, 24_000, 34_000, 44_000]);
});
