import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports/state.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  // What stood there when a process died is not known for certain, so it may be written once more.
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
  await parley.stop();
});

const search = { type: "step-started", tool: "kb_query_tool", input: "" } as const;

describe("after a restart", () => {
  it("a question that was running is asked again, in the same message", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).send({ type: "started" }, search);
    await parley.settle();

    await parley.restart();
    await parley.settle();
    expect(parley.texts()[0]).toContain("restarted");
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it.each([0, 60_000])(
    "a question that comes while platforms start for %i ms is asked after older ones",
    async (ms) => {
      await parley.say("When?").done;
      (await parley.agents.run(0)).send({ type: "started" });
      await parley.settle();

      await parley.restart(0, async () => {
        await parley.say("And where?").done;
        await parley.settle(ms);
      });
      await parley.settle();
      (await parley.agents.run(1)).answer("At two.");
      await parley.settle(1_000);
      await parley.agents.run(2);

      expect(parley.agents.runs.slice(1).map((run) => run.question)).toEqual(["When?", "And where?"]);
    },
  );

  it.each([0, 30_000])(
    "a question that another instance ends %i ms before platforms have started holds up no later one",
    async (ms) => {
      await parley.say("When?").done;
      const run = await parley.agents.run(0);
      run.send({ type: "started" });
      await parley.settle();

      await parley.neighbour().recover(async () => {
        run.answer("At two.");
        await parley.settle(ms);
      });
      await parley.settle(1_000);
      await parley.say("And where?").done;
      await parley.settle(1_000);

      expect(parley.agents.runs.map(({ question }) => question)).toEqual(["When?", "And where?"]);
    },
  );

  it("a question whose placeholder was posted but not recorded finds its message again", async () => {
    parley.platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });
    await parley.say("When?").done;
    (await parley.agents.run(0)).send({ type: "started" });
    await parley.settle();

    await parley.restart();
    await parley.settle();
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle(60_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("a post that arrived after the next process had looked for it is removed, also when that one died too", async () => {
    const { findOwn } = parley.platform;
    parley.platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });
    await parley.say("When?").done;
    (await parley.agents.run(0)).send({ type: "started" });
    await parley.settle();
    Object.assign(parley.platform, { findOwn: async () => [] });
    await parley.restart();
    (await parley.agents.run(1)).send({ type: "started" });
    await parley.settle();
    expect(parley.texts()).toHaveLength(2);
    Object.assign(parley.platform, { findOwn });

    await parley.restart();
    (await parley.agents.run(2)).answer("At two.");
    await parley.settle(60_000);

    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
  });

  it("an answer of several messages that was shown while storage was away is replaced by the next one", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" });
    await parley.settle();
    const turns = parley.state().turns as { -readonly [K in keyof TurnStore]: TurnStore[K] };
    const { transition } = turns;
    turns.transition = () => Promise.reject(new Error("It is away."));
    run.answer("At one. ".repeat(2_000));
    await parley.settle(60_000);
    expect(parley.texts().length).toBeGreaterThan(1);

    turns.transition = transition;
    await parley.restart();
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle(60_000);

    expect(parley.texts()).toEqual([expect.stringContaining("At two.")]);
  });

  it("an answer that was stored but not yet shown is delivered, not asked for again", async () => {
    let isAway = true;
    parley.platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000, when: () => isAway });
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(1_000);
    expect(parley.texts()[0]).not.toContain("At two.");

    await parley.restart();
    isAway = false;
    await parley.settle(60_000);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("an answer not yet shown is dropped when the question was edited meanwhile: the new text is asked", async () => {
    let isAway = true;
    parley.platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000, when: () => isAway });
    await parley.say("Whne?").done;
    (await parley.agents.run(0)).answer("What?");
    await parley.settle(1_000);
    // The process dies before it hears of the edit.
    Object.assign(parley.state().coordinator, { publish: async () => undefined });
    const edited = parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit", questionKey: "memory/T1/general/101" },
      ...{ order: "0000000999", messageId: "101", text: "When?", attachments: [] },
      ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
    });
    await parley.settle(10_000);
    await edited.done;

    await parley.restart();
    isAway = false;
    await parley.settle(60_000);
    expect(parley.texts()[0]).not.toContain("What?");
    const again = await parley.agents.run(1);
    again.answer("At two.");
    await parley.settle(60_000);

    expect(again.question).toBe("When?");
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("waiting questions continue in their order", async () => {
    await parley.say("One?").done;
    await parley.say("Two?").done;
    await parley.agents.run(0);
    await parley.settle();

    await parley.restart();
    await parley.settle();
    (await parley.agents.run(1)).answer("1");
    await parley.settle();
    (await parley.agents.run(2)).answer("2");
    await parley.settle();

    expect(parley.agents.runs.slice(1).map((run) => run.question)).toEqual(["One?", "Two?"]);
    expect(parley.texts()).toHaveLength(2);
    expect(parley.texts()[1]).toContain("2");
  });

  it("a question that was stopped while the process died is stopped", async () => {
    await parley.say("When?").done;
    await parley.agents.run(0);
    await parley.settle();
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    await parley
      .state()
      .turns.transition(
        turn?.id ?? "",
        ["running"],
        "running",
        { stopRequestedBy: { id: "U1", name: "Alice" } },
        2 ** 50,
      );

    await parley.restart();
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
  });

  it("the same event delivered again does nothing", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();
    await parley.restart();
    await parley.say("When?", { eventKey: "memory/T1/general/101" }).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
  });
});

