/** Direct messages whose answers have a thread each continue one history, until a person starts a new topic. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import { alice, bob } from "../../doubles/people.ts";
import { createHarness, type Event, type Harness } from "../harness.ts";

const direct: Place = { platform: "memory", workspace: "T1", channel: "D1" };
const under = (ts: number): Place => ({ ...direct, thread: String(ts) });
const hourMs = 60 * 60_000;

let parley: Harness;
beforeEach(async () => {
  parley = await createHarness({ platform: { isDirect: ({ channel }) => channel.startsWith("D") } });
});
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const said = (ts: number, changes: Record<string, unknown> = {}) => ({
  ...{ eventKey: `memory/T1/D1/${ts}`, order: String(ts).padStart(10, "0"), messageId: String(ts) },
  ...{ place: direct, conversation: under(ts), mentionsParley: false, isDirect: true, continuesTopic: true },
  ...changes,
});

/** A direct message at the top level. */
const tell = (text: string, ts: number, changes: Record<string, unknown> = {}, to = parley.bridge()): Event =>
  parley.say(text, said(ts, changes), to);

/** In the thread of the message with that ts. */
const follow = (text: string, ts: number, root: number, changes: Record<string, unknown> = {}): Event =>
  tell(text, ts, { place: under(root), conversation: under(root), continuesTopic: undefined, ...changes });

let runs = 0;
beforeEach(() => {
  runs = 0;
});

/** Answers the newest question, and gives what the agent was sent. */
async function answered(event: Event, answer: string): Promise<readonly string[]> {
  await event.done;
  const run = await parley.agents.run(runs);
  runs += 1;
  run.answer(answer);
  await parley.settle();
  return run.messages.map(({ question }) => question);
}

const buttonsUnder = (ts: number) => parley.last(under(ts))?.payload.actions.map(({ label }) => label) ?? [];

