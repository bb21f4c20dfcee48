/**
 * Stop while an answer is being posted. An answer of many messages takes minutes to post; after a stop no more of it is
 * posted, and when the question is deleted all of it goes.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

const long = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(" ");

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
  parley.platform.setLatencyMs(1_000);
});
afterEach(async () => {
  expect(parley.platform.violations.filter((violation) => !violation.includes("changes nothing"))).toEqual([]);
  await parley.stop();
});

const key = "memory/T1/general/101";

async function postFirstParts(): Promise<string> {
  const asked = parley.say("Tell me all.");
  await parley.settle(100);
  await asked.done;
  await parley.settle(3_000);
  (await parley.agents.run(0)).answer(long);
  await parley.settle(4_500);
  const turn = await parley.state().turns.getByEventKey(key);
  const shown = parley.texts();
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.length).toBeLessThan(8);
  expect(shown[0]).toContain("word0 word1 ");
  return turn?.id ?? "";
}

async function expectStopped(before: readonly string[]): Promise<void> {
  const after = parley.texts();
  // What was on its way when it was stopped may stand as well.
  expect(after.length).toBeGreaterThanOrEqual(before.length);
  expect(after.length).toBeLessThanOrEqual(before.length + 2);
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(after.at(-1)).toContain("Stopped");
  expect(parley.last()?.payload.actions.map(({ id }) => id)).toContain("retry");
  expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "stopped" });
}

describe("while the messages of a long answer are being posted", () => {
  it("Stop ends it: what was posted stays, and the end says who stopped it", async () => {
    const id = await postFirstParts();
    const before = parley.texts();

    const pressed = parley.press("stop", id);
    await parley.settle(10_000);
    await pressed.done;

    await expectStopped(before);
    expect(parley.texts().at(-1)).toContain("Alice");
  });

  it("the platform's own Stop ends it", async () => {
    await postFirstParts();
    const before = parley.texts();

    const stopped = parley.send({ kind: "stop-conversation", eventKey: "memory/T1/stop", conversation: thread });
    await parley.settle(10_000);
    await stopped.done;

    await expectStopped(before);
  });

  it("it ends when the question is deleted, and what was posted goes", async () => {
    await postFirstParts();

    const deleted = parley.send({
      ...{ kind: "message-deleted", eventKey: "memory/T1/deleted", questionKey: key, messageId: "101" },
    });
    await parley.settle(30_000);
    await deleted.done;

    expect(parley.texts()).toEqual([]);
    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "stopped" });
  });

  it("a stop holds when the process dies right after it: no more of the answer is posted", async () => {
    await postFirstParts();
    const before = parley.texts();
    const turn = await parley.state().turns.getByEventKey(key);
    const stopRequestedBy = { id: "U1", name: "Alice" };
    await parley.state().turns.transition(turn?.id ?? "", ["running"], "running", { stopRequestedBy }, 2 ** 50);

    await parley.restart();
    await parley.settle(30_000);

    await expectStopped(before);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("an edited question is asked again, in the same messages", async () => {
    await postFirstParts();

    const edited = parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edited", questionKey: key, messageId: "101" },
      ...{ text: "Tell me less.", attachments: [], mentionsParley: true, addressesOthers: false, isDirect: false },
    });
    await parley.settle(15_000);
    await edited.done;
    const run = await parley.agents.run(1);
    expect(run.question).toBe("Tell me less.");
    run.answer("Less.");
    await parley.settle(30_000);

    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Less.");
  });

  it("an ordered end of the process leaves the rest for the next one, without a question asked again", async () => {
    await postFirstParts();
    const drained = parley.bridge().drain(2_000);
    await parley.settle(5_000);
    await drained;
    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "interrupted" });

    await parley.restart();
    parley.platform.setLatencyMs(0);
    await parley.settle(30_000);

    const attached = parley.platform.files.map(({ content }) => content);
    expect([...parley.texts(), ...attached].join("")).toContain("word3999");
    expect(parley.texts().join(" ")).not.toContain("restarted");
    expect(parley.agents.runs).toHaveLength(1);
  });
});
