/**
 * What a community does with Parley in Discord, through everything that is real but the agents.
 */
import { describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { labelsOf, openParley, shown } from "./parley.ts";

const searching: AgentEvent = {
  type: "step-started",
  tool: "sql",
  input: "SELECT * FROM pricing WHERE content = 'SSO'",
};

describe("a mention", () => {
  it("opens a thread that shows progress before the agent's first event, then each step, then the answer", async () => {
    const { discord, agents, alice, general, own, shows, threadOf } = await openParley();

    const asked = alice.mention(general, "Which plan includes SSO?");
    const run = await agents.run(0);
    await shows(asked.id, "is looking it up");
    run.send(searching);
    await shows(asked.id, "Searching **pricing**");
    run.answer("It is **Business**.");
    const answer = await shows(asked.id, "It is **Business**.");

    expect(run.question).toBe("Which plan includes SSO?");
    expect(own(asked.id)).toEqual([answer]);
    expect(labelsOf(answer)).toEqual(["Show steps", "👍", "👎", "Try again"]);
    expect(threadOf(asked)).toMatchObject({ type: 11, name: "Which plan includes SSO?" });
    expect(own(general.id)).toEqual([]);
    expect(discord.callsTo("POST /channels/:c/messages").length).toBe(1);
    expect(discord.violations).toEqual([]);
  });

  it("is followed up in the thread without another one, and the agent knows what was said", async () => {
    const { agents, alice, general, own, shows, threadOf } = await openParley();
    const asked = alice.mention(general, "one");
    (await agents.run(0)).answer("first");
    await shows(asked.id, "first");

    alice.say(threadOf(asked), "and two?");
    const run = await agents.run(1);
    run.answer("second");
    await shows(asked.id, "second");

    expect(run.messages).toMatchObject([{ question: "one", answer: "first" }, { question: "and two?" }]);
    expect(own(asked.id).length).toBe(2);
  });

  it("points at its question when others wrote in between", async () => {
    const { discord, agents, alice, bob, general, own, shows, threadOf } = await openParley();
    const asked = alice.mention(general, "one?");
    (await agents.run(0)).answer("One.");
    await shows(asked.id, "One.");
    const thread = threadOf(asked);

    alice.say(thread, "two?");
    const run = await agents.run(1);
    await until("2 messages from Parley", () => own(thread.id).length === 2);
    const three = bob.mention(thread, "three?");
    const four = alice.mention(thread, "four?");
    await until("4 messages from Parley", () => own(thread.id).length === 4);
    run.answer("Two.");
    (await agents.run(2)).answer("Three.");
    (await agents.run(3)).answer("Four.");
    await shows(thread.id, "Four.");

    const answered = Object.fromEntries(own(thread.id).map((message) => [shown(message).split("\n")[0], message]));
    expect(answered["One."]?.referenceId).toBeUndefined();
    expect(answered["Two."]?.referenceId).toBeUndefined();
    expect(answered["Three."]?.referenceId).toBe(three.id);
    expect([undefined, four.id]).toContain(answered["Four."]?.referenceId);
    expect(discord.violations).toEqual([]);
  });

  it("to someone else in the thread is ignored", async () => {
    const { agents, alice, bob, general, shows, threadOf } = await openParley();
    const asked = alice.mention(general, "one?");
    (await agents.run(0)).answer("One.");
    await shows(asked.id, "One.");

    alice.say(threadOf(asked), `<@${bob.person.id}> what do you think?`);
    bob.say(threadOf(asked), "two?");
    (await agents.run(1)).answer("Two.");
    await shows(asked.id, "Two.");

    expect(agents.runs.map(({ question }) => question.split("\n").at(-1))).toEqual(["one?", "two?"]);
  });

  it("in a thread that people opened is answered there, by an agent that has read it", async () => {
    const { discord, agents, alice, bob, general, shows } = await openParley();
    const starter = bob.say(general, "The backup failed.");
    const thread = discord.world.addChannel({ id: starter.id, type: 11, name: "backup", parentId: general.id });
    bob.say(thread, "At two, as always.");

    alice.mention(thread, "why?");
    const run = await agents.run(0);
    run.answer("The disk is full.");
    await shows(thread.id, "The disk is full.");

    expect(run.question).toContain("Bob: At two, as always.");
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
  });

  it("in a forum is answered in its post, which continues without a new thread", async () => {
    const { discord, agents, alice, own, shows } = await openParley();

    const { thread, said } = alice.forumPost(
      discord.world.channel("help"),
      "Refunds",
      "<@900000000000000001> how long?",
    );
    (await agents.run(0)).answer("14 days.");
    await shows(thread.id, "14 days.");
    alice.say(thread, "and abroad?");
    const run = await agents.run(1);
    run.answer("21 days.");
    await shows(thread.id, "21 days.");

    expect(said.id).toBe(thread.id);
    expect(run.messages.map(({ question }) => question)).toEqual([
      "Title: Refunds\n\nQuestion:\nhow long?",
      "and abroad?",
    ]);
    expect(own(thread.id).length).toBe(2);
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("with an answer of many pages loses none of it, in order, with the buttons under the last message", async () => {
    const { discord, agents, alice, general, own, shows } = await openParley();
    const words = Array.from({ length: 2_400 }, (_, index) => `w${index}`).join(" ");

    const asked = alice.mention(general, "long?");
    (await agents.run(0)).answer(words);
    await shows(asked.id, "w2399");

    const parts = own(asked.id);
    const found = parts
      .map(shown)
      .join(" ")
      .match(/\bw\d+\b/g);
    expect(words.length).toBeGreaterThan(12_001);
    expect(found).toEqual(words.split(" "));
    expect(parts.map((part) => labelsOf(part).length > 0)).toEqual(parts.map((part) => part === parts.at(-1)));
    expect(discord.violations).toEqual([]);
  });
});

describe("Stop and Try again", () => {
  it("end a run at once, and ask it again in the same message", async () => {
    const { agents, alice, bob, general, own, shows } = await openParley();
    const asked = alice.mention(general, "long?");
    const first = await agents.run(0);
    first.send(searching);
    const placeholder = await shows(asked.id, "Searching **pricing**");

    bob.press(placeholder, "Stop");
    await shows(asked.id, `stopped by <@${bob.person.id}>`);
    await until("the end of the run", () => first.isOver());
    alice.press(placeholder, "Try again");
    (await agents.run(1)).answer("Here it is.");
    await shows(asked.id, "Here it is.");

    expect(only(own(asked.id)).id).toBe(placeholder.id);
  });

  it("is offered after a failure, with what happened and what to do", async () => {
    const { agents, alice, general, own, shows } = await openParley();
    const asked = alice.mention(general, "works?");
    (await agents.run(0)).fail(new ParleyError("service_unreachable"));
    const failed = await shows(asked.id, "The agent service can't be reached.");
    expect(shown(failed)).toContain("Try again in a minute");
    expect(labelsOf(failed)).toEqual(["Try again"]);

    alice.press(failed, "Try again");
    (await agents.run(1)).answer("It works.");
    await shows(asked.id, "It works.");

    expect(own(asked.id).length).toBe(1);
  });
});

describe("what else people do with an answer", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2 |";

  async function answered() {
    const parley = await openParley();
    const asked = parley.alice.mention(parley.general, "table?");
    const run = await parley.agents.run(0);
    run.send(searching);
    run.answer(table);
    return { ...parley, asked, answer: await parley.shows(asked.id, "a │ b") };
  }

  it("shows the steps to one person, with the query behind Raw, and leaves the answer as it is", async () => {
    const { bob, own, asked, answer } = await answered();
    const before = shown(answer);

    const steps = bob.press(answer, "Show steps");
    await until("the reply to the steps command", () => shown(steps.answer).includes("'s steps"));

    expect(steps.answer?.seenBy).toBe(bob.person.id);
    expect(shown(steps.answer)).not.toContain("SELECT * FROM pricing");
    if (steps.answer === undefined) throw new Error("there are no steps");
    bob.press(steps.answer, "Raw");
    await until("the query in the same note", () => shown(steps.answer).includes("SELECT * FROM pricing"));
    expect(shown(only(own(asked.id)))).toBe(before);
  });

  it("gets a table as a file, once for each press", async () => {
    const { alice, own, asked, answer } = await answered();

    alice.press(answer, "Get CSV");
    await until("the file", () => own(asked.id).some(({ attachments }) => attachments.length > 0));

    expect(own(asked.id).flatMap(({ attachments }) => attachments)).toMatchObject([{ text: "a,b\r\n1,2\r\n" }]);
  });

  it("is told privately that the vote counts", async () => {
    const { discord, alice, own, asked, answer } = await answered();

    const press = alice.press(answer, "👍");
    await until("the reply to the button", () => shown(press.answer) !== "");

    expect(press.answer?.seenBy).toBe(alice.person.id);
    expect(shown(press.answer)).toBe("Your 👍 is saved.");
    expect(press.followUps).toEqual([]);
    expect(own(asked.id).length).toBe(1);
    expect(discord.violations).toEqual([]);
  });
});

describe("what else people do with a question", () => {
  it("asks again in the same message when it is edited, and not when a link in it gets its preview", async () => {
    const { agents, alice, general, own, shows } = await openParley();
    const asked = alice.mention(general, "what is https://example.com?");
    (await agents.run(0)).answer("An example.");
    await shows(asked.id, "An example.");

    alice.unfurl(asked);
    alice.edit(asked, `${asked.content} And who made it?`);
    const second = await agents.run(1);
    second.answer("IANA.");
    await shows(asked.id, "IANA.");

    expect(second.messages).toMatchObject([{ question: "what is https://example.com? And who made it?" }]);
    expect(own(asked.id).length).toBe(1);
  });

  it("stops the run when it is deleted", async () => {
    const { agents, alice, general, shows } = await openParley();
    const asked = alice.mention(general, "what was it again");
    const run = await agents.run(0);
    await shows(asked.id, "is looking it up");

    alice.delete(asked);

    await until("the end of the run", () => run.isOver());
  });
});

describe("a direct message", () => {
  it("needs no mention, is answered in place, and is one Conversation", async () => {
    const { discord, agents, bob, directBob, own, shows } = await openParley();

    bob.say(directBob, "one?");
    (await agents.run(0)).answer("One.");
    await shows(directBob.id, "One.");
    bob.say(directBob, "and two?");
    const second = await agents.run(1);
    second.answer("Two.");
    await shows(directBob.id, "Two.");

    expect(second.messages).toMatchObject([{ question: "one?", answer: "One." }, { question: "and two?" }]);
    expect(own(directBob.id).length).toBe(2);
    expect(discord.violations).toEqual([]);
  });
});

describe("without the Message Content intent", () => {
  const blind = { hasMessageContent: false, allowsContent: false };

  it("follows up by mention or reply in a thread where it answered, and ignores everything else", async () => {
    const { agents, alice, general, shows, threadOf } = await openParley(blind);
    const asked = alice.mention(general, "one");
    (await agents.run(0)).answer("First.");
    const answer = await shows(asked.id, "First.");
    const thread = threadOf(asked);

    alice.say(thread, "among ourselves");
    alice.say(thread, "and two?", { replyTo: answer.id });
    (await agents.run(1)).answer("Second.");
    await shows(asked.id, "Second.");
    alice.mention(thread, "and three?");
    const third = await agents.run(2);
    third.answer("Third.");
    await shows(asked.id, "Third.");

    expect(third.messages.map(({ question }) => question.split("\n").at(-1))).toEqual([
      "one",
      "and two?",
      "and three?",
    ]);
  });

  it("answers a reply whose text it can't read with how to ask", async () => {
    const { agents, alice, general, own, shows, threadOf } = await openParley(blind);
    const asked = alice.mention(general, "one");
    (await agents.run(0)).answer("First.");
    const answer = await shows(asked.id, "First.");

    const unread = alice.say(threadOf(asked), "and two?", { replyTo: answer.id, pings: false });
    const told = await shows(asked.id, "I can't read this reply");

    expect(told.referenceId).toBe(unread.id);
    expect(shown(told)).toContain("start your message with my name");
    expect(own(asked.id).length).toBe(2);
    expect(agents.runs.length).toBe(1);
  });
});
