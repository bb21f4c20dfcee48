/**
 * What goes wrong in Slack, and how it is told apart: what comes again, what never will, and what may have happened.
 */
import { describe, expect, it } from "vitest";
import { notice } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { answered, openRoom, running } from "../room.ts";

const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
const mark = { replyId: "turn1", part: 0, generation: 0 };
const final = { urgency: "final" } as const;
const progress = { urgency: "progress" } as const;

async function openPosted(options: Parameters<typeof openRoom>[1] = {}) {
  const room = await openRoom({}, options);
  const said = room.slack.person("U0ALICE").say("C0GENERAL", "hello");
  const thread = { ...place, thread: said.ts };
  const [payload] = room.platform.render(running("Searching"));
  const [answer] = room.platform.render(answered("It is **42**, see <!channel>."));
  if (payload === undefined || answer === undefined) throw new Error("nothing was drawn");
  return { ...room, thread, payload, answer };
}

describe("a post", () => {
  it("is never repeated blindly, and is found again by its mark when the answer was lost", async () => {
    const { slack, platform, thread, payload } = await openPosted();
    slack.fail("chat.postMessage", "lost");

    await expect(platform.post(thread, payload, mark, final)).rejects.toMatchObject({ code: "platform_unreachable" });
    const found = await platform.findOwn(thread, "turn1", 0);

    expect(slack.callsTo("chat.postMessage").length).toBe(1);
    expect(found.map(({ part }) => part)).toEqual([0]);
    expect(await platform.findOwn(thread, "turn2", 0)).toEqual([]);
  });

  it("says how long Slack wants it to wait, and holds up nothing else meanwhile", async () => {
    const { slack, platform, thread, payload } = await openPosted();
    slack.fail("chat.postMessage", "ratelimited", { retryAfterS: 7 });

    const refused = platform.post(thread, payload, mark, final);
    await expect(refused).rejects.toMatchObject({ code: "platform_rate_limited", retryAfterMs: 7_000 });

    await platform.post({ ...place, channel: "D0ALICE" }, payload, mark, final);
    expect(slack.callsTo("chat.postMessage").length).toBe(2);
  });

  it.each(["", "soon"])(
    "waits a second after a 429 whose Retry-After says nothing that can be read: %j",
    async (retryAfter) => {
      const { slack, platform, thread, payload } = await openPosted();
      slack.fail("chat.postMessage", `429 page ${retryAfter}`);

      const refused = platform.post(thread, payload, mark, final);

      await expect(refused).rejects.toMatchObject({ code: "platform_rate_limited", retryAfterMs: 1_000 });
    },
  );

  it("may have happened when something else answers for Slack", async () => {
    const { slack, platform, thread, payload } = await openPosted();
    slack.fail("chat.postMessage", "<html>Please log in</html>");

    const answered = platform.post(thread, payload, mark, final);

    await expect(answered).rejects.toMatchObject({ code: "platform_unreachable" });
  });

  it.each([
    ["channel_not_found", "place_gone"],
    ["is_archived", "place_gone"],
    ["thread_not_found", "thread_gone"],
    ["not_in_channel", "not_permitted"],
    ["missing_scope", "not_permitted"],
    ["msg_too_long", "payload_refused"],
    ["msg_blocks_too_long", "payload_refused"],
    ["internal_error", "platform_unreachable"],
    ["500", "platform_unreachable"],
    ["403", "platform_unreachable"],
    ["404", "platform_unreachable"],
    ["413", "platform_refused"],
    ["something_new", "platform_refused"],
  ])("tells %s as %s", async (slackCode, code) => {
    const { slack, platform, thread, payload } = await openPosted();
    slack.fail("chat.postMessage", slackCode);

    await expect(platform.post(thread, payload, mark, final)).rejects.toMatchObject({ code });
  });
});

