import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

const minute = 60_000;

let parley: Harness;
let reactions: string[];
beforeEach(async () => {
  reactions = [];
  const add = async (ref: { messageId: string }, emoji: string) => void reactions.push(`${emoji} ${ref.messageId}`);
  parley = await createHarness({
    platform: { reactions: { add, remove: async () => {} } },
    dateSources: async (_agent, sources) => sources.map((source) => ({ ...source, updatedAtMs: 42 })),
  });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function answered(answer = "Until 23:00.", changes: Record<string, unknown> = {}) {
  const count = parley.agents.runs.length;
  await parley.say("How late can a guest check in?", { place: thread, ...changes }).done;
  (await parley.agents.run(count)).answer(answer);
  await parley.settle();
}

/** Said in the thread, to nobody in particular. */
async function said(text: string, changes: Record<string, unknown> = {}) {
  const event = parley.say(text, { place: thread, mentionsParley: false, ...changes });
  await event.done;
  await parley.settle();
  return event;
}

describe("a thread in which Parley answered", () => {
  it("is left to people, but for thanks and questions", async () => {
    await answered();
    await said("thanks, that helped!");
    await said("Good to know. I'll tell the night team.", { actor: bob });
    await said("@Jo can you change the sign at the door?", { actor: bob, addressesOthers: true });
    const carol = { ...bob, id: "U3", name: "Jo" };
    expect(parley.agents.runs).toHaveLength(1);

    await parley.settle(7 * minute);
    await said("Sure. Is it different on Sundays?", { actor: carol });
    (await parley.agents.run(1)).answer("Yes, until 22:00 on Sundays.");
    await parley.settle();
    await said("ok cool", { actor: carol });

    expect(parley.agents.runs).toHaveLength(2);
    expect(parley.texts()).toHaveLength(2);
    expect(reactions).toEqual(["🙌 102"]);
  });

  it("looks into what was said to nobody, shows nothing meanwhile, and posts only what is sure", async () => {
    await answered();
    await said("do we meet at nine?", { actor: bob });
    expect(parley.texts()).toHaveLength(1);
    (await parley.agents.run(1)).answer("I can't find a meeting.");
    await parley.settle();
    for (const text of ["the room is booked", "the blue one", "see you there"]) await said(text, { actor: bob });
    await parley.settle(1_500);
    await said("is it open on Tuesday?", { actor: bob });
    (await parley.agents.run(2)).answer("Yes, until 22:00.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(2);
    expect(parley.last()?.payload.actions.map(({ id }) => id)).toContain("not-for-you");
    expect(reactions).toEqual([]);
  });

  it("dates the sources of what it posts unasked, as of every answer", async () => {
    await answered();
    await said("is it open on Tuesday?", { actor: bob });
    const asked = await parley.agents.run(1);
    asked.send({ type: "answer", text: "Yes, open until 22:00.", sources: [{ title: "Hours" }] });
    asked.answer("Yes, open until 22:00.");
    await parley.settle();

    const turn = await parley.state().turns.getByEventKey("memory/T1/general/102");
    expect(turn).toMatchObject({ state: "answered", outcome: { grade: "sure", sources: [{ updatedAtMs: 42 }] } });
  });

  it("leaves lines that are said to a person to that person, whom it knows by name", async () => {
    await answered();
    await said("I'm here too", { actor: { ...bob, id: "U3", name: "Carol Weiss" } });
    for (const text of ["Carol, do we meet at nine?", "did you call them, Carol?", "who asked Carol?"]) {
      await said(text, { actor: bob });
    }

    expect(parley.agents.runs).toHaveLength(1);
  });

  it("asks what an edit puts to Parley", async () => {
    await answered();
    await said("do we meet at nine?", { actor: bob });
    (await parley.agents.run(1)).answer("I can't find a meeting.");
    await parley.settle();
    await parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit", order: "0000000200", text: "When do we meet?" },
      ...{ questionKey: "memory/T1/general/102", messageId: "102", mentionsParley: true, actor: bob },
      ...{ attachments: [], addressesOthers: false, isDirect: false, place: thread, conversation: thread },
    }).done;
    (await parley.agents.run(2)).answer("At nine.");
    await parley.settle();

    expect(parley.texts()).toHaveLength(2);
  });

  it("costs no call while twenty people talk in it", async () => {
    await answered();
    for (let index = 0; index < 20; index += 1) await said(`Message ${index} to all of you`, { actor: bob });

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toHaveLength(1);
    expect(reactions).toEqual([]);
  });

  it("is listened to whatever was said there meanwhile, and however long ago it answered", async () => {
    await answered();
    for (let index = 0; index < 300; index += 1) await said(`Message ${index}`, { actor: bob });
    await parley.settle(31 * minute);
    await said("Is it different on Sundays?", { actor: bob });
    expect(await parley.agents.run(1)).toBeDefined();
  });

  it("takes an ok as a reply if the answer ended with a question", async () => {
    await answered("Until 23:00. Should I look up Sundays too?");
    await said("ok");
    expect(await parley.agents.run(1)).toBeDefined();
    expect(reactions).toEqual([]);
  });

  it("is listened to after a restart", async () => {
    await answered();
    await parley.restart();
    await said("and on Sundays?");
    expect(await parley.agents.run(1)).toBeDefined();
  });

  it("answers a person who says thanks and asks how", async () => {
    await answered();
    await said("thanks, but how?");
    expect((await parley.agents.run(1)).question).toContain("thanks, but how?");
    expect(reactions).toEqual([]);
  });

  it("is listened to as soon as Parley has opened it, before the question it was opened for is noted there", async () => {
    await said("and on Sundays", { isInOwnThread: true });
    expect(await parley.agents.run(0)).toBeDefined();
  });

  it("is strange to someone whose questions were forgotten", async () => {
    await answered();
    const forgetting = parley.bridge().forget(thread, alice, false);
    await parley.settle(1_000);
    expect(await forgetting).toBe(1);

    await said("thanks!");
    expect(reactions).toEqual([]);
  });

  it("answers two people who ask a second apart, in order", async () => {
    await answered();
    await parley.say("And on Sundays?", { place: thread, mentionsParley: false }).done;
    await parley.settle(1_500);
    await parley.say("And at Christmas?", { place: thread, mentionsParley: false, actor: bob }).done;
    (await parley.agents.run(1)).answer("Until 22:00.");
    await parley.settle();
    (await parley.agents.run(2)).answer("Closed.");
    await parley.settle();

    expect(parley.texts().map((text) => /23:00|22:00|Closed/.exec(text)?.[0])).toEqual(["23:00", "22:00", "Closed"]);
  });
});

describe("thanks", () => {
  it("gets a reaction and is acknowledged, however often it is delivered", async () => {
    const event = parley.say("Thanks!", { eventKey: "memory/T1/general/thanks" });
    await event.done;
    await parley.say("Thanks!", { eventKey: "memory/T1/general/thanks" }).done;

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(reactions).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(0);
    expect(parley.texts(general)).toEqual([]);
  });

  it("gets one private line where messages have no reactions", async () => {
    const page = await createHarness();
    const event = page.say("Thanks!", { isDirect: true });
    await event.done;
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(JSON.stringify(event.sent)).toContain("You're welcome.");
    await page.stop();
  });

  it("gets nothing from a platform that doesn't let Parley react", async () => {
    const refused = await createHarness({
      platform: { reactions: { add: () => Promise.reject(new Error("not allowed")), remove: async () => {} } },
    });
    const event = refused.say("Thanks!");
    await event.done;
    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(event.sent).toEqual([]);
    await refused.stop();
  });
});

describe("a question to nobody in particular in mode channel", () => {
  const search = { type: "step-started", tool: "kb_query_tool", input: "SELECT * FROM docs" } as const;
  const found = {
    type: "step-finished",
    observation: "until 23:00",
    outcome: { kind: "passages", count: 1 },
    sources: [{ title: "Check-in", url: "https://example.com/check-in" }],
  } as const;
  const asked = (text = "How late can a guest check in?", changes: Record<string, unknown> = {}) =>
    parley.say(text, { mentionsParley: false, ...changes });

  beforeEach(async () => {
    await parley.bindings().setChannel(general, { mode: "channel" });
  });

  it("shows nothing while it works, and then one answer with its source", async () => {
    await asked().done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search, found);
    await parley.settle(minute);
    expect(parley.texts()).toEqual([]);

    run.answer("Until 23:00.");
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Until 23:00.");
    await said("and on Sundays");
    expect(await parley.agents.run(1)).toBeDefined();
  });

  it("shows nothing that is about something else, whatever its agent found", async () => {
    const excerpt = "Pets stay in the garden house.";
    await asked().done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search, { ...found, sources: [{ title: "Pets", excerpt }] });
    run.answer(excerpt);
    await parley.settle();

    expect(parley.texts()).toEqual([]);
    const [turn] = await parley.state().turns.recent(1);
    expect(turn).toMatchObject({ notAnswered: "unsure", outcome: { grade: "unsure" } });
  });

  it("shows nothing without a source, and makes the thread none of its own", async () => {
    const event = asked();
    await event.done;
    (await parley.agents.run(0)).answer("I found nothing.");
    await parley.settle();

    expect(event.sent).toEqual([]);
    expect(parley.texts()).toEqual([]);
    const [turn] = await parley.state().turns.recent(1);
    expect(turn).toMatchObject({ state: "answered", notAnswered: "nothing", isQuiet: true });

    await said("That's fine, I asked Jo");
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("is silent when the service fails", async () => {
    const event = asked();
    await event.done;
    (await parley.agents.run(0)).fail(new ParleyError("service_unreachable"));
    await parley.settle(minute);

    expect(event.sent).toEqual([]);
    expect(parley.texts()).toEqual([]);
    expect(parley.texts(general)).toEqual([]);
    const [turn] = await parley.state().turns.recent(1);
    expect(turn).toMatchObject({ state: "failed", notAnswered: "failed" });
  });

  it("is not taken if it asks nothing", async () => {
    await asked("Deploy is done").done;
    expect(parley.agents.runs).toHaveLength(0);
  });

  it("is shown once it is edited to mention Parley", async () => {
    const event = { eventKey: "memory/T1/general/quiet", messageId: "100" };
    await asked("How late can a guest check in?", event).done;
    await parley.agents.run(0);
    const edit = parley.send({
      ...{ kind: "message-edited", eventKey: "memory/T1/edit/1", questionKey: event.eventKey, order: "0000000200" },
      ...{ messageId: "100", text: "How late can a guest check in?", attachments: [], conversation: thread },
      ...{ mentionsParley: true, addressesOthers: false, isDirect: false },
    });
    await edit.done;
    await parley.settle();
    (await parley.agents.run(1)).answer("I found nothing.");
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("I found nothing.");
  });

  it.each([
    ["asks nothing", "It is late, I asked at the desk", {}],
    ["is to someone else", "@Jo how late can a guest check in?", { addressesOthers: true }],
  ])("is stopped, and not asked again, once it is edited so that it %s", async (_what, text, changes) => {
    const event = { eventKey: "memory/T1/general/quiet", messageId: "100" };
    await asked("How late can a guest check in?", event).done;
    const run = await parley.agents.run(0);
    const edit = {
      ...{ kind: "message-edited", eventKey: "memory/T1/edit/1", questionKey: event.eventKey, order: "0000000200" },
      ...{ messageId: "100", text, attachments: [], conversation: thread },
      ...{ mentionsParley: false, addressesOthers: false, isDirect: false, ...changes },
    };
    const sent = parley.send(edit);
    await sent.done;
    await parley.settle();

    expect(sent.acks).toEqual([{ kind: "none" }]);
    expect(run.isAborted()).toBe(true);
    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toEqual([]);
    const [turn] = await parley.state().turns.recent(1);
    expect(turn?.state).toBe("stopped");
    // Nor is it asked once it has ended.
    await parley.send({ ...edit, eventKey: "memory/T1/edit/2", text: `${text}!` }).done;
    await parley.settle();
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("is shown once, and isn't asked again, if the process dies when its answer is stored", async () => {
    let isAway = true;
    parley.platform.fail({ on: "post", error: "platform_unreachable", times: 1_000, when: () => isAway });
    await asked().done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search, found);
    run.answer("Until 23:00.");
    await parley.settle(1_000);
    expect(parley.texts()).toEqual([]);

    await parley.restart();
    isAway = false;
    await parley.settle(minute);
    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.texts()).toHaveLength(1);
    expect(parley.texts()[0]).toContain("Until 23:00.");
  });

  it("stays unshown after a restart if its answer rests on nothing", async () => {
    await asked().done;
    (await parley.agents.run(0)).answer("I found nothing.");
    await parley.settle();
    await parley.restart();
    await parley.settle(minute);

    expect(parley.agents.runs).toHaveLength(1);
    expect(parley.platform.writes).toEqual([]);
  });

  it("is asked again and shown once if the process dies before it was shown", async () => {
    await asked().done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" }, search, found);
    await parley.restart();
    const again = await parley.agents.run(1);
    again.send({ type: "started" }, search, found);
    again.answer("Until 23:00.");
    await parley.settle();
    expect(parley.texts()).toHaveLength(1);
  });
});

describe("mode every", () => {
  it("answers every message, and stays when the channel's knowledge base or agent changes", async () => {
    await parley.bindings().setChannel(general, { mode: "every", agent: "guide" });
    await parley.say("Deploy is done", { mentionsParley: false }).done;
    expect(await parley.agents.run(0)).toBeDefined();

    await parley.bindings().setChannel(general, { knowledgeBase: "docs" });
    expect(await parley.bindings().modeOf(general)).toBe("every");
    await parley.bindings().clearChannel(general);
    expect(await parley.bindings().modeOf(general)).toBe("every");
  });
});
