/**
 * Files in and out, and threads as an agent is told of them.
 */
import { describe, expect, it } from "vitest";
import type { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment, Place } from "../../../src/core/model/place.ts";
import { joinRoom, openRoom } from "../../discord/room.ts";
import { only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { botId, guildId } from "../../fakes/discord/world.ts";
import { openParley } from "./parley.ts";

async function textOfFile(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const file = (reference: string, sizeBytes = 100): Attachment => ({
  ...{ id: "1", name: "a.txt", mediaType: "text/plain", reference, sizeBytes },
});

const channel: Place = { platform: "discord", workspace: "G1", channel: "C1" };

describe("an attachment", () => {
  it("is read at once from its address", async () => {
    const { discord, platform } = await openRoom();

    const stream = await platform.openAttachment(file(discord.apiUrl.replace("/api", "/files/hello")), channel);

    expect(await textOfFile(stream)).toBe("hello");
  });

  it("is never fetched from elsewhere, or beyond the size that Discord named", async () => {
    const { discord, platform } = await openRoom();

    const elsewhere = platform.openAttachment(file("http://127.0.0.1:1/secret"), channel);
    await expect(elsewhere).rejects.toMatchObject({ code: "platform_refused" } satisfies Partial<ParleyError>);
    const larger = await platform.openAttachment(file(discord.apiUrl.replace("/api", "/files/hello"), 3), channel);
    await expect(textOfFile(larger)).rejects.toMatchObject({ code: "platform_refused" });
  });

  it("is read when it was forwarded, with the words that it came with", async () => {
    const { discord, agents, alice, directAlice } = await openParley();
    const url = discord.apiUrl.replace("/api", "/files/rows");
    const attachments = [{ id: "7", filename: "rows.csv", content_type: "text/csv", size: 4, url }];

    alice.forward(directAlice, { content: "Which of these is wrong?", attachments });
    const run = await agents.run(0);

    expect(run.question).toContain('Attached file "rows.csv" (text/csv):\nrows');
    expect(run.question).toContain("Which of these is wrong?");
  });

  it("is a question on its own", async () => {
    const { discord, agents, alice, general } = await openParley();
    const url = discord.apiUrl.replace("/api", "/files/rows");
    const attachments = [{ id: "7", filename: "rows.csv", content_type: "text/csv", size: 4, url }];

    alice.say(general, `<@${botId}>`, { attachments });
    const run = await agents.run(0);

    expect(run.question).toContain('Attached file "rows.csv" (text/csv):\nrows');
  });
});

describe("a thread", () => {
  it("is read oldest first, with the message that it was opened from, names for ids, and only what is new", async () => {
    const { discord, platform } = await openRoom();
    const general = discord.world.channel("general");
    const alice = discord.human("Alice");
    const bob = discord.human("Bob");
    const starter = alice.say(general, "how it began");
    const thread = discord.world.addChannel({ id: starter.id, type: 11, name: "t", parentId: general.id });
    discord.world.addMessage({ channelId: thread.id, authorId: botId, type: 21, referenceId: starter.id });
    const first = bob.say(thread, `<@${alice.person.id}> one`);
    bob.say(thread, "two");
    const place: Place = { platform: "discord", workspace: guildId, channel: general.id, thread: thread.id };

    const all = await platform.readThread(place, { limit: 50 });
    const fresh = await platform.readThread(place, { limit: 50, after: first.id.padStart(20, "0") });

    expect(all.map(({ authorName, text }) => `${authorName}: ${text}`)).toEqual([
      "Alice: how it began",
      "Bob: @Alice one",
      "Bob: two",
    ]);
    expect(fresh.map(({ text }) => text)).toEqual(["two"]);
    expect((await platform.readThread(place, { limit: 1 })).map(({ text }) => text)).toEqual(["two"]);
  });

  it("is the message alone where none was opened from it, in a channel and in direct messages", async () => {
    const { discord, platform } = await openRoom();
    const bob = discord.human("Bob");
    const general = discord.world.channel("general");
    const direct = discord.world.direct(bob.person.id);
    const read = async (workspace: string, channel: string, thread: string) =>
      (await platform.readThread({ platform: "discord", workspace, channel, thread }, { limit: 50 })).map(
        ({ messageId, authorName, text }) => [messageId, authorName, text],
      );

    const said = bob.say(general, "Where is the wick?");
    bob.say(general, "something else");
    const whispered = bob.say(direct, "And the oil?");

    expect(await read(guildId, general.id, said.id)).toEqual([[said.id, "Bob", "Where is the wick?"]]);
    expect(await read("dm", direct.id, whispered.id)).toEqual([[whispered.id, "Bob", "And the oil?"]]);
    bob.delete(said);
    await expect(read(guildId, general.id, said.id)).rejects.toMatchObject({ code: "message_gone" });
  });
});

describe("what people do to their messages", () => {
  it("distinguishes an edit from a preview that Discord added, and notices a deletion", async () => {
    const { discord, seen } = await openRoom();
    const alice = discord.human("Alice");
    const said = alice.mention(discord.world.channel("general"), "https://example.com?");
    await until("an event", () => seen.length === 1);

    alice.unfurl(said);
    alice.edit(said, `<@${botId}> and now?`);
    await until("2 events", () => seen.length === 2);
    alice.delete(said);
    await until("3 events", () => seen.length === 3);

    expect(seen.map(({ kind }) => kind)).toEqual(["message", "message-edited", "message-deleted"]);
    expect(seen[1]).toMatchObject({ text: "and now?", questionKey: seen[0]?.eventKey });
    expect(seen[2]).toMatchObject({ questionKey: seen[0]?.eventKey, actor: { id: alice.person.id } });
  });

  it("receives a reaction, and adds and removes its own", async () => {
    const { discord, seen, platform } = await openRoom();
    const general = discord.world.channel("general");
    const bob = discord.human("Bob");
    const said = bob.say(general, "remember this");

    bob.react(said, "📌");
    await until("a reaction", () => seen.some(({ kind }) => kind === "reaction"));
    await platform.reactions?.add(
      { place: { platform: "discord", workspace: guildId, channel: general.id }, messageId: said.id },
      "✅",
    );

    expect(seen.find(({ kind }) => kind === "reaction")).toMatchObject({
      emoji: "📌",
      messageId: said.id,
      added: true,
    });
    expect(only(said.reactions)).toEqual({ emoji: "✅", userId: botId });
    await platform.reactions?.remove(
      { place: { platform: "discord", workspace: guildId, channel: general.id }, messageId: said.id },
      "✅",
    );
    expect(said.reactions).toEqual([]);
  });

  it("receives a reaction under the same key in every instance, so that it is handled once", async () => {
    const room = await openRoom();
    const other = await joinRoom(room);
    const bob = room.discord.human("Bob");

    bob.react(bob.say(room.discord.world.channel("general"), "remember this"), "📌");
    const keys = () =>
      [...room.seen, ...other.seen].filter(({ kind }) => kind === "reaction").map(({ eventKey }) => eventKey);
    await until("2 stored keys", () => keys().length === 2);

    expect(new Set(keys()).size).toBe(1);
  });

  it("knows an admin, another bot, a mention of someone else, and the bot's own role", async () => {
    const { discord, seen } = await openRoom();
    const general = discord.world.channel("general");
    const alice = discord.human("Alice");

    alice.say(general, `<@100000000000000002> hello`);
    await until("an event", () => seen.length === 1);
    alice.say(general, "<@&800000000000000003> hello");
    await until("2 events", () => seen.length === 2);
    discord.human("Jira").say(general, "ticket");
    await until("3 events", () => seen.length === 3);

    expect(seen[0]).toMatchObject({
      text: "@Bob hello",
      addressesOthers: true,
      mentionsParley: false,
      actor: { isAdmin: true },
    });
    expect(seen[1]).toMatchObject({ text: "hello", mentionsParley: true, addressesOthers: false });
    expect(seen[2]).toMatchObject({ actor: { isBot: true, isAdmin: false } });
  });
});
