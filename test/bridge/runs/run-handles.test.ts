/** Runs that the service can find again: read on after a crash, cancelled by Stop, never two for one question. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
  parley.agents.set({ profile: { resumes: true, cancels: true, closeStopsRun: false, maxRuns: 1 } });
});
afterEach(async () => {
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
  await parley.stop();
});

const r1 = { id: "resp_1" };
const named = { type: "run", run: r1 } as const;
const piece = (text: string) => ({ type: "answer-delta", text }) as const;
const turnOf = (key = "101") => parley.state().turns.getByEventKey(`memory/T1/general/${key}`);
const stop = async () => parley.press("stop", (await turnOf())?.id ?? "").done;

async function running(...events: readonly Parameters<Awaited<ReturnType<Harness["agents"]["run"]>>["send"]>[0][]) {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  run.send({ type: "started" }, named, ...events);
  await parley.settle(100);
  return run;
}

function edit(text: string) {
  return parley.send({
    ...{ kind: "message-edited", eventKey: "memory/T1/edit", questionKey: "memory/T1/general/101" },
    ...{ order: "0000000999", messageId: "101", text, attachments: [] },
    ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
  });
}

describe("after a crash", () => {
  it("a run is read on instead of being asked again: it shows what is there, and continues", async () => {
    await running(piece("At "));
    expect((await turnOf())?.run).toEqual({ handle: r1, attempt: 1 });

    await parley.restart();
    await parley.settle(100);
    const again = await parley.agents.run(1);
    expect(again.options.resume).toEqual(r1);
    again.send({ type: "started" }, piece("At "), piece("two"));
    await parley.settle(3_000);
    expect(parley.texts()[0]).toContain("At two");
    again.send(piece(" sharp."), { type: "ended" });
    again.end();
    await parley.settle(3_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two sharp.");
    expect(parley.agents.cancelled).toEqual([]);
    expect(await turnOf()).toMatchObject({ state: "answered" });
    expect(await turnOf()).not.toHaveProperty("run");
  });

  it("a run is read on however late: half an hour after it began", async () => {
    await running(piece("At "));
    await parley.restart(30 * 60_000);
    await parley.settle(100);

    const again = await parley.agents.run(1);
    expect(again.options.resume).toEqual(r1);
    again.send({ type: "started" }, { type: "answer", text: "At two." }, { type: "ended" });
    again.end();
    await parley.settle(3_000);
    expect(parley.texts()[0]).toContain("At two.");
    expect(await turnOf()).toMatchObject({ state: "answered" });
  });

  it("a run is read on after a shutdown too, and is not cancelled by it", async () => {
    await running();
    const draining = parley.bridge().drain(1_000);
    await parley.settle(2_000);
    await draining;

    await parley.restart();
    await parley.settle(100);

    expect((await parley.agents.run(1)).options.resume).toEqual(r1);
    expect(parley.agents.cancelled).toEqual([]);
  });

  it("a run is read on twice; after the third crash the question is given up, and its run cancelled", async () => {
    await running();
    for (const at of [1, 2]) {
      await parley.restart();
      await parley.settle(20_000);
      expect((await parley.agents.run(at)).options.resume).toEqual(r1);
    }
    await parley.restart();
    await parley.settle(60_000);

    expect(parley.agents.runs).toHaveLength(3);
    expect(await turnOf()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
    expect(parley.agents.cancelled).toEqual([r1]);
  });

  it("the question is asked again where the service can't read on, and what still runs there is cancelled", async () => {
    await running();
    parley.agents.set({ profile: { resumes: false } });

    await parley.restart();
    await parley.settle(100);

    expect((await parley.agents.run(1)).options.resume).toBeUndefined();
    expect(parley.agents.cancelled).toEqual([r1]);
  });

  it("a question that was edited meanwhile is asked anew, and the run of the old text cancelled", async () => {
    await running();
    Object.assign(parley.state().coordinator, { publish: async () => undefined });
    await edit("When exactly?").done;

    await parley.restart();
    await parley.settle(20_000);

    const again = await parley.agents.run(1);
    expect(again.question).toBe("When exactly?");
    expect(again.options.resume).toBeUndefined();
    expect(parley.agents.cancelled).toContainEqual(r1);
  });

  it("a question that was stopped meanwhile is not read on, and its run is cancelled", async () => {
    await running();
    Object.assign(parley.state().coordinator, { publish: async () => undefined });
    await stop();

    await parley.restart();
    await parley.settle(20_000);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.agents.cancelled).toEqual([r1]);
    expect(parley.texts()[0]).toContain("Stopped");
  });

  it("an answer that was stored is shown, and nothing is read on", async () => {
    let isAway = true;
    parley.platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000, when: () => isAway });
    (await running()).answer("At two.");
    await parley.settle(1_000);

    await parley.restart();
    isAway = false;
    await parley.settle(60_000);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()[0]).toContain("At two.");
  });
});

describe("Stop", () => {
  it("cancels the run at the service, and frees its permit as soon as it is over", async () => {
    parley.agents.set({ cancel: async () => "cancelled" });
    await running(piece("At "));
    await stop();
    await parley.settle(100);

    expect(parley.agents.cancelled).toEqual([r1]);
    expect(parley.texts()[0]).toContain("Stopped");
    await parley.say("And now?").done;
    await parley.settle(100);
    expect(parley.agents.runs).toHaveLength(2);
  });

  it.each([
    ["fails", async () => Promise.reject(new ParleyError("service_unreachable"))],
    ["hangs", () => new Promise<never>(() => {})],
    ["finds no such run", async () => "unknown" as const],
  ])("shows its end at once when the cancel %s, and reads the run to its end", async (_what, cancel) => {
    parley.agents.set({ cancel });
    const run = await running(piece("At "));
    await stop();
    await parley.settle(100);
    expect(parley.texts()[0]).toContain("Stopped");

    await parley.say("And now?").done;
    await parley.settle(30_000);
    expect(parley.agents.runs).toHaveLength(1);
    run.end();
    await parley.settle(1_000);
    expect(parley.agents.runs).toHaveLength(2);
  });

  it("cancels a run that the service names only afterwards", async () => {
    parley.agents.set({ cancel: async () => "cancelled" });
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" });
    await parley.settle(100);
    await stop();
    await parley.settle(100);
    expect(parley.agents.cancelled).toEqual([]);

    run.send(named);
    await parley.settle(100);

    expect(parley.agents.cancelled).toEqual([r1]);
  });

  it("pressed on another instance cancels the run where it is", async () => {
    parley.agents.set({ cancel: async () => "cancelled" });
    await running();
    const { id = "" } = (await turnOf()) ?? {};
    const inbound = { kind: "action", eventKey: "memory/T1/press/x", order: "900", action: "stop", value: id };
    await parley.send(inbound, parley.neighbour()).done;
    await parley.settle(100);

    expect(parley.agents.cancelled).toEqual([r1]);
  });

  it("keeps what was written, and leaves no history of it", async () => {
    parley.agents.set({ cancel: async () => "cancelled" });
    await running(piece("At two or"));
    await stop();
    await parley.settle(100);
    expect(parley.texts()[0]).toContain("At two or");

    await parley.say("And now?").done;
    const next = await parley.agents.run(1);
    expect(next.messages).toHaveLength(1);
  });
});

it("an edit cancels the run of the old text and asks the new one", async () => {
  parley.agents.set({ cancel: async () => "cancelled" });
  await running();
  await edit("When exactly?").done;
  await parley.settle(1_000);

  expect((await parley.agents.run(1)).question).toBe("When exactly?");
  expect(parley.agents.cancelled).toContainEqual(r1);
});

it("the handle is stored before the next event is read, and only when it changes", async () => {
  await parley.say("When?").done;
  const run = await parley.agents.run(0);
  const { turns } = parley.state();
  const { transition } = turns;
  let writes = 0;
  Object.assign(turns, {
    transition: (...args: Parameters<typeof transition>) => {
      if (args[3]?.run !== undefined) writes += 1;
      return transition(...args);
    },
  });
  run.send({ type: "started" }, named, named, { type: "run", run: { ...r1 } }, piece("At "));
  await parley.settle(100);
  expect(writes).toBe(1);
  run.send({ type: "run", run: { id: "resp_2" } });
  await parley.settle(100);

  expect(writes).toBe(2);
  expect((await turnOf())?.run?.handle).toEqual({ id: "resp_2" });
});
