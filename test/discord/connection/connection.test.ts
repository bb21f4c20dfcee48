/**
 * How Parley stays connected to Discord, what it says when it cannot, and what it hears with fewer intents.
 */
import { describe, expect, it, vi } from "vitest";
import { createDiscord } from "../../../adapters/discord/index.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { groupSummaries } from "../../../src/commands/words.ts";
import { noPictures } from "../../doubles/nulls/no-pictures.ts";
import { notice, quickClock } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { token } from "../../fakes/discord/index.ts";
import { guildId } from "../../fakes/discord/world.ts";
import { freeCoordinator, joinRoom, openRoom } from "../room.ts";

describe("the connection", () => {
  const open = (apiUrl: string, changes: { readonly token?: string } = {}) =>
    createDiscord({
      ...{ token, apiUrl, hasMessageContent: false, log: silentLog, clock: quickClock, ...changes },
      commands: { definitions: allCommands, groups: groupSummaries },
      coordinator: freeCoordinator,
      pictures: noPictures,
      keyValue: {
        get: async () => undefined,
        set: async () => undefined,
        delete: async () => undefined,
        entries: async function* () {},
      },
    });

  it("says which switch to set when Discord refuses the Message Content intent", async () => {
    const { platform } = await openRoom({}, { allowsContent: false, hasMessageContent: true, isAway: true });

    expect(platform.health()).toMatchObject({
      isConnected: false,
      reason: expect.stringMatching(/Message Content Intent.*DISCORD_MESSAGE_CONTENT=false/),
    });
  });

  it("says that the token is wrong, and keeps the process alive", async () => {
    const { discord } = await openRoom();
    const platform = open(discord.apiUrl, { token: "MTE2.wrong.token" });

    await platform.start({ handle: async () => undefined, complete: async () => [] });
    const health = platform.health();
    await platform.close();

    expect(health).toMatchObject({ isConnected: false, reason: expect.stringContaining("DISCORD_TOKEN") });
    expect(JSON.stringify(health)).not.toContain("wrong");
  });

  it("sends every request by Node's own fetch, those of the gateway's client too", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const { discord } = await openRoom();

    const paths = fetched.mock.calls.map(([url]) => new URL(String(url)).pathname.replace(/^\/api\/v10/, ""));
    const asked = discord.callsTo("GET /gateway/bot").length;

    expect(asked).toBeGreaterThan(1);
    expect(paths.filter((path) => path.endsWith("/gateway/bot"))).toHaveLength(asked);
  });

  it("is retried when the gateway is down at the start", async () => {
    const { discord, platform } = await openRoom(
      {},
      { before: (fake) => fake.fault("GET /gateway/bot", "503", 4), isAway: true },
    );

    await until("the connection", () => platform.health().isConnected);

    expect(discord.callsTo("GET /gateway/bot").length).toBeGreaterThan(4);
  });

  it("resumes after a cut, and receives what was said meanwhile once", async () => {
    const { discord, seen } = await openRoom();

    discord.gateway.kill();
    const said = discord.human("Alice").mention(discord.world.channel("general"), "meanwhile?");
    await until("an event", () => seen.length > 0);

    expect(discord.gateway.seen.resumes).toBeGreaterThan(0);
    expect(seen.map(({ eventKey }) => eventKey)).toEqual([`discord/${guildId}/message/${said.id}`]);
  });

  it.each([1_001, 4_000, 4_009])("resumes after Discord closed it with %i", async (code) => {
    const { discord, platform } = await openRoom();

    discord.gateway.close(code);
    await until("a resume", () => discord.gateway.seen.resumes === 1 && platform.health().isConnected);

    expect(discord.gateway.seen.identifies).toBe(1);
  });

  it.each([1_000, 4_007])("starts a new session after Discord closed it with %i", async (code) => {
    const { discord, platform } = await openRoom();

    discord.gateway.close(code);
    await until("another session", () => discord.gateway.seen.identifies === 2 && platform.health().isConnected);

    expect(discord.gateway.seen.resumes).toBe(0);
  });

  it("sends a heartbeat at once when Discord asks for one", async () => {
    const { discord } = await openRoom({}, { heartbeatMs: 300_000 });

    discord.gateway.sendRaw('{"op":1,"d":null}');

    await until("the heartbeat", () => discord.gateway.seen.heartbeats === 1);
  });

  it("starts a new session when the old one is invalid, and doesn't register commands that Discord knows", async () => {
    const { discord, seen } = await openRoom();

    discord.gateway.forget();
    discord.gateway.kill();
    await until("another session", () => discord.gateway.seen.identifies > 1 && discord.gateway.isOnline());
    discord.human("Alice").mention(discord.world.channel("general"), "again?");
    await until("an event", () => seen.length > 0);

    expect(seen.length).toBe(1);
    expect(discord.registrations).toEqual(["guild"]);
  });

  it("has as many shards as Discord advises, and is whole only when each of them stands", async () => {
    const { discord, platform } = await openRoom({}, { shards: 2 });
    await until("the connection", () => platform.health().isConnected);
    const before = discord.gateway.sessions().map(({ shard }) => shard);

    discord.gateway.refuseNext(2);
    discord.gateway.closeShard(1, 4_000);
    await until("the loss of the connection", () => !platform.health().isConnected);

    await until("the connection", () => platform.health().isConnected);
    expect(before).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("is replaced when its heartbeats are no longer answered", async () => {
    const { discord, platform } = await openRoom({}, { heartbeatMs: 200 });

    discord.gateway.zombie(true);
    await until("the loss of the connection", () => !platform.health().isConnected);
    discord.gateway.zombie(false);

    await until("the connection", () => platform.health().isConnected);
  });
});

describe("the commands", () => {
  it("are offered once also when they were registered elsewhere before", async () => {
    const room = await openRoom();
    const { discord } = room;
    const offered = () => discord.commands().map(({ name }) => name);
    const names = offered();

    await joinRoom(room, {}, { isEverywhere: true });
    await until("3 registrations", () => discord.registrations.length === 3);
    const everywhere = offered();
    await joinRoom(room);
    await until("5 registrations", () => discord.registrations.length === 5);

    expect(everywhere).toEqual(names);
    expect(offered()).toEqual(names);
    expect(discord.registrations).toEqual(["guild", "all", "guild", "guild", "all"]);
  });
});

describe("without the Message Content intent", () => {
  it("delivers mentions, replies to its own messages and direct messages, and nothing else", async () => {
    const { discord, seen, platform } = await openRoom({}, { hasMessageContent: false, allowsContent: false });
    const general = discord.world.channel("general");
    const alice = discord.human("Alice");
    const place = { platform: "discord", workspace: guildId, channel: general.id };
    const [mine] = platform.render(notice("mine"));
    if (mine === undefined) throw new Error("nothing was drawn");
    const own = await platform.post(place, mine, { replyId: "turn", part: 0, generation: 0 }, { urgency: "final" });

    alice.say(general, "not for you");
    alice.say(general, "an answer", { replyTo: own });
    alice.mention(general, "a question");
    alice.say(discord.world.direct(alice.person.id), "a word");
    await until("3 events", () => seen.length === 3);

    const heard = seen.map((inbound) => (inbound.kind === "message" ? inbound.text : inbound.kind));
    expect(heard.sort()).toEqual(["a question", "a word", "an answer"]);
  });
});
