/**
 * A forgotten conversation is deleted from every store, and does not come back: not by an edit, a button, or an event
 * that the platform resends.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Actor, conversationKey, type Place } from "../../../src/core/model/place.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const key = "memory/T1/general/101";

async function answered(): Promise<void> {
  await parley.say("Where is the SECRET-QUESTION?").done;
  const run = await parley.agents.run(0);
  run.send({ type: "step-started", tool: "sql", input: "SELECT SECRET-STEP" });
  run.send({ type: "step-finished", observation: "SECRET-FIND", outcome: { kind: "text" }, sources: [] });
  run.answer("SECRET-ANSWER");
  await parley.settle();
}

async function answeredTurn(): Promise<Turn> {
  await answered();
  const turn = await parley.state().turns.getByEventKey(key);
  if (turn === undefined) throw new Error("Nothing was asked.");
  return turn;
}

/** All that is stored, as text. */
async function stored(): Promise<string> {
  const all: unknown[] = await parley
    .state()
    .turns.recent(100)
    .then((turns) => [...turns]);
  for (const namespace of ["conversations", "latest-questions", "bot-turns", "bindings"]) {
    for await (const entry of parley.state().keyValue(namespace).entries("")) all.push(entry);
  }
  return JSON.stringify(all);
}

async function forget(by = alice, mayForgetOthers = false): Promise<number> {
  const forgetting = parley.bridge().forget(thread, by, mayForgetOthers);
  forgetting.catch(() => undefined);
  await parley.settle(1_000);
  return forgetting;
}

