/**
 * Messages of apps and of other people as an agent gets them: replied to, forwarded, in a thread, asked about, saved.
 */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { botId, type Json } from "../../fakes/discord/world.ts";
import { openParley, shown } from "./parley.ts";

const alert: Json = {
  embeds: [
    {
      type: "rich",
      title: "Disk almost full",
      description: "Since <t:1618953630>",
      author: { name: "Grafana" },
      fields: [{ name: "host", value: "quokka-9" }],
      footer: { text: "Rule 12" },
    },
  ],
};
const words = ["Grafana", "Disk almost full", "Since 2021-04-20 21:20 UTC", "host: quokka-9", "Rule 12"];
const laidOut: Json = {
  flags: 1 << 15,
  components: [
    {
      type: 17,
      components: [
        { type: 10, content: "Disk almost full" },
        { type: 10, content: "host: quokka-9" },
      ],
    },
  ],
};
const voice: Json = { id: "7", filename: "voice-message.ogg", content_type: "audio/ogg", size: 4, url: "" };

async function open() {
  const parley = await openParley();
  return { ...parley, jira: parley.discord.human("Jira") };
}

describe("the message replied to", () => {
  it("is the context of the question, with its author", async () => {
    const { agents, alice, bob, general, discord } = await open();
    const failed = bob.say(general, "ZEBRA-7 failed");

    alice.say(general, `<@${botId}> what does this mean?`, { replyTo: failed.id });
    const { question } = await agents.run(0);

    expect(question).toBe("Reply to a message from Bob:\n> ZEBRA-7 failed\n\nQuestion:\nwhat does this mean?");
    expect(discord.violations).toEqual([]);
  });

  it("is the question where nothing else is said, and no welcome card is shown", async () => {
    const { agents, alice, bob, general, own } = await open();
    const failed = bob.say(general, "ZEBRA-7 failed");

    alice.say(general, `<@${botId}>`, { replyTo: failed.id });
    const { question } = await agents.run(0);

    expect(question).toBe("Reply to a message from Bob:\n> ZEBRA-7 failed");
    expect(own(general.id)).toEqual([]);
  });

  it("is read in direct messages too", async () => {
    const { agents, alice, directAlice } = await open();
    const earlier = alice.say(directAlice, "hi");
    alice.edit(earlier, "ZEBRA-7 failed");

    alice.say(directAlice, "what does this mean?", { replyTo: earlier.id });
    await until("the question about it", () => agents.runs.some(({ question }) => question.includes("what does this")));

    expect(agents.runs.at(-1)?.question).toContain("Reply to a message from Alice:\n> ZEBRA-7 failed");
  });

  it.each([
    ["an embed", alert, "host: quokka-9"],
    ["components", laidOut, "host: quokka-9"],
    ["content and an embed", { ...alert, content: "Firing" }, "Firing\n>\n> Grafana\n> Disk almost full"],
    ["a forward", { message_snapshots: [{ message: { content: "ZEBRA-7 failed", ...alert } }] }, "> > host: quokka-9"],
    ["a poll", { poll: { question: { text: "Where?" }, answers: [] } }, "Poll: Where?"],
  ])("is read where it is %s", async (_name, shows, text) => {
    const { agents, alice, jira, general } = await open();
    const replied = jira.say(general, "", { shows });

    alice.say(general, `<@${botId}> what does this mean?`, { replyTo: replied.id });

    expect((await agents.run(0)).question).toContain(text);
  });

  it("gives its files to the agent", async () => {
    const { discord, agents, alice, bob, general } = await open();
    const url = discord.apiUrl.replace("/api", "/files/E1337");
    const attachments = [{ id: "7", filename: "log.txt", content_type: "text/plain", size: 5, url }];
    const replied = bob.say(general, "", { attachments });

    alice.say(general, `<@${botId}> what does this mean?`, { replyTo: replied.id });
    const { question } = await agents.run(0);

    expect(question).toContain('Attached file "log.txt" (text/plain):\nE1337');
  });

  it("is asked for where its event comes without it, as without the Message Content intent", async () => {
    const { discord, agents, alice, bob, general } = await openParley({ hasMessageContent: false });
    const failed = bob.say(general, "ZEBRA-7 failed");

    alice.say(general, `<@${botId}> what does this mean?`, { replyTo: failed.id });
    const { question } = await agents.run(0);

    expect(question).toContain("> ZEBRA-7 failed");
    expect(discord.callsTo("GET /channels/:c/messages/:m")).toHaveLength(1);
  });

  it("is named in one sentence where it can't be read, and nothing is asked", async () => {
    const { agents, alice, bob, general, own } = await open();
    const replied = bob.say(general, "", { attachments: [voice], shows: { flags: 1 << 13 } });

    const asked = alice.say(general, `<@${botId}>`, { replyTo: replied.id });
    await until("a note for Alice", () => own(general.id).length > 0);

    expect(shown(own(general.id)[0])).toContain("Only");
    expect(own(general.id)[0]?.referenceId ?? asked.id).toBe(asked.id);
    expect(agents.runs).toEqual([]);
  });
});

