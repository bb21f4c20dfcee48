/**
 * What people said while Parley was not connected, and Discord sends to nobody any more.
 */
import { describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { botId, guildId, permissions } from "../../fakes/discord/world.ts";
import { joinRoom, openRoom, type Room } from "../room.ts";

const textsOf = (seen: readonly Inbound[]) =>
  seen.flatMap((inbound) => (inbound.kind === "message" ? inbound.text : []));

/** Quick pauses, and Parley's whole patience: newer messages wait five seconds for older ones, on a busy machine too. */
const patientClock: Clock = {
  ...quickClock,
  sleep: (ms, signal) => (ms < 5_000 ? quickClock : systemClock).sleep(ms, signal),
};

/** Away for longer than Discord remembers a session. */
function breakOff({ discord }: Room): void {
  discord.gateway.forget();
  discord.gateway.kill();
}

describe("messages written while Parley was disconnected", () => {
  it("are delivered after a network outage, with their authors' rights", async () => {
    const room = await openRoom();
    const { discord, seen } = room;

    breakOff(room);
    const said = discord.human("Alice").mention(discord.world.channel("general"), "meanwhile?");
    await until("an event", () => seen.length > 0);

    expect(discord.gateway.seen).toMatchObject({ identifies: 2, resumes: 1 });
    expect(seen).toEqual([
      expect.objectContaining({
        kind: "message",
        eventKey: `discord/${guildId}/message/${said.id}`,
        text: "meanwhile?",
        mentionsParley: true,
        isRepeated: true,
        actor: expect.objectContaining({ name: "Alice", isAdmin: true, roles: discord.human("Alice").person.roles }),
      }),
    ]);
  });

  it("are delivered from threads and direct messages too", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    const alice = discord.human("Alice");
    const direct = discord.world.direct(alice.person.id);
    const thread = discord.world.addChannel({
      ...{ id: discord.world.snowflake(), type: 11, name: "thread" },
      parentId: discord.world.channel("general").id,
    });
    alice.say(direct, "hello");
    await until("an event", () => seen.length === 1);

    breakOff(room);
    alice.say(thread, "in the thread");
    alice.say(direct, "in person");
    await until(
      "the missed messages",
      () => textsOf(seen).includes("in person") && textsOf(seen).includes("in the thread"),
    );

    expect(new Set(textsOf(seen))).toEqual(new Set(["hello", "in the thread", "in person"]));
  });

  it("are delivered from a direct message also after 60 strangers wrote to Parley", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    const alice = discord.human("Alice");
    const direct = discord.world.direct(alice.person.id);
    alice.say(direct, "hello");
    await until("an event", () => seen.length === 1);
    for (let count = 1; count <= 60; count += 1) {
      discord.world.addPerson(`Stranger ${count}`);
      const stranger = discord.human(`Stranger ${count}`);
      stranger.say(discord.world.direct(stranger.person.id), "let me in");
    }
    await until("61 events", () => seen.length === 61);

    breakOff(room);
    alice.say(direct, "in person");
    await until("the missed messages", () => textsOf(seen).includes("in person"));

    const read = discord.callsTo("GET /channels/:c/messages").length;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(10);
  });

  it("are delivered after a start, back to one hour", async () => {
    const room = await openRoom();
    const { discord, platform, seen } = room;
    const general = discord.world.channel("general");
    discord.human("Alice").say(general, "heard");
    await until("an event", () => seen.length === 1);

    await platform.close();
    discord.human("Bob").mention(general, "too early");
    const [early] = discord.world.inChannel(general.id).slice(-1);
    const hoursAgo = discord.world.addMessage({
      ...{ id: String(BigInt(early?.id ?? 0) - (BigInt(2 * 3_600_000) << 22n)), channelId: general.id },
      ...{ authorId: early?.authorId ?? "", content: `<@${botId}> two hours ago` },
    });
    discord.human("Bob").mention(general, "while it was down");
    const { seen: later } = await joinRoom(room);
    await until("the missed messages", () => textsOf(later).includes("while it was down"));

    expect(hoursAgo.content).toContain("two hours ago");
    expect(textsOf(later)).not.toContain("two hours ago");
  });

  it("are not looked for by a Parley that was never there before", async () => {
    const room = await openRoom(
      {},
      { before: (fake) => void fake.human("Bob").mention(fake.world.channel("general"), "old") },
    );
    const { discord, seen } = room;

    discord.human("Alice").mention(discord.world.channel("general"), "new");
    await until("an event", () => seen.length > 0);

    expect(textsOf(seen)).toEqual(["new"]);
    expect(discord.callsTo("GET /channels/:c/messages")).toEqual([]);
  });

  it("are read only where there are any, and never where Parley can't look", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    discord.world.channel("random").denied = permissions.viewChannel;

    breakOff(room);
    discord.human("Alice").say(discord.world.channel("random"), "a secret");
    discord.human("Alice").mention(discord.world.channel("general"), "meanwhile?");
    await until("an event", () => seen.length > 0);

    const read = discord.callsTo("GET /channels/:c/messages").map(({ path }) => path);
    expect(read).toEqual([`/channels/${discord.world.channel("general").id}/messages`]);
  });

  it("are read until Discord answers, page by page", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    const general = discord.world.channel("general");

    breakOff(room);
    for (let index = 0; index < 150; index += 1) discord.human("Bob").mention(general, `question ${index}`);
    discord.fault("GET /channels/:c/messages", "503", 5);
    await until("150 events", () => seen.length >= 150);

    expect(textsOf(seen)).toEqual(Array.from({ length: 150 }, (_, index) => `question ${index}`));
  });

  it("are delivered before newer ones", async () => {
    const room = await openRoom({}, { clock: patientClock });
    const { discord, seen } = room;
    const general = discord.world.channel("general");

    breakOff(room);
    discord.human("Alice").mention(general, "first");
    discord.fault("GET /channels/:c/messages", "503", 1);
    await until("calls of GET /channels/:c/messages", () => discord.callsTo("GET /channels/:c/messages").length > 0);
    discord.human("Alice").mention(general, "second");
    await until("the missed messages", () => textsOf(seen).includes("second"));

    expect(textsOf(seen)[0]).toBe("first");
  });

  it("are not delivered when their author has left", async () => {
    const room = await openRoom();
    const { discord, seen } = room;
    const general = discord.world.channel("general");

    breakOff(room);
    discord.human("Bob").mention(general, "I am leaving");
    discord.fault(`members/${discord.human("Bob").person.id}`, "404", 1);
    discord.human("Alice").mention(general, "still here");
    await until("an event", () => seen.length > 0);

    expect(textsOf(seen)).toEqual(["still here"]);
  });
});
