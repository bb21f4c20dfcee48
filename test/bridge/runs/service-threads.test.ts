/** Conversations that the service keeps: which one a question continues, and that forgetting deletes them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { admin, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
  parley.agents.set({ profile: { resumes: true, cancels: true } });
});
afterEach(async () => {
  await parley.stop();
});

const named = (conversation: string) => ({ type: "thread", thread: { conversation } }) as const;
const turnOf = (key: string) => parley.state().turns.getByEventKey(`memory/T1/general/${key}`);

async function asked(text: string, at: number) {
  await parley.say(text).done;
  return parley.agents.run(at);
}

async function answered(text: string, at: number, conversation: string) {
  const run = await asked(text, at);
  run.send({ type: "started" }, named(conversation));
  run.answer(`Answer ${at}`);
  await parley.settle(1_000);
  return run;
}

describe("a conversation at the service", () => {
  it("is continued by the next question, with the Turns of earlier messages", async () => {
    await answered("One?", 0, "c1");
    const next = await asked("Two?", 1);

    expect(next.options.thread).toEqual({ conversation: "c1" });
    const ids = [(await turnOf("101"))?.id, (await turnOf("102"))?.id];
    expect(next.messages.map(({ turnId }) => turnId)).toEqual(ids);
  });

  it("is continued from its newest answer", async () => {
    await answered("One?", 0, "c1");
    await answered("Two?", 1, "c2");

    expect((await asked("Three?", 2)).options.thread).toEqual({ conversation: "c2" });
  });

  it("is not continued by Try again, which begins anew", async () => {
    await answered("One?", 0, "c1");
    await parley.press("retry", (await turnOf("101"))?.id ?? "").done;
    const again = await parley.agents.run(1);
    expect(again.options.thread).toBeUndefined();
    again.send({ type: "started" }, named("c2"));
    again.answer("Better");
    await parley.settle(1_000);

    expect((await asked("Two?", 2)).options.thread).toEqual({ conversation: "c2" });
  });

  it("is not continued after a question in it that was stopped: half an answer is no history", async () => {
    await answered("One?", 0, "c1");
    const second = await asked("Two?", 1);
    second.send({ type: "started" }, { type: "answer-delta", text: "Half" });
    await parley.settle(100);
    await parley.press("stop", (await turnOf("102"))?.id ?? "").done;
    await parley.settle(20_000);

    const third = await asked("Three?", 2);
    expect(third.options.thread).toBeUndefined();
    expect(third.messages.map(({ question }) => question)).toEqual(["One?", "Three?"]);
  });

  it("is not continued after ❌ on any answer in it: the service still has that one", async () => {
    await parley.state().works.start();
    await answered("One?", 0, "c1");
    await answered("Two?", 1, "c1");
    const first = await turnOf("101");
    const messageId = first?.reply.parts[0]?.messageId;
    const reaction = { kind: "reaction", eventKey: "memory/T1/reaction/1", order: "1", emoji: "❌", added: true };
    await parley.send({ ...reaction, messageId, actor: first?.actor, place: thread }).done;
    await parley.settle(1_000);

    const third = await asked("Three?", 2);
    expect(third.messages.map(({ question }) => question)).toEqual(["Two?", "Three?"]);
    expect(third.options.thread).toBeUndefined();
    await parley.bridge().forget(thread, admin, true);
    expect(parley.agents.forgotten).toEqual([{ conversation: "c1" }]);
  });

  it("is not continued by another agent", async () => {
    await answered("One?", 0, "c1");
    await parley.say("Two?").done;
    const second = await parley.agents.run(1);
    expect(second.options.thread).toEqual({ conversation: "c1" });
    second.answer("Two.");
    await parley.settle(1_000);
    parley.agents.set({ agents: ["guide", "sales"] });
    await parley.say("sales: Three?").done;
    const third = await parley.agents.run(2);

    expect([third.agent, third.options.thread]).toEqual(["sales", undefined]);
  });

  it("is stored with its run, so that a run that is read on after a crash is in it", async () => {
    (await asked("One?", 0)).send({ type: "started" }, named("c1"), { type: "run", run: { id: "resp_1" } });
    await parley.settle(100);
    await parley.restart();
    await parley.settle(100);
    (await parley.agents.run(1)).answer("Answer");
    await parley.settle(1_000);

    expect((await asked("Two?", 2)).options.thread).toEqual({ conversation: "c1" });
  });

  it("is kept although the process died between the answer and its history", async () => {
    let isAway = true;
    parley.platform.fail({ on: "edit", error: "platform_unreachable", times: 1_000, when: () => isAway });
    await answered("One?", 0, "c1");
    expect((await turnOf("101"))?.serviceThread).toEqual({ conversation: "c1" });
    await parley.restart();
    isAway = false;
    await parley.settle(60_000);

    expect((await asked("Two?", 1)).options.thread).toEqual({ conversation: "c1" });
    expect(await turnOf("101")).not.toHaveProperty("serviceThread");
  });
});

describe("forgetting", () => {
  it("deletes every conversation at the service, also those that nothing continues", async () => {
    await answered("One?", 0, "c1");
    await parley.press("retry", (await turnOf("101"))?.id ?? "").done;
    const again = await parley.agents.run(1);
    again.send({ type: "started" }, named("c2"));
    again.answer("Better");
    await parley.settle(1_000);

    await parley.bridge().forget(thread, admin, true);

    expect(parley.agents.forgotten).toEqual([{ conversation: "c1" }, { conversation: "c2" }]);
    expect((await asked("Two?", 2)).options.thread).toBeUndefined();
  });

  it("deletes the conversation of a text that was edited while the agent answered it", async () => {
    (await asked("One?", 0)).send({ type: "started" }, named("c1"), { type: "run", run: { id: "resp_1" } });
    await parley.settle(100);
    await parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit", questionKey: "memory/T1/general/101" },
      ...{ order: "0000000999", messageId: "101", text: "Two?", attachments: [] },
      ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
    }).done;
    await parley.settle(100);
    const again = await parley.agents.run(1);
    again.send({ type: "started" }, named("c2"));
    again.answer("Answer");
    await parley.settle(1_000);
    await parley.bridge().forget(thread, admin, true);

    expect(parley.agents.forgotten).toEqual([{ conversation: "c1" }, { conversation: "c2" }]);
  });

  it("deletes the conversation of a run that nobody could read on after a crash", async () => {
    parley.agents.set({ profile: { resumes: false } });
    (await asked("One?", 0)).send({ type: "started" }, named("c1"), { type: "run", run: { id: "resp_1" } });
    await parley.settle(100);
    await parley.restart();
    await parley.settle(100);
    const again = await parley.agents.run(1);
    again.send({ type: "started" }, named("c2"));
    again.answer("Answer");
    await parley.settle(1_000);
    await parley.bridge().forget(thread, admin, true);

    expect(parley.agents.forgotten).toEqual([{ conversation: "c1" }, { conversation: "c2" }]);
  });

  it("continues when the service can't delete, or doesn't answer", async () => {
    await answered("One?", 0, "c1");
    Object.assign(parley.agents, { forgetThread: () => Promise.reject(new ParleyError("service_unreachable")) });
    const forgotten = parley.bridge().forget(thread, admin, true);
    await parley.settle(10_000);

    expect(await forgotten).toBe(1);
  });
});