describe("direct messages at the top level", () => {
  it("continue one history, and each answer is in its message's thread", async () => {
    await answered(tell("Who is on call on Monday?", 101), "Alice.");
    const asked = await answered(tell("and Tuesday?", 102), "Bob.");

    expect(asked).toEqual(["Who is on call on Monday?", "and Tuesday?"]);
    expect(parley.texts(under(101)).join()).toContain("Alice.");
    expect(parley.texts(under(102)).join()).toContain("Bob.");
  });

  it("are answered in order when they come at once, the second one knowing the first", async () => {
    const events = [tell("Monday?", 101), tell("and Tuesday?", 102)];
    await Promise.all(events.map(({ done }) => done));
    await parley.settle();
    expect(parley.agents.runs).toHaveLength(1);

    const first = await parley.agents.run(0);
    expect(first.question).toBe("Monday?");
    first.answer("Alice.");
    await parley.settle();

    expect((await parley.agents.run(1)).messages).toMatchObject([
      { question: "Monday?", answer: "Alice." },
      { question: "and Tuesday?", answer: "" },
    ]);
  });

  it("belong to one topic when two instances hear of the first two at once", async () => {
    const neighbour = parley.neighbour();
    const events = [tell("Monday?", 101), tell("and Tuesday?", 102, {}, neighbour)];
    await Promise.all(events.map(({ done }) => done));
    await parley.settle();

    (await parley.agents.run(0)).answer("Alice.");
    await parley.settle();

    expect((await parley.agents.run(1)).messages).toHaveLength(2);
  });

  it("still know the history after a restart", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    await parley.restart();

    expect(await answered(tell("and Tuesday?", 102), "Bob.")).toEqual(["Monday?", "and Tuesday?"]);
  });

  it("continue in the thread of any answer, and at the top level again", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    await answered(tell("and Tuesday?", 102), "Bob.");

    expect(await answered(follow("why Bob?", 103, 102), "He asked for it.")).toEqual([
      ...["Monday?", "and Tuesday?", "why Bob?"],
    ]);
    expect(await answered(follow("why Alice?", 104, 101), "She did too.")).toHaveLength(4);
    expect(await answered(tell("and Wednesday?", 105), "Carol.")).toHaveLength(5);
    expect(parley.texts(under(102))).toHaveLength(2);
  });

  it("keep at most HISTORY_TURNS questions", async () => {
    await parley.stop();
    parley = await createHarness({ settings: { history: { maxTurns: 1, maxChars: 24_000 } } });
    await answered(tell("Monday?", 101), "Alice.");
    await answered(tell("and Tuesday?", 102), "Bob.");

    expect(await answered(tell("and Wednesday?", 103), "Carol.")).toEqual(["and Tuesday?", "and Wednesday?"]);
  });

  it("start afresh after twelve hours without a question, not before", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    await parley.clock.advance(12 * hourMs - 1_000);
    expect(await answered(tell("and Tuesday?", 102), "Bob.")).toHaveLength(2);
    await parley.clock.advance(11 * hourMs);
    await answered(follow("why?", 103, 101), "Because.");
    await parley.clock.advance(11 * hourMs);
    expect(await answered(tell("and Wednesday?", 104), "Carol.")).toHaveLength(4);

    await parley.clock.advance(12 * hourMs);
    expect(await answered(tell("Thursday?", 105), "Dave.")).toEqual(["Thursday?"]);
    // The old thread still has its own history.
    expect(await answered(follow("and Friday?", 106, 104), "Eve.")).toHaveLength(5);
    expect(await answered(tell("and Saturday?", 107), "Frank.")).toEqual(["Thursday?", "and Saturday?"]);
  });

  it("start afresh after New topic, which is below each answer and says so to the person alone", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    expect(buttonsUnder(101)).toContain("New topic");

    const pressed = parley.press("new-topic", "", { place: under(101) });
    await pressed.done;
    expect(pressed.acks).toEqual([{ kind: "defer-private" }]);
    expect(pressed.sent.map(({ visibility, document }) => [visibility, document.summary])).toEqual([
      ["private", expect.stringContaining("starts a new topic")],
    ]);

    expect(await answered(tell("Who wrote the handbook?", 102), "Bob.")).toEqual(["Who wrote the handbook?"]);
    expect(await answered(tell("When?", 103), "In March.")).toEqual(["Who wrote the handbook?", "When?"]);
    expect(await answered(follow("and Tuesday?", 104, 101), "Carol.")).toEqual(["Monday?", "and Tuesday?"]);
  });

  it("start afresh after the message “new topic”, once however often it comes", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    const words = tell("New topic!", 102);
    await words.done;
    await answered(tell("Who wrote the handbook?", 103), "Bob.");
    await tell("New topic!", 102, { isRepeated: true }).done;

    expect(words.acks).toEqual([{ kind: "none" }]);
    expect(words.sent).toHaveLength(1);
    expect(parley.agents.runs).toHaveLength(2);
    expect(await answered(tell("When?", 104), "In March.")).toHaveLength(2);
  });

  it("take an ok for no answer to a question of the topic before", async () => {
    await answered(tell("Monday?", 101), "Alice. Should I look further?");
    await tell("New topic", 102).done;
    await tell("ok", 103).done;
    await answered(tell("Who wrote the handbook?", 104), "Bob. Should I look further?");
    await parley.clock.advance(12 * hourMs);
    await tell("ok", 105).done;
    await parley.settle();

    expect(parley.agents.runs).toHaveLength(2);
  });

  it("keep the agent that a person named for the topic", async () => {
    parley.agents.set({ agents: ["guide", "sales"] });
    await answered(tell("sales: how many users?", 101), "42.");
    await tell("and customers?", 102).done;

    expect((await parley.agents.run(1)).agent).toBe("sales");
  });

  it("are asked again when the last one is edited, and stopped when it is deleted", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    await answered(tell("and Tuesday?", 102), "Bob.");
    const edit = (text: string, ts: number) =>
      parley.send({
        ...said(ts),
        ...{ kind: "message-edited", eventKey: `memory/T1/D1/${ts}/edited/${text}` },
        ...{ questionKey: `memory/T1/D1/${ts}`, text, attachments: [] },
      });

    await edit("Sunday?", 101).done;
    await parley.settle();
    expect(parley.agents.runs).toHaveLength(2);

    const asked = await answered(edit("and Wednesday?", 102), "Carol.");
    expect(asked).toEqual(["Monday?", "and Wednesday?"]);

    await tell("and Thursday?", 103).done;
    const run = await parley.agents.run(3);
    await parley.send({
      ...said(103),
      ...{ kind: "message-deleted", eventKey: "memory/T1/D1/103/deleted", questionKey: "memory/T1/D1/103" },
    }).done;
    await parley.settle();
    expect(run.isAborted()).toBe(true);
  });

  it("of another person, or in a thread that began elsewhere, have a history of their own", async () => {
    await answered(tell("Monday?", 101), "Alice.");
    const byBob = { actor: bob as Actor };

    expect(await answered(tell("and Tuesday?", 102, byBob), "Bob.")).toEqual(["and Tuesday?"]);
    // As in Slack's agent view: its threads begin with a message of their own.
    expect(await answered(follow("Who are you?", 105, 104), "Parley.")).toEqual(["Who are you?"]);
    expect(await answered(follow("Since when?", 106, 104), "Today.")).toEqual(["Who are you?", "Since when?"]);
    expect(buttonsUnder(104)).not.toContain("New topic");
  });

  it("continue what was asked by a command or an example there", async () => {
    const conversation = under(900);
    const asked = parley.press("ask-example", "Who is on call on Monday?", {
      ...{ place: direct, conversation, continuesTopic: true },
    });
    await answered(asked, "Alice.");

    expect(await answered(tell("and Tuesday?", 102), "Bob.")).toEqual(["Who is on call on Monday?", "and Tuesday?"]);
  });
});

