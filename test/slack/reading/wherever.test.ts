/**
 * Messages are read in the same way wherever Parley meets them: as events, in a thread, under a shortcut.
 */
import { describe, expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import { until } from "../../doubles/until.ts";
import { allScopes } from "../../fakes/slack/index.ts";
import { alice, first, openRoom, type Room } from "../room.ts";
import { mrkdwn, plain, rich } from "./read.ts";

const general = "C0GENERAL";
const place = { platform: "slack", workspace: "T0ACME", channel: general };
const forward = { is_share: true, is_msg_unfurl: true, author_name: "Carol", text: "E1337" };
const alert = {
  ...{ user: "U0PAGER", bot_id: "B0PAGER", subtype: "bot_message", username: "pager", text: "" },
  blocks: [
    { type: "header", text: plain("ZEBRA-7 failed") },
    { type: "section", text: mrkdwn("code E1337") },
  ],
};
const people = (room: Room) => room.slack.person(alice.id);
const lastMessage = async (room: Room) => {
  await until("a message", () => room.seen.some(({ kind }) => kind === "message"));
  return first(room.seen.toReversed(), "message");
};

describe("a mention", () => {
  it("with a forward has its own words, and the forward apart", async () => {
    const room = await openRoom();
    await people(room).mention(general, "why?", { extra: { attachments: [forward] } }).delivered;

    expect(await lastMessage(room)).toMatchObject({ text: "why?", quoted: "Forwarded message from Carol:\n> E1337" });
  });

  it("names people, public channels and user groups", async () => {
    const room = await openRoom({}, { scopes: [...allScopes, "usergroups:read"] });
    await people(room).mention(general, "<@U0BOB> in <#C0NOBOT>, <#G0SECRET> or <!subteam^S0OPS>?").delivered;

    expect((await lastMessage(room)).text).toBe("@bob in #c0nobot, #G0SECRET or @ops?");
  });

  it("keeps the id of a user group without the scope, and asks Slack nothing", async () => {
    const room = await openRoom();
    await people(room).mention(general, "who is <!subteam^S0OPS>?").delivered;

    expect((await lastMessage(room)).text).toBe("who is @S0OPS?");
    expect(room.slack.callsTo("usergroups.list")).toEqual([]);
  });

  it("of a file of another organisation has its name, after one look", async () => {
    const room = await openRoom();
    room.slack.world.sharedFiles.set("F0SHARED", {
      id: "F0SHARED",
      name: "plan.md",
      mimetype: "text/markdown",
      size: 9,
    });
    const files = [{ id: "F0SHARED", mode: "file_access", file_access: "check_file_info" }];
    await people(room).mention(general, "what is in it?", { files }).delivered;
    await people(room).mention(general, "and now?", { files }).delivered;

    expect((await lastMessage(room)).attachments).toMatchObject([{ name: "plan.md", mediaType: "text/markdown" }]);
    expect(room.slack.callsTo("files.info")).toHaveLength(1);
  });

  it("of a file that Slack doesn't tell about names it, and everything else works", async () => {
    const room = await openRoom({}, { scopes: allScopes.filter((scope) => scope !== "files:read") });
    const files = [{ id: "F0SHARED", mode: "file_access", file_access: "check_file_info" }];
    await people(room).mention(general, "what is in it?", { files }).delivered;

    expect(await lastMessage(room)).toMatchObject({ attachments: [], unread: ["a file that Slack doesn't share"] });
    expect(room.slack.callsTo("files.info")).toEqual([]);
  });

  it.each(["me_message", "thread_broadcast", "file_share"])("is heard as %s", async (subtype) => {
    const room = await openRoom();
    await people(room).mention(general, "looks it up", { extra: { subtype } }).delivered;

    expect((await lastMessage(room)).text).toBe("looks it up");
  });
});

describe("a message that nobody asks Parley", () => {
  it("costs no look-up, whatever it names", async () => {
    const room = await openRoom();
    await people(room).say(general, "<@U0BOB> in <#C0NOBOT>").delivered;

    expect((await lastMessage(room)).text).toBe("@U0BOB in #C0NOBOT");
    expect(room.slack.callsTo("conversations.info")).toEqual([]);
  });
});

describe("an edit", () => {
  it("that adds the mention is told as one", async () => {
    const room = await openRoom();
    const { ts, delivered } = people(room).say(general, "what colour?");
    await delivered;
    await people(room).edit(ts, "<@U0BOT> what colour?");

    await until("the edit", () => room.seen.some(({ kind }) => kind === "message-edited"));
    expect(first(room.seen, "message-edited")).toMatchObject({ text: "what colour?", mentionsParley: true });
  });
});

describe("a thread", () => {
  it("is read with the alert that began it, and with forwards as words", async () => {
    const room = await openRoom();
    const root = people(room).say(general, "", { extra: alert });
    people(room).say(general, "same as", { thread: root.ts, extra: { attachments: [forward] } });

    const read = await room.platform.readThread({ ...place, thread: root.ts }, { limit: 10 });

    expect(read.map(({ authorName, text }) => `${authorName}: ${text}`)).toEqual([
      "pager: ZEBRA-7 failed\n\ncode E1337",
      "alice: same as\n\nForwarded message from Carol:\n> E1337",
    ]);
  });

  it("tells Parley's own message while it isn't at its end", async () => {
    const room = await openRoom();
    const root = people(room).say(general, "what?");
    const at = { ...place, thread: root.ts };
    const own = (id: "stop" | "steps"): Document => ({
      ...{ tone: "running", blocks: [{ kind: "markdown", text: id }], summary: id },
      actions: [{ id, label: id, value: "t1", style: "plain" }],
    });
    for (const [index, id] of (["stop", "steps"] as const).entries()) {
      const [payload] = room.platform.render(own(id));
      if (payload !== undefined)
        await room.platform.post(at, payload, { replyId: "t1", part: index, generation: 0 }, { urgency: "final" });
    }

    const read = await room.platform.readThread(at, { limit: 10 });

    expect(read.filter(({ isOwn }) => isOwn).map(({ isUnfinished }) => isUnfinished)).toEqual([true, undefined]);
  });

  it("leaves out what Slack writes", async () => {
    const room = await openRoom();
    const root = people(room).say(general, "one");
    people(room).say(general, "has joined", { thread: root.ts, extra: { subtype: "channel_join" } });

    expect(await room.platform.readThread({ ...place, thread: root.ts }, { limit: 10 })).toHaveLength(1);
  });
});

describe("a shortcut", () => {
  it.each(["ask_about", "save", "use_as_answer"])("%s has all that its message shows as one text", async (callback) => {
    const room = await openRoom();
    const { ts } = people(room).say(general, "", { extra: { ...alert, attachments: [forward] } });
    await people(room).shortcut(callback, ts);

    expect(first(room.seen, "shortcut").about.text).toBe(
      "ZEBRA-7 failed\n\ncode E1337\n\nForwarded message from Carol:\n> E1337",
    );
  });

  it("names who is named in rich text", async () => {
    const room = await openRoom();
    const { ts } = people(room).say(general, "", {
      extra: { ...alert, blocks: [rich({ type: "user", user_id: "U0BOB" })] },
    });
    await people(room).shortcut("ask_about", ts);

    expect(first(room.seen, "shortcut").about.text).toBe("@bob");
  });
});

describe("a reply whose thread is gone", () => {
  it("is removed again where Slack puts it into the channel", async () => {
    const room = await openRoom({}, { unthreads: true });
    const [payload] = room.platform.render({
      ...{ tone: "done", blocks: [{ kind: "markdown", text: "Late" }], actions: [], summary: "Late" },
    });
    if (payload === undefined) throw new Error("nothing to post");
    const mark = { replyId: "t1", part: 0, generation: 0 };

    await expect(
      room.platform.post({ ...place, thread: "1700000000.000001" }, payload, mark, { urgency: "final" }),
    ).rejects.toMatchObject({ code: "thread_gone" });
    expect([...room.slack.world.messages.values()]).toEqual([]);
  });
});
