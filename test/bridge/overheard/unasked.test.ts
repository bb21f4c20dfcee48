/** What Parley says unasked: bounded, sent away with one press, and never where it was told to leave. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import { silenceToken } from "../../../src/core/text/silence-token.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let reactions: string[];
let covers: boolean | undefined;
let cannotReact: boolean;
let looks: number;

beforeEach(async () => {
  reactions = [];
  covers = undefined;
  cannotReact = false;
  looks = 0;
  const add = async (ref: { messageId: string }, emoji: string) => {
    if (cannotReact) throw new ParleyError("platform_refused");
    reactions.push(`${emoji} ${ref.messageId}`);
  };
  parley = await createHarness({
    platform: { reactions: { add, remove: async () => {} } },
    service: {
      covers: async () => {
        looks += 1;
        return covers ?? true;
      },
    },
  });
  await parley.say("How late can a guest check in?", { place: thread }).done;
  (await parley.agents.run(0)).answer("Until 23:00.");
  await parley.settle();
});
afterEach(() => parley.stop());

/** Said in the thread, to nobody in particular. */
async function said(text: string, changes: Record<string, unknown> = {}) {
  await parley.settle(1_500);
  await parley.say(text, { place: thread, mentionsParley: false, actor: bob, ...changes }).done;
  await parley.settle();
}

/** Answered although nobody asked Parley. */
async function unasked(answer = "Until 22:00.") {
  const count = parley.agents.runs.length;
  await said("is it different on Sundays?");
  (await parley.agents.run(count)).answer(answer);
  await parley.settle();
  const turns = await parley.state().turns.recent(1);
  return turns[0]?.id ?? "";
}

it("goes with Not for you, and the thread is left to people until Parley is mentioned", async () => {
  const id = await unasked();
  expect(parley.texts()).toHaveLength(2);

  const press = parley.press("not-for-you", id, { actor: bob, place: thread });
  await press.done;
  await parley.settle();

  expect(parley.texts()).toHaveLength(1);
  expect(press.sent[0]?.document.summary).toContain("I'll keep quiet in this thread");
  expect((await parley.state().turns.get(id))?.notAnswered).toBe("not-for-you");
  await said("and on Mondays?");
  expect(parley.agents.runs).toHaveLength(2);

  await said("and on Fridays?", { mentionsParley: true });
  (await parley.agents.run(2)).answer("Closed.");
  await parley.settle();
  await said("and on Mondays?");
  expect(await parley.agents.run(3)).toBeDefined();
});

it("goes with a 👎 as well, without a form", async () => {
  const id = await unasked();

  const press = parley.press("thumb-down", id, { actor: bob, place: thread });
  await press.done;
  await parley.settle();

  expect(press.acks).toEqual([{ kind: "defer-private" }]);
  expect(parley.texts()).toHaveLength(1);
});

it("has the button nowhere else: an answer that was asked for stays", async () => {
  const [turn] = await parley.state().turns.recent(1);
  expect(parley.last()?.payload.actions.map(({ id }) => id)).not.toContain("not-for-you");

  const press = parley.press("not-for-you", turn?.id ?? "", { actor: bob, place: thread });
  await press.done;

  expect(parley.texts()).toHaveLength(1);
  expect(press.sent).toHaveLength(1);
});

it.each(["Lass uns in Ruhe!", "Va-t'en", "dejanos", "уйди", "退出"])("is nothing after %s either", async (text) => {
  await said(text, { mentionsParley: true });

  await said("is it different on Sundays?");
  expect(parley.agents.runs).toHaveLength(1);
  expect(reactions).toHaveLength(1);
});

it("is nothing after @Parley leave, which costs no run and gets a reaction", async () => {
  await said("leave", { mentionsParley: true });
  await said("is it different on Sundays?");

  expect(parley.agents.runs).toHaveLength(1);
  expect(reactions.map((one) => one.split(" ")[0])).toEqual(["👋"]);
});

it("is nothing after @Parley leave for the one who is alone with it there either, until they mention it", async () => {
  const conversation = { ...general, thread: "300" };
  const own = { actor: alice, place: conversation, conversation };
  await parley.say("How late can a guest check in?", { ...own, place: general, messageId: "300" }).done;
  (await parley.agents.run(1)).answer("Until 23:00.");
  await said("and on Sundays", own);
  (await parley.agents.run(2)).answer("Until 22:00.");

  await said("leave", { ...own, mentionsParley: true });
  await said("and on Mondays", own);
  await said("/kb list", own);
  expect(parley.agents.runs).toHaveLength(3);

  await said("and on Mondays", { ...own, mentionsParley: true });
  expect(parley.agents.runs).toHaveLength(4);
});

