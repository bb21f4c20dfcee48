/** What Slack tells for schedules: who their owner is now, the time zone, and where their question is posted. */
import { expect, it } from "vitest";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import { openRoom } from "../room.ts";

const bob: Actor = {
  ...{ id: "U0BOB", workspace: "T0ACME", name: "bob", roles: [] },
  ...{ isAdmin: false, isGuest: false, isExternal: false, isBot: false },
};
const general: Place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };

async function roomWith(user: Record<string, unknown>) {
  return openRoom({}, { before: ({ world }) => world.users.set("U0BOB", { ...world.users.get("U0BOB"), ...user }) });
}

it("a person's rights in Slack are those of now", async () => {
  const { platform } = await roomWith({ is_restricted: true });
  expect(await platform.personNow?.({ ...bob, isAdmin: true }, general)).toMatchObject({
    id: "U0BOB",
    isAdmin: false,
    isGuest: true,
  });
});

it("a person whose account was deactivated has left Slack", async () => {
  const { platform } = await roomWith({ deleted: true });
  expect(await platform.personNow?.(bob, general)).toBe("gone");
});

it("a person whom Slack doesn't show may still be there", async () => {
  const { platform } = await openRoom();
  expect(await platform.personNow?.({ ...bob, id: "U0NOBODY" }, general)).toBeUndefined();
});

it("a person's time zone is the one of their Slack account", async () => {
  const { platform } = await roomWith({ tz: "America/New_York" });
  expect(await platform.timeZone?.(bob)).toBe("America/New_York");
  expect(await platform.timeZone?.({ ...bob, id: "U0NOBODY" })).toBeUndefined();
});

it("the question of a schedule is posted in the channel, and answered in its thread", async () => {
  const { slack, platform } = await openRoom();
  const begun = platform.startedByItself?.({ ...general, thread: "1700000000.000100" }, "s1-1", Date.now());
  if (begun === undefined) throw new Error("Slack has threads.");
  const turn = { id: "turn1", question: "How many orders?", askedIn: general, actor: bob, ...begun };

  const place = await platform.replyPlaces?.prepare(turn);
  const again = await platform.replyPlaces?.prepare(turn);

  const posted = [...slack.world.messages.values()].filter(({ channel }) => channel === general.channel);
  expect(posted.map(({ text, thread_ts: thread }) => [text, thread])).toEqual([
    ["bob asked: How many orders?", undefined],
  ]);
  expect(place).toEqual({ ...general, thread: posted[0]?.ts });
  expect(again).toEqual(place);
});