describe("a drain", () => {
  it("lets a running answer end", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    const drained = parley.bridge().drain(25_000);
    run.answer("At two.");
    await parley.settle();
    await drained;

    expect(parley.texts()[0]).toContain("At two.");
  });

  it("marks what does not end in time as interrupted, and it continues after the restart", async () => {
    await parley.say("When?").done;
    await parley.agents.run(0);
    const drained = parley.bridge().drain(25_000);
    await parley.settle(26_000);
    await drained;
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    expect(turn?.state).toBe("interrupted");

    await parley.restart();
    await parley.settle();
    (await parley.agents.run(1)).answer("At two.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });

  it("does not read abandoned runs to their end, since the process is shutting down", async () => {
    parley.agents.set({ profile: { closeStopsRun: false } });
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    const drained = parley.bridge().drain(25_000);
    await parley.settle(26_000);
    await drained;

    expect(run.isAborted()).toBe(true);
  });

  it("stops looking for Turns that others left, even in the middle of a search", async () => {
    const other = await createHarness({ settings: { recoveryIntervalMs: 5_000 } });
    await other.restart();
    let looks = 0;
    let goOn = () => {};
    const turns: { unfinished: TurnStore["unfinished"] } = other.state().turns;
    turns.unfinished = async function* () {
      looks += 1;
      yield* [];
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    };
    await other.settle(5_000);

    await other.bridge().drain(0);
    goOn();
    await other.settle(60_000);

    expect(looks).toBe(1);
    await other.stop();
  });

  it("journals what still arrives, for the next process", async () => {
    const drained = parley.bridge().drain(25_000);
    const event = parley.say("When?");
    await event.done;
    await parley.settle();
    await drained;
    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(parley.agents.runs).toHaveLength(0);

    await parley.restart();
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle();

    expect(parley.texts(thread)[0]).toContain("At two.");
  });
});

describe("questions of a platform that was switched off", () => {
  it("are named once, and left for when it is back", async () => {
    const { log, lines } = createCollectedLog({ level: "warn" });
    const other = await createHarness({ log, settings: { recoveryIntervalMs: 5_000 } });
    await other.say("When?").done;
    await other.agents.run(0);
    const turn = await other.state().turns.getByEventKey("memory/T1/general/101");
    if (turn === undefined) throw new Error("It was not journaled.");
    const conversation = { ...thread, platform: "gone" };
    const left = { ...turn, id: "left", eventKey: "gone/T1/1", conversation, fence: 0 };
    await other.state().turns.create(left);

    await other.restart();
    await other.settle(60_000);

    expect(lines().filter(({ msg }) => String(msg).includes("switched off"))).toHaveLength(1);
    expect(await other.state().turns.get("left")).toEqual(left);
    await other.stop();
  });
});
