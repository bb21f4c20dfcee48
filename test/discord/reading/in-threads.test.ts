/** Discord's threads, and messages that a menu is used on, as the bridge gets them. */
import { describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { until } from "../../doubles/until.ts";
import { botId, guildId } from "../../fakes/discord/world.ts";
import { openRoom } from "../room.ts";

const stop = { type: 1, components: [{ type: 2, style: 4, label: "Stop", custom_id: "stop:turn1" }] };
const embeds = [{ type: "rich", title: "Disk full", fields: [{ name: "host", value: "quokka-9" }] }];

async function open() {
  const room = await openRoom();
  const general = room.discord.world.channel("general");
  const read = (thread: string) =>
    room.platform.readThread({ platform: "discord", workspace: guildId, channel: general.id, thread }, { limit: 50 });
  return { ...room, general, read, alice: room.discord.human("Alice"), bob: room.discord.human("Bob") };
}

describe("a thread", () => {
  it("marks what Parley has not finished, and what can't be read", async () => {
    const { discord, general, read, bob } = await open();
    const id = bob.say(general, "", { shows: { activity: { type: 1 } } }).id;
    const thread = discord.world.addChannel({ id, type: 11, name: "t", parentId: general.id, ownerId: botId });
    discord.world.addMessage({ channelId: thread.id, authorId: bob.person.id, type: 21, referenceId: id });
    const text = (content: string) => ({ type: 17, components: [{ type: 10, content }] });
    discord.world.addMessage({ channelId: thread.id, authorId: botId, components: [text("Looking"), stop] });
    discord.world.addMessage({ channelId: thread.id, authorId: botId, components: [text("Blue.")] });

    expect(await read(id)).toMatchObject([
      { text: "", unread: ["an invitation to an activity"], isOwn: false },
      { text: "Looking", isOwn: true, isUnfinished: true },
      { text: "Blue.", isOwn: true },
    ]);
    expect((await read(id))[2]).not.toHaveProperty("isUnfinished");
  });

  it("reads what a message replies to only where the thread hasn't got it", async () => {
    const { discord, general, read, alice, bob } = await open();
    const outside = bob.say(general, "said elsewhere");
    const thread = discord.world.addChannel({
      ...{ id: discord.world.snowflake(), type: 11, name: "Plans", parentId: general.id, ownerId: bob.person.id },
    });
    const inside = bob.say(thread, "Tuesday?");
    alice.say(thread, "yes", { replyTo: inside.id });
    alice.say(thread, "and this?", { replyTo: outside.id });

    expect((await read(thread.id)).map(({ text }) => text)).toEqual([
      "Tuesday?\n\nTitle: Plans",
      "yes",
      "and this?\n\nReply to a message from Bob:\n> said elsewhere",
    ]);
  });

  it("has Parley's own messages as such before the gateway has told who Parley is", async () => {
    const room = await openRoom({}, { isAway: true, before: ({ gateway }) => gateway.refuse("503") });
    const { world } = room.discord;
    const general = world.channel("general");
    const asked = room.discord.human("Alice").say(general, "Which colour?");
    const thread = world.addChannel({ id: asked.id, type: 11, name: "t", parentId: general.id, ownerId: botId });
    world.addMessage({ channelId: thread.id, authorId: botId, components: [{ type: 10, content: "Blue." }] });
    const place = { platform: "discord", workspace: guildId, channel: general.id, thread: thread.id };

    const read = await room.platform.readThread(place, { limit: 50 });

    expect(read).toMatchObject([{ text: "Blue.", isOwn: true }]);
    expect(read[0]?.text).not.toContain("Title");
    expect(room.discord.gateway.isOnline()).toBe(false);
  });

  it("of one message alone has all that it shows", async () => {
    const { general, read, discord } = await open();
    const sent = discord.human("Jira").say(general, "Firing", { shows: { embeds } });

    expect(await read(sent.id)).toMatchObject([{ text: "Firing\n\nDisk full\nhost: quokka-9", isBot: true }]);
  });
});

describe("a menu on a message", () => {
  const aboutOf = (seen: readonly Inbound[]) => seen.flatMap((one) => (one.kind === "shortcut" ? [one.about] : []));

  it("gives all that the message shows, and for an answer its author's own words", async () => {
    const { discord, general, alice, bob, seen } = await open();
    const asked = bob.say(general, "How long do refunds take?");
    const said = alice.say(general, "14 days.", { replyTo: asked.id });
    const alert = discord.human("Jira").say(general, "", { shows: { embeds } });

    alice.menu(general, "Ask about this", alert);
    alice.menu(general, "Ask about this", said);
    alice.menu(general, "Use as answer", said);
    await until("three menus", () => aboutOf(seen).length === 3);

    expect(aboutOf(seen).map(({ text }) => text)).toEqual([
      "Disk full\nhost: quokka-9",
      "14 days.\n\nReply to a message from Bob:\n> How long do refunds take?",
      "14 days.",
    ]);
  });
});
