import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { run } from "../../src/bridge/run.ts";
import { initialView } from "../../src/bridge/turn-view.ts";
import { createMemoryCoordinator } from "../../src/state/memory-coordinator.ts";
import { createAgents } from "../doubles/agents.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { channel } from "./harness.ts";

it("leaves nobody listening to its signal: Node keeps a combined signal and all it holds alive as long as somebody does", async () => {
  const clock = createFakeClock();
  const agents = createAgents();
  const signal = AbortSignal.any([new AbortController().signal, new AbortController().signal]);
  const running = run({
    ...{ service: agents, coordinator: createMemoryCoordinator({ clock }), clock, place: channel, signal },
    ...{ project: "mindsdb", agent: "guide", messages: [{ question: "When?", answer: "" }], heartbeatMs: 10_000 },
    view: initialView({ id: "t1", ref: "k3f9", question: "When?", agent: "guide" }),
    circuit: { check: () => {}, reached: () => {}, failed: () => {} },
    isAskedAgain: false,
    waitForPace: async () => {},
    onView: () => {},
    onPermit: async () => {},
    onFirstEvent: () => {},
    onFailure: () => {},
    onStream: () => {},
  });
  (await agents.run(0)).answer("At two.");

  expect((await running).view.answer).toBe("At two.");
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
