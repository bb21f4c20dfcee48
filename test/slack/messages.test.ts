/**
 * What people do in Slack, and what then stands there: through the real Bolt, in Socket Mode.
 */
import { describe, expect, it } from "vitest";
import { placeOf } from "../../adapters/slack/ids.ts";
import type { Action, Block, Document } from "../../src/core/document.ts";
import { notice, only } from "../doubles/room-parts.ts";
import { until } from "../doubles/until.ts";
import { answered, first, openRoom, running } from "./room.ts";

const final = { urgency: "final" } as const;
const progress = { urgency: "progress" } as const;

describe("a mention", () => {
  it("is one question in a thread of its own, however many events Slack makes of it", async () => {
    const { slack, seen } = await openRoom();

    const said = slack.person("U0ALICE").mention("C0GENERAL", "how many &lt;users&gt;?");
    await said.delivered;

    expect(new Set(seen.map((inbound) => inbound.eventKey))).toEqual(new Set([`slack/T0ACME/C0GENERAL/${said.ts}`]));
    expect(first(seen, "message")).toMatchObject({
      text: "how many <users>?",
      mentionsParley: true,
      addressesOthers: false,
      isDirect: false,
      place: { channel: "C0GENERAL" },
      conversation: { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts },
      actor: { id: "U0ALICE", name: "alice", isAdmin: true, isGuest: false },
    });
  });

  it("is answered in its thread: one message, from placeholder to answer", async () => {
    const claimed = new Set<string>();
    const { slack, platform } = await openRoom({
      on: async (inbound, to) => {
        await inbound.ack({ kind: "none" });
        if (inbound.kind !== "message" || claimed.has(inbound.eventKey)) return;
        claimed.add(inbound.eventKey);
        const [placeholder] = to.render(running("Searching"));
        const [answer] = to.render(answered("It is **42**."));
        if (placeholder === undefined || answer === undefined) throw new Error("nothing was drawn");
        const mark = { replyId: inbound.eventKey, part: 0, generation: 0 };
        const messageId = await to.post(inbound.conversation, placeholder, mark, progress);
        await to.edit({ place: inbound.conversation, messageId }, answer, final);
      },
    });

    const said = slack.person("U0ALICE").say("C0GENERAL", "<@U0BOT> what is it?");
    await said.delivered;
    await until("calls of chat.update", () => slack.callsTo("chat.update").length > 0);

    const own = only(slack.world.thread("C0GENERAL", said.ts).filter((message) => message.bot_id !== undefined));
    expect(own.versions.length).toBe(2);
    expect(own.blocks[0]).toEqual({ type: "markdown", text: "It is **42**." });
    expect(
      await platform.findOwn(
        { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts },
        `slack/T0ACME/C0GENERAL/${said.ts}`,
        0,
      ),
    ).toEqual([{ part: 0, generation: 0, messageId: own.ts }]);
    expect(slack.violations).toEqual([]);
  });

  it("is not acknowledged before the bridge has journaled it, and comes again when that fails", async () => {
    let attempts = 0;
    const { slack } = await openRoom(
      {
        on: async (inbound) => {
          attempts += 1;
          if (attempts > 1) await inbound.ack({ kind: "none" });
        },
      },
      { ackTimeoutMs: 60 },
    );

    const [delivery] = await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    expect(delivery?.attempts).toBe(2);
    expect(delivery?.isAcknowledged).toBe(true);
  });

  it("shows the agent view as processing until the answer is there", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").mention("C0GENERAL", "hello");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts };
    const [placeholder] = platform.render(running("Searching"));
    const [answer] = platform.render(answered("Done"));
    if (placeholder === undefined || answer === undefined) throw new Error("nothing was drawn");

    const messageId = await platform.post(place, placeholder, { replyId: "t", part: 0, generation: 0 }, progress);
    await until("the agent session", () => slack.world.sessions.get(`C0GENERAL/${said.ts}`) === "processing");
    await platform.edit({ place, messageId }, answer, final);

    await until("the agent session", () => slack.world.sessions.get(`C0GENERAL/${said.ts}`) === "active");
  });
});

