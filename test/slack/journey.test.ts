/**
 * What people do in Slack, and what then stands there: through the real Bolt, in Socket Mode.
 */
import { describe, expect, it } from "vitest";
import type { Inbound } from "../../src/bridge/ports/chat-platform.ts";
import type { Form } from "../../src/presentation/document.ts";
import { answered, notice, openRoom, running, until } from "./room.ts";

const final = { urgency: "final" } as const;
const progress = { urgency: "progress" } as const;

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length !== 1) throw new Error(`expected one, found ${list.length}`);
  return first;
}

function first<K extends Inbound["kind"]>(seen: readonly Inbound[], kind: K): Extract<Inbound, { kind: K }> {
  const found = seen.find((inbound) => inbound.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${seen.map((inbound) => inbound.kind)}`);
  return found as Extract<Inbound, { kind: K }>;
}

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
        const mark = { replyId: inbound.eventKey, part: 0 };
        const messageId = await to.post(inbound.conversation, placeholder, mark, progress);
        await to.edit({ place: inbound.conversation, messageId }, answer, final);
      },
    });

    const said = slack.person("U0ALICE").say("C0GENERAL", "<@U0BOT> what is it?");
    await said.delivered;
    await until(() => slack.callsTo("chat.update").length > 0);

    const own = only(slack.world.thread("C0GENERAL", said.ts).filter((message) => message.bot_id !== undefined));
    expect(own.versions.length).toBe(2);
    expect(own.blocks[0]).toEqual({ type: "markdown", text: "It is **42**." });
    expect(
      await platform.findOwn(
        { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts },
        `slack/T0ACME/C0GENERAL/${said.ts}`,
      ),
    ).toEqual([{ part: 0, messageId: own.ts }]);
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

  it("tells the agent view that it is processing, until the answer is there", async () => {
    const { slack, platform } = await openRoom();
    const said = slack.person("U0ALICE").mention("C0GENERAL", "hello");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: said.ts };
    const [placeholder] = platform.render(running("Searching"));
    const [answer] = platform.render(answered("Done"));
    if (placeholder === undefined || answer === undefined) throw new Error("nothing was drawn");

    const messageId = await platform.post(place, placeholder, { replyId: "t", part: 0 }, progress);
    await until(() => slack.world.sessions.get(`C0GENERAL/${said.ts}`) === "processing");
    await platform.edit({ place, messageId }, answer, final);

    await until(() => slack.world.sessions.get(`C0GENERAL/${said.ts}`) === "active");
  });
});

describe("what else people say", () => {
  it("takes a plain follow-up in the thread as part of the same Conversation", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const said = alice.mention("C0GENERAL", "one");
    await said.delivered;

    await alice.say("C0GENERAL", "and two?", { thread: said.ts }).delivered;

    const followUp = first(seen.slice(2), "message");
    expect(followUp.conversation).toEqual(first(seen, "message").conversation);
    expect(followUp).toMatchObject({ text: "and two?", mentionsParley: false });
  });

  it("knows a direct message, and that somebody else is addressed", async () => {
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

  it("hands on reactions and the native Stop", async () => {
    const { slack, seen } = await openRoom();
    const alice = slack.person("U0ALICE");
    const said = alice.say("C0GENERAL", "keep this");

    await alice.react(said.ts, "pushpin");
    await alice.stopAgent("C0GENERAL", said.ts);

    expect(first(seen, "reaction")).toMatchObject({ emoji: "📌", messageId: said.ts, added: true });
    expect(first(seen, "stop-conversation").conversation.thread).toBe(said.ts);
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

  it("never hears its own words or edits, and knows other bots as bots", async () => {
    const { slack, platform, seen } = await openRoom();
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const [payload] = platform.render(answered("Own words"));
    if (payload === undefined) throw new Error("nothing was drawn");
    const messageId = await platform.post(place, payload, { replyId: "t", part: 0 }, final);
    await platform.edit({ place, messageId }, { ...payload, text: "changed" }, final);

    const other = { channel: "C0GENERAL", user: "U0JIRA", bot_id: "B0JIRA", text: "Build failed", blocks: [] };
    const stored = slack.world.store(other);
    await slack.deliveries.deliver("events_api", {
      type: "event_callback",
      team_id: "T0ACME",
      event: { type: "message", ...other, ts: stored.ts, bot_profile: { name: "jira" } },
    });

    expect(seen.map(({ actor }) => actor)).toMatchObject([{ id: "U0JIRA", name: "jira", isBot: true }]);
    await until(() => slack.deliveries.all.length === 3);
    expect(slack.deliveries.all.every((delivery) => delivery.isAcknowledged)).toBe(true);
  });
});

describe("files", () => {
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
    for await (const chunk of await platform.openAttachment(attachment)) chunks.push(chunk);

    expect(attachment).toMatchObject({ name: "plans.csv", mediaType: "text/csv", sizeBytes: 11 });
    expect(Buffer.concat(chunks).toString()).toBe("plan,price\n");
  });

  it("never sends the token to an address outside Slack", async () => {
    const { platform } = await openRoom();
    const attachment = {
      id: "F1",
      name: "x",
      mediaType: "text/plain",
      sizeBytes: 1,
      reference: "https://example.com/x",
    };

    await expect(platform.openAttachment(attachment)).rejects.toMatchObject({ code: "platform_refused" });
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

const form: Form = {
  id: "agent create",
  title: "Create an agent",
  submitLabel: "Create",
  context: "about",
  fields: [
    { name: "name", label: "Name", isRequired: true, type: "text" },
    { name: "agent", label: "Like", isRequired: false, type: "select", choices: [], completes: "agent" },
  ],
};

describe("commands and forms", () => {
  it("answers a command privately where it was typed, and replaces what it said first", async () => {
    const { slack, seen } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("One moment"), "private");
        await inbound.reply.send(notice("Two agents"), "private");
      },
    });

    const delivery = await slack.person("U0ALICE").command("/agent", "list &amp; more", "C0GENERAL");
    await until(() => slack.responses.length === 2);

    expect(delivery.isAcknowledged).toBe(true);
    expect(first(seen, "command").input).toEqual({ kind: "typed", text: "/agent list & more" });
    expect(slack.responses.map(({ body }) => [body["response_type"], body["replace_original"], body["text"]])).toEqual([
      ["ephemeral", false, "One moment"],
      ["ephemeral", true, "Two agents"],
    ]);
  });

  it("opens a form, shows an error at its field, and takes the second attempt as an event of its own", async () => {
    const { slack, seen } = await openRoom({
      on: async (inbound) => {
        if (inbound.kind === "command") return inbound.ack({ kind: "form", form });
        if (inbound.kind !== "form") return;
        if (inbound.values["name"] === "taken")
          return inbound.ack({ kind: "form-errors", errors: { name: "That name is taken." } });
        await inbound.ack({ kind: "none" });
      },
    });
    const alice = slack.person("U0ALICE");
    await alice.command("/agent", "create", "C0GENERAL");
    await until(() => alice.view() !== undefined);
    const view = alice.view();
    if (view === undefined) throw new Error("no form");

    const refused = await alice.submit(view, { name: { value: "taken" } });
    const accepted = await alice.submit(view, {
      name: { value: "sales" },
      agent: { selected_option: { value: "guide" } },
    });

    expect(refused.answer).toEqual({ response_action: "errors", errors: { name: "That name is taken." } });
    expect(accepted.isAcknowledged).toBe(true);
    expect(alice.view()).toBeUndefined();
    const forms = seen.filter((inbound) => inbound.kind === "form");
    expect(forms[1]).toMatchObject({
      formId: "agent create",
      context: "about",
      values: { name: "sales", agent: "guide" },
    });
    expect(new Set(forms.map((inbound) => inbound.eventKey)).size).toBe(2);
  });

  it("completes names in a field as they are typed", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => inbound.ack(inbound.kind === "command" ? { kind: "form", form } : { kind: "none" }),
      complete: async ({ completes, typed }) => [{ value: `${completes}-${typed}`, label: "Sales" }],
    });
    const alice = slack.person("U0ALICE");
    await alice.command("/agent", "create", "C0GENERAL");
    await until(() => alice.view() !== undefined);
    const view = alice.view();
    if (view === undefined) throw new Error("no form");

    const suggested = await alice.suggest(view, "agent", "sal");

    expect(suggested.answer).toEqual({
      options: [{ text: { type: "plain_text", text: "Sales", emoji: true }, value: "agent-sal" }],
    });
  });

  it("says so privately when a form could not be opened in time", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => inbound.ack({ kind: "form", form }),
    });
    slack.fail("views.open", "expired_trigger_id");

    await slack.person("U0ALICE").command("/agent", "create", "C0GENERAL");

    await until(() => slack.responses.length === 1);
    expect(slack.responses[0]?.body["text"]).toBe("The form could not be opened in time.");
  });

  it("opens the form of a message shortcut with the message and its author", async () => {
    const { slack, seen } = await openRoom({ on: async (inbound) => inbound.ack({ kind: "form", form }) });
    const alice = slack.person("U0ALICE");
    const said = slack.person("U0BOB").say("C0GENERAL", "SSO is in the team plan");
    await said.delivered;

    await alice.shortcut("ask_about", said.ts);
    await until(() => alice.view() !== undefined);

    expect(first(seen, "shortcut")).toMatchObject({
      shortcut: "ask-about",
      about: { text: "SSO is in the team plan", authorName: "bob" },
      conversation: { thread: said.ts },
    });
  });
});

describe("/ask", () => {
  const ask = async (inbound: Inbound) => {
    await inbound.ack({ kind: "defer" });
  };
  const turnOf = (inbound: Extract<Inbound, { kind: "command" }>) => ({
    id: "turn1",
    question: "how many *users*?",
    askedIn: inbound.place,
    conversation: inbound.conversation,
    actor: inbound.actor,
    ...(inbound.platformData === undefined ? {} : { platformData: inbound.platformData }),
  });

  it("shows the question to the channel and gives it a thread, once", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many *users*?", "C0GENERAL");
    const turn = turnOf(first(seen, "command"));

    const place = await platform.prepare?.(turn);
    const again = await platform.prepare?.(turn);

    const asked = only([...slack.world.messages.values()]);
    expect(asked.text).toContain("alice asked: how many");
    expect(place?.thread).toBe(asked.ts);
    expect(again).toEqual(place);
  });

  it("finds the question that stands there when the answer to its post was lost", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many?", "C0GENERAL");
    const turn = turnOf(first(seen, "command"));
    slack.fail("chat.postMessage", "lost");

    await expect(platform.prepare?.(turn)).rejects.toMatchObject({ code: "platform_unreachable" });
    const place = await platform.prepare?.(turn);

    expect(place?.thread).toBe(only([...slack.world.messages.values()]).ts);
  });

  it("says privately what to do where Parley is no member", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many?", "C0NOBOT");

    const turn = turnOf(first(seen, "command"));
    await expect(platform.prepare?.(turn)).rejects.toMatchObject({ code: "not_permitted" });

    expect(slack.responses[0]?.body["text"]).toContain("/invite");
  });

  it("gives a question that a message asks the thread of that message", async () => {
    const { slack, platform, seen } = await openRoom();
    await slack.person("U0ALICE").mention("C0GENERAL", "how many?").delivered;
    const { conversation, place, actor } = first(seen, "message");

    const prepared = await platform.prepare?.({ id: "turn1", question: "?", askedIn: place, conversation, actor });

    expect(prepared).toEqual(conversation);
  });
});

describe("buttons", () => {
  it("shows steps to one person, as a modal", async () => {
    const { slack, platform, seen } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        if (inbound.kind === "action") await inbound.reply.send(notice("SELECT 1"), "private");
      },
    });
    const [payload] = platform.render(answered("42"));
    if (payload === undefined) throw new Error("nothing was drawn");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const ts = await platform.post(place, payload, { replyId: "turn1", part: 0 }, final);

    await slack.person("U0BOB").click(ts, "Show steps");
    await until(() => slack.person("U0BOB").view() !== undefined);

    expect(first(seen, "action")).toMatchObject({
      action: "steps",
      value: "turn1",
      messageId: ts,
      actor: { id: "U0BOB" },
    });
    expect(JSON.stringify(slack.person("U0BOB").view()?.blocks)).toContain("SELECT 1");
    expect(slack.person("U0ALICE").view()).toBeUndefined();
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
