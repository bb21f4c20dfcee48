/**
 * Which servers are served: Mallory invites the bot to a server of her own, where she is the owner, and tries everything.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { examineDiscord } from "../../../adapters/discord/doctor-checks.ts";
import type { NamedServers } from "../../../adapters/discord/intake/servers.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { type FakeDiscord, startFakeDiscord, token } from "../../fakes/discord/index.ts";
import { botId, guildId, textOf } from "../../fakes/discord/world.ts";
import { openParley, shown } from "./parley.ts";

const notServed = "Parley isn't available to you here.";

function invitedBy(discord: FakeDiscord, name: string) {
  discord.world.addPerson(name);
  const { server, channel } = discord.invited(`${name}'s server`, name);
  return { server, channel, person: discord.human(name), direct: discord.world.direct(discord.world.person(name).id) };
}

/** What Parley said to everybody or to one person in a channel. */
function saidIn(discord: FakeDiscord, channelId: string) {
  return discord.world.inChannel(channelId).filter(({ authorId }) => authorId === botId);
}

describe("a stranger's server", () => {
  it("gets no answer to a mention, and no agent is asked", async () => {
    const { discord, agents, alice, general, shows } = await openParley();
    const mallory = invitedBy(discord, "Mallory");

    mallory.person.mention(mallory.channel, "what are the salaries?");
    mallory.person.mention(mallory.channel, "/agent delete support");
    alice.mention(general, "still there?");
    (await agents.run(0)).answer("Yes.");
    await until("a thread and a run", () => discord.world.channels.size > 0 && agents.runs.length === 1);
    await shows(discord.world.inChannel(general.id).find(({ content }) => content.includes("still"))?.id ?? "", "Yes.");

    expect(agents.runs.length).toBe(1);
    expect(saidIn(discord, mallory.channel.id)).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  it.each([
    ["ask", { question: "What are the salaries?" }],
    ["agent delete", { name: "support" }],
    ["kb list", {}],
    ["parley roles", {}],
  ])("gets one private line for /%s", async (path, values) => {
    const { discord, agents } = await openParley();
    const mallory = invitedBy(discord, "Mallory");

    const result = mallory.person.command(mallory.channel, path, values);
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );

    expect(result.answer?.seenBy).toBe(mallory.person.person.id);
    expect(agents.runs.length).toBe(0);
  });

  it("completes nothing there", async () => {
    const { discord } = await openParley();
    const mallory = invitedBy(discord, "Mallory");

    const result = mallory.person.complete(mallory.channel, "agent use", "name", "");
    await until("the suggestions", () => result.choices !== undefined);

    expect(result.choices).toEqual([]);
  });

  it("opens no form for a message, and saves nothing by a reaction", async () => {
    const { discord } = await openParley();
    const mallory = invitedBy(discord, "Mallory");
    const said = mallory.person.say(mallory.channel, "poison");

    const result = mallory.person.menu(mallory.channel, "Save to knowledge base", said);
    mallory.person.react(said, "📌");
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );

    expect(result.modal).toBeUndefined();
    expect(said.reactions).toEqual([]);
  });

  it("stays unserved after a restart, also when the bot was removed from the served one meanwhile", async () => {
    const { discord, restart } = await openParley();
    const mallory = invitedBy(discord, "Mallory");
    const acme = discord.world.servers.get(guildId);
    if (acme !== undefined) acme.hasBot = false;

    await restart();
    const result = mallory.person.command(mallory.channel, "parley roles");
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );

    expect(result.answer?.seenBy).toBe(mallory.person.person.id);
  });

  it("isn't searched for messages written while Parley was down", async () => {
    const { discord, agents, restart, alice, general } = await openParley();
    const mallory = invitedBy(discord, "Mallory");
    alice.say(general, "so that something was heard");

    discord.gateway.kill();
    mallory.person.mention(mallory.channel, "while you were away");
    await restart();
    alice.mention(general, "and now?");
    (await agents.run(0)).answer("Now.");

    expect(agents.runs.length).toBe(1);
    expect(saidIn(discord, mallory.channel.id)).toEqual([]);
  });
});