describe("a direct message", () => {
  it("that is only a voice message is named in one sentence", async () => {
    const { agents, alice, directAlice, shows } = await open();

    alice.say(directAlice, "", { attachments: [voice], shows: { flags: 1 << 13 } });
    await shows(directAlice.id, "voice-message.ogg");

    expect(agents.runs).toEqual([]);
  });
});

describe("an alert", () => {
  it("is context as the beginning of a thread", async () => {
    const { discord, agents, alice, jira, general } = await open();
    const starter = jira.say(general, "", { shows: alert });
    const thread = discord.world.addChannel({
      ...{ id: starter.id, type: 11, name: "Disk trouble", parentId: general.id, ownerId: alice.person.id },
    });
    discord.world.addMessage({ channelId: thread.id, authorId: alice.person.id, type: 21, referenceId: starter.id });

    alice.mention(thread, "what does this mean?");
    const { question } = await agents.run(0);

    for (const part of ["Title: Disk trouble", ...words]) expect(question).toContain(part);
  });

  it("is what “Ask about this” asks about", async () => {
    const { agents, alice, jira, general } = await open();
    const sent = jira.say(general, "", { shows: alert });

    const opened = alice.menu(general, "Ask about this", sent);
    await until("the form", () => opened.modal !== undefined);
    alice.submit(opened, { question: "what does this mean?" });
    const { question } = await agents.run(0);

    for (const part of words) expect(question).toContain(part);
    expect(question).toContain("Jira");
  });
});

describe("the title of a post", () => {
  it("is the context of its first question, or the question itself", async () => {
    const { agents, alice, discord } = await open();

    alice.forumPost(discord.world.channel("help"), "How do refunds work?", `<@${botId}> order 12`);
    expect((await agents.run(0)).question).toBe("Title: How do refunds work?\n\nQuestion:\norder 12");

    alice.forumPost(discord.world.channel("help"), "How do refunds work?", `<@${botId}>`);
    expect((await agents.run(1)).question).toBe("Title: How do refunds work?");
  });
});

describe("lines of Discord's own", () => {
  it("are no context", async () => {
    const { agents, alice, bob, discord, general } = await open();
    const id = discord.world.snowflake();
    const thread = discord.world.addChannel({
      id,
      type: 11,
      name: "Plans",
      parentId: general.id,
      ownerId: bob.person.id,
    });
    for (const type of [6, 7, 18]) {
      discord.world.addMessage({
        channelId: thread.id,
        authorId: type === 18 ? botId : bob.person.id,
        type,
        content: "noise",
      });
    }
    bob.say(thread, "Tuesday it is");

    alice.mention(thread, "when?");
    const { question } = await agents.run(0);

    expect(question).toMatch(/Bob: Tuesday it is\n\s+Title: Plans/);
    expect(question).not.toContain("noise");
  });
});