describe("what else people say", () => {
  it("treats a plain follow-up in the thread as part of the same Conversation", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const said = alice.mention("C0GENERAL", "one");
    await said.delivered;

    await alice.say("C0GENERAL", "and two?", { thread: said.ts }).delivered;

    const followUp = first(seen.slice(2), "message");
    expect(followUp.conversation).toEqual(first(seen, "message").conversation);
    expect(followUp).toMatchObject({ text: "and two?", mentionsParley: false });
  });

  it("knows a direct message, and that someone else is addressed", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");

    await alice.say("D0ALICE", "hello").delivered;
    await alice.say("C0GENERAL", "<@U0BOB> what do you think?").delivered;

    expect(seen).toMatchObject([
      { isDirect: true, addressesOthers: false },
      { isDirect: false, addressesOthers: true, text: "@U0BOB what do you think?" },
    ]);
  });

  it("translates an edit and a deletion, also of a message that has replies", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const kept = alice.say("C0GENERAL", "one");
    const gone = alice.say("C0GENERAL", "two");
    await alice.say("C0GENERAL", "a reply", { thread: kept.ts }).delivered;

    await alice.edit(kept.ts, "one, changed");
    await alice.delete(kept.ts);
    await alice.delete(gone.ts);

    const key = `slack/T0ACME/C0GENERAL/${kept.ts}`;
    expect(first(seen, "message-edited")).toMatchObject({ questionKey: key, text: "one, changed" });
    const deletions = seen.filter((inbound) => inbound.kind === "message-deleted");
    expect(deletions.map((inbound) => inbound.messageId)).toEqual([kept.ts, gone.ts]);
    expect(deletions[0]?.actor.id).toBe("U0ALICE");
  });

  it("names who edited a message, not who wrote it", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const kept = alice.say("C0GENERAL", "one");
    await kept.delivered;

    await slack.person("U0BOB").edit(kept.ts, "one, changed by an admin");
    await alice.edit(kept.ts, "one, changed by its author");

    const edits = seen.filter((inbound) => inbound.kind === "message-edited");
    expect(edits.map(({ actor }) => actor.id)).toEqual(["U0BOB", "U0ALICE"]);
  });

  it("hands on reactions and the native Stop", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const said = alice.say("C0GENERAL", "keep this");

    await alice.react(said.ts, "pushpin");
    await alice.stopAgent("C0GENERAL", said.ts);

    expect(first(seen, "reaction")).toMatchObject({ emoji: "📌", messageId: said.ts, added: true });
    expect(first(seen, "stop-conversation").conversation.thread).toBe(said.ts);
  });

  it("finds the thread of a reply, which a reaction to it does not name", async () => {
    const { slack, platform } = await openRoom();
    const alice = slack.person("U0ALICE");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const alone = alice.say("C0GENERAL", "alone");
    const root = alice.say("C0GENERAL", "how long?");
    const reply = alice.say("C0GENERAL", "five days", { thread: root.ts });

    expect(await platform.threadOf?.({ place, messageId: reply.ts })).toBe(root.ts);
    expect(await platform.threadOf?.({ place, messageId: alone.ts })).toBeUndefined();
    expect(await platform.threadOf?.({ place, messageId: "1700000000.000001" })).toBeUndefined();
  });

  it("sets its own mark on a message and takes it away, each also twice", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").say("C0GENERAL", "keep this");
    const ref = { place: { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" }, messageId: said.ts };

    await platform.reactions?.add(ref, "✅");
    await platform.reactions?.add(ref, "✅");
    expect([...slack.world.reactions]).toEqual([`${said.ts} white_check_mark`]);
    await platform.reactions?.remove(ref, "✅");
    await platform.reactions?.remove(ref, "✅");

    expect(slack.world.reactions.size).toBe(0);
  });

  it("gives guests and strangers away as such", async () => {
    const { slack, seen } = await openRoom();

    await slack.person("U0GUEST").say("C0GENERAL", "hello").delivered;
    await slack.person("U0OTHER").say("C0GENERAL", "hello").delivered;

    expect(seen.map(({ actor }) => [actor.isGuest, actor.isExternal])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("ignores its own messages and edits, and knows other bots as bots", async () => {
    const { slack, platform, seen } = await openRoom();
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const [payload] = platform.render(answered("Own words"));
    if (payload === undefined) throw new Error("nothing was drawn");
    const messageId = await platform.post(place, payload, { replyId: "t", part: 0, generation: 0 }, final);
    await platform.edit({ place, messageId }, { ...payload, text: "changed" }, final);

    const other = { channel: "C0GENERAL", user: "U0JIRA", bot_id: "B0JIRA", text: "Build failed", blocks: [] };
    const stored = slack.world.store(other);
    await slack.deliveries.deliver("events_api", {
      type: "event_callback",
      team_id: "T0ACME",
      event: { type: "message", ...other, ts: stored.ts, bot_profile: { name: "jira" } },
    });

    expect(seen.map(({ actor }) => actor)).toMatchObject([{ id: "U0JIRA", name: "jira", isBot: true }]);
    await until("3 deliveries", () => slack.deliveries.all.length === 3);
    expect(slack.deliveries.all.every((delivery) => delivery.isAcknowledged)).toBe(true);
  });
});

describe("files", () => {
  it("have a smaller copy where they are large pictures", async () => {
    const { slack, seen } = await openRoom();
    const wide = {
      ...{ id: "F2", name: "wide.png", mimetype: "image/png", size: 9_000_000, original_w: 4_096, original_h: 2_304 },
      ...{ url_private_download: `${slack.base}/files/F2`, thumb_1024: `${slack.base}/files/F2-1024` },
    };
    const small = { ...wide, id: "F3", original_w: 2_048, original_h: 1_152 };

    await slack.person("U0ALICE").mention("C0GENERAL", "see", { files: [wide, small] }).delivered;

    const smaller = first(seen, "message").attachments.map((one) => one.smaller);
    expect(smaller).toEqual([wide.thumb_1024, undefined]);
  });

  it("come with the question and can be read", async () => {
    const { slack, platform, seen } = await openRoom();
    slack.world.files.set("F1", { name: "plans.csv", content: Buffer.from("plan,price\n"), type: "text/csv" });
    const file = {
      id: "F1",
      name: "plans.csv",
      mimetype: "text/csv",
      size: 11,
      url_private_download: `${slack.base}/files/F1`,
    };

    await slack.person("U0ALICE").mention("C0GENERAL", "see", { files: [file] }).delivered;
    const attachment = only(first(seen, "message").attachments);
    const chunks: Uint8Array[] = [];
    for await (const chunk of await platform.openAttachment(attachment, placeOf("T0ACME", "C0GENERAL")))
      chunks.push(chunk);

    expect(attachment).toMatchObject({ name: "plans.csv", mediaType: "text/csv", sizeBytes: 11 });
    expect(Buffer.concat(chunks).toString()).toBe("plan,price\n");
  });

  it("never sends the token to a URL outside Slack", async () => {
    const { platform } = await openRoom();
    const attachment = {
      id: "F1",
      name: "x",
      mediaType: "text/plain",
      sizeBytes: 1,
      reference: "https://example.com/x",
    };

    await expect(platform.openAttachment(attachment, placeOf("T0ACME", "C0GENERAL"))).rejects.toMatchObject({
      code: "platform_refused",
    });
  });

  it("go into the thread as an upload", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").say("C0GENERAL", "rows?");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts };

    await platform.uploadFile(place, { name: "rows.csv", content: "a,b\r\n", mediaType: "text/csv" });

    const uploaded = slack.world.thread("C0GENERAL", said.ts).find((message) => message.files !== undefined);
    expect(uploaded?.files).toMatchObject([{ name: "rows.csv" }]);
  });
});

describe("reading a thread", () => {
  it("gives all pages, oldest first, and says who wrote what", async () => {
    const { slack, platform } = await openRoom();
    const alice = slack.person("U0ALICE");
    const said = alice.say("C0GENERAL", "message 0");
    for (let index = 1; index <= 450; index += 1) {
      slack.world.store({
        channel: "C0GENERAL",
        user: "U0BOB",
        text: `message ${index}`,
        blocks: [],
        thread_ts: said.ts,
      });
    }
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts };

    const all = await platform.readThread(place, { limit: 1_000 });
    const newest = await platform.readThread(place, { limit: 10, after: all[400]?.order ?? "" });

    expect(all.map((message) => message.text)).toEqual(Array.from({ length: 451 }, (_, index) => `message ${index}`));
    expect(all[0]).toMatchObject({ authorName: "alice", isOwn: false, isBot: false });
    expect(newest.map((message) => message.text)).toEqual(all.slice(-10).map((message) => message.text));
  });
});

