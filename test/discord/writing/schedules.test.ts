/** Where Discord answers the question of a schedule, which no event began, and who its owner is now. */
import { expect, it } from "vitest";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import { guildId } from "../../fakes/discord/world.ts";
import { openRoom, type Room } from "../room.ts";

const actorOf = ({ discord }: Room, name: string): Actor => ({
  ...{ id: discord.world.person(name).id, workspace: guildId, name, roles: [] },
  ...{ isAdmin: false, isGuest: false, isExternal: false, isBot: false },
});
const generalOf = ({ discord }: Room): Place => ({
  ...{ platform: "discord", workspace: guildId, channel: discord.world.channel("general").id },
});

it("opens a thread below the question that it posts, once", async () => {
  const room = await openRoom();
  const { platform, discord } = room;
  const general = generalOf(room);
  const begun = platform.startedByItself?.(general, "s1-1", Date.now());
  if (begun === undefined) throw new Error("Discord has threads.");
  const turn = {
    ...{ id: "turn1", question: "How many orders?", askedIn: general, actor: actorOf(room, "Bob") },
    ...begun,
  };

  const place = await platform.replyPlaces?.prepare(turn);
  const again = await platform.replyPlaces?.prepare(turn);

  const posted = [...discord.world.messages.values()].filter(({ channelId }) => channelId === general.channel);
  expect(posted).toHaveLength(1);
  expect(JSON.stringify(posted[0])).toContain("How many orders?");
  expect(place).toEqual({ ...general, thread: posted[0]?.id });
  expect(again).toEqual(place);
  expect(discord.violations).toEqual([]);
});

it("answers in the thread where a schedule was set up", async () => {
  const room = await openRoom();
  const inThread = { ...generalOf(room), thread: "200000000000000077" };
  expect(room.platform.startedByItself?.(inThread, "s1-1", Date.now()).conversation).toEqual(inThread);
});

it("knows the owner of a schedule in direct messages by their servers", async () => {
  const room = await openRoom();
  const bob = actorOf(room, "Bob");
  const direct: Place = { platform: "discord", workspace: "dm", channel: "300000000000000001" };
  const { memberships } = room.platform;
  expect(await memberships?.actorNow(bob, direct)).toMatchObject({
    id: bob.id,
    memberOf: [guildId],
    isExternal: false,
  });
});
