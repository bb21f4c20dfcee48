/** What the local Slack sends when a person presses thumbs, icons and buttons in containers. */
import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeSlack, startFakeSlack } from "../index.ts";
import { bot, type Json } from "../world.ts";

async function openSlack(...blocks: readonly Json[]): Promise<{ readonly slack: FakeSlack; readonly ts: string }> {
  // Nobody listens: what is sent is seen in the payload.
  const slack = await startFakeSlack({ ackTimeoutMs: 1 });
  onTestFinished(slack.stop);
  const { ts } = slack.world.store({ channel: "C0GENERAL", user: bot.userId, bot_id: bot.botId, text: "42", blocks });
  return { slack, ts };
}

const plain = (text: string) => ({ type: "plain_text", text });
const side = (name: string) => ({ text: plain(`${name} answer`), value: `${name} T1`, accessibility_label: name });
const thumbs = {
  type: "context_actions",
  elements: [
    { type: "feedback_buttons", action_id: "vote", positive_button: side("Good"), negative_button: side("Bad") },
    {
      ...{ type: "icon_button", action_id: "bin", icon: "trash" },
      text: plain("Remove"),
      visible_to_user_ids: ["U0BOB"],
    },
  ],
};

async function sent(slack: FakeSlack, ts: string, person: string, label: string): Promise<Json> {
  const { payload } = await slack.person(person).click(ts, label);
  return (payload["actions"] as readonly Json[])[0] ?? {};
}

describe("a press", () => {
  it("of a thumb carries that side's value, and is sent again when the same thumb is pressed again", async () => {
    const { slack, ts } = await openSlack(thumbs);
    const good = { type: "feedback_buttons", action_id: "vote", value: "Good T1", text: plain("Good answer") };

    expect(await sent(slack, ts, "U0ALICE", "Good answer")).toMatchObject(good);
    expect(await sent(slack, ts, "U0ALICE", "Good")).toMatchObject(good);
    expect(slack.person("U0ALICE").thumbs(ts)).toEqual(["Good T1"]);
    await sent(slack, ts, "U0ALICE", "Bad answer");

    expect(slack.person("U0ALICE").thumbs(ts)).toEqual(["Bad T1"]);
    expect(slack.person("U0BOB").thumbs(ts)).toEqual([]);
  });

  it("of an icon is possible only for whom it is shown to", async () => {
    const { slack, ts } = await openSlack(thumbs);

    expect(await sent(slack, ts, "U0BOB", "Remove")).toMatchObject({ type: "icon_button", icon: "trash" });
    expect(() => slack.person("U0ALICE").click(ts, "Remove")).toThrow("no button Remove");
  });

  it("of a button in a container is sent as that of any button", async () => {
    const steps = { type: "button", action_id: "steps:0", text: plain("Show steps"), value: "T1" };
    const row = { type: "actions", block_id: "row", elements: [steps] };
    const { slack, ts } = await openSlack({ type: "container", title: plain("3 steps"), child_blocks: [row] });

    expect(await sent(slack, ts, "U0ALICE", "Show steps")).toMatchObject({ ...steps, block_id: "row" });
  });
});