describe("a button", () => {
  it("of a document with a long title is spoken as far as Slack takes it, and the message is posted", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").say("C0GENERAL", "hello");
    const spoken = `Remove ${"The reception is open ".repeat(4)}`;
    const button = { id: "remove-document", label: "Remove 1", accessibleLabel: spoken, value: "1", style: "plain" };
    const [payload] = platform.render({ ...answered("One document."), actions: [button as never] });
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts };

    const mark = { replyId: "turn1", part: 0, generation: 0 };
    await expect(platform.post(place, payload as never, mark, final)).resolves.toBeTruthy();
    expect(slack.violations).toEqual([]);
  });
});

describe("a menu beside a line", () => {
  const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
  const actions = (...labels: readonly string[]): readonly Action[] =>
    labels.map((label) => ({
      id: "remove-document",
      label,
      accessibleLabel: `${label} 1: Refunds`,
      value: `docs ${label.toLowerCase()}`,
      style: "plain",
    }));
  const listed = (...all: readonly (readonly Action[])[]): Document => ({
    ...notice("docs"),
    blocks: all.flatMap((some, at): readonly Block[] => [
      { kind: "list", items: [{ text: [{ text: `${at + 1}. Refunds` }] }] },
      { kind: "actions", layout: "menu", actions: some },
    ]),
  });
  const shownOf = async (document: Document) => {
    const room = await openRoom();
    const [payload] = room.platform.render(document);
    if (payload === undefined) throw new Error("nothing was drawn");
    const mark = { replyId: "turn1", part: 0, generation: 0 };
    const ts = await room.platform.post(place, payload, mark, final);
    return { ...room, ts, blocks: room.slack.world.messages.get(ts)?.blocks ?? [] };
  };

  it("is pressed as its option says", async () => {
    const { slack, seen, ts, blocks } = await shownOf(
      listed(actions("Refresh", "Remove"), actions("Refresh", "Remove")),
    );

    await slack.person("U0ALICE").click(ts, "Remove");

    expect(blocks.map(({ type }) => type)).toEqual(["section", "section", "rich_text"]);
    expect(first(seen, "action")).toMatchObject({ action: "remove-document", value: "docs remove", messageId: ts });
    expect(slack.violations).toEqual([]);
  });

  it("is a button where there is one thing to do, and buttons where Slack has no room for more", async () => {
    const many = actions("A", "B", "C", "D", "E", "F");
    const { slack, seen, ts, blocks } = await shownOf(listed(actions("Remove"), many));

    await slack.person("U0ALICE").click(ts, "Remove");
    await slack.person("U0ALICE").click(ts, "F");

    expect(blocks.map(({ type }) => type)).toEqual(["section", "rich_text", "actions"]);
    expect(seen).toMatchObject([{ value: "docs remove" }, { value: "docs f" }]);
    expect(slack.violations).toEqual([]);
  });
});