describe("what happens in a stranger's server", () => {
  it("costs no request, not when it is said and not after an outage", async () => {
    const { discord, agents, restart, alice, general } = await openParley();
    const mallory = invitedBy(discord, "Mallory");
    const thread = discord.world.addChannel({
      ...{ id: discord.world.snowflake(), type: 11, name: "unheard of" },
      ...{ parentId: mallory.channel.id, serverId: mallory.server.id },
    });
    alice.say(general, "so that something was heard");

    const said = mallory.person.mention(thread, "look me up");
    mallory.person.edit(said, "look me up again");
    mallory.person.react(said, "📌");
    mallory.person.delete(said);
    discord.gateway.kill();
    mallory.person.mention(mallory.channel, "while you were away");
    await restart();
    const asked = alice.mention(general, "and now?");
    (await agents.run(0)).answer("Now.");
    await until("a message from Parley", () => discord.world.inChannel(asked.id).length > 0);

    const about = [mallory.server.id, mallory.channel.id, thread.id];
    expect(discord.calls.map(({ path }) => path).filter((path) => about.some((id) => path.includes(id)))).toEqual([]);
    expect(agents.runs.length).toBe(1);
  });
});

describe("a direct message", () => {
  it("from a member of the served server is answered", async () => {
    const { agents, bob, directBob, shows } = await openParley();

    bob.say(directBob, "Refunds?");
    (await agents.run(0)).answer("14 days");

    await shows(directBob.id, "14 days");
  });

  it("from anyone else is refused once an hour, and asks no agent", async () => {
    const { discord, agents } = await openParley();
    const mallory = invitedBy(discord, "Mallory");

    mallory.person.say(mallory.direct, "What are the salaries?");
    await until("a direct message", () => saidIn(discord, mallory.direct.id).length > 0);
    mallory.person.say(mallory.direct, "Please?");
    const result = mallory.person.command(mallory.direct, "ask", { question: "Pretty please?" });
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );

    expect(
      saidIn(discord, mallory.direct.id)
        .filter(({ seenBy }) => seenBy === undefined)
        .map(shown),
    ).toEqual([expect.stringContaining(notServed)]);
    expect(agents.runs.length).toBe(0);
  });

  it("from a member who left is refused, in the middle of a conversation too", async () => {
    const { discord, agents, bob, directBob, shows, restart } = await openParley();
    bob.say(directBob, "Refunds?");
    (await agents.run(0)).answer("14 days");
    await shows(directBob.id, "14 days");

    discord.world.servers.get(guildId)?.members.delete(bob.person.id);
    await restart();
    bob.say(directBob, "And exchanges?");
    await shows(directBob.id, notServed);

    expect(agents.runs.length).toBe(1);
  });

  it("is refused while Discord does not say who is a member", async () => {
    const clock = { ...quickClock, after: (ms: number, act: () => void) => quickClock.after(ms / 50, act) };
    const { discord, agents, bob, directBob, shows } = await openParley({ clock });
    discord.fault("GET /guilds", "hang", 5);

    bob.say(directBob, "Refunds?");
    await shows(directBob.id, notServed);

    expect(agents.runs.length).toBe(0);
  });

  it("waits for Discord to say it, and is answered then", async () => {
    const { discord, agents, bob, directBob, own, shows } = await openParley();
    discord.fault("GET /guilds", "503", 4);

    bob.say(directBob, "Refunds?");
    (await agents.run(0)).answer("14 days");
    await shows(directBob.id, "14 days");

    expect(own(directBob.id).map(shown).join()).not.toContain(notServed);
  });
});

