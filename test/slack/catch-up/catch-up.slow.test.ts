/**
 * What people said while Parley was not connected, and Slack sends to nobody any more.
 */
import { describe, expect, it } from "vitest";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import type { Coordinator, Lease } from "../../../src/core/ports/state.ts";
import { quickClock } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { allScopes } from "../../fakes/slack/index.ts";
import { bot } from "../../fakes/slack/world.ts";
import { joinRoom, openRoom, type Room } from "../room.ts";

const general = "C0GENERAL";
const place = { platform: "slack", workspace: "T0ACME", channel: general };

const textsOf = (seen: readonly Inbound[]) =>
  seen.flatMap((inbound) => (inbound.kind === "message" ? inbound.text : []));
const reads = ({ slack }: Room) =>
  slack.calls.filter(({ method }) => method.startsWith("conversations.") || method === "users.conversations");
const historyOf = (room: Room) => room.slack.callsTo("conversations.history").map(({ body }) => body["channel"]);
const isRead = (room: Room) => room.log.some(({ message }) => message.includes("have been read"));

/** Something was heard before, so that there is a mark. */
async function heardOnce(room: Room): Promise<void> {
  await room.slack.person("U0ALICE").say(general, "heard before").delivered;
}

describe("what was said while the socket was lost", () => {
  it("is delivered from every kind of channel, as if it were new, under the same key", async () => {
    const room = await openRoom();
    const { slack, seen } = room;
    const alice = slack.person("U0ALICE");

    const back = slack.outage();
    const said = ["C0GENERAL", "G0SECRET", "D0ALICE", "C0TRIO"].map((channel) => ({
      channel,
      ...alice.mention(channel, `in ${channel}`),
    }));
    back();
    await until("the end of the catch-up", () => seen.length >= 4 && isRead(room));

    expect(new Set(seen.map(({ eventKey }) => eventKey))).toEqual(
      new Set(said.map(({ channel, ts }) => `slack/T0ACME/${channel}/${ts}`)),
    );
    for (const inbound of seen) {
      expect(inbound).toMatchObject({
        kind: "message",
        mentionsParley: true,
        isRepeated: true,
        isDirect: inbound.place.channel === "D0ALICE",
        actor: { name: "alice", isAdmin: true, isExternal: false },
      });
    }
  });

  it("is not said to be from the own organisation by the lookup alone", async () => {
    const room = await openRoom();
    const { slack, seen } = room;
    slack.fail("users.info", "internal_error", { times: 50 });

    const back = slack.outage();
    slack.person("U0OTHER").mention(general, "what do the others earn?");
    slack.person("U0ALICE").mention(general, "what do we earn?");
    back();
    await until("2 events", () => seen.length === 2);

    expect(seen.map(({ actor }) => [actor.id, actor.isExternal])).toEqual([
      ["U0OTHER", true],
      ["U0ALICE", false],
    ]);
  });

  it("is delivered from threads where Parley has written, from then on", async () => {
    const room = await openRoom();
    const { slack, platform, seen } = room;
    const root = slack.person("U0ALICE").say(general, "root", { agoMs: 3 * 86_400_000 });
    await root.delivered;
    const [payload] = platform.render({ tone: "info", blocks: [], actions: [], summary: "Words" });
    if (payload === undefined) throw new Error("nothing was drawn");
    const early = slack.world.store({
      ...{ channel: general, user: "U0BOB", text: "not for Parley", blocks: [], thread_ts: root.ts },
    });
    await platform.post(
      { ...place, thread: root.ts },
      payload,
      { replyId: "r", part: 0, generation: 1 },
      { urgency: "final" },
    );
    await until("an event", () => seen.length === 1);

    const back = slack.outage();
    const follow = slack.person("U0BOB").say(general, "and now?", { thread: root.ts });
    back();
    await until("2 events", () => seen.length === 2);

    expect(early.ts < follow.ts).toBe(true);
    expect(textsOf(seen)).toEqual(["root", "and now?"]);
    expect(seen[1]?.place).toEqual({ ...place, thread: root.ts });
  });

  it("is delivered in order, page by page, from whichever end Slack begins", async () => {
    for (const historyFrom of ["latest", "oldest"] as const) {
      const room = await openRoom({}, { historyFrom, rates: false });
      const { slack, seen } = room;
      await heardOnce(room);

      const back = slack.outage();
      for (let index = 0; index < 450; index += 1) slack.person("U0BOB").say(general, `message ${index}`);
      back();
      await until("451 events", () => seen.length >= 451);

      expect(textsOf(seen).slice(1)).toEqual(Array.from({ length: 450 }, (_, index) => `message ${index}`));
      expect(historyOf(room).filter((channel) => channel === general).length).toBe(3);
    }
  });

  it("is not answered when it was deleted meanwhile, also where its replies stay", async () => {
    const room = await openRoom();
    const { slack, seen } = room;
    const alice = slack.person("U0ALICE");

    const back = slack.outage();
    const gone = alice.mention(general, "deleted");
    const tombstone = alice.mention(general, "deleted too");
    slack.person("U0BOB").say(general, "a reply", { thread: tombstone.ts });
    void alice.delete(gone.ts);
    void alice.delete(tombstone.ts);
    alice.mention(general, "still there");
    back();
    await until("the end of the catch-up", () => isRead(room));

    expect(textsOf(seen).filter((text) => text !== "a reply")).toEqual(["still there"]);
  });

  it("is delivered with its current text", async () => {
    const room = await openRoom();
    const { slack, seen } = room;

    const back = slack.outage();
    const said = slack.person("U0ALICE").mention(general, "first words");
    void slack.person("U0ALICE").edit(said.ts, `<@${bot.userId}> better words`);
    back();
    await until("the end of the catch-up", () => isRead(room));

    expect(textsOf(seen)).toEqual(["better words"]);
  });

  it("is handed on again until it can be stored", async () => {
    let isAway = true;
    const room = await openRoom({
      on: async (inbound) => {
        if (!isAway) await inbound.ack({ kind: "none" });
      },
    });
    const { slack, seen } = room;

    const back = slack.outage();
    slack.person("U0ALICE").mention(general, "the storage is away");
    back();
    await until("3 events", () => seen.length >= 3);
    isAway = false;
    await until("the end of the catch-up", () => isRead(room));

    expect(new Set(textsOf(seen))).toEqual(new Set(["the storage is away"]));
  });
});