describe("messages that continued no topic", () => {
  it("keeps the histories of its threads, and begins a topic with the next message", async () => {
    await answered(tell("Monday?", 101, { continuesTopic: undefined }), "Alice.");

    expect(await answered(tell("Who wrote the handbook?", 102), "Bob.")).toEqual(["Who wrote the handbook?"]);
    expect(await answered(follow("and Tuesday?", 103, 101), "Carol.")).toEqual(["Monday?", "and Tuesday?"]);
  });
});

describe("forgetting", () => {
  const forget = async (place: Place): Promise<number> => {
    const forgetting = parley.bridge().forget(place, alice, true);
    await parley.settle(1_000);
    return forgetting;
  };

  async function stored(): Promise<string> {
    const all: unknown[] = [...(await parley.state().turns.recent(100))];
    for (const namespace of ["conversations", "topics", "thread-talk"]) {
      for await (const entry of parley.state().keyValue(namespace).entries("")) all.push(entry);
    }
    return JSON.stringify(all);
  }

  it("in a direct message removes all its topics, and the next question knows nothing", async () => {
    await answered(tell("SECRET one?", 101), "Alice.");
    await answered(tell("and SECRET two?", 102), "Bob.");
    await tell("new topic", 103).done;
    await answered(tell("SECRET three?", 104), "Carol.");

    expect(await forget(direct)).toBe(3);

    expect(await stored()).not.toContain("SECRET");
    const records: string[] = [];
    for await (const [key] of parley.state().keyValue("topics").entries("")) records.push(key);
    expect(records).toEqual([]);
    expect(await answered(tell("and Tuesday?", 105), "Dave.")).toEqual(["and Tuesday?"]);
    expect(await forget(direct)).toBe(1);
  });

  it("in the thread of an answer removes its whole topic, and no other one", async () => {
    await answered(tell("SECRET one?", 101), "Alice.");
    await answered(tell("and SECRET two?", 102), "Bob.");
    await tell("new topic", 103).done;
    await answered(tell("Monday?", 104), "Carol.");

    expect(await forget(under(102))).toBe(2);

    expect(await stored()).not.toContain("SECRET");
    expect(await answered(tell("and Tuesday?", 105), "Dave.")).toEqual(["Monday?", "and Tuesday?"]);
  });

  it("stops what is being answered in the topic, and forgets it too", async () => {
    await answered(tell("SECRET one?", 101), "Alice.");
    await tell("and SECRET two?", 102).done;
    const run = await parley.agents.run(1);

    expect(await forget(direct)).toBe(2);

    expect(run.isAborted()).toBe(true);
    expect(await stored()).not.toContain("SECRET");
  });
});
