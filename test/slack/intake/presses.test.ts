/** How soon Slack hears that a press arrived. It sends no press twice, and shows a warning after three seconds. */
import { describe, expect, it } from "vitest";
import type { Actor } from "../../../src/core/model/place.ts";
import { alice as anyone } from "../../doubles/people.ts";
import { notice } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { openRoom, type Room, type Script } from "../room.ts";

const alice: Actor = { ...anyone, id: "U0ALICE", workspace: "T0ACME" };
const example = { id: "ask-example", label: "How many?", value: "How many?", style: "plain" } as const;

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** Alice sees a button in her Home tab. */
async function openWithButton(script?: Script): Promise<Room> {
  const room = await openRoom(script);
  await room.platform.home?.publish(alice, { ...notice("Hi."), actions: [example] });
  return room;
}

async function pressed({ slack }: Room, hold: { readonly open: () => void }): Promise<void> {
  const delivered = slack.person("U0ALICE").clickHome("How many?");
  const press = () => slack.deliveries.all.find(({ type }) => type === "interactive");
  await until("the acknowledgement", () => press()?.isAcknowledged === true);
  hold.open();
  await delivered;
}

describe("a press in Slack", () => {
  it("is acknowledged while the bridge still waits to store what it asks", async () => {
    const stored = createGate();
    const room = await openWithButton({ on: () => stored.opened });

    await pressed(room, stored);

    expect(room.seen.map(({ kind }) => kind)).toEqual(["action"]);
    expect(room.slack.violations).toEqual([]);
  });

  it("is acknowledged while storage doesn't say which direct message belongs to the Home tab", async () => {
    const room = await openWithButton();
    const read = createGate();
    const { get } = room.keyValue;
    Object.assign(room.keyValue, { get: (key: string) => read.opened.then(() => get(key)) });

    await pressed(room, read);
    await until("the press", () => room.seen.length > 0);

    expect(room.slack.violations).toEqual([]);
  });
});

describe("a thumb in Slack", () => {
  it.each([
    ["Good", "thumb-up"],
    ["Bad", "thumb-down"],
  ])("is told by its value, since both have one action (%s)", async (label, action) => {
    const { slack, seen } = await openRoom();
    const side = (text: string, value: string) => ({ text: { type: "plain_text", text }, value });
    const thumbs = {
      ...{ type: "feedback_buttons", action_id: "thumbs" },
      positive_button: side("Good", "thumb-up turn 1"),
      negative_button: side("Bad", "thumb-down turn 1"),
    };
    const blocks = [{ type: "context_actions", elements: [thumbs] }];
    const bot = { channel: "C0GENERAL", user: "U0BOT", bot_id: "B0BOT" };
    const { ts } = slack.world.store({ ...bot, text: "An answer", blocks });

    await slack.person("U0ALICE").click(ts, label);
    await slack.person("U0ALICE").click(ts, label);
    await until("both presses", () => seen.length === 2);

    const pressed = { kind: "action", action, value: "turn 1", keepsPressed: true, messageId: ts };
    expect(seen).toEqual([expect.objectContaining(pressed), expect.objectContaining(pressed)]);
    expect(new Set(seen.map(({ eventKey }) => eventKey)).size).toBe(2);
  });
});
