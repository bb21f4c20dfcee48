/** Questions that are deleted or edited at any moment: what is shown of them, and what stays. */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { botId } from "../../fakes/discord/world.ts";
import { openParley, shown } from "./parley.ts";

type Parley = Awaited<ReturnType<typeof openParley>>;

/** Everything of Parley's that people can still see somewhere, and the threads that stand in the list. */
function left({ discord }: Parley) {
  const messages = [...discord.world.messages.values()].filter(
    ({ authorId, isDeleted, channelId, seenBy }) =>
      authorId === botId && !isDeleted && seenBy === undefined && discord.world.channels.has(channelId),
  );
  const threads = [...discord.world.channels.values()].filter(({ type, isArchived }) => type === 11 && !isArchived);
  return { messages: messages.map(shown), threads: threads.map(({ name }) => name) };
}

const nothing = { messages: [], threads: [] };

async function isOver(parley: Parley): Promise<void> {
  await until("the end of what was shown", () => left(parley).messages.length + left(parley).threads.length === 0);
  await parley.idle();
}

describe("a deleted question", () => {
  it("that Parley has not read yet shows nothing, and is asked nobody", async () => {
    const parley = await openParley();
    const { discord, alice, bob, general, agents } = parley;

    const asked = alice.mention(general, "never mind");
    alice.delete(asked);
    bob.mention(general, "what colour?");
    const { question } = await agents.run(0);

    expect(question).toBe("what colour?");
    expect(agents.runs).toHaveLength(1);
    expect(discord.world.channels.has(asked.id)).toBe(false);
    expect(discord.calls.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it("that was deleted while a server's channel was looked up shows nothing", async () => {
    const parley = await openParley({ latencyMs: 30 });
    const { alice, discord, agents } = parley;
    const { thread } = alice.forumPost(discord.world.channel("help"), "Old post", "no question");
    const asked = alice.mention(thread, "what colour?");
    alice.delete(asked);
    const next = alice.mention(thread, "what size?");
    await agents.run(0);

    expect(agents.runs.map(({ question }) => question)).not.toContain("what colour?");
    expect(next.isDeleted).toBe(false);
  });

  it("takes its running line and its thread with it", async () => {
    const parley = await openParley();
    const { alice, general, agents, own } = parley;
    const asked = alice.mention(general, "what colour?");
    const run = await agents.run(0);
    await until("the running line", () => own(asked.id).length > 0);

    alice.delete(asked);
    await isOver(parley);

    expect(left(parley)).toEqual(nothing);
    expect(run.isAborted()).toBe(true);
    expect(parley.discord.calls.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it("that waits behind another one leaves nothing, and the other is answered", async () => {
    const parley = await openParley();
    const { alice, general, agents, own, shows, threadOf } = parley;
    const first = alice.mention(general, "what colour?");
    const run = await agents.run(0);
    await until("the running line", () => own(first.id).length > 0);
    const second = alice.mention(threadOf(first), "and what size?");
    await until("the waiting line", () => own(first.id).length > 1);

    alice.delete(second);
    await until("the removal of the waiting line", () => own(first.id).length === 1);
    run.answer("Blue.");
    await shows(first.id, "Blue.");
    await parley.idle();

    expect(own(first.id)).toHaveLength(1);
    expect(agents.runs).toHaveLength(1);
  });

  it.each([
    ["the thread", "/threads"],
    ["the first post", "POST /channels/:c/messages"],
  ])("leaves nothing where Discord limits %s", async (_name, route) => {
    const parley = await openParley();
    const { discord, alice, general } = parley;
    discord.fault(route, "429", 1, 0.4);
    const asked = alice.mention(general, "what colour?");
    await until("the refused call", () => discord.calls.some(({ status }) => status === 429));

    alice.delete(asked);
    await isOver(parley);

    expect(left(parley)).toEqual(nothing);
    expect(discord.calls.filter(({ status }) => status >= 400).map(({ status }) => status)).toEqual([429]);
  });

  it("whose deletion Parley didn't hear of isn't answered in the channel outside any thread", async () => {
    const parley = await openParley({ latencyMs: 20 });
    const { alice, general } = parley;

    const asked = alice.mention(general, "what colour?");
    asked.isDeleted = true;
    await until("the attempt to open a thread", () => parley.discord.calls.some(({ status }) => status === 404));
    await parley.idle();

    expect(left(parley)).toEqual(nothing);
  });

  it("leaves nothing in a direct message", async () => {
    const parley = await openParley();
    const { alice, directAlice, agents, own } = parley;
    const asked = alice.say(directAlice, "what colour?");
    await agents.run(0);
    await until("the running line", () => own(directAlice.id).length > 0);

    alice.delete(asked);
    await isOver(parley);

    expect(left(parley)).toEqual(nothing);
  });

  it("leaves the thread where someone else has written in it", async () => {
    const parley = await openParley();
    const { alice, bob, general, agents, own, threadOf } = parley;
    const asked = alice.mention(general, "what colour?");
    await agents.run(0);
    await until("the running line", () => own(asked.id).length > 0);
    bob.say(threadOf(asked), "I'd like to know too");

    alice.delete(asked);
    await until("the removal of the running line", () => own(asked.id).length === 0);
    await parley.idle();

    expect(left(parley)).toEqual({ messages: [], threads: ["what colour?"] });
  });
});

describe("an edited message", () => {
  it("is asked once when the edit mentions Parley", async () => {
    const { alice, general, agents, shows, idle } = await openParley();
    const said = alice.say(general, "what colour?");

    alice.edit(said, `<@${botId}> what colour?`);
    (await agents.run(0)).answer("Blue.");
    await shows(said.id, "Blue.");
    alice.unfurl(said);
    await idle();

    expect(agents.runs.map(({ question }) => question)).toEqual(["what colour?"]);
  });

  it("is not asked when Discord sends it again long after the edit, because it was pinned", async () => {
    const { discord, alice, bob, general, agents } = await openParley();
    const old = discord.world.addMessage({
      ...{ channelId: general.id, authorId: alice.person.id, content: `<@${botId}> what colour?` },
      editedAtMs: Date.now() - 2 * 3_600_000,
    });

    alice.unfurl(old);
    bob.mention(general, "what size?");

    expect((await agents.run(0)).question).toBe("what size?");
    expect(agents.runs).toHaveLength(1);
  });
});

describe("another app", () => {
  it("is told nothing that only a person could open", async () => {
    const settings = { answerBots: ["*" as const], maxQuestionChars: 10 };
    const { discord, alice, general, agents, idle } = await openParley({ settings });
    discord.human("Jira").mention(general, "what colour is it, and why, and since when?");
    alice.mention(general, "size?");
    (await agents.run(0)).answer("Large.");
    await idle();

    const posts = discord.calls.filter(({ route }) => route === "POST /channels/:c/messages");
    expect(posts.every(({ path }) => !path.includes(general.id))).toBe(true);
    expect(discord.calls.filter(({ status }) => status >= 400)).toEqual([]);
  });
});
