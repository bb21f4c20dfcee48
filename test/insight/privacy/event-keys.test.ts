import { describe, expect, it } from "vitest";
import { translateReaction } from "../../../adapters/discord/intake/inbound.ts";
import { translateAction } from "../../../adapters/slack/intake/actions.ts";
import { translateEvent } from "../../../adapters/slack/intake/inbound.ts";

const self = { teamId: "T1", userId: "U0BOT", botId: "B0BOT" };
const nobody = { nameOf: () => undefined };

const slackReaction = (user: string, at: string) =>
  translateEvent(
    {
      type: "reaction_added",
      user,
      reaction: "pushpin",
      item: { type: "message", channel: "C1", ts: "1.1" },
      event_ts: at,
    },
    self,
    nobody,
  )?.inbound.eventKey;

const slackHome = (user: string, at: string) =>
  translateEvent({ type: "app_home_opened", user, tab: "home", channel: "D1", event_ts: at }, self, nobody)?.inbound
    .eventKey;

const slackPress = (id: string, at: string) => {
  const body = {
    type: "block_actions" as const,
    user: { id },
    container: { type: "message", channel_id: "C1", message_ts: "1.1" },
    actions: [{ type: "button", action_id: "thumb-up", value: "t1", action_ts: at }],
  };
  return translateAction(body as unknown as Parameters<typeof translateAction>[0], self, 0, undefined)?.inbound
    .eventKey;
};

const discordReaction = (userId: string, period: string) =>
  translateReaction(
    { guild_id: "2", user_id: userId, channel_id: "3", message_id: "4", emoji: { id: null, name: "📌" } },
    true,
    { channel: undefined } as unknown as Parameters<typeof translateReaction>[2],
    period,
  ).eventKey;

describe.each([
  ["a reaction in Slack", slackReaction],
  ["Slack's Home tab", slackHome],
  ["a pressed button in Slack", slackPress],
  ["a reaction in Discord", discordReaction],
])("the key of %s", (_what, keyOf) => {
  it("holds no person's id, and is equal for the same event of the same person alone", () => {
    const [key, again, later, other] = [
      keyOf("U0ANA", "1.0"),
      keyOf("U0ANA", "1.0"),
      keyOf("U0ANA", "2.0"),
      keyOf("U0BEN", "1.0"),
    ];

    expect(key).toMatch(/^(?:slack|discord)\//);
    expect(key).not.toContain("U0ANA");
    expect(again).toBe(key);
    expect(new Set([key, later, other]).size).toBe(3);
  });
});
