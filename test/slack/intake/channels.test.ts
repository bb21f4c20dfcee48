/** Who can read a channel in Slack, and whether a person is in it. */
import { describe, expect, it } from "vitest";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { allScopes } from "../../fakes/slack/index.ts";
import { fastClock } from "../../journeys/slack/parley.ts";
import { alice, openRoom } from "../room.ts";

const guest: Actor = { ...alice, id: "U0GUEST", isAdmin: false, isGuest: true };
const place = (channel: string): Place => ({ platform: "slack", workspace: "T0ACME", channel });
const minute = 60_000;

describe("who can read a channel in Slack", () => {
  it("is everyone, its members, or one person; a channel of two organisations is private", async () => {
    const { slack, platform } = await openRoom();
    slack.world.addChannel("C0SHARED", ["U0ALICE", "U0OTHER", "U0BOT"]).isShared = true;

    const found = await Promise.all(
      ["C0GENERAL", "G0SECRET", "C0TRIO", "C0SHARED", "D0ALICE"].map((id) => platform.visibility?.(place(id))),
    );

    expect(found).toEqual(["public", "private", "private", "private", "direct"]);
  });

  it("is asked for once in ten minutes, and noticed when it changed", async () => {
    let nowMs = Date.now();
    const clock = { ...quickClock, now: () => nowMs };
    const { slack, platform } = await openRoom({}, { clock });
    const channel = slack.world.channels.get("C0GENERAL");
    if (channel === undefined) throw new Error("no channel");

    const before = await platform.visibility?.(place("C0GENERAL"));
    channel.type = "group";
    nowMs += 9 * minute;
    const soonAfter = await platform.visibility?.(place("C0GENERAL"));
    nowMs += 2 * minute;
    const later = await platform.visibility?.(place("C0GENERAL"));

    expect([before, soonAfter, later]).toEqual(["public", "public", "private"]);
    expect(slack.callsTo("conversations.info").length).toBe(2);
  });

  it("is unknown for a channel that Slack doesn't describe, and asked again only after a minute", async () => {
    let nowMs = Date.now();
    const clock = { ...quickClock, now: () => nowMs };
    const { slack, platform } = await openRoom({}, { clock });

    expect(await platform.visibility?.(place("C0GONE"))).toBeUndefined();
    expect(await platform.visibility?.(place("C0GONE"))).toBeUndefined();
    expect(slack.callsTo("conversations.info").length).toBe(1);
    nowMs += 2 * minute;
    slack.world.addChannel("C0GONE", ["U0ALICE", "U0BOT"]);

    expect(await platform.visibility?.(place("C0GONE"))).toBe("public");
  });

  it("is asked for no faster than Slack allows when a crowd asks in thirty channels at once", async () => {
    // Not faster: a busy machine is late by some ms, and each counts that often.
    const speed = 20;
    const { slack, platform } = await openRoom({}, { clock: fastClock(speed), speed });
    const channels = Array.from({ length: 30 }, (_, index) => `C0CROWD${index}`);
    for (const id of channels) slack.world.addChannel(id, ["U0ALICE", "U0BOT"]);

    const found = await Promise.all(channels.map((id) => platform.visibility?.(place(id))));

    expect(new Set(found)).toEqual(new Set(["public"]));
    expect(slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([]);
  });

  it("is unknown without the scope for that kind of channel", async () => {
    const scopes = allScopes.filter((scope) => scope !== "groups:read");
    const { platform } = await openRoom({}, { scopes });

    expect(await platform.visibility?.(place("C0GENERAL"))).toBe("public");
    expect(await platform.visibility?.(place("G0SECRET"))).toBeUndefined();
  });
});

describe("whether Parley can speak in a Slack channel", () => {
  it("is asked anew each time: not after it was removed, nor once the channel is archived or gone", async () => {
    const { slack, platform } = await openRoom();
    const isIn = (id: string) => platform.isIn?.(place(id));
    const [general, secret] = ["C0GENERAL", "G0SECRET"].map((id) => slack.world.channels.get(id));

    expect(await isIn("C0GENERAL")).toBe(true);
    expect(await isIn("G0SECRET")).toBe(true);
    if (general !== undefined) general.isArchived = true;
    secret?.members.delete("U0BOT");

    expect(await isIn("C0GENERAL")).toBe(false);
    expect(await isIn("G0SECRET")).toBe(false);
    expect(await isIn("C0NOBOT")).toBe(false);
    expect(await isIn("C0GONE")).toBe(false);
  });

  it("is unknown where Slack may not tell, and for direct messages", async () => {
    const { platform } = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "groups:read") });

    expect(await platform.isIn?.(place("G0SECRET"))).toBeUndefined();
    expect(await platform.isIn?.(place("D0ALICE"))).toBeUndefined();
  });
});

describe("whether a person is in a Slack channel", () => {
  it("is told for channels and group direct messages", async () => {
    const { platform } = await openRoom();
    const ids = ["C0GENERAL", "G0SECRET", "C0TRIO"];

    const ofAlice = await Promise.all(ids.map((id) => platform.isMember?.(alice, place(id))));
    const ofGuest = await Promise.all(ids.map((id) => platform.isMember?.(guest, place(id))));

    expect([ofAlice, ofGuest]).toEqual([
      [true, true, true],
      [true, false, false],
    ]);
  });

  it("is unknown when Slack doesn't list their channels", async () => {
    const { slack, platform } = await openRoom();
    slack.fail("users.conversations", "internal_error", { times: 20 });

    expect(await platform.isMember?.(alice, place("G0SECRET"))).toBeUndefined();
  });
});

