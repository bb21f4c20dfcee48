/**
 * Slack's Home tab: opening it, what stands there, its buttons, and the channels that a person shares with Parley.
 */
import { describe, expect, it } from "vitest";
import { notice, only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { allScopes } from "../../fakes/slack/index.ts";
import { alice, first, openRoom, type Room, type Script } from "../room.ts";

const withButton = (label: string) => ({
  ...notice("**guide** answers here."),
  actions: [{ id: "ask-example", label, value: "How many?", style: "plain" } as const],
});

async function openWithButton(script: Script): Promise<Room> {
  const room = await openRoom(script);
  await room.slack.person("U0ALICE").openHome();
  await room.platform.home?.publish(alice, withButton("How many?"));
  return room;
}

const ack: NonNullable<Script["on"]> = (inbound) => inbound.ack({ kind: "none" });

describe("Slack's Home tab", () => {
  it("asks for its content when it is opened, and the messages beside it don't", async () => {
    const { slack, seen } = await openRoom();

    await slack.person("U0ALICE").openHome("messages");
    await slack.person("U0ALICE").openHome();

    expect(only(seen)).toMatchObject({
      kind: "home-opened",
      place: { workspace: "T0ACME", channel: "D0ALICE" },
      actor: { id: "U0ALICE", isAdmin: true },
    });
  });

  it("shows each person what was published for them", async () => {
    const { slack, platform } = await openRoom();

    await platform.home?.publish(alice, withButton("How many?"));

    const shown = JSON.stringify(slack.person("U0ALICE").home());
    expect(shown).toContain("guide");
    expect(shown).toContain("How many?");
    expect(slack.person("U0BOB").home()).toBeUndefined();
  });

  it("stays within 100 blocks and keeps its buttons", async () => {
    const { slack, platform } = await openRoom();
    const text = [{ text: "one more line" }];

    await platform.home?.publish(alice, {
      ...withButton("How many?"),
      blocks: Array.from({ length: 130 }, () => ({ kind: "text", text }) as const),
    });

    const view = slack.person("U0ALICE").home();
    expect(view?.blocks.length).toBe(100);
    expect(view?.blocks.at(-1)?.["type"]).toBe("actions");
  });

  it("is published at once, then every five seconds at most, with the newest content", async () => {
    const { slack, platform } = await openRoom();
    const { home } = platform;

    await home?.publish(alice, notice("first"));
    await Promise.all(["second", "third", "fourth"].map((text) => home?.publish(alice, notice(text))));

    expect(slack.callsTo("views.publish").length).toBe(2);
    expect(JSON.stringify(slack.person("U0ALICE").home())).toContain("fourth");
  });

  it("says what to do when the app has no Home tab, and again that all is well", async () => {
    const { slack, platform, log } = await openRoom();
    slack.world.hasHomeTab = false;

    await expect(platform.home?.publish(alice, notice("hello"))).rejects.toMatchObject({ code: "platform_refused" });

    expect(platform.health()).toMatchObject({ isConnected: true, reason: expect.stringContaining("reinstall") });
    expect(log.filter(({ message }) => message.includes("no Home tab")).length).toBe(1);
    slack.world.hasHomeTab = true;
    await platform.home?.publish(alice, notice("hello"));
    expect(platform.health().reason).toBeUndefined();
  });

  it("is published although Slack was busy", async () => {
    const { slack, platform } = await openRoom();
    slack.fail("views.publish", "ratelimited", { retryAfterS: 1 });

    await platform.home?.publish(alice, notice("hello"));

    expect(JSON.stringify(slack.person("U0ALICE").home())).toContain("hello");
  });
});

describe("a button in Slack's Home tab", () => {
  it("is pressed in the person's direct messages, and begins a thread there", async () => {
    const { slack, seen } = await openWithButton({ on: ack });

    await slack.person("U0ALICE").clickHome("How many?");

    const pressed = first(seen, "action");
    expect(pressed).toMatchObject({
      action: "ask-example",
      value: "How many?",
      place: { channel: "D0ALICE" },
      conversation: { channel: "D0ALICE", thread: expect.stringMatching(/^asked-/) },
    });
    expect(pressed.place.thread).toBeUndefined();
  });

  it("gets its private answer as a modal", async () => {
    const { slack } = await openWithButton({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        if (inbound.kind === "action")
          await inbound.reply.send(notice("Only people who manage can do that."), "private");
      },
    });

    await slack.person("U0ALICE").clickHome("How many?");
    await until("a modal", () => slack.person("U0ALICE").view() !== undefined);

    expect(JSON.stringify(slack.person("U0ALICE").view()?.blocks)).toContain("Only people who manage can do that.");
  });

  it("opens a form, whose private answer is a direct message that stays", async () => {
    const form = {
      ...{ id: "kb ingest", title: "Add pages", submitLabel: "Add", context: "" },
      fields: [{ name: "urls", label: "URLs", type: "text", isRequired: true } as const],
    };
    const { slack } = await openWithButton({
      on: async (inbound) => {
        if (inbound.kind === "action") return inbound.ack({ kind: "form", form });
        await inbound.ack({ kind: "none" });
        if (inbound.kind === "form") await inbound.reply.send(notice("Adding one page."), "private");
      },
    });
    const person = slack.person("U0ALICE");

    await person.clickHome("How many?");
    await until("a form", () => person.view() !== undefined);
    const view = person.view();
    if (view === undefined) throw new Error("no form");
    await person.submit(view, { urls: { value: "https://example.com" } });

    const told = () => [...slack.world.messages.values()].filter(({ channel }) => channel === "D0ALICE");
    await until("a direct message", () => told().length > 0);
    expect(only(told()).bot_id).toBe("B0BOT");
    expect(only(told()).visibleTo).toBeUndefined();
  });
});

