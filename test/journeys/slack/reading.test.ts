/**
 * Alerts, forwards, and questions that are deleted or edited, through a whole Parley.
 */
import { describe, expect, it } from "vitest";
import { until } from "../../doubles/until.ts";
import { bot } from "../../fakes/slack/world.ts";
import { openParley } from "./parley.ts";

const general = "C0GENERAL";
const pager = { user: "U0PAGER", bot_id: "B0PAGER", subtype: "bot_message", username: "pager", text: "" };
const header = { type: "header", text: { type: "plain_text", text: "ZEBRA-7 failed" } };

describe("what people see is what the agent gets", () => {
  it("an alert of another app, asked about in its thread", async () => {
    const { agents, alice } = await openParley();
    const alert = alice.say(general, "", { extra: { ...pager, blocks: [header] } });
    alice.mention(general, "what does this mean?", { thread: alert.ts });

    const { question } = await agents.run(0);
    expect(question).toContain("pager: ZEBRA-7 failed");
    expect(question).toContain("Question:\nwhat does this mean?");
  });

  it("a forwarded message without own words, in a direct message", async () => {
    const { agents, alice } = await openParley();
    const attachments = [{ is_share: true, is_msg_unfurl: true, author_name: "Carol", text: "E1337" }];
    alice.say("D0ALICE", "", { extra: { attachments } });

    expect((await agents.run(0)).question).toBe("Forwarded message from Carol:\n> E1337");
  });
});

describe("a question that is deleted leaves nothing", () => {
  it.each([{ unthreads: false }, { unthreads: true }])("while the agent works, with %o", async (slackOptions) => {
    const { slack, agents, alice, bridge, shows } = await openParley({ slack: slackOptions });
    const asked = alice.mention(general, "what?");
    const run = await agents.run(0);
    await shows(asked.ts, "is looking it up");
    await alice.delete(asked.ts);
    await until("the end of all questions", () => run.isOver() && bridge().counts().running === 0);

    expect([...slack.world.messages.values()].filter(({ user }) => user === bot.userId)).toEqual([]);
  });

  it.each([{ unthreads: false }, { unthreads: true }])(
    "although nobody says so before its answer, with %o",
    async (options) => {
      const { slack, agents, alice, bridge } = await openParley({ slack: options });
      slack.slow("chat.postMessage", 300);
      const asked = alice.mention(general, "what?");
      slack.world.messages.delete(asked.ts);
      (await agents.run(0)).answer("Late.");
      await until("the end of all questions", () => bridge().counts().running === 0);

      expect([...slack.world.messages.values()].filter(({ user }) => user === bot.userId)).toEqual([]);
    },
  );
});

describe("an edit that adds the mention", () => {
  it.each([false, true])("asks once, with a second app_mention: %s", async (hasSecond) => {
    const { slack, agents, alice, shows, idle } = await openParley();
    const said = alice.say(general, "what colour?");
    await said.delivered;
    await alice.edit(said.ts, `<@${bot.userId}> what colour?`);
    if (hasSecond) {
      const message = slack.world.messages.get(said.ts);
      if (message !== undefined) await slack.deliveries.deliver("events_api", mentionOf(slack.world.shown(message)));
    }
    (await agents.run(0)).answer("Blue.");
    await shows(said.ts, "Blue.");
    await idle();

    expect(agents.runs.map(({ question }) => question)).toEqual(["what colour?"]);
  });
});

function mentionOf(message: Readonly<Record<string, unknown>>) {
  const event = { ...message, type: "app_mention", channel: general, event_ts: "1.1" };
  const authorizations = [{ team_id: "T0ACME", user_id: bot.userId, is_bot: true, is_enterprise_install: false }];
  return { type: "event_callback", team_id: "T0ACME", api_app_id: "A0", event_id: "EvSecond", event, authorizations };
}
