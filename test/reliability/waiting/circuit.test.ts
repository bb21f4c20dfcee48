import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  admits,
  type CircuitState,
  closedCircuit,
  createCircuit,
  nextCircuit,
  probePauseMs,
} from "../../../src/agent-service/circuit.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

describe("the circuit's machine", () => {
  const events = fc.array(fc.constantFrom("reached" as const, "unreachable" as const));
  const stateAfter = (list: readonly ("reached" | "unreachable")[]) =>
    list.reduce<CircuitState>(nextCircuit, closedCircuit);

  it("asks again after any success", () => {
    fc.assert(
      fc.property(events, (list) => {
        expect(stateAfter([...list, "reached"])).toEqual(closedCircuit);
      }),
    );
  });

  it("opens at the second failure in a row, and lets only through what was asked again", () => {
    fc.assert(
      fc.property(events, (list) => {
        const state = stateAfter([...list, "unreachable", "unreachable"]);
        expect([admits(state, false), admits(state, true)]).toEqual([false, true]);
      }),
    );
  });

  it("checks the service at least every 15 s, however long it is down", () => {
    fc.assert(
      fc.property(fc.nat(1e6), (probes) => {
        expect(probePauseMs({ kind: "open", probes })).toBeGreaterThanOrEqual(1_000);
        expect(probePauseMs({ kind: "open", probes })).toBeLessThanOrEqual(15_000);
      }),
    );
  });
});

it("looks for a service that went away again at one pace, also while an earlier look has no answer yet", async () => {
  const clock = createFakeClock();
  const away = new ParleyError("service_unreachable");
  let looks = 0;
  let answerFirst = () => {};
  const status = () => {
    looks += 1;
    if (looks > 1) return Promise.reject(away);
    return new Promise<never>((_, reject) => {
      answerFirst = () => reject(away);
    });
  };
  const circuit = createCircuit({ service: { status }, clock, log: silentLog });
  const goAway = () => {
    for (const _ of [1, 2]) circuit.failed(away, "question");
  };
  goAway();
  await clock.advance(1_000);

  circuit.reached();
  goAway();
  answerFirst();
  await clock.advance(120_000);

  expect(clock.pending()).toBe(1);
  circuit.close();
  expect(clock.pending()).toBe(0);
});

describe("a service that is not there", () => {
  let parley: Harness;
  let isAway = true;
  let probes = 0;
  beforeEach(async () => {
    isAway = true;
    probes = 0;
    parley = await createHarness();
    const { profile } = parley.agents;
    Object.assign(parley.agents, {
      status: async () => {
        probes += 1;
        if (isAway) throw new ParleyError("service_unreachable");
        return profile();
      },
    });
  });
  afterEach(() => parley.stop());

  async function fail(index: number, question: string): Promise<void> {
    await parley.say(question, { conversation: { ...at(question) } }).done;
    (await parley.agents.run(index)).fail(new ParleyError("service_unreachable"));
    await parley.settle();
  }
  const at = (thread: string) => ({ platform: "memory", workspace: "T1", channel: "general", thread });

  it("isn't asked after two failures, and people are told immediately", async () => {
    await fail(0, "One?");
    await fail(1, "Two?");

    await parley.say("Three?", { conversation: at("Three?") }).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts(at("Three?"))[0]).toContain("so it wasn't asked");
    expect(parley.last(at("Three?"))?.payload.actions.map((action) => action.id)).toContain("retry");
  });

  it("is looked for, and asked again when it is back", async () => {
    await fail(0, "One?");
    await fail(1, "Two?");
    await parley.settle(60_000);
    const probesInAMinute = probes;
    isAway = false;
    await parley.settle(15_000);

    await parley.say("Three?", { conversation: at("Three?") }).done;
    (await parley.agents.run(2)).answer("At two.");
    await parley.settle();

    expect(probesInAMinute).toBeGreaterThanOrEqual(4);
    expect(parley.texts(at("Three?"))[0]).toContain("At two.");
  });

  it("is asked when a person presses Try again, and an answer ends the silence", async () => {
    await fail(0, "One?");
    await fail(1, "Two?");
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/102");

    await parley.press("retry", turn?.id ?? "").done;
    (await parley.agents.run(2)).answer("At two.");
    await parley.settle();
    await parley.say("Three?", { conversation: at("Three?") }).done;
    (await parley.agents.run(3)).answer("At three.");
    await parley.settle();

    expect(parley.texts(at("Two?"))[0]).toContain("At two.");
    expect(parley.texts(at("Three?"))[0]).toContain("At three.");
  });

  it("is also one that does not answer what is looked up for a question", async () => {
    let lookUps = 0;
    Object.assign(parley.agents, {
      listAgents: async () => {
        lookUps += 1;
        throw new ParleyError("service_busy");
      },
    });
    for (const question of ["One?", "Two?", "Three?"]) {
      await parley.say(question, { conversation: at(question) }).done;
      await parley.settle();
    }

    expect(lookUps).toBe(2);
    expect(parley.texts(at("Three?"))[0]).toContain("so it wasn't asked");
  });

  it("isn't one that takes long over a question, or one that says when to retry", async () => {
    for (const index of [0, 1, 2, 3]) {
      const isLate = index % 2 === 0;
      await parley.say(`${index}?`, { conversation: at(`${index}?`) }).done;
      (await parley.agents.run(index)).fail(new ParleyError("service_busy", isLate ? {} : { retryAfterMs: 5_000 }));
      await parley.settle();
    }

    expect(parley.texts(at("3?"))[0]).not.toContain("so it wasn't asked");
    expect(parley.agents.runs).toHaveLength(4);
  });

  it("is not what a failing model is", async () => {
    for (const index of [0, 1, 2]) {
      await parley.say(`${index}?`, { conversation: at(`${index}?`) }).done;
      (await parley.agents.run(index)).fail(new ParleyError("model_unavailable"));
      await parley.settle();
    }

    await parley.say("Four?", { conversation: at("Four?") }).done;
    (await parley.agents.run(3)).answer("At two.");
    await parley.settle();

    expect(parley.texts(at("Four?"))[0]).toContain("At two.");
  });
});