describe("what was said while Parley was down", () => {
  it.each([false, true])("is delivered after the start, back to one hour (over HTTP: %s)", async (http) => {
    const room = await openRoom({}, { http });
    const { slack, platform } = room;
    await heardOnce(room);

    await platform.close();
    slack.outage()();
    slack.person("U0BOB").mention(general, "two hours ago", { agoMs: 2 * 3_600_000 });
    const back = slack.outage();
    slack.person("U0BOB").mention(general, "while it was down");
    back();
    const later = await joinRoom(room, {}, { http });
    await until("the end of the catch-up", () => isRead(later));

    expect(textsOf(later.seen)).toEqual(["while it was down"]);
  });

  it("is not looked for where no mark was ever stored: it begins now", async () => {
    const room = await openRoom({}, { before: (slack) => void slack.person("U0BOB").mention(general, "before") });
    const { slack, seen } = room;

    await slack.person("U0ALICE").mention(general, "now").delivered;

    expect(new Set(textsOf(seen))).toEqual(new Set(["now"]));
    expect(reads(room)).toEqual([]);
  });

  it("is found in a channel where nothing was ever said before", async () => {
    const room = await openRoom();
    await heardOnce(room);
    await room.platform.close();

    const back = room.slack.outage();
    room.slack.world.addChannel("C0NEW", ["U0ALICE", bot.userId]);
    room.slack.person("U0ALICE").mention("C0NEW", "hello?");
    back();
    const later = await joinRoom(room);
    await until("the end of the catch-up", () => isRead(later));

    expect(textsOf(later.seen)).toEqual(["hello?"]);
  });

  it("is not handed on twice from before the mark, unless Slack may have failed to deliver it", async () => {
    const room = await openRoom();
    const { slack } = room;
    await slack.person("U0BOB").say(general, "talk among people").delivered;
    const missed = slack.world.store({
      ...{ channel: general, user: "U0BOB", text: `<@${bot.userId}> waits for its retry`, blocks: [] },
    });
    await slack.person("U0BOB").say(general, "more talk").delivered;
    await room.platform.close();

    const later = await joinRoom(room);
    await until("the end of the catch-up", () => isRead(later));

    expect(later.seen.map(({ eventKey }) => eventKey)).toEqual([`slack/T0ACME/${general}/${missed.ts}`]);
  });
});