describe("a button in a Slack channel", () => {
  it("begins a thread of its own, and one in the thread where it stands", async () => {
    const { slack, platform, seen } = await openRoom();
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const [payload] = platform.render(withButton("How many?"));
    const mark = { replyId: "card", part: 0, generation: 0 };
    const final = { urgency: "final" } as const;
    const card = await platform.post(place, payload ?? never(), mark, final);
    const inThread = await platform.post({ ...place, thread: card }, payload ?? never(), mark, final);

    await slack.person("U0BOB").click(card, "How many?");
    await slack.person("U0BOB").click(inThread, "How many?");

    expect(seen.map((inbound) => (inbound.kind === "action" ? inbound.conversation?.thread : ""))).toEqual([
      expect.stringMatching(/^asked-/),
      card,
    ]);
    expect(first(seen, "action").platformData).toEqual({ responseUrl: expect.stringContaining("/response/") });
  });
});

describe("the channels that a person shares with Parley in Slack", () => {
  it("are those where both are, asked for once in five minutes", async () => {
    const { slack, platform } = await openRoom();
    slack.world.addChannel("C0ALONE", ["U0BOT"]);

    const found = await platform.home?.sharedChannels(alice);
    await platform.home?.sharedChannels(alice);

    expect(found?.map(({ channel }) => channel)).toEqual(["C0GENERAL", "G0SECRET"]);
    expect(slack.callsTo("users.conversations").filter(({ body }) => body["user"] === "U0ALICE").length).toBe(1);
  });

  it("include those shared with another organisation", async () => {
    const { slack, platform } = await openRoom();
    slack.world.addChannel("C0SHARED", ["U0ALICE", "U0OTHER", "U0BOT"]);

    const olga = { ...alice, id: "U0OTHER", isExternal: true };

    expect((await platform.home?.sharedChannels(alice))?.map(({ channel }) => channel)).toContain("C0SHARED");
    expect((await platform.home?.sharedChannels(olga))?.map(({ channel }) => channel)).toContain("C0SHARED");
  });

  it("are unknown without the scopes that list channels, and only public with one of them", async () => {
    const lists = ["channels:read", "groups:read"];
    const none = await openRoom({}, { scopes: allScopes.filter((scope) => !lists.includes(scope)) });
    const some = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "groups:read") });

    expect(await none.platform.home?.sharedChannels(alice)).toBeUndefined();
    expect((await some.platform.home?.sharedChannels(alice))?.map(({ channel }) => channel)).toEqual(["C0GENERAL"]);
  });

  it("are unknown while Slack does not answer", async () => {
    const { slack, platform } = await openRoom();
    slack.fail("users.conversations", "internal_error", { times: 20 });

    expect(await platform.home?.sharedChannels(alice)).toBeUndefined();
  });
});

function never(): never {
  throw new Error("nothing was drawn");
}
