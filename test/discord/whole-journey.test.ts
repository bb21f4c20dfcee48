/**
 * From a question in Discord to its answer, with everything real between the gateway and the agents.
 */
import { describe, expect, it } from "vitest";
import type { FakeDiscord } from "../fakes/discord/index.ts";
import { botId, type Message, textOf } from "../fakes/discord/world.ts";
import { only, openParley, until } from "./room.ts";

/** What the bot said there, seen by all. */
function ownIn(discord: FakeDiscord, channelId: string): readonly Message[] {
  return discord.world
    .inChannel(channelId)
    .filter(({ authorId, seenBy }) => authorId === botId && seenBy === undefined);
}

describe("a question in a channel", () => {
  it("is answered in a thread of its own: one message from placeholder over steps to answer", async () => {
    const { discord, parley } = await openParley();
    const alice = discord.human("Alice");

    const asked = alice.mention(discord.world.channel("general"), "Which plan includes SSO?");
    const run = await parley.agents.run(0);
    run.send({ type: "step-started", tool: "sql", input: "SELECT * FROM pricing WHERE content = 'SSO'" });
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("Searching **pricing**")));
    run.answer("It is **Business**.");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("Business")));

    const answer = only(ownIn(discord, asked.id));
    expect(run.question).toBe("Which plan includes SSO?");
    expect(answer.versions.at(0)).toContain("Looking it up");
    expect(answer.versions.at(-1)).toMatch(/^It is \*\*Business\*\*\./);
    expect(discord.world.channels.get(asked.id)).toMatchObject({ type: 11, name: "Which plan includes SSO?" });
    expect(ownIn(discord, asked.channelId)).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("goes on in the thread without a mention, with what was said before", async () => {
    const { discord, parley } = await openParley();
    const alice = discord.human("Alice");
    const asked = alice.mention(discord.world.channel("general"), "one");
    (await parley.agents.run(0)).answer("first");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("first")));
    const thread = discord.world.channels.get(asked.id);
    if (thread === undefined) throw new Error("no thread");

    alice.say(thread, "and two?");
    const run = await parley.agents.run(1);
    run.answer("second");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("second")));

    expect(run.messages.map(({ question }) => question)).toEqual(["one", "and two?"]);
  });

  it("is answered once, although the gateway repeats the message", async () => {
    const { discord, parley } = await openParley();

    const asked = discord.human("Alice").mention(discord.world.channel("general"), "once?");
    discord.gateway.repeatLast("MESSAGE_CREATE");
    (await parley.agents.run(0)).answer("once");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("once")));

    expect(parley.agents.runs.length).toBe(1);
    expect(ownIn(discord, asked.id).length).toBe(1);
  });

  it("is answered in place where threads are forbidden, and a reply to that goes on", async () => {
    const { discord, parley } = await openParley({
      before: (fake) => {
        fake.world.channel("random").denied = 1n << 35n;
      },
    });
    const random = discord.world.channel("random");
    const alice = discord.human("Alice");

    const asked = alice.mention(random, "no threads?");
    (await parley.agents.run(0)).answer("in place");
    await until(() => ownIn(discord, random.id).some((message) => textOf(message).includes("in place")));
    const answer = only(ownIn(discord, random.id));
    const followUp = discord.human("Bob").say(random, "really?", { replyTo: answer.id });
    const run = await parley.agents.run(1);
    run.answer("really");
    await until(() => ownIn(discord, random.id).some((message) => textOf(message).includes("really")));

    expect(answer.referenceId).toBe(asked.id);
    expect(ownIn(discord, random.id).at(-1)?.referenceId).toBe(followUp.id);
    expect(run.messages.length).toBe(2);
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
  });

  it("finds its post again after the answer to it was lost", async () => {
    const { discord, parley } = await openParley();
    discord.fault("POST /channels/:c/messages", "lost", 2);

    const asked = discord.human("Alice").mention(discord.world.channel("general"), "lost?");
    (await parley.agents.run(0)).answer("found");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("found")));

    expect(ownIn(discord, asked.id).length).toBe(1);
  });

  it("reaches the person although Discord answers 500 for a while", async () => {
    const { discord, parley } = await openParley();
    discord.fault("/channels", "500", 9);

    const asked = discord.human("Alice").mention(discord.world.channel("general"), "away?");
    (await parley.agents.run(0)).answer("back");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("back")));

    expect(ownIn(discord, asked.id).length).toBe(1);
  });

  it("shows a long answer whole, in several messages, with the buttons under the last", async () => {
    const { discord, parley } = await openParley();
    const words = Array.from({ length: 2_400 }, (_, index) => `w${index}`).join(" ");

    const asked = discord.human("Alice").mention(discord.world.channel("general"), "long?");
    (await parley.agents.run(0)).answer(words);
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("w2399")));

    const parts = ownIn(discord, asked.id);
    const shown = parts
      .map(textOf)
      .join(" ")
      .match(/\bw\d+\b/g);
    expect(words.length).toBeGreaterThan(12_001);
    expect(shown).toEqual(words.split(" "));
    expect(parts.map(({ components }) => components.some(({ type }) => type === 1))).toEqual(
      parts.map((_part, index) => index === parts.length - 1),
    );
    expect(discord.violations).toEqual([]);
  });
});

