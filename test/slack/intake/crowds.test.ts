/** A crowd that asks Slack's adapter for more than Slack allows at once. */
import { expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { fastClock } from "../../journeys/slack/parley.ts";
import { openRoom } from "../room.ts";

const speed = 10;

it("people are looked up no faster than Slack allows when sixty ask at once, and all are known in the end", async () => {
  const { slack, seen } = await openRoom({}, { clock: fastClock(speed), speed });
  const people = Array.from({ length: 60 }, (_, index) => `U0CROWD${index}`);
  for (const id of people) {
    slack.world.users.set(id, { ...slack.world.users.get("U0BOB"), id });
    slack.world.channels.get("C0GENERAL")?.members.add(id);
  }

  await Promise.all(people.map((id) => slack.person(id).say("C0GENERAL", "hello").delivered));

  const isKnown = (id: string) => seen.some(({ actor }) => actor.id === id && actor.isUnverified !== true);
  await until("all to be known", async () => {
    for (const id of people) if (!isKnown(id)) await slack.person(id).say("C0GENERAL", "again").delivered;
    return people.every(isKnown);
  });
  expect(slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([]);
});

it("thanks of twenty people at once get their reactions as Slack allows", async () => {
  const { slack, platform } = await openRoom({}, { clock: fastClock(speed), speed });
  const said = Array.from({ length: 20 }, (_, index) => slack.person("U0ALICE").say("C0GENERAL", `thanks ${index}`));
  const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };

  await Promise.all(said.map(({ ts }) => platform.reactions?.add({ place, messageId: ts }, "👍")));

  expect(slack.callsTo("reactions.add").length).toBe(20);
  expect(slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([]);
});