describe("which channels are read", () => {
  it("are first those with an agent and direct messages, then those where something was said last", async () => {
    const room = await openRoom();
    const { slack, platform } = room;
    slack.world.addChannel("C0QUIET", ["U0ALICE", bot.userId]);
    for (const channel of [general, "C0TRIO"]) await slack.person("U0ALICE").say(channel, "hello").delivered;
    await platform.close();

    const later = await joinRoom(room, {}, { bound: ["G0SECRET"] });
    await until("the end of the catch-up", () => isRead(later));

    expect(historyOf(later)).toEqual(["G0SECRET", "D0ALICE", "C0TRIO", general, "C0QUIET"]);
  });

  it("are threads of Parley's own too, and not those that people of other organisations begin by mentioning it", async () => {
    const room = await openRoom();
    const { slack, platform } = room;
    const own = slack.person("U0ALICE").mention(general, "ours");
    await own.delivered;
    for (let index = 0; index < 5; index += 1) await slack.person("U0OTHER").mention(general, "theirs").delivered;
    await platform.close();

    const later = await joinRoom(room);
    await until("the end of the catch-up", () => isRead(later));

    expect(slack.callsTo("conversations.replies").map(({ body }) => body["ts"])).toEqual([own.ts]);
  });

  it("are bound and seen ones only without the scopes that list them", async () => {
    const scopes = ["channels:history", "groups:history", "im:history", "chat:write", "users:read"];
    const room = await openRoom({}, { scopes });
    const { slack, platform } = room;
    await heardOnce(room);
    await platform.close();

    const later = await joinRoom(room, {}, { bound: ["G0SECRET"] });
    await until("the end of the catch-up", () => isRead(later));

    expect(historyOf(later)).toEqual(["G0SECRET", general]);
    expect(slack.callsTo("users.conversations")).toEqual([]);
    expect(later.platform.health().reason).toContain("channels:read");
  });

  it("are listed as far as the scopes reach", async () => {
    const room = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "mpim:read") });
    await heardOnce(room);
    await room.platform.close();

    const later = await joinRoom(room);
    await until("the end of the catch-up", () => isRead(later));

    expect(new Set(historyOf(later))).toEqual(new Set([general, "G0SECRET", "D0ALICE"]));
  });

  it("do not stop at one that Parley was thrown out of", async () => {
    const room = await openRoom();
    const { slack } = room;
    for (const channel of ["C0TRIO", general]) await slack.person("U0ALICE").say(channel, "hello").delivered;
    await room.platform.close();
    slack.world.channels.get("C0TRIO")?.members.delete(bot.userId);

    const back = slack.outage();
    slack.person("U0ALICE").mention(general, "still here");
    back();
    const later = await joinRoom(room);
    await until("the end of the catch-up", () => isRead(later));

    expect(textsOf(later.seen)).toEqual(["still here"]);
  });
});

describe("a channel that Slack cannot read for a while", () => {
  it("holds up no other channel and no thread, and is read when it can be", async () => {
    const room = await openRoom({}, { bound: ["C0TRIO"], rates: false });
    const { slack, seen } = room;
    const root = slack.person("U0ALICE").mention(general, "root");
    await root.delivered;
    slack.fail("conversations.history", "external_channel_migrating", { times: 10_000, channel: "C0TRIO" });

    const back = slack.outage();
    slack.person("U0ALICE").mention("C0TRIO", "in the one that migrates");
    slack.person("U0ALICE").mention(general, "in another");
    slack.person("U0BOB").mention(general, "in a thread", { thread: root.ts });
    back();
    await until(
      "the missed messages",
      () => textsOf(seen).includes("in another") && textsOf(seen).includes("in a thread"),
    );
    expect(textsOf(seen)).not.toContain("in the one that migrates");
    for (const fault of slack.faults) fault.times = 0;
    await until("the end of the catch-up", () => isRead(room));

    expect(new Set(textsOf(seen))).toEqual(new Set(["root", "in another", "in a thread", "in the one that migrates"]));
  });
});

