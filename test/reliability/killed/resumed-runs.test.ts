/**
 * kill -9 at every step of a question whose service keeps its run: once the run is stored, no later life asks again.
 */
import { describe, expect, it } from "vitest";
import type { AgentEvent, RunHandle } from "../../../src/core/model/agent-event.ts";
import { createAgents } from "../../doubles/service/agents.ts";
import { createMortalParley, type Death } from "../towns/mortal-parley.ts";

const whole = "At two o'clock sharp, in the large room.";

/** A service that goes on with a run whoever listens, and has its events for each who reads on. */
function keeping() {
  const asked: (RunHandle | undefined)[] = [];
  const cancelled: RunHandle[] = [];
  let made = 0;
  async function* run(id: string): AsyncGenerator<AgentEvent> {
    yield { type: "started" };
    yield { type: "thread", thread: { conversation: "c1" } };
    yield { type: "run", run: { id } };
    for (const text of whole.match(/\S+\s*/g) ?? []) yield { type: "answer-delta", text };
    yield { type: "answer", text: whole };
    yield { type: "ended" };
  }
  return {
    asked,
    cancelled,
    play: (_run: number, _question: string, resume?: RunHandle) => {
      asked.push(resume);
      if (resume === undefined) made += 1;
      return run(resume?.["id"] ?? `resp_${made}`);
    },
    service: {
      profile: async () => ({ ...(await createAgents().profile()), resumes: true, cancels: true }),
      cancel: async (id: RunHandle) => {
        cancelled.push(id);
        return "over" as const;
      },
    },
  };
}

async function die(death: Death | undefined) {
  const kept = keeping();
  const parley = await createMortalParley(kept.play, {}, { service: kept.service });
  try {
    await parley.start(death);
    parley.ask("When?");
    await parley.settle();
    const isDead = parley.isDead();
    const isStored = parley.steps().some((step) => step.startsWith("to running run"));
    const isAfter = isStored && !(death?.side === "before" && parley.steps().at(-1)?.startsWith("to running run"));
    const moment = `${death?.side} ${parley.steps().length}: ${parley.steps().at(-1)}`;
    if (isDead) {
      await parley.start();
      parley.ask("When?");
      await parley.settle();
    }
    const shown = parley.texts().join(" ").replaceAll(/\s+/g, " ");
    expect(shown.split(whole), moment).toHaveLength(2);
    expect(await parley.turn(), moment).toMatchObject({ state: "answered" });
    expect(await parley.turn(), moment).not.toHaveProperty("run");
    expect(
      (await parley.history()).map(({ answer }) => answer),
      moment,
    ).toEqual([whole]);
    // The one that was stored is read on; nothing is asked a second time.
    if (isAfter)
      expect(
        kept.asked.slice(1).every((resume) => resume?.["id"] === "resp_1"),
        moment,
      ).toBe(true);
    expect(kept.cancelled, moment).toEqual([]);
    return { isDead, isReadOn: kept.asked.some((resume) => resume !== undefined) };
  } finally {
    await parley.close();
  }
}

describe("killed at any step of a run that the service keeps", () => {
  it("reads the run on once it is stored, and asks again only before that", async () => {
    expect((await die(undefined)).isDead).toBe(false);
    let readOn = 0;
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const before = await die({ at, side: "before" });
      if (!before.isDead) break;
      const after = await die({ at, side: "after" });
      deaths += 2;
      readOn += Number(before.isReadOn) + Number(after.isReadOn);
    }

    expect(deaths).toBeGreaterThan(20);
    expect(readOn).toBeGreaterThanOrEqual(2);
  });

  it("asks again in the life after a death during the question itself", async () => {
    expect((await die({ on: "ask", side: "after" })).isReadOn).toBe(false);
  });
});
