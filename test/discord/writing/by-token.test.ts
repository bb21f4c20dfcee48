/** How Discord's commands are answered by their tokens, which no limit of a channel or of the bot counts. */
import { describe, expect, it } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import type { Inbound, PostMark, WriteOptions } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { notice, quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { permissions } from "../../fakes/discord/world.ts";
import { joinRoom, openRoom, type Room } from "../room.ts";

const final: WriteOptions = { urgency: "final" };
const replyId = "0123456789abcdef";
const mark = (part = 0): PostMark => ({ replyId, part, generation: 0 });
const editByToken = "PATCH /webhooks/*/*/messages/:m";
const followUp = "POST /webhooks/*/*";
const editInChannel = "PATCH /channels/:c/messages/:m";
const postInChannel = "POST /channels/:c/messages";
const minuteMs = 60_000;

type Command = Extract<Inbound, { kind: "command" }>;

/** A room whose clock can be put forward together with Discord's. */
async function openTimedRoom() {
  let aheadMs = 0;
  const clock: Clock = { ...quickClock, now: () => quickClock.now() + aheadMs };
  const room = await openRoom({ on: (event) => event.ack({ kind: "defer" }) }, { clock });
  const forward = (ms: number) => {
    aheadMs += ms;
    room.discord.advance(ms);
  };
  return { room, clock, forward };
}

function payload({ platform }: Room, text: string) {
  const [first] = platform.render(notice(text));
  if (first === undefined) throw new Error("nothing was drawn");
  return first;
}

/** Alice asks by command; resolves with where its Reply goes. */
async function ask(room: Room, id = replyId, channel = room.discord.world.channel("general")): Promise<Place> {
  const result = room.discord.human("Alice").command(channel, "ask", { question: "How many?" });
  const found = () => room.seen.find((event): event is Command => event.eventKey.endsWith(result.id));
  await until("the command", () => found() !== undefined && result.type !== undefined);
  const { place, conversation, actor, platformData } = found() as Command;
  const turn = { id, question: "How many?", askedIn: place, conversation, actor };
  const prepared = await room.platform.replyPlaces?.prepare({ ...turn, ...(platformData && { platformData }) });
  if (prepared === undefined) throw new Error("Discord has places for Replies.");
  return prepared;
}

/** The same in a thread, where the deferred reply becomes the Reply. */
function askInThread(room: Room, id = replyId): Promise<Place> {
  const { world, human } = room.discord;
  const general = world.channel("general");
  const starter = human("Alice").say(general, "hello");
  const thread = world.addChannel({ id: starter.id, type: 11, name: "hello", parentId: general.id });
  return ask(room, id, thread);
}

const textsOf = ({ discord }: Room, place: Place) =>
  discord.world.inChannel(place.thread ?? place.channel).map(({ versions }) => versions.at(-1));
const counted = ({ discord }: Room) => discord.callsTo(editInChannel).length + discord.callsTo(postInChannel).length;

describe("a command's reply", () => {
  it("is written, edited and continued by its token alone", async () => {
    const { room } = await openTimedRoom();
    const place = await askInThread(room);

    const messageId = await room.platform.post(place, payload(room, "working"), mark(), { urgency: "progress" });
    await room.platform.edit({ place, messageId }, payload(room, "step 1"), { urgency: "progress" });
    await room.platform.edit({ place, messageId }, payload(room, "page 1"), final);
    const second = await room.platform.post(place, payload(room, "page two"), mark(1), final);
    const found = await room.platform.findOwn(place, replyId, 0);
    await room.platform.edit({ place, messageId: second }, payload(room, "page 2"), final);

    expect(textsOf(room, place)).toEqual(["page 1", "page 2"]);
    expect(counted(room)).toBe(0);
    expect(room.platform.hasOwnLimits?.(replyId)).toBe(true);
    expect(room.platform.hasOwnLimits?.("another-reply-id")).toBe(false);
    expect(found).toEqual([{ part: 1, generation: 0, messageId: second }]);
    await room.platform.remove({ place, messageId: second });
    expect(room.discord.world.messages.get(second)?.isDeleted).toBe(true);
    expect(room.discord.violations).toEqual([]);
  });

  it("continues in the channel when its token has expired in the middle of the answer", async () => {
    const { room, forward } = await openTimedRoom();
    const place = await askInThread(room);
    const messageId = await room.platform.post(place, payload(room, "working"), mark(), final);
    await room.platform.edit({ place, messageId }, payload(room, "minute 1"), final);

    forward(16 * minuteMs);
    const hadOwnLimits = room.platform.hasOwnLimits?.(replyId);
    await room.platform.edit({ place, messageId }, payload(room, "page 1"), final);
    await room.platform.post(place, payload(room, "page 2"), mark(1), final);

    expect(hadOwnLimits).toBe(false);
    expect(textsOf(room, place)).toEqual(["page 1", "page 2"]);
    expect(room.discord.callsTo(editByToken).map(({ status }) => status)).toEqual([200, 200]);
    expect([room.discord.callsTo(editInChannel).length, room.discord.callsTo(postInChannel).length]).toEqual([1, 1]);
  });

  it.each(["code:50027", "code:10015"])(
    "continues in the channel when Discord refuses its token early (%s)",
    async (kind) => {
      const { room } = await openTimedRoom();
      const place = await askInThread(room);
      const messageId = await room.platform.post(place, payload(room, "working"), mark(), final);
      room.discord.fault(editByToken, kind);

      await room.platform.edit({ place, messageId }, payload(room, "step 1"), final);
      await room.platform.edit({ place, messageId }, payload(room, "page 1"), final);
      await room.platform.post(place, payload(room, "page 2"), mark(1), final);

      expect(textsOf(room, place)).toEqual(["page 1", "page 2"]);
      expect(room.discord.callsTo(editByToken)).toHaveLength(2);
      expect(room.discord.callsTo(followUp)).toHaveLength(0);
      expect(room.platform.hasOwnLimits?.(replyId)).toBe(false);
    },
  );

  it("posts its further pages in the channel when the token takes no follow-up", async () => {
    const { room } = await openTimedRoom();
    const place = await askInThread(room);
    await room.platform.post(place, payload(room, "page 1"), mark(), final);
    room.discord.fault(followUp, "code:10015");

    await room.platform.post(place, payload(room, "page 2"), mark(1), final);

    expect(textsOf(room, place)).toEqual(["page 1", "page 2"]);
  });

  it("is edited by its token after a restart, and by another instance", async () => {
    const { room, clock } = await openTimedRoom();
    const place = await askInThread(room);
    const messageId = await room.platform.post(place, payload(room, "working"), mark(), final);
    const next = await joinRoom(room, {}, { clock });

    await next.platform.edit({ place, messageId }, payload(room, "page 1"), final);
    const second = await next.platform.post(place, payload(room, "page 2"), mark(1), final);
    await room.platform.edit({ place, messageId: second }, payload(room, "page two"), final);

    expect(textsOf(room, place)).toEqual(["page 1", "page two"]);
    expect(counted(room)).toBe(0);
    expect(next.platform.hasOwnLimits?.(replyId)).toBe(true);
  });

  it("that someone deleted is reported as gone, and posted anew in the channel", async () => {
    const { room } = await openTimedRoom();
    const place = await askInThread(room);
    const messageId = await room.platform.post(place, payload(room, "working"), mark(), final);
    const message = room.discord.world.messages.get(messageId);
    if (message !== undefined) message.isDeleted = true;

    const edited = room.platform.edit({ place, messageId }, payload(room, "page 1"), final);
    await expect(edited).rejects.toMatchObject({ code: "message_gone" });
    const again = await room.platform.post(place, payload(room, "page 1"), { ...mark(), generation: 1 }, final);

    expect(again).not.toBe(messageId);
    expect(room.discord.callsTo(postInChannel)).toHaveLength(1);
    expect(room.platform.hasOwnLimits?.(replyId)).toBe(false);
  });

  it("is out of reach where Parley has no access once its token has expired, and counts as gone", async () => {
    const { room, forward } = await openTimedRoom();
    const random = room.discord.world.channel("random");
    random.denied = permissions.viewChannel;
    const place = await ask(room, replyId, random);
    const messageId = await room.platform.post(place, payload(room, "working"), mark(), final);
    await room.platform.edit({ place, messageId }, payload(room, "minute 1"), final);

    forward(16 * minuteMs);
    const late = room.platform.edit({ place, messageId }, payload(room, "42"), final);
    await expect(late).rejects.toMatchObject({ code: "message_gone" });
    const anew = room.platform.post(place, payload(room, "42"), { ...mark(), generation: 1 }, final);
    await expect(anew).rejects.toMatchObject({ code: "not_permitted" });
  });

  it("refuses progress at once where its token has no edits left, and lets the end wait its turn", async () => {
    const { room } = await openTimedRoom();
    const place = await askInThread(room);
    const messageId = await room.platform.post(place, payload(room, "0"), mark(), final);
    room.discord.fault(editByToken, "429", 1, 0.3);

    const progress = room.platform.edit({ place, messageId }, payload(room, "1"), { urgency: "progress" });
    await expect(progress).rejects.toMatchObject({ code: "platform_rate_limited" });
    await room.platform.edit({ place, messageId }, payload(room, "2"), final);

    expect(room.discord.world.messages.get(messageId)?.versions.at(-1)).toBe("2");
  });
});

describe("where threads are short", () => {
  it("commands are answered in their own replies, and mentions still get their threads", async () => {
    const { room, forward } = await openTimedRoom();
    const { discord, platform } = room;
    const general = discord.world.channel("general");
    const isThread = ({ thread = "" }: Place) => /^\d+$/.test(thread);

    const asked: Place[] = [];
    for (let at = 0; at < 27; at += 1) asked.push(await ask(room, `reply-${at}`));
    const question = discord.human("Bob").mention(general, "And you?");
    const mentioned = { platform: "discord", workspace: general.serverId ?? "", channel: general.id } as const;
    const inThread = await platform.replyPlaces?.prepare({
      ...{ id: "mention", question: "And you?", askedIn: mentioned, askedMessageId: question.id },
      conversation: { ...mentioned, thread: question.id },
      actor: (room.seen[0] as Command).actor,
    });
    forward(5 * minuteMs);
    const later = await ask(room, "later");

    expect(asked.map(isThread)).toEqual(asked.map((_, at) => at < 25));
    expect(inThread).toEqual({ ...mentioned, thread: question.id });
    expect(isThread(later)).toBe(true);
    const messageId = await platform.post(
      asked[26] as Place,
      payload(room, "42"),
      { ...mark(), replyId: "reply-26" },
      final,
    );
    const reply = discord.human("Alice").say(general, "Sure?", { replyTo: messageId, pings: true });
    const heard = () => room.seen.find((event) => event.kind === "message" && event.messageId === reply.id);
    await until("the reply", () => heard() !== undefined);
    expect(heard()).toMatchObject({ conversation: asked[26] });
    expect(discord.violations).toEqual([]);
  });

  it("a command is answered in its own reply once Discord opens no thread", async () => {
    const { room } = await openTimedRoom();
    room.discord.fault("POST /channels/:c/messages/:m/threads", "429", 1, 200);

    const refused = await ask(room, "one");
    const next = await ask(room, "two");

    expect([refused.thread, next.thread]).toEqual([
      expect.stringContaining("asked-"),
      expect.stringContaining("asked-"),
    ]);
    expect(room.discord.callsTo("POST /channels/:c/messages/:m/threads")).toHaveLength(1);
  });
});
