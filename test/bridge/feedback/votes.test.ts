import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Feedback } from "../../../src/core/model/insight.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { alice, bob, general, project, thread } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

let parley: Harness;
let turnId: string;

beforeEach(async () => {
  parley = await createHarness();
  parley.agents.set({ agents: ["guide", "sales"] });
  await parley.bindings().setChannel(general, { project, agent: "guide" });
  turnId = await answered();
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

async function answered(): Promise<string> {
  const { length } = parley.agents.runs;
  await parley.say("How long do refunds take?").done;
  (await parley.agents.run(length)).answer("Within 14 days.");
  await parley.settle();
  return (await turn()).id;
}

async function turn(): Promise<Turn> {
  const [found] = await Array.fromAsync(parley.state().turns.ofConversation(thread));
  if (found === undefined) throw new Error("Nothing was asked.");
  return found;
}

async function press(thumb: "up" | "down", changes: Record<string, unknown> = {}): Promise<Event> {
  const event = parley.press(`thumb-${thumb}`, turnId, changes);
  await untilAdvanced(parley.clock, "the acknowledgement", () => event.acks.length > 0);
  await event.done;
  return event;
}

async function sendForm(values: Record<string, unknown>, changes: Record<string, unknown> = {}): Promise<Event> {
  const about = { kind: "form", formId: "feedback", context: turnId, conversation: thread, values };
  const event = parley.send({ ...about, eventKey: `memory/T1/form/${Math.random()}`, order: "800", ...changes });
  await event.done;
  return event;
}

const votes = async (): Promise<readonly Feedback[]> =>
  (await Array.fromAsync(parley.state().keyValue<Feedback>("feedback").entries("memory/T1/"))).map(([, vote]) => vote);
const said = ({ sent }: Event) => sent.map(({ document, visibility }) => `${visibility}: ${document.summary}`);
/** The quiet line. */
const line = () => parley.last()?.payload.text.split("\n").at(-1);
const edits = () => parley.last()?.edits ?? 0;

describe("a thumb", () => {
  it("is stored, and the person who pressed is told privately", async () => {
    const up = await press("up");

    expect(up.acks).toEqual([{ kind: "defer-private" }]);
    expect(said(up)).toEqual(["private: Your 👍 is saved."]);
    expect(await votes()).toMatchObject([{ turnId, voter: "U1", thumb: "up", actor: { id: "U1", name: "Alice" } }]);
  });

  it("pressed again is taken back, and the other one changes the vote", async () => {
    await press("up");
    expect(said(await press("up"))).toEqual(["private: Your 👍 is taken back."]);
    expect(await votes()).toEqual([]);

    await press("down");
    expect(said(await press("up"))).toEqual(["private: Your vote is now 👍."]);
    expect(await votes()).toMatchObject([{ thumb: "up" }]);
    expect(said(await press("down"))).toEqual([]);
    expect(said(await press("down"))).toEqual(["private: Your 👎 is taken back."]);
    expect(await votes()).toEqual([]);
  });

  it("that its platform keeps filled stays when it is pressed again, and the reply says what is stored", async () => {
    const filled = { keepsPressed: true };
    expect(said(await press("up", filled))).toEqual(["private: Your 👍 is saved."]);
    expect(said(await press("up", filled))).toEqual(["private: Your 👍 is saved."]);
    expect(await votes()).toMatchObject([{ thumb: "up" }]);

    const down = await press("down", filled);
    expect(down.acks).toMatchObject([{ kind: "form" }]);
    await sendForm({ comment: "Old." });
    const again = await press("down", filled);
    expect(again.acks).toMatchObject([{ kind: "form" }]);
    expect(await votes()).toMatchObject([{ thumb: "down", comment: "Old." }]);
  });

  it("counts once per person, and on the page once per browser", async () => {
    await press("up");
    await press("up", { actor: bob });
    await press("up", { voter: "browser-1" });
    await press("down", { voter: "browser-2" });

    expect(line()).toMatch(/ · 👍 1$/);
    await parley.settle(30_000);
    expect(line()).toMatch(/ · 👍 3 · 👎 1$/);
  });

  it("counts once when the platform delivers the press twice", async () => {
    const again = { eventKey: "memory/T1/press/twice" };
    await press("up", again);
    const second = await press("up", again);

    expect(said(second)).toEqual([]);
    expect(await votes()).toMatchObject([{ thumb: "up" }]);
  });

  it("says that the answer is bad as long as it counts", async () => {
    await press("down");
    await press("up");
    await press("down");
    await press("down");

    const bad = `${turnId} is bad`;
    const good = `${turnId} may be good`;
    expect(parley.signals).toEqual([bad, good, bad, good]);
  });

  it("reaches only answers of the place where it is pressed", async () => {
    const elsewhere = await press("up", { place: { ...general, channel: "random" } });

    expect(said(elsewhere)).toEqual(["private: That answer is no longer available."]);
    expect(await votes()).toEqual([]);
  });

  it("counts as a command, because each press is answered", async () => {
    for (let index = 0; index < 30; index += 1) await press("up");
    const tooMany = await press("up");

    expect(said(tooMany)).toEqual(["private: You've sent more than 30 commands in a minute."]);
    expect(await votes()).toEqual([]);
  });

  it("is stored when the platform is told, so that no crash loses it", async () => {
    const stored: number[] = [];
    const ack = async () => void stored.push((await votes()).length);
    await parley.press("thumb-up", turnId, { ack, actor: bob }).done;
    await parley.press("thumb-down", turnId, { ack }).done;
    await sendForm({ reason: "wrong" }, { ack, actor: { ...bob, id: "U9" } });

    expect(stored).toEqual([1, 2, 3]);
  });

  it("survives a crash", async () => {
    await press("down");
    await parley.restart();

    expect(await votes()).toMatchObject([{ thumb: "down" }]);
    expect(said(await press("down"))).toEqual(["private: Your 👎 is taken back."]);
  });
});

describe("👎", () => {
  it("opens a form, and counts if that is closed", async () => {
    const down = await press("down");

    expect(down.acks).toMatchObject([{ kind: "form", form: { id: "feedback", title: "What was wrong?" } }]);
    expect(await votes()).toMatchObject([{ thumb: "down" }]);
    await parley.settle();
    expect(line()).toMatch(/ · 👎 1$/);
  });

  it("stores why, in the person's words, and promises to tell the person who asked", async () => {
    await press("down");
    const sent = await sendForm({ reason: "outdated", comment: " It says 2019. ", tell: ["yes"] });

    expect(said(sent)).toEqual(["private: Your 👎 is saved. I'll tell you when it's fixed."]);
    expect(await votes()).toMatchObject([{ thumb: "down", reason: "outdated", comment: "It says 2019.", tell: true }]);
  });

  it("needs no reason, cuts a comment of any length, and keeps nothing that isn't offered", async () => {
    await press("down");
    await sendForm({ reason: "rude", comment: "a".repeat(40_000), tell: [], share: ["yes"] });

    const [vote] = await votes();
    expect(vote?.comment).toHaveLength(1_000);
    expect(vote).toMatchObject({ tell: false });
    expect(vote).not.toHaveProperty("reason");
    expect(vote).not.toHaveProperty("isShared");
  });

  it("promises nothing to a person who didn't ask", async () => {
    const down = await press("down", { actor: bob });
    const fields = down.acks[0]?.kind === "form" ? down.acks[0].form.fields.map(({ name }) => name) : [];
    const sent = await sendForm({ tell: ["yes"] }, { actor: bob });

    expect(fields).toEqual(["reason", "comment"]);
    expect(said(sent)).toEqual(["private: Your 👎 is saved."]);
    expect(await votes()).toMatchObject([{ voter: "U2", tell: false }]);
  });

  it("offers to share a question that was asked in a direct message, and only there", async () => {
    const fields = ({ acks: [ack] }: Event) => (ack?.kind === "form" ? ack.form.fields : []);
    expect(fields(await press("down")).map(({ name }) => name)).toEqual(["reason", "comment", "tell"]);

    const direct = { ...general, channel: "D1" };
    const isDirect = ({ channel }: { readonly channel: string }) => channel === "D1";
    const alone = await createHarness({ platform: { isDirect } });
    await alone.bindings().setChannel(direct, { project, agent: "guide" });
    const conversation = { ...direct, thread: "100" };
    await alone.say("What do I earn?", { place: direct, conversation, isDirect: true }).done;
    (await alone.agents.run(0)).answer("Ask someone else.");
    await alone.settle();
    const [asked] = await Array.fromAsync(alone.state().turns.ofConversation(conversation));
    const down = alone.press("thumb-down", asked?.id ?? "", { place: direct });
    await untilAdvanced(alone.clock, "the form", () => down.acks.length > 0);
    await down.done;
    const form = { kind: "form", formId: "feedback", context: asked?.id, conversation, place: direct, order: "900" };
    await alone.send({ ...form, eventKey: "memory/T1/form/1", values: { share: ["yes"] } }).done;
    const stored = await Array.fromAsync(alone.state().keyValue<Feedback>("feedback").entries("memory/T1/"));
    await alone.stop();

    expect(fields(down).map(({ name, initial }) => [name, initial])).toEqual([
      ["reason", undefined],
      ["comment", undefined],
      ["tell", ["yes"]],
      ["share", []],
    ]);
    expect(stored.map(([, { isShared }]) => isShared)).toEqual([true]);
  });

  it("counts when its form is sent after it was taken back", async () => {
    await press("down");
    await press("down");
    await sendForm({ reason: "wrong" });

    expect(await votes()).toMatchObject([{ thumb: "down", reason: "wrong" }]);
  });

  it("opens its form in time while storage is slow, and counts later", async () => {
    const { turns } = parley.state();
    const { get } = turns;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    Object.assign(turns, { get: (id: string) => released.then(() => get(id)) });

    const event = parley.press("thumb-down", turnId);
    await parley.settle(1_000);
    expect(event.acks).toMatchObject([{ kind: "form" }]);
    expect(await votes()).toEqual([]);

    release();
    Object.assign(turns, { get });
    await event.done;
    expect(await votes()).toMatchObject([{ thumb: "down" }]);
  });
});

describe("the counts below an answer", () => {
  it("take a hundred presses with at most one edit in 30 s, and end up right", async () => {
    const before = edits();
    const people = Array.from({ length: 100 }, (_, index) => ({ ...alice, id: `P${index}` }));
    const presses = people.map((actor) => parley.press("thumb-down", turnId, { actor }));
    await untilAdvanced(parley.clock, "all acknowledgements", () => presses.every(({ acks }) => acks.length > 0));
    await Promise.all(presses.map(({ done }) => done));
    await parley.settle();

    expect(edits() - before).toBe(1);
    await parley.settle(29_000);
    expect(edits() - before).toBe(1);
    await parley.settle(31_000);
    expect(edits() - before).toBe(2);
    expect(line()).toMatch(/ · 👎 100$/);
    expect(await votes()).toHaveLength(100);
  });

  it("are edited by one of two instances, once in 30 s", async () => {
    const before = edits();
    const other = parley.neighbour();
    await press("up");
    const inbound = { kind: "action", action: "thumb-up", value: turnId, eventKey: "memory/T1/other", order: "900" };
    await parley.send({ ...inbound, actor: bob }, other).done;
    await parley.settle(15_000);

    expect(edits() - before).toBe(1);
    await parley.settle(60_000);
    expect(edits() - before).toBe(2);
    expect(line()).toMatch(/ · 👍 2$/);
  });

  it("stay when the question is asked again", async () => {
    await press("down");
    await parley.settle();
    await parley.press("retry", turnId).done;
    (await parley.agents.run(1)).answer("Within 30 days.");
    await parley.settle();

    expect(parley.last()?.payload.text).toContain("Within 30 days.");
    expect(line()).toMatch(/ · 👎 1$/);
  });

  it("never touch a question that is being asked again", async () => {
    await press("up");
    await parley.settle();
    await press("up", { actor: bob });
    await parley.press("retry", turnId).done;
    const run = await parley.agents.run(1);
    await parley.settle(40_000);

    expect(parley.last()?.payload.text).not.toContain("👍");
    run.answer("Within 30 days.");
    await parley.settle();
    expect(line()).toMatch(/ · 👍 2$/);
  });

  it("are gone when the last vote is taken back", async () => {
    await press("up");
    await parley.settle();
    await press("up");
    await parley.settle(30_000);

    expect(parley.last()?.payload.text).not.toContain("👍");
  });

  it("wait for the next vote when the message can't be edited", async () => {
    parley.platform.fail({ on: "edit", error: "not_permitted" });
    await press("up");
    await parley.settle(120_000);
    expect(parley.last()?.payload.text).not.toContain("👍");

    await press("up", { actor: bob });
    await parley.settle();
    expect(line()).toMatch(/ · 👍 2$/);
  });
});
