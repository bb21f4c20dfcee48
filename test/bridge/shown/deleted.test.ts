/**
 * Questions that are deleted or edited at any moment: what was shown goes, and nothing more is shown.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

const key = "memory/T1/general/101";
const deletion = { kind: "message-deleted", eventKey: `${key}/deleted`, questionKey: key, messageId: "101" } as const;
const said = (more: object) => ({
  ...{
    messageId: "200",
    isOwn: false,
    isBot: false,
    attachments: [],
    atMs: 0,
    authorName: "Bob",
    authorId: bob.id,
    text: "",
  },
  ...{ order: "0000000900", ...more },
});
const edit = (text: string, changes: object = {}) => ({
  ...{ kind: "message-edited", eventKey: `${key}/edited`, questionKey: key, messageId: "101", order: "0000000500" },
  ...{ text, attachments: [], mentionsParley: true, addressesOthers: false, isDirect: false, conversation: thread },
  ...changes,
});

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function expectNothing(): Promise<void> {
  await parley.settle(300_000);
  expect(parley.texts(thread)).toEqual([]);
  expect(parley.texts(general)).toEqual([]);
  const turn = await parley.state().turns.getByEventKey(key);
  expect(turn === undefined || turn.state === "stopped").toBe(true);
}

describe("a question that is deleted shows nothing and leaves nothing", () => {
  it("before Parley has read it, when the deletion arrives first", async () => {
    await parley.send(deletion).done;
    await parley.say("When?").done;

    await expectNothing();
    expect(parley.agents.runs).toEqual([]);
  });

  it("at the moment it is asked", async () => {
    const asked = parley.say("When?");
    const deleted = parley.send(deletion);
    await Promise.all([asked.done, deleted.done]);

    await expectNothing();
  });

  it("while it waits in line", async () => {
    await parley.say("First?", { eventKey: "memory/T1/general/99", messageId: "99", order: "0000000099" }).done;
    const first = await parley.agents.run(0);
    await parley.say("When?", { eventKey: key, messageId: "101", order: "0000000101" }).done;
    await parley.settle();
    await parley.send(deletion).done;
    first.answer("One.");
    await parley.settle(60_000);

    expect(parley.texts(thread)).toHaveLength(1);
    expect(parley.texts(thread)[0]).toContain("One.");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("while its first post is on the way, and is stopped after that", async () => {
    parley.platform.setLatencyMs(2_000);
    await parley.say("When?").done;
    await parley.settle(500);
    const { id = "" } = (await parley.state().turns.getByEventKey(key)) ?? {};
    const deleted = parley.send(deletion);
    await parley.settle(10);
    await parley.press("stop", id).done;
    const turn = await parley.state().turns.get(id);
    expect(turn).toMatchObject({ isWithdrawn: true, stopRequestedBy: { name: "Alice" } });
    await parley.settle(20_000);
    await deleted.done;

    await expectNothing();
  });

  it("while its first post is on the way", async () => {
    parley.platform.setLatencyMs(2_000);
    await parley.say("When?").done;
    await parley.settle(500);
    expect(parley.texts(thread)).toEqual([]);
    const deleted = parley.send(deletion);
    await parley.settle(20_000);
    await deleted.done;

    await expectNothing();
  });

  it("while its first post is on the way and its answer gets lost", async () => {
    parley.platform.fail({ on: "post", error: "platform_unreachable", takesEffect: true });
    await parley.say("When?").done;
    await parley.agents.run(0);
    await parley.send(deletion).done;

    await expectNothing();
  });

  it("while the platform refuses its posts", async () => {
    parley.platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 30_000, times: 3 });
    await parley.say("When?").done;
    await parley.agents.run(0);
    await parley.settle(1_000);
    await parley.send(deletion).done;

    await expectNothing();
  });

  it("while the agent works", async () => {
    await parley.say("When?").done;
    const run = await parley.agents.run(0);
    await parley.settle();
    expect(parley.texts(thread)).toHaveLength(1);
    await parley.send(deletion).done;

    await expectNothing();
    expect(run.isAborted()).toBe(true);
  });

  it("a moment after its answer, if nobody else has written there", async () => {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(2_000);
    await parley.send(deletion).done;
    await parley.settle();

    expect(parley.texts(thread)).toEqual([]);
  });

  it("when its thread is gone before anything was shown, although nobody says that it was deleted", async () => {
    parley.platform.fail({ on: "post", error: "thread_gone", times: 20 });
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");

    await expectNothing();
  });

  it("when the process dies right after it was deleted", async () => {
    await parley.say("When?").done;
    await parley.agents.run(0);
    await parley.settle();
    const turn = await parley.state().turns.getByEventKey(key);
    const stopRequestedBy = { id: "U1", name: "Alice" };
    const changes = { stopRequestedBy, isWithdrawn: true } as const;
    await parley.state().turns.transition(turn?.id ?? "", ["running"], "running", changes, 2 ** 50);
    await parley.restart();

    await expectNothing();
    expect(parley.agents.runs).toHaveLength(1);
  });
});

describe("an answer stays", () => {
  async function answered(): Promise<void> {
    await parley.say("When?").done;
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(2_000);
  }

  it("when its question is deleted later", async () => {
    await answered();
    await parley.settle(120_000);
    await parley.send(deletion).done;
    await parley.settle();

    expect(parley.texts(thread)[0]).toContain("At two.");
  });

  it("when someone else has written below it", async () => {
    await answered();
    parley.platform.say(thread, said({ text: "Thanks!" }));
    await parley.send(deletion).done;
    await parley.settle();

    expect(parley.texts(thread)[0]).toContain("At two.");
  });
});

describe("an edit that adds the mention", () => {
  it("asks once, also if the platform sends the message again as a mention", async () => {
    await parley.say("what colour?", { mentionsParley: false, eventKey: key, messageId: "101" }).done;
    await parley.send(edit("what colour?")).done;
    await parley.say("what colour?", { eventKey: key, messageId: "101", order: "0000000101" }).done;
    (await parley.agents.run(0)).answer("Blue.");
    await parley.settle();

    expect(parley.agents.runs.map(({ question }) => question)).toEqual(["what colour?"]);
    expect(parley.texts(thread)).toHaveLength(1);
  });

  it("asks once, in the other order too", async () => {
    await parley.say("what colour?", { eventKey: key, messageId: "101" }).done;
    await parley.send(edit("what colour?")).done;
    (await parley.agents.run(0)).answer("Blue.");
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
  });

  it("is not its own context", async () => {
    const inThread = { place: thread };
    const own = {
      messageId: "101",
      authorName: "Alice",
      authorId: alice.id,
      text: "what colour?",
      order: "0000000101",
    };
    parley.platform.say(thread, said(own));
    await parley.send(edit("what colour?", inThread)).done;

    expect((await parley.agents.run(0)).question).toBe("what colour?");
  });

  it("asks nothing when it was deleted meanwhile", async () => {
    await parley.send(deletion).done;
    await parley.send(edit("what colour?")).done;

    await expectNothing();
  });

  it("of someone who may not ask is told so in private", async () => {
    const asked = parley.send(edit("what colour?", { actor: { ...alice, isExternal: true } }));
    await asked.done;

    expect(asked.sent.map(({ visibility }) => visibility)).toEqual(["private"]);
    expect(parley.agents.runs).toEqual([]);
  });
});