describe("an edit", () => {
  it.each([
    ["message_not_found", "message_gone"],
    ["edit_window_closed", "message_not_editable"],
    ["cant_update_message", "message_not_editable"],
    ["block_mismatch", "message_not_editable"],
    ["streaming_state_conflict", "message_not_editable"],
  ])("tells %s as %s", async (slackCode, code) => {
    const { slack, platform, thread, payload, answer } = await openPosted();
    const messageId = await platform.post(thread, payload, mark, progress);
    slack.fail("chat.update", slackCode);

    await expect(platform.edit({ place: thread, messageId }, answer, final)).rejects.toMatchObject({ code });
  });

  it("of a message that someone deleted says that it is gone", async () => {
    const { slack, platform, thread, payload, answer } = await openPosted();
    const messageId = await platform.post(thread, payload, mark, progress);
    slack.world.messages.delete(messageId);

    const edited = platform.edit({ place: thread, messageId }, answer, final);

    await expect(edited).rejects.toMatchObject({ code: "message_gone" });
  });

  it("in a channel that was archived, or from which the bot was removed, says so", async () => {
    const { slack, platform, thread, payload, answer } = await openPosted();
    const messageId = await platform.post(thread, payload, mark, progress);
    const channel = slack.world.channels.get("C0GENERAL");
    if (channel === undefined) throw new Error("no channel");

    channel.isArchived = true;
    await expect(platform.edit({ place: thread, messageId }, answer, final)).rejects.toMatchObject({
      code: "place_gone",
    });
    channel.isArchived = false;
    channel.members.delete("U0BOT");
    await expect(platform.edit({ place: thread, messageId }, answer, final)).rejects.toMatchObject({
      code: "not_permitted",
    });
  });

  it("can always be removed, also when it no longer exists", async () => {
    const { platform, thread, payload } = await openPosted();
    const messageId = await platform.post(thread, payload, mark, progress);

    await platform.remove({ place: thread, messageId });

    await expect(platform.remove({ place: thread, messageId })).resolves.toBeUndefined();
  });
});

describe("a private answer", () => {
  it("is sent as a direct message when the channel can't take it", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(notice("Only for you"), "private");
      },
    });
    slack.fail("chat.postEphemeral", "channel_not_found");

    await slack.person("U0ALICE").mention("C0GENERAL", "hello").delivered;
    await until("calls of chat.postMessage", () => slack.callsTo("chat.postMessage").length > 0);

    expect(slack.callsTo("chat.postMessage")[0]?.body["channel"]).toBe("U0ALICE");
  });

  it("leaves the response_url after five uses", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "none" });
        for (let count = 1; count <= 7; count += 1) await inbound.reply.send(notice(`Answer ${count}`), "private");
      },
    });

    await slack.person("U0ALICE").command("/kb", "jobs", "C0GENERAL");
    await until("calls of chat.postEphemeral", () => slack.callsTo("chat.postEphemeral").length === 2);

    expect(slack.responses.length).toBe(5);
  });

  it("never throws, whatever Slack says", async () => {
    const { slack, log } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(notice("Only for you"), "private");
      },
    });
    slack.fail("chat.postEphemeral", "fatal");
    slack.fail("chat.postMessage", "fatal");

    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    await until("the log line", () => log.some(({ message }) => message === "A person could not be answered in Slack"));
  });
});

describe("a public answer", () => {
  it.each(["block_mismatch", "edit_window_closed", "message_not_found"])(
    "whose message can no longer be changed (%s) is posted again, and the old one is deleted",
    async (code) => {
      const { slack } = await openRoom({
        on: async (inbound) => {
          await inbound.ack({ kind: "none" });
          await inbound.reply.send(notice("First words"), "public");
          slack.fail("chat.update", code);
          await inbound.reply.send(notice("Last words"), "public");
        },
      });

      await slack.person("U0ALICE").command("/kb", "list", "C0GENERAL");
      const said = () => [...slack.world.messages.values()].filter(({ bot_id }) => bot_id !== undefined);
      await until("the message", () => said().length === 1 && JSON.stringify(said()).includes("Last words"));

      expect(slack.callsTo("chat.postMessage").length).toBe(2);
    },
  );
});

describe("who someone is", () => {
  it("is asked once for many questions, and again for rights that may have changed", async () => {
    const { slack } = await openRoom();
    const alice = slack.person("U0ALICE");

    for (let count = 0; count < 5; count += 1) await alice.say("C0GENERAL", `question ${count}`).delivered;

    expect(slack.callsTo("users.info").length).toBe(1);
  });

  it("gives no more than a guest's rights when Slack does not say, until it does", async () => {
    const { slack, seen } = await openRoom();
    slack.fail("users.info", "internal_error");

    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;
    await slack.person("U0ALICE").say("C0GENERAL", "again").delivered;

    expect(seen[0]?.actor).toMatchObject({ id: "U0ALICE", isAdmin: false, isGuest: true, isUnverified: true });
    expect(seen[1]?.actor).toMatchObject({ id: "U0ALICE", isAdmin: true, isGuest: false });
    expect(seen[1]?.actor).not.toHaveProperty("isUnverified");
  });

  it("is not asked while Slack wants to be left alone", async () => {
    const { slack } = await openRoom();
    slack.fail("users.info", "ratelimited", { retryAfterS: 60 });

    for (let count = 0; count < 5; count += 1) await slack.person("U0ALICE").say("C0GENERAL", `${count}`).delivered;

    expect(slack.callsTo("users.info").length).toBe(1);
  });
});
