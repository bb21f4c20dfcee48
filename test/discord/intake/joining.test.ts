/**
 * Parley is added to a Discord server. Discord says so by the same event as after every start, resume and outage.
 */
import { describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { guildId, permissions } from "../../fakes/discord/world.ts";
import { joinRoom, openRoom, type Room } from "../room.ts";

const joinsIn = (seen: readonly Inbound[]) => seen.filter(({ kind }) => kind === "joined");

/** What was sent before it has been handled when this message has. */
async function everythingIsHandled({ discord }: Room, seen: readonly Inbound[]): Promise<void> {
  const said = discord.human("Alice").mention(discord.world.channel("general"), "are you there?");
  await until("a message after everything else", () => seen.some(({ eventKey }) => eventKey.endsWith(said.id)));
}

const acme = ({ discord }: Room) => {
  const server = discord.world.servers.get(guildId);
  if (server === undefined) throw new Error("there is no Acme");
  return server;
};

describe("an invitation to a Discord server", () => {
  it("is passed on with the system channel", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    acme(room).systemChannelId = discord.world.channel("random").id;

    discord.removed(acme(room));
    discord.added(acme(room));
    await until("the invitation", () => joinsIn(seen).length > 0);

    expect(joinsIn(seen)).toEqual([
      expect.objectContaining({
        place: { platform: "discord", workspace: guildId, channel: discord.world.channel("random").id },
        eventKey: `discord/${guildId}/joined/${new Date(acme(room).joinedAtMs).toISOString()}`,
        actor: expect.objectContaining({ isBot: true }),
      }),
    ]);
  });

  it("falls back to the first text channel that Parley can write in", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    const { world } = discord;
    acme(room).systemChannelId = world.channel("general").id;
    world.channel("general").denied = permissions.sendMessages;
    world.addChannel({ id: world.snowflake(), type: 0, name: "later", position: 2 });
    world.addChannel({ id: world.snowflake(), type: 0, name: "sooner", position: 1 });
    world.addChannel({ id: world.snowflake(), type: 0, name: "hidden", denied: permissions.viewChannel });
    world.channel("random").position = 3;

    discord.removed(acme(room));
    discord.added(acme(room));
    await until("the invitation", () => joinsIn(seen).length > 0);

    expect(joinsIn(seen)[0]?.place.channel).toBe(world.channel("sooner").id);
  });

  it("is only logged where Parley can write in no channel", async () => {
    const room = await openRoom();
    const { discord, log } = room;
    for (const channel of discord.world.channels.values()) channel.denied = permissions.sendMessages;

    discord.removed(acme(room));
    discord.added(acme(room));
    await until("a line in the log", () => log.some(({ message }) => message.includes("write in no text channel")));

    expect(joinsIn(room.seen)).toEqual([]);
  });

  it("has the same key after an outage, a new session and a restart", async () => {
    const room = await openRoom();
    const { discord, seen, platform } = room;

    discord.removed(acme(room));
    discord.added(acme(room));
    await until("the invitation", () => joinsIn(seen).length === 1);
    discord.serverOutage(acme(room))();
    await until("the end of the outage", () => joinsIn(seen).length === 2);
    discord.gateway.forget();
    discord.gateway.kill();
    await until("a new session", () => joinsIn(seen).length === 3);
    await platform.close();
    const { seen: later } = await joinRoom(room);
    await until("the next process", () => joinsIn(later).length === 1);

    expect(new Set([...joinsIn(seen), ...joinsIn(later)].map(({ eventKey }) => eventKey)).size).toBe(1);
  });

  it("has another key when Parley is removed and added again", async () => {
    const room = await openRoom();
    const { discord, seen } = room;

    discord.removed(acme(room));
    discord.added(acme(room));
    await until("the first invitation", () => joinsIn(seen).length === 1);
    discord.removed(acme(room));
    discord.advance(60_000);
    discord.added(acme(room));
    await until("the second invitation", () => joinsIn(seen).length === 2);

    expect(new Set(joinsIn(seen).map(({ eventKey }) => eventKey)).size).toBe(2);
  });

  it("of long ago is no news: not at a start, and not after an outage or a new session", async () => {
    const room = await openRoom();
    const { discord, seen } = room;

    discord.serverOutage(acme(room))();
    discord.gateway.reconnect();
    await everythingIsHandled(room, seen);
    discord.gateway.forget();
    discord.gateway.kill();
    await everythingIsHandled(room, seen);

    expect(joinsIn(seen)).toEqual([]);
  });

  it.each([
    { minutes: 10, joins: 1 },
    { minutes: 120, joins: 0 },
  ])("while Parley was down for $minutes minutes gives $joins welcome", async ({ minutes, joins }) => {
    const room = await openRoom();
    const { discord, platform } = room;
    await platform.close();
    discord.removed(acme(room));
    discord.added(acme(room));

    const later = { ...quickClock, now: () => quickClock.now() + minutes * 60_000 };
    const { seen } = await joinRoom(room, {}, { clock: later });
    await everythingIsHandled(room, seen);

    expect(joinsIn(seen).length).toBe(joins);
  });

  it("of a server that Parley does not serve is no news", async () => {
    const room = await openRoom();
    const { discord, seen } = room;

    discord.invited("Elsewhere", "Bob");
    await everythingIsHandled(room, seen);

    expect(joinsIn(seen)).toEqual([]);
  });
});