describe("the names of Slack's channels", () => {
  const nameOf = (platform: Awaited<ReturnType<typeof openRoom>>["platform"], id: string) =>
    platform.channelName?.(place(id));

  it("of all channels that Parley is in come with their list, so that no question waits behind their lookups", async () => {
    const { slack, platform } = await openRoom();
    const ids = Array.from({ length: 450 }, (_, index) => `C0MANY${index}`);
    for (const id of ids) slack.world.addChannel(id, ["U0ALICE", "U0BOT"]);
    slack.world.addChannel("C0SHARED", ["U0ALICE", "U0BOT"]).isShared = true;

    const own = (await platform.ownChannels?.())?.map(({ channel }) => channel) ?? [];
    const names = await Promise.all(own.map((id) => nameOf(platform, id)));

    expect(own).toEqual(expect.arrayContaining(["C0GENERAL", "G0SECRET", "C0SHARED", ...ids]));
    expect(own).not.toContain("C0NOBOT");
    expect(names).toEqual(own.map((id) => ({ name: id.toLowerCase() })));
    expect(slack.callsTo("conversations.info").length).toBe(0);
    const visible = ["C0MANY7", "G0SECRET", "C0SHARED"].map((id) => platform.visibility?.(place(id)));
    expect(await Promise.all(visible)).toEqual(["public", "private", "private"]);
  });

  it("of thousands of channels come page by page, no faster than Slack allows, and of 5,000 at most", async () => {
    const speed = 20;
    const { slack, platform, log } = await openRoom({}, { clock: fastClock(speed), speed });
    for (let index = 0; index < 5_300; index += 1) slack.world.addChannel(`C0MANY${index}`, ["U0ALICE", "U0BOT"]);
    const own = async () => (await platform.ownChannels?.())?.length ?? 0;

    expect(await own()).toBe(1_000);
    await until("all of them", async () => (await own()) >= 5_000);

    expect(await own()).toBe(5_000);
    expect(await nameOf(platform, "C0MANY4321")).toEqual({ name: "c0many4321" });
    expect(slack.callsTo("conversations.info").length).toBe(0);
    expect(slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([]);
    expect(JSON.stringify(log)).toContain("more Slack channels than it lists");
  });

  it("stand while they are listed again, without those that Parley was removed from", async () => {
    const [speed, fast] = [20, fastClock(20)];
    let aheadMs = 0;
    const { slack, platform } = await openRoom({}, { clock: { ...fast, now: () => fast.now() + aheadMs }, speed });
    for (let index = 0; index < 1_100; index += 1) slack.world.addChannel(`C0MANY${index}`, ["U0ALICE", "U0BOT"]);
    const own = async () => (await platform.ownChannels?.()) ?? [];
    await own();
    await until("all of them", async () => (await own()).length === 1_102);
    slack.world.channels.get("C0MANY1099")?.members.delete("U0BOT");
    aheadMs += 6 * minute;

    expect((await own()).length).toBe(1_102);
    await until("one less", async () => (await own()).length === 1_101);
  });

  it("and their readers are never asked about in a workspace that isn't the connected one", async () => {
    const { slack, platform } = await openRoom();
    const before = { ...place("C0GENERAL"), workspace: "T0BEFORE" };
    await until("the connection", async () => (await platform.ownChannels?.()) !== undefined);

    expect(await platform.channelName?.(before)).toBe("gone");
    expect(await platform.visibility?.(before)).toBeUndefined();
    expect(await platform.isMember?.(alice, before)).toBeUndefined();
    expect(await platform.isIn?.(before)).toBe(false);
    expect(slack.callsTo("conversations.info")).toEqual([]);
    expect(await nameOf(platform, "C0GENERAL")).toEqual({ name: "c0general" });
  });

  it("of group direct messages, which are made of people's names, are the same for all", async () => {
    const { slack, platform } = await openRoom();
    const trio = slack.world.channels.get("C0TRIO");
    if (trio === undefined) throw new Error("no group");
    trio.name = "mpdm-alice--bob--parley-1";

    expect(await nameOf(platform, "C0TRIO")).toEqual({ name: "group message" });
  });

  it("are told anew after ten minutes; an archived channel, a deleted one and one Parley can't see are gone", async () => {
    let nowMs = Date.now();
    const { slack, platform } = await openRoom({}, { clock: { ...quickClock, now: () => nowMs } });
    const general = slack.world.channels.get("C0GENERAL");
    if (general === undefined) throw new Error("no channel");
    general.name = "front-desk";

    expect(await nameOf(platform, "C0GENERAL")).toEqual({ name: "front-desk" });
    general.name = "reception";
    nowMs += 11 * minute;
    expect(await nameOf(platform, "C0GENERAL")).toEqual({ name: "reception" });
    general.isArchived = true;
    slack.world.channels.get("G0SECRET")?.members.delete("U0BOT");
    nowMs += 11 * minute;

    const gone = ["C0GENERAL", "G0SECRET", "C0GONE"].map((id) => nameOf(platform, id));
    expect(await Promise.all(gone)).toEqual(["gone", "gone", "gone"]);
    expect(await nameOf(platform, "D0ALICE")).toBeUndefined();
  });

  it("are unknown, not gone, without a scope or while Slack is busy", async () => {
    const { slack, platform } = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "groups:read") });

    expect(await nameOf(platform, "G0SECRET")).toBeUndefined();
    const own = await platform.ownChannels?.();
    expect(own?.map(({ channel }) => channel)).toEqual(["C0GENERAL"]);
    slack.fail("conversations.info", "ratelimited", { times: 20 });
    expect(await nameOf(platform, "C0LATER")).toBeUndefined();
  });

  it("can't be listed without any scope for channels", async () => {
    const scopes = allScopes.filter((scope) => !["groups:read", "channels:read"].includes(scope));
    const { platform } = await openRoom({}, { scopes });

    expect(await platform.ownChannels?.()).toBeUndefined();
  });
});
