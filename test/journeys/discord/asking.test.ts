/**
 * Asking by command and by menu, and where no thread can be: through everything that is real but the agents.
 */
import { describe, expect, it } from "vitest";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { botId, permissions } from "../../fakes/discord/world.ts";
import { openParley, type ParleyOptions, shown } from "./parley.ts";

/** #random, in which Parley may not do these things. */
const without =
  (...denied: readonly (keyof typeof permissions)[]): NonNullable<ParleyOptions["before"]> =>
  ({ world }) => {
    world.channel("random").denied = denied.reduce((all, right) => all | permissions[right], 0n);
  };

describe("/ask", () => {
  it("is deferred, shows the question, opens a thread from it and answers there", async () => {
    const { discord, agents, alice, general, shows } = await openParley();

    const result = alice.command(general, "ask", { question: "Refunds?" });
    (await agents.run(0)).answer("14 days");
    await shows(result.answer?.id ?? "", "14 days");

    expect(result.type).toBe(5);
    expect(shown(result.answer)).toBe("**Alice** asked: Refunds?");
    expect(discord.violations).toEqual([]);
  });

  it("is answered in its thread also after its token died", async () => {
    const { discord, agents, alice, general, own, shows } = await openParley();
    const result = alice.command(general, "ask", { question: "Slow?" });
    const run = await agents.run(0);
    await until("the reply to the command", () => own(result.answer?.id ?? "").length > 0);

    discord.advance(16 * 60_000);
    run.answer("Sixteen minutes.");
    await shows(result.answer?.id ?? "", "Sixteen minutes.");

    expect(own(result.answer?.id ?? "").length).toBe(1);
    expect(discord.calls.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it("opens a thread with one message, which shows the question and then its answer", async () => {
    const { agents, alice, bob, general, own, shows, threadOf } = await openParley();
    const asked = alice.mention(general, "one?");
    (await agents.run(0)).answer("One.");
    const first = await shows(asked.id, "One.");

    const result = bob.command(threadOf(asked), "ask", { question: "two?" });
    const run = await agents.run(1);
    run.answer("Two.");
    await shows(asked.id, "Two.");

    expect(run.messages.map(({ question }) => question.split("\n").at(-1))).toEqual(["one?", "two?"]);
    expect(shown(result.answer)).toMatch(/^\*\*Bob\*\* asked: two\?\n\nTwo\./);
    expect(own(asked.id).map(({ id }) => id)).toEqual([first.id, result.answer?.id]);
  });

  it.each([
    ["in direct messages", "direct", () => {}],
    ["in a voice channel", "voice", () => {}],
    ["where threads may not be opened", "random", without("createThreads")],
    ["where nothing may be written in threads", "random", without("sendInThreads")],
    ["where Parley is not let in at all", "random", without("viewChannel", "sendMessages")],
  ])("is one message with the question on top %s", async (_where, name, before) => {
    const { discord, agents, alice, directAlice, own, shows } = await openParley({ before });
    const channel = name === "direct" ? directAlice : discord.world.channel(name);

    const result = alice.command(channel, "ask", { question: "Here?" });
    (await agents.run(0)).answer("Here.");
    await shows(channel.id, "\nHere.");

    const answer = only(own(channel.id));
    expect(answer.id).toBe(result.answer?.id);
    expect(shown(answer)).toMatch(/^\*\*Alice\*\* asked: Here\?/);
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it("is one message also in a thread where Parley can't write", async () => {
    const { discord, agents, alice, own, shows } = await openParley({ before: without("sendInThreads") });
    const random = discord.world.channel("random");
    const starter = alice.say(random, "hello");
    const thread = discord.world.addChannel({ id: starter.id, type: 11, name: "hello", parentId: random.id });

    const result = alice.command(thread, "ask", { question: "Here?" });
    (await agents.run(0)).answer("Here.");
    await shows(thread.id, "\nHere.");

    expect(only(own(thread.id)).id).toBe(result.answer?.id);
    expect(shown(result.answer)).toMatch(/^\*\*Alice\*\* asked: Here\?/);
  });

  it("continues by a reply to its answer where there can be no thread; another reply is another Conversation", async () => {
    const { discord, agents, alice, bob, own, shows } = await openParley({ before: without("createThreads") });
    const random = discord.world.channel("random");
    alice.command(random, "ask", { question: "one?" });
    (await agents.run(0)).answer("One.");
    const answer = await shows(random.id, "One.");

    // Both at once: neither waits for the other.
    bob.command(random, "ask", { question: "mine?" });
    alice.say(random, "and two?", { replyTo: answer.id });
    const [second, third] = [await agents.run(1), await agents.run(2)];
    for (const run of [second, third]) run.answer(`Answer to ${run.question}`);
    await shows(random.id, "Answer to mine?");
    await shows(random.id, "Answer to and two?");

    const asked = [second, third].map((run) => run.messages.map(({ question }) => question));
    expect(asked).toContainEqual(["mine?"]);
    expect(asked).toContainEqual(["one?", "and two?"]);
    expect(own(random.id).length).toBe(3);
  });

  it("shows all of a long answer by its token where Parley has no access", async () => {
    const { discord, agents, alice, own, shows } = await openParley({ before: without("viewChannel", "sendMessages") });
    const random = discord.world.channel("random");
    const words = Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(" ");

    alice.command(random, "ask", { question: "Long?" });
    (await agents.run(0)).answer(words);
    await shows(random.id, "w1499");

    expect(
      own(random.id)
        .map(shown)
        .join(" ")
        .match(/\bw\d+\b/g),
    ).toEqual(words.split(" "));
    expect(discord.world.inChannel(discord.world.direct(alice.person.id).id)).toEqual([]);
  });

  it("is answered by its token where Parley has no access, also after a restart", async () => {
    const { discord, agents, alice, own, shows, restart } = await openParley({ before: without("viewChannel") });
    const random = discord.world.channel("random");
    const result = alice.command(random, "ask", { question: "Here?" });
    await agents.run(0);
    await shows(random.id, "is looking it up");

    await restart();
    (await agents.run(1)).answer("Still here.");
    await shows(random.id, "Still here.");

    expect(only(own(random.id)).id).toBe(result.answer?.id);
  });

  it("is answered although the acknowledgement came too late", async () => {
    const { discord, agents, alice, general, own, shows } = await openParley();
    discord.interactions.setAckMs(-1);

    alice.command(general, "ask", { question: "Late?" });
    (await agents.run(0)).answer("Not too late.");
    await until("a message from Parley", () => own(general.id).length > 0);
    const asked = only(own(general.id));
    await shows(asked.id, "Not too late.");

    expect(shown(asked)).toBe("**Alice** asked: Late?");
  });

  it("without an agent's name still reaches an agent, and without words gets a private hint", async () => {
    const { agents, bob, general, own } = await openParley();

    const result = bob.command(general, "ask", { question: "  " });
    await until(
      "a follow-up",
      () => result.followUps.length > 0 || shown(result.answer).includes("What would you like to know?"),
    );

    const said = [...result.followUps, ...(result.answer === undefined ? [] : [result.answer])].filter(
      ({ isDeleted }) => !isDeleted,
    );
    expect(only(said).seenBy).toBe(bob.person.id);
    expect(own(general.id)).toEqual([]);
    expect(agents.runs).toEqual([]);
  });
});

describe("/ask after a mention", () => {
  it("is answered in a thread under that message, and an edit of the message isn't a question", async () => {
    const { discord, agents, alice, general, shows, threadOf } = await openParley();

    const said = alice.mention(general, "/ask when is it open?");
    const run = await agents.run(0);
    alice.edit(said, `<@${botId}> /ask when is it closed?`);
    run.answer("At nine.");
    const answer = await shows(said.id, "At nine.");

    expect(shown(answer)).not.toContain("asked:");
    expect(threadOf(said).name).toBe("when is it open?");
    expect(agents.runs.map(({ question }) => question)).toEqual(["when is it open?"]);
    expect(discord.violations).toEqual([]);
  });
});

describe("a command", () => {
  it("for managers is refused privately to others, who still see the whole group", async () => {
    const { discord, bob, general, own } = await openParley();

    const refused = bob.command(general, "agent use", { name: "guide" });
    const list = bob.command(general, "agent list");
    await until("the reply to the refused command", () => shown(refused.answer) !== "" && shown(list.answer) !== "");

    expect(shown(refused.answer)).toContain("You can't");
    expect(shown(list.answer)).toContain("guide");
    expect([refused.answer?.seenBy, list.answer?.seenBy]).toEqual([bob.person.id, bob.person.id]);
    expect(own(general.id)).toEqual([]);
    expect(discord.commands().some((command) => command["default_member_permissions"] != null)).toBe(false);
  });
});

describe("a mention where no thread can be", () => {
  it.each([
    ["in a voice channel", "voice", () => {}],
    ["where threads may not be opened", "random", without("createThreads")],
    ["where nothing may be written in threads", "random", without("sendInThreads")],
  ])("is answered in place %s, and a reply continues it", async (_where, name, before) => {
    const { discord, agents, alice, bob, own, shows } = await openParley({ before });
    const channel = discord.world.channel(name);

    const asked = alice.mention(channel, "no threads?");
    (await agents.run(0)).answer("in place");
    const answer = await shows(channel.id, "in place");
    const followUp = bob.say(channel, "really?", { replyTo: answer.id });
    const run = await agents.run(1);
    run.answer("Indeed.");
    await shows(channel.id, "Indeed.");

    expect(answer.referenceId).toBe(asked.id);
    expect(own(channel.id).at(-1)?.referenceId).toBe(followUp.id);
    expect(run.messages.length).toBe(2);
    expect(discord.callsTo("POST /channels/:c/messages/:m/threads")).toEqual([]);
  });

  it.each([
    ["50013", "it was forbidden a moment ago", { before: (fake) => fake.fault("/threads", "code:50013") }],
    ["160006", "there are too many", { maxThreads: 0 }],
  ] satisfies readonly [string, string, ParleyOptions][])(
    "is answered in place when Discord refuses with %s: %s",
    async (_code, _why, options) => {
      const { agents, alice, general, own, shows } = await openParley(options);

      const asked = alice.mention(general, "crowded?");
      (await agents.run(0)).answer("In the channel.");
      await shows(general.id, "In the channel.");

      expect(only(own(general.id)).referenceId).toBe(asked.id);
    },
  );
});

describe("the menu Ask about this", () => {
  it("opens a modal, and asks with the message as context", async () => {
    const { discord, agents, alice, bob, general, shows } = await openParley();
    const said = bob.say(general, "The invoice of March is wrong.");

    const menu = alice.menu(general, "Ask about this", said);
    await until("a modal", () => menu.modal !== undefined);
    const submitted = alice.submit(menu, { question: "Which one does it mean?" });
    const run = await agents.run(0);
    run.answer("Number 7.");
    await shows(submitted.answer?.id ?? "", "Number 7.");

    expect(shown(submitted.answer)).toBe("**Alice** asked: Which one does it mean?");
    expect(run.question).toMatch(/Bob \([^)]* UTC\): The invoice of March is wrong\./);
    expect(run.question.endsWith("Which one does it mean?")).toBe(true);
    expect(discord.violations).toEqual([]);
  });
});
