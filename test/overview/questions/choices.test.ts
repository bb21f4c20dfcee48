/** What the filters of the list of questions offer, over real counters: also what no longer exists. */
import { expect, it, onTestFinished } from "vitest";
import type { Place } from "../../../src/core/model/place.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { createQuestionCounts } from "../../../src/insight/counts/question-counts.ts";
import { quarterOf } from "../../../src/insight/derived/turn-work.ts";
import { questionChoices } from "../../../src/overview/questions/choices.ts";
import { appOf } from "../../doubles/app.ts";
import { alice } from "../../doubles/people.ts";
import { openRoom, slack, turnOf } from "./room.ts";

const at = (channel: string, platform = "slack") => ({ platform, workspace: "T1", channel });

async function roomWith(turns: readonly Turn[], agents?: () => Promise<never>) {
  const room = await openRoom({
    places: {
      kindOf: ({ platform, channel }) =>
        platform === "gone" ? "unknown" : channel.startsWith("D") ? "direct" : "shared",
      all: async () => [slack],
      nameOf: async ({ channel }) =>
        ({ C1: { name: "front-desk" }, C2: { name: "archive", isGone: true as const }, C3: { isGone: true as const } })[
          channel
        ] ?? {},
    },
    ...(agents === undefined ? {} : { agents }),
  });
  onTestFinished(room.close);
  const platform = { isDirect: ({ channel }: Place) => channel.startsWith("D") };
  const counts = createQuestionCounts(appOf({ ...room.state, clock, siteOf: () => ({ platform }) }));
  const projected = turns.map((turn) => ({ turn: { ...turn, createdAtMs: clock.now() }, votes: { up: 0, down: 0 } }));
  await counts.derive(quarterOf(clock.now()), projected, [], { isCurrent: () => true, fence: 1 });
  return room;
}

const turns = [
  turnOf("here"),
  turnOf("archived", { askedIn: at("C2"), agent: { project: "mindsdb", name: "left" } }),
  turnOf("deleted", { askedIn: at("C3") }),
  turnOf("direct", { askedIn: at("D1") }),
  turnOf("off", { askedIn: at("C9", "gone"), agent: { project: "shop", name: "sales" } }),
];

it("the filters offer what was asked lately beside what is there now, and say what is gone, off or deleted", async () => {
  const { app } = await roomWith(turns);

  expect(await questionChoices(app, { viewer: { ...alice, signedInAs: "manage" } })).toEqual({
    platforms: [{ name: "slack" }, { name: "gone", isOff: true }],
    channels: [
      { key: "slack/T1/C1", platform: "slack", name: "front-desk" },
      { key: "slack/T1/C3", platform: "slack", name: "C3", isGone: true },
      { key: "gone/T1/C9", platform: "gone", name: "C9", isOff: true },
      { key: "slack/T1/C2", platform: "slack", name: "archive", isGone: true },
    ],
    agents: [
      { key: "shop.sales", name: "shop.sales" },
      { key: "mindsdb.support", name: "support" },
      { key: "mindsdb.left", name: "left", isGone: true },
    ],
  });
});

it("the filters offer agents that answered lately while the service is down, and none is called deleted", async () => {
  const { app } = await roomWith(turns, () => Promise.reject(new Error("down")));

  const { agents } = await questionChoices(app, { viewer: { ...alice, signedInAs: "manage" } });

  expect(agents).toEqual([
    { key: "mindsdb.left", name: "left" },
    { key: "shop.sales", name: "shop.sales" },
    { key: "mindsdb.support", name: "support" },
  ]);
});

it("the filters offer nothing of direct messages, which have no name, but their platform", async () => {
  const { app } = await roomWith([turnOf("direct", { askedIn: at("D1", "discord") })]);

  expect(await questionChoices(app, { viewer: { ...alice, signedInAs: "manage" } })).toMatchObject({
    platforms: [{ name: "discord" }, { name: "slack" }],
    channels: [{ key: "slack/T1/C1" }],
  });
});