describe("/ask", () => {
  it("shows the question, opens a thread from it and answers there", async () => {
    const { discord, parley } = await openParley();

    const result = discord.human("Alice").command(discord.world.channel("general"), "ask", { question: "Refunds?" });
    (await parley.agents.run(0)).answer("14 days");
    await until(() => ownIn(discord, result.answer?.id ?? "").some((message) => textOf(message).includes("14 days")));

    expect(result.type).toBe(5);
    expect(textOf(result.answer ?? { content: "", components: [] })).toBe("**Alice** asked: Refunds?");
    expect(discord.violations).toEqual([]);
  });

  it("is one message with the question on top where no thread can be", async () => {
    const { discord, parley } = await openParley();
    const alice = discord.human("Alice");
    const direct = discord.world.direct(alice.person.id);

    const result = alice.command(direct, "ask", { question: "Here?" });
    (await parley.agents.run(0)).answer("here");
    await until(() => ownIn(discord, direct.id).some((message) => /\nhere\n/.test(`${textOf(message)}\n`)));

    expect(only(ownIn(discord, direct.id)).id).toBe(result.answer?.id);
    expect(textOf(only(ownIn(discord, direct.id)))).toMatch(/^\*\*Alice\*\* asked: Here\?/);
  });

  it("is answered although the acknowledgement came too late", async () => {
    const { discord, parley } = await openParley();
    discord.interactions.setAckMs(-1);
    const general = discord.world.channel("general");

    discord.human("Alice").command(general, "ask", { question: "Late?" });
    (await parley.agents.run(0)).answer("not too late");
    await until(() => ownIn(discord, general.id).length > 0);
    const shown = only(ownIn(discord, general.id));
    await until(() => ownIn(discord, shown.id).some((message) => textOf(message).includes("not too late")));

    expect(textOf(shown)).toBe("**Alice** asked: Late?");
  });
});

describe("buttons", () => {
  it("show the steps to whoever asks, stop a run, and give a table as a file", async () => {
    const { discord, parley } = await openParley();
    const alice = discord.human("Alice");
    const asked = alice.mention(discord.world.channel("general"), "table?");
    const run = await parley.agents.run(0);
    run.send({ type: "step-started", tool: "sql", input: "SELECT 1" });
    run.answer("| a | b |\n|---|---|\n| 1 | 2 |");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("a │ b")));
    const answer = only(ownIn(discord, asked.id));

    const steps = alice.press(answer, "Show steps");
    await until(() => textOf(steps.answer ?? { content: "", components: [] }).includes("Steps of"));
    alice.press(answer, "Get CSV");
    await until(() => ownIn(discord, asked.id).some(({ attachments }) => attachments.length > 0));

    expect(steps.answer?.seenBy).toBe(alice.person.id);
    expect(ownIn(discord, asked.id).at(-1)?.attachments[0]).toMatchObject({ text: "a,b\r\n1,2\r\n" });
  });

  it("stop a run", async () => {
    const { discord, parley } = await openParley();
    const alice = discord.human("Alice");
    const asked = alice.mention(discord.world.channel("general"), "stop?");
    const run = await parley.agents.run(0);
    await until(() => ownIn(discord, asked.id).length > 0);

    alice.press(only(ownIn(discord, asked.id)), "Stop");
    await until(() => ownIn(discord, asked.id).some((message) => textOf(message).includes("Stopped")));

    expect(run.isAborted()).toBe(true);
  });
});