describe("a message that can never be dealt with", () => {
  it("is given up when the storage works and others wait behind it", async () => {
    const room = await openRoom({
      on: async (inbound) => {
        if (inbound.kind !== "message" || inbound.text !== "poison") await inbound.ack({ kind: "none" });
      },
    });
    const { slack, seen } = room;

    const back = slack.outage();
    slack.person("U0ALICE").mention(general, "poison");
    slack.person("U0ALICE").mention(general, "behind it");
    back();
    await until("the end of the catch-up", () => isRead(room));

    expect(textsOf(seen)).toContain("behind it");
    expect(textsOf(seen).filter((text) => text === "poison").length).toBeGreaterThan(3);
    expect(room.log.filter(({ level }) => level === "error").length).toBe(1);
  });
});

describe("Slack's limits", () => {
  it("are observed: Retry-After is waited out, and reads of threads go first", async () => {
    const room = await openRoom({}, { isRestricted: true });
    const { slack, platform, seen } = room;
    const root = slack.person("U0ALICE").say(general, "root");
    await root.delivered;

    const back = slack.outage();
    for (let index = 0; index < 40; index += 1) slack.person("U0BOB").say(general, `message ${index}`);
    back();
    await until("ratelimited from conversations.history", () =>
      slack.callsTo("conversations.history").some(({ error }) => error === "ratelimited"),
    );
    const thread = await platform.readThread({ ...place, thread: root.ts }, { limit: 5 });

    expect(thread.map(({ text }) => text)).toEqual(["root"]);
    const [first, second] = slack.callsTo("conversations.history");
    expect(first?.error).toBeUndefined();
    // In this clock's minutes: 60 s are 1.2 s.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(60_000);
    expect(seen.length).toBeLessThan(42);
  });

  it("are met by a pause between the calls", async () => {
    const room = await openRoom();
    const { slack, platform } = room;
    for (let index = 0; index < 60; index += 1) slack.world.addChannel(`C${index}MANY`, ["U0ALICE", bot.userId]);
    await heardOnce(room);
    await platform.close();

    const sleeps: number[] = [];
    const clock = {
      ...quickClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        sleeps.push(ms);
        slack.advance(ms);
        return quickClock.sleep(1, signal);
      },
    };
    const later = await joinRoom(room, {}, { clock });
    await until("the end of the catch-up", () => isRead(later));

    expect(new Set(historyOf(later)).size).toBe(64);
    expect(slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([]);
    expect(sleeps.length).toBeGreaterThan(50);
  });
});

describe("reading that takes longer than an hour", () => {
  it("ends, since nothing that is left would be answered", async () => {
    const room = await openRoom({}, { rates: false });
    const { slack, platform } = room;
    for (let index = 0; index < 60; index += 1) slack.world.addChannel(`C${index}MANY`, ["U0ALICE", bot.userId]);
    await heardOnce(room);
    await platform.close();

    let sleptMs = 0;
    const clock = {
      ...quickClock,
      now: () => Date.now() + sleptMs,
      sleep: (ms: number, signal?: AbortSignal) => {
        sleptMs += ms * 500;
        return quickClock.sleep(1, signal);
      },
    };
    const later = await joinRoom(room, {}, { clock });
    await until("the end of the catch-up", () => isRead(later));

    expect(historyOf(later).length).toBeGreaterThan(5);
    expect(historyOf(later).length).toBeLessThan(60);
  });
});