describe("forgetting a conversation", () => {
  it("leaves no question, answer, context or step in any store", async () => {
    await answered();
    expect(await stored()).toContain("SECRET");

    expect(await forget()).toBe(1);
    expect(await stored()).not.toContain("SECRET");
    expect(await parley.state().turns.getByEventKey(key)).toMatchObject({ state: "answered", isForgotten: true });
  });

  it("removes what was pasted with a question, and the words of one that failed", async () => {
    await parley.say("Why SECRET-FAILED?").done;
    (await parley.agents.run(0)).end();
    await parley.settle();

    expect(await forget()).toBe(1);
    expect(await stored()).not.toContain("SECRET");
  });

  it("stops what is being answered, and what waits, and forgets it too", async () => {
    await parley.say("Where is the SECRET-QUESTION?").done;
    await parley.say("And SECRET-WAITING?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" });
    await parley.settle();

    expect(await forget()).toBe(2);
    expect(run.isAborted()).toBe(true);
    expect(await stored()).not.toContain("SECRET");
    expect(parley.texts().every((text) => text.includes("Stopped"))).toBe(true);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it("is refused where someone else has asked, and changes nothing", async () => {
    await answered();
    await expect(forget(bob)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await stored()).toContain("SECRET-ANSWER");

    expect(await forget(bob, true)).toBe(1);
    expect(await stored()).not.toContain("SECRET");
  });

  it("counts nothing the second time, and lets the next question start fresh", async () => {
    await answered();
    await forget();
    expect(await forget()).toBe(0);

    await parley.say("And now?").done;
    const next = await parley.agents.run(1);
    expect(next.messages).toMatchObject([{ question: "And now?", answer: "" }]);
  });

  it("lets an instance that lost its place in the conversation store nothing of it afterwards", async () => {
    const { turns } = parley.state();
    // Asked in that conversation by an instance that does not hear of the stop: its storage is away.
    const asked = { ...(await answeredTurn()), id: "0elsewhere", eventKey: "memory/T1/general/900" };
    await turns.create({ ...asked, state: "running" });
    const forgetting = parley.bridge().forget(thread, alice, false);
    await parley.settle(60_000);
    await forgetting;

    const late = { outcome: asked.outcome, question: "SECRET-QUESTION" };
    await turns.transition(asked.id, ["running", "interrupted"], "running", late, asked.fence);
    expect(await stored()).not.toContain("SECRET");
  });

  it("where Parley never wrote doesn't make it listen there", async () => {
    expect(await forget()).toBe(0);
    await parley.say("Shall we have lunch?", {
      ...{ mentionsParley: false, messageId: "102", place: thread, conversation: thread },
    }).done;
    await parley.settle();

    expect(parley.agents.runs).toEqual([]);
    expect(parley.texts()).toEqual([]);
  });

  it("asks a platform whose messages Parley keeps itself to forget them too, once there was something", async () => {
    const forgotten: Place[] = [];
    Object.assign(parley.platform, {
      forget: async (place: Place) => {
        forgotten.push(place);
      },
    });
    await parley.restart();
    await forget();
    expect(forgotten).toEqual([]);

    await answered();
    await forget();
    expect(forgotten).toEqual([thread]);
  });

  it("below a private answer forgets that one, where the platform knows the direct message by the person's id", async () => {
    const { turns } = parley.state();
    const turn = await answeredTurn();
    const place = { ...general, channel: "U1" };
    const of = (id: string, actor = alice) => ({
      ...{ ...turn, id, eventKey: id, actor, conversation: place, isPrivate: true as const },
      reply: { place, parts: [{ index: 0, messageId: `m-${id}`, state: "final" as const }] },
    });
    for (const one of [of("0own"), of("0other"), of("0bob", bob)]) await turns.create(one);
    Object.assign(parley.platform, {
      isDirect: ({ channel: id }: Place) => /^[DU]/.test(id),
      directPlace: ({ id }: Actor) => ({ ...general, channel: id }),
    });
    await parley.restart();
    const below = (id: string) => ({ ...general, channel: "D1", thread: `m-${id}` });
    const forgetting = Promise.all(["0own", "0bob"].map((id) => parley.bridge().forget(below(id), alice, true)));
    await parley.settle(1_000);

    expect(await forgetting).toEqual([1, 0]);
    expect(JSON.stringify(await parley.state().turns.get("0own"))).not.toContain("SECRET");
    for (const id of ["0other", "0bob"])
      expect(JSON.stringify(await parley.state().turns.get(id))).toContain("SECRET-ANSWER");
  });

  it("leaves other conversations alone", async () => {
    await answered();
    const elsewhere = { ...thread, thread: "900" };
    await parley.say("Elsewhere?", { conversation: elsewhere }).done;
    (await parley.agents.run(1)).answer("KEPT");
    await parley.settle();

    await forget();
    expect(await stored()).toContain("KEPT");
    expect(await parley.state().keyValue("conversations").get(conversationKey(elsewhere))).toBeDefined();
  });
});

describe("what was forgotten", () => {
  beforeEach(async () => {
    await answered();
    await forget();
  });

  it("is not asked again when its event comes again, or its message is edited", async () => {
    await parley.say("Where is the SECRET-QUESTION?", { eventKey: key }).done;
    await parley.send({
      ...{
        kind: "message-edited",
        eventKey: "memory/T1/edit",
        questionKey: key,
        messageId: "101",
        text: "SECRET-EDIT",
      },
      ...{ attachments: [], mentionsParley: true, addressesOthers: false, isDirect: false },
    }).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(1);
    expect(await stored()).not.toContain("SECRET");
  });

  it.for(["retry", "steps", "csv", "rest", "thumb-up"])("cannot be had back by a button: %s", async (action) => {
    const turn = await parley.state().turns.getByEventKey(key);
    const pressed = parley.press(action, turn?.id ?? "");
    await pressed.done;
    await parley.settle();

    expect(JSON.stringify(pressed.sent)).toContain("That answer is no longer available.");
    expect(parley.agents.runs).toHaveLength(1);
  });
});

describe("forgetting single questions", () => {
  it("leaves nothing of them, and keeps what else was asked there", async () => {
    await answered();
    await parley.say("And the pets?").done;
    (await parley.agents.run(1)).answer("Dogs are welcome.");
    await parley.settle();
    const turn = await parley.state().turns.getByEventKey(key);
    if (turn === undefined) throw new Error("Nothing was asked.");

    const forgetting = parley.bridge().forgetTurns([turn]);
    await parley.settle(1_000);
    await forgetting;
    expect(await stored()).not.toContain("SECRET");
    expect(await stored()).toContain("Dogs are welcome.");

    await parley.say("And cats?").done;
    await parley.agents.run(2);
    expect(JSON.stringify(parley.agents.runs[2])).not.toContain("SECRET");
    expect(JSON.stringify(parley.agents.runs[2])).toContain("Dogs are welcome.");
  });

  it("stops one that runs, without a change to the one that waits behind it", async () => {
    await parley.say("Where is the SECRET-QUESTION?").done;
    await parley.say("And the pets?").done;
    const run = await parley.agents.run(0);
    run.send({ type: "started" });
    await parley.settle();
    const turn = await parley.state().turns.getByEventKey(key);
    if (turn === undefined) throw new Error("Nothing was asked.");

    const forgetting = parley.bridge().forgetTurns([turn]);
    await parley.settle(1_000);
    (await parley.agents.run(1)).answer("Dogs are welcome.");
    await parley.settle(1_000);
    await forgetting;
    expect(run.isAborted()).toBe(true);
    expect(await stored()).not.toContain("SECRET");
    expect(parley.texts().join("\n")).toContain("Dogs are welcome.");
  });
});
