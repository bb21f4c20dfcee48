/**
 * What goes wrong in Discord, and what people and the log then see.
 */
import { describe, expect, it } from "vitest";
import type { ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { notice } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { token } from "../../fakes/discord/index.ts";
import { type Channel, guildId } from "../../fakes/discord/world.ts";
import { openRoom, type Room } from "../room.ts";

const final = { urgency: "final" } as const;
const mark = { replyId: "0123456789abcdef", part: 0, generation: 0 };

/** A thread of #general, with the Place that Parley knows it by. */
async function openThread(room: Room): Promise<{ thread: Channel; place: Place }> {
  const { discord } = room;
  const general = discord.world.channel("general");
  const starter = discord.human("Alice").say(general, "hello");
  const thread = discord.world.addChannel({ id: starter.id, type: 11, name: "hello", parentId: general.id });
  return { thread, place: { platform: "discord", workspace: guildId, channel: general.id, thread: starter.id } };
}

function payload(room: Room, text: string) {
  const [first] = room.platform.render(notice(text));
  if (first === undefined) throw new Error("nothing was drawn");
  return first;
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (thrown: ParleyError) => thrown.code,
  );

describe("writes", () => {
  it("reopen an archived thread, for a post and for an edit", async () => {
    const room = await openRoom();
    const { thread, place } = await openThread(room);
    const messageId = await room.platform.post(place, payload(room, "one"), mark, final);
    thread.isArchived = true;

    await room.platform.edit({ place, messageId }, payload(room, "two"), final);

    expect(thread.isArchived).toBe(false);
    expect(room.discord.world.messages.get(messageId)?.versions).toEqual(["one", "two"]);
  });

  it("report that a locked thread is no longer a place to write", async () => {
    const room = await openRoom();
    const { thread, place } = await openThread(room);
    const messageId = await room.platform.post(place, payload(room, "one"), mark, final);
    Object.assign(thread, { isLocked: true, isArchived: true });

    expect(await codeOf(room.platform.post(place, payload(room, "two"), { ...mark, part: 1 }, final))).toBe(
      "place_gone",
    );
    expect(await codeOf(room.platform.edit({ place, messageId }, payload(room, "two"), final))).toBe("place_gone");
  });

  it("distinguish a deleted message from a deleted channel", async () => {
    const room = await openRoom();
    const { place } = await openThread(room);
    const messageId = await room.platform.post(place, payload(room, "one"), mark, final);
    const message = room.discord.world.messages.get(messageId);
    if (message !== undefined) message.isDeleted = true;

    expect(await codeOf(room.platform.edit({ place, messageId }, payload(room, "two"), final))).toBe("message_gone");
    const nowhere = { ...place, thread: "123456789012345678" };
    expect(await codeOf(room.platform.post(nowhere, payload(room, "two"), mark, final))).toBe("place_gone");
  });

  it("are posted once however often they are tried, and found by their mark", async () => {
    const room = await openRoom();
    const { thread, place } = await openThread(room);
    room.discord.fault("POST /channels/:c/messages", "lost");

    const code = await codeOf(room.platform.post(place, payload(room, "one"), mark, final));
    const found = await room.platform.findOwn(place, mark.replyId, 0);
    const again = await room.platform.post(place, payload(room, "one"), mark, final);

    expect(["done", "platform_unreachable"]).toContain(code);
    expect(found).toEqual([{ part: 0, generation: 0, messageId: again }]);
    expect(room.discord.world.inChannel(thread.id).length).toBe(1);
    expect(await room.platform.findOwn(place, "another-reply-id", 0)).toEqual([]);
  });

  it("are found by their mark also once they were edited, if nothing of them could be stored", async () => {
    const room = await openRoom();
    const { thread, place } = await openThread(room);
    const coordinator = {
      takeToken: async () => ({ taken: true as const }),
      returnToken: async () => {},
      penalise: async () => 0,
    };
    const delivery = createDelivery({ platform: room.platform, coordinator, clock: systemClock, log: silentLog });
    const reply = { place, parts: [] };
    const writer = delivery.open({ replyId: mark.replyId, reply, save: async () => {} });
    writer.show(notice("looking"));
    await until("the first words", () => room.discord.world.inChannel(thread.id).length === 1);
    await writer.finish(notice("the answer"));

    const found = await room.platform.findOwn(place, mark.replyId, 0);

    const [message] = room.discord.world.inChannel(thread.id);
    expect(message?.versions).toEqual(["looking", "the answer"]);
    expect(found).toEqual([{ part: 0, generation: 0, messageId: message?.id }]);
    await writer.close();
  });

  it("refuse progress immediately where a channel has no edits left, and let the end wait its turn", async () => {
    const room = await openRoom({}, { rules: { "PATCH /channels/:c/messages/:m": { limit: 2, windowMs: 400 } } });
    const { place } = await openThread(room);
    const ref = { place, messageId: await room.platform.post(place, payload(room, "0"), mark, final) };
    await room.platform.edit(ref, payload(room, "1"), { urgency: "progress" });
    await room.platform.edit(ref, payload(room, "2"), { urgency: "progress" });

    expect(await codeOf(room.platform.edit(ref, payload(room, "3"), { urgency: "progress" }))).toBe(
      "platform_rate_limited",
    );
    await room.platform.edit(ref, payload(room, "4"), final);

    expect(room.discord.world.messages.get(ref.messageId)?.versions).toEqual(["0", "1", "2", "4"]);
    expect(room.discord.violations).toEqual([]);
  });

  it.each(["", "soon"])(
    "wait a second after a 429 whose Retry-After says nothing that can be read: %j",
    async (retryAfter) => {
      const room = await openRoom();
      const { place } = await openThread(room);
      const ref = { place, messageId: await room.platform.post(place, payload(room, "one"), mark, final) };
      room.discord.fault("PATCH /channels/:c/messages/:m", `429 page ${retryAfter}`, 2);

      const progress = room.platform.edit(ref, payload(room, "two"), { urgency: "progress" });
      await expect(progress).rejects.toMatchObject({ code: "platform_rate_limited", retryAfterMs: 1_050 });
      await room.platform.edit(ref, payload(room, "three"), final);

      const edits = room.discord.callsTo("PATCH /channels/:c/messages/:m").map(({ atMs }) => atMs);
      expect(edits.length).toBe(3);
      expect((edits[2] ?? 0) - (edits[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    },
  );

  it.each([200, 403, 404])("may have happened when something else answers for Discord, with %i", async (status) => {
    const room = await openRoom();
    const { place } = await openThread(room);
    const ref = { place, messageId: await room.platform.post(place, payload(room, "one"), mark, final) };
    room.discord.fault("PATCH /channels/:c/messages/:m", `${status} page`);

    expect(await codeOf(room.platform.edit(ref, payload(room, "two"), final))).toBe("platform_unreachable");
  });

  it("continue in other channels while one has to wait", async () => {
    const room = await openRoom();
    const one = await openThread(room);
    const other = await openThread(room);
    room.discord.fault(`POST /channels/${one.thread.id}/messages`, "429", 1, 0.5);

    const slow = room.platform.post(one.place, payload(room, "slow"), mark, final);
    await room.platform.post(other.place, payload(room, "quick"), { ...mark, part: 1 }, final);

    expect(room.discord.world.inChannel(one.thread.id)).toEqual([]);
    await slow;
    expect(room.discord.world.inChannel(one.thread.id).length).toBe(1);
  });

  it("that Discord lets wait for minutes are in the log, once for all that waits there", async () => {
    const room = await openRoom();
    const { thread, place } = await openThread(room);
    room.discord.fault(`POST /channels/${thread.id}/messages`, "429", 1, 600);

    for (const part of [0, 1]) {
      const waiting = room.platform.post(place, payload(room, "late"), { ...mark, part }, final);
      void waiting.catch(() => undefined);
    }
    const warnings = () => room.log.filter(({ level }) => level === "warn");
    await until("the line in the log", () => warnings().length > 0);

    expect(warnings().map(({ fields }) => fields)).toEqual([
      { method: "POST", route: "/channels/:id/messages", channel: thread.id, waitS: 600 },
    ]);
    expect(room.discord.world.inChannel(thread.id)).toEqual([]);
  });

  it("continue after a 401 that was Discord's own mistake, and report it while it lasts", async () => {
    const room = await openRoom();
    const { place } = await openThread(room);
    room.discord.acceptToken("another");

    const code = await codeOf(room.platform.post(place, payload(room, "one"), mark, final));
    const health = room.platform.health();
    room.discord.acceptToken(token);
    await room.platform.post(place, payload(room, "one"), mark, final);

    expect(code).toBe("platform_unreachable");
    expect(health).toMatchObject({ isConnected: false, reason: expect.stringContaining("DISCORD_TOKEN") });
    expect(room.platform.health()).toEqual({ isConnected: true });
  });

  it("never ping, whatever they say", async () => {
    const room = await openRoom();
    const { place } = await openThread(room);

    await room.platform.post(place, payload(room, "@everyone <@100000000000000001>"), mark, final);

    const sent = room.discord.callsTo("POST /channels/:c/messages").at(-1);
    expect(sent?.body["allowed_mentions"]).toEqual({ parse: [], replied_user: false });
  });
});

describe("threads", () => {
  it("that already exist are used (160004)", async () => {
    const room = await openRoom();
    const { place } = await openThread(room);
    const { thread = "", ...channel } = place;

    const prepared = await room.platform.replyPlaces?.prepare({
      ...{ id: "turn", question: "twice?", askedIn: channel, askedMessageId: thread, conversation: place },
      actor: {
        ...{ id: "100000000000000001", workspace: guildId, name: "Alice", roles: [] },
        ...{ isAdmin: true, isGuest: false, isExternal: false, isBot: false },
      },
    });

    expect(prepared).toEqual(place);
    const [call] = room.discord.callsTo("POST /channels/:c/messages/:m/threads");
    expect(call?.status).toBe(400);
  });
});