describe("several instances", () => {
  it("read once: one of them, for all", async () => {
    const room = await openRoom();
    await heardOnce(room);
    await room.platform.close();

    const back = room.slack.outage();
    room.slack.person("U0ALICE").mention(general, "who hears me?");
    back();
    const [one, other] = await Promise.all([joinRoom(room), joinRoom(room)]);
    await until("the end of the catch-up", () => isRead(one) || isRead(other));
    await room.coordinator.lease("slack/T0ACME/catch-up").then((lease) => lease.release());

    expect([...textsOf(one.seen), ...textsOf(other.seen)]).toEqual(["who hears me?"]);
    expect(historyOf(room).filter((channel) => channel === general).length).toBe(1);
  });

  it("continue where the one that read has died, which does nothing more when it comes back", async () => {
    const room = await openRoom();
    await heardOnce(room);
    await room.platform.close();

    const back = room.slack.outage();
    for (let index = 0; index < 3; index += 1) room.slack.person("U0ALICE").mention(general, `question ${index}`);
    back();
    const { coordinator, lapse } = mortal(room.coordinator);
    let wake = () => {};
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const frozen = await joinRoom(
      room,
      { on: (inbound) => awake.then(() => inbound.ack({ kind: "none" })) },
      { coordinator },
    );
    await until("an event", () => frozen.seen.length === 1);
    const heir = await joinRoom(room);
    lapse();
    await until("the end of the catch-up", () => isRead(heir));
    wake();
    await room.slack.person("U0ALICE").say("C0TRIO", "later").delivered;

    expect(textsOf(heir.seen).filter((text) => text !== "later")).toEqual(["question 0", "question 1", "question 2"]);
    expect(textsOf(frozen.seen).filter((text) => text !== "later")).toEqual(["question 0"]);
  });
});

/** Leases that can lapse although their process lives. */
function mortal(coordinator: Pick<Coordinator, "lease">) {
  const held: { readonly lease: Lease; readonly lost: AbortController }[] = [];
  return {
    coordinator: {
      lease: async (...asked: Parameters<Coordinator["lease"]>) => {
        const lease = await coordinator.lease(...asked);
        const lost = new AbortController();
        held.push({ lease, lost });
        return { ...lease, lost: lost.signal, isCurrent: () => !lost.signal.aborted };
      },
    },
    lapse: () => {
      for (const { lease, lost } of held) {
        lost.abort(new Error("lapsed"));
        void lease.release();
      }
    },
  };
}

describe("a message that comes while a channel is read", () => {
  const slow = {
    on: async (inbound: Inbound) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      await inbound.ack({ kind: "none" });
    },
  };

  it("waits in a thread for what was said there before", async () => {
    const room = await openRoom(slow);
    const { slack, seen } = room;
    const root = slack.person("U0ALICE").mention("C0TRIO", "root");
    await root.delivered;
    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    const back = slack.outage();
    const inThread = { thread: root.ts };
    for (let index = 0; index < 5; index += 1) slack.person("U0ALICE").say("C0TRIO", `missed ${index}`, inThread);
    slack.person("U0ALICE").mention(general, "missed too");
    back();
    await until("the missed messages", () => textsOf(seen).includes("missed too"));
    await slack.person("U0ALICE").say("C0TRIO", "live", inThread).delivered;
    await until("the end of the catch-up", () => isRead(room));

    const replies = textsOf(seen).filter((text) => /^missed \d|live/.test(text));
    expect(replies).toEqual(["missed 0", "missed 1", "missed 2", "missed 3", "missed 4", "live"]);
  });

  it("doesn't wait where it starts a conversation, and isn't delivered twice", async () => {
    const room = await openRoom(slow);
    const { slack, seen } = room;
    await heardOnce(room);

    const back = slack.outage();
    for (let index = 0; index < 5; index += 1) slack.person("U0ALICE").mention("C0TRIO", `missed ${index}`);
    back();
    await until("the missed messages", () => textsOf(seen).includes("missed 0"));
    await slack.person("U0BOB").say(general, "live").delivered;
    expect(textsOf(seen)).not.toContain("missed 4");
    await until("the end of the catch-up", () => isRead(room));

    expect(textsOf(seen).filter((text) => text === "live").length).toBe(1);
  });
});