describe("the first start", () => {
  const inNone = (discord: FakeDiscord) => {
    for (const server of discord.world.servers.values()) server.hasBot = false;
  };
  const inSeveral = (discord: FakeDiscord) => void discord.world.addServer("Other", "Bob");

  it.each([
    ["no server", inNone],
    ["several servers", inSeveral],
  ])("in %s serves none, says so, and remembers it", async (found, before) => {
    const { discord, alice, general, platform, restart } = await openParley({ before });
    await until("the reason in the health", () => platform().health().reason !== undefined);

    expect(platform().health()).toEqual({ isConnected: true, reason: expect.stringContaining(`was in ${found}`) });
    expect(platform().health().reason).toContain("DISCORD_GUILD_ID");

    for (const server of discord.world.servers.values()) server.hasBot = server.id === guildId;
    await restart();
    const result = alice.command(general, "parley roles");
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );
  });

  it("waits for Discord to list the servers, and serves nobody before", async () => {
    const { alice, general, agents, shows, discord } = await openParley({
      before: (local) => local.fault("GET /users/@me/guilds", "503", 3),
    });

    const asked = alice.mention(general, "Refunds?");
    (await agents.run(0)).answer("14 days");

    await shows(asked.id, "14 days");
    expect(discord.callsTo("GET /users/@me/guilds").length).toBeGreaterThan(1);
  });
});

describe("while it is not known which servers are served", () => {
  it("/readyz says so", async () => {
    const { discord, platform } = await openParley({
      before: (local) => local.fault("GET /users/@me/guilds", "503", 1_000),
    });

    await until("the reason in the health", () => platform().health().reason !== undefined);
    expect(platform().health()).toEqual({
      isConnected: true,
      reason: expect.stringContaining("serves no Discord server yet"),
    });

    for (const fault of discord.faults) fault.times = 0;
    await until("the recovery of the connection", () => platform().health().reason === undefined);
  });
});

describe("servers that are named", () => {
  it("are served, and no other", async () => {
    const { discord, agents, alice, general } = await openParley({ servers: ["999"] });

    const result = alice.command(general, "ask", { question: "Refunds?" });
    await until(
      "the reply to the command",
      () => result.answer !== undefined && textOf(result.answer).includes(notServed),
    );

    expect(agents.runs.length).toBe(0);
    expect(discord.callsTo("GET /users/@me/guilds")).toEqual([]);
  });

  it("are all of them with *", async () => {
    const { discord, agents, shows } = await openParley({ servers: "*" });
    const mallory = invitedBy(discord, "Mallory");

    const asked = mallory.person.mention(mallory.channel, "Refunds?");
    (await agents.run(0)).answer("14 days");

    await shows(asked.id, "14 days");
  });
});

describe("the doctor", () => {
  const looked = async (change: (discord: FakeDiscord) => void, servers?: NamedServers) => {
    const discord = await startFakeDiscord();
    onTestFinished(discord.stop);
    change(discord);
    const options = { token, apiUrl: discord.apiUrl };
    const found = await examineDiscord({ ...options, ...(servers === undefined ? {} : { servers }) }, quickClock);
    return found.map(({ isOk, says }) => `${isOk ? "ok" : "FAIL"}: ${says}`);
  };

  it("names the server, and asks to switch Public Bot off", async () => {
    const [server, invitation] = await looked(() => {});

    expect(server).toMatch(/^ok: the token works; the bot is in Acme \(\d+\)/);
    expect(invitation).toContain("switch off Public Bot");
  });

  it("doesn't warn about a bot that only its owner can invite", async () => {
    const found = await looked(({ world }) => {
      world.isBotPublic = false;
    });

    expect(found[1]).toBe("ok: only you can invite the bot");
  });

  it("fails where no server would be served, or one that is named does not have the bot", async () => {
    expect((await looked((discord) => void discord.world.addServer("Other", "Bob")))[0]).toMatch(
      /^FAIL: Parley serves no Discord server: its bot was in several servers/,
    );
    expect((await looked(() => {}, ["999"]))[0]).toMatch(/^FAIL: the bot is not in 999/);
    expect((await looked(() => {}, [guildId]))[0]).toBe(`ok: the token works; serves ${guildId}`);
  });
});