it("is heard again after a mention that asks nothing, such as help", async () => {
  await said("leave", { mentionsParley: true });
  await said("help", { mentionsParley: true });
  await said("is it different on Sundays?");

  expect(parley.agents.runs).toHaveLength(2);
});

it("is nothing in a channel that it was told to leave, also after it was told to leave a thread there", async () => {
  await parley.bindings().setChannel(general, { mode: "channel" });
  await said("leave", { mentionsParley: true, place: general, conversation: { ...general, thread: "700" } });
  await said("leave", { mentionsParley: true });
  await said("is it different on Sundays?", { place: general, conversation: { ...general, thread: "701" } });

  expect(parley.agents.runs).toHaveLength(1);
});

it("says in private that it leaves where no reaction can be added", async () => {
  cannotReact = true;
  const left = parley.say("leave", { place: thread, actor: bob });
  await left.done;

  expect(left.sent.map(({ visibility }) => visibility)).toEqual(["private"]);
});

it("is at most five answers an hour in a thread", async () => {
  for (let count = 0; count < 7; count += 1) await unasked(`Answer ${count}.`);

  expect(parley.texts()).toHaveLength(1 + 5);
  const [last] = await parley.state().turns.recent(1);
  expect(last?.notAnswered).toBe("limit");

  await parley.settle(3_600_000);
  await unasked("Again.");
  expect(parley.texts()).toHaveLength(1 + 6);
});

it("is looked into at most once a second in a channel", async () => {
  await parley.settle(1_500);
  for (let count = 0; count < 100; count += 1) {
    await parley.say(`is it open on day ${count}?`, { place: thread, mentionsParley: false, actor: bob }).done;
  }
  await parley.settle();

  expect(parley.agents.runs.length).toBeLessThan(5);
});

it("is searched for only a few times in a burst of a hundred lines, and again a moment later", async () => {
  covers = false;
  await parley.settle(1_500);
  const lines = Array.from({ length: 100 }, (_, at) => `is it open on day ${at}?`);
  const say = (text: string) => parley.say(text, { place: thread, mentionsParley: false, actor: bob }).done;
  await Promise.all(lines.map(say));
  expect(looks).toBe(5);

  await parley.settle(1_000);
  await say("is it open on Sundays?");
  expect(looks).toBe(6);
});

it("costs no run where knowledge that Parley can search has nothing on it", async () => {
  covers = false;
  await said("who wants pizza?");

  expect(parley.agents.runs).toHaveLength(1);
  expect(parley.texts()).toHaveLength(1);
});

it("is never the token of silence, whatever stands around it", async () => {
  for (const answer of [silenceToken, `Well: ${silenceToken}.`, "**No_Answer_Here**", "I don't know."]) {
    await unasked(answer);
  }

  expect(parley.texts()).toHaveLength(1);
  expect(parley.agents.runs[1]?.question).toContain(silenceToken);
});

it("keeps a question to a whole channel that no knowledge covers, without a run", async () => {
  await parley.bindings().setChannel(general, { mode: "channel" });
  await parley.settle(1_500);
  covers = false;
  await parley.say("where do we park the boats?", { place: general, mentionsParley: false, actor: bob }).done;
  await parley.settle();

  const [turn] = await parley.state().turns.recent(1);
  expect(turn).toMatchObject({ question: "where do we park the boats?", state: "answered", notAnswered: "nothing" });
  expect(turn?.outcome?.grade).toBe("nothing");
  expect(parley.agents.runs).toHaveLength(1);
  expect(parley.texts()).toHaveLength(1);
});

it("asks a kept question after all when an edit addresses Parley", async () => {
  await parley.bindings().setChannel(general, { mode: "channel" });
  await parley.settle(1_500);
  covers = false;
  await parley.say("where do we park the boats?", { place: general, mentionsParley: false, actor: bob }).done;
  await parley.settle();

  const [kept] = await parley.state().turns.recent(1);
  await parley.send({
    ...{
      kind: "message-edited",
      eventKey: "memory/T1/edited",
      questionKey: kept?.eventKey,
      place: general,
      actor: bob,
    },
    ...{ messageId: kept?.askedMessageId, order: kept?.order, text: "where do we park the boats?", attachments: [] },
    ...{ mentionsParley: true, addressesOthers: false, isDirect: false, conversation: kept?.conversation },
  }).done;
  (await parley.agents.run(1)).answer("Behind the hall.");
  await parley.settle();

  const [turn] = await parley.state().turns.recent(1);
  expect(turn?.notAnswered).toBeUndefined();
  expect(turn?.state).toBe("answered");
});
