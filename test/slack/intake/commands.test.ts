/**
 * Commands, forms, shortcuts and buttons: through the real Bolt, in Socket Mode.
 */
import { describe, expect, it } from "vitest";
import type { Form } from "../../../src/core/document.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { notice, only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { answered, first, openRoom } from "../room.ts";

const final = { urgency: "final" } as const;

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
  it("answers privately in the thread, also where the newer blocks are refused", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(answered("**Two** agents"), "private");
      },
    });
    slack.fail("chat.postEphemeral", "invalid_blocks");

    slack.person("U0ALICE").say("C0GENERAL", "/agent list");
    const said = () => [...slack.world.messages.values()].filter(({ bot_id }) => bot_id !== undefined);
    await until("the message", () => said().length > 0);

    expect(said().map(({ channel, visibleTo }) => ({ channel, visibleTo }))).toEqual([
      { channel: "C0GENERAL", visibleTo: "U0ALICE" },
    ]);
  });

  it("answers publicly, once, when Slack was too busy at first", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(notice("Two agents"), "public");
      },
    });
    slack.fail("chat.postMessage", "ratelimited", { retryAfterS: 1 });

    const asked = slack.person("U0ALICE").say("D0ALICE", "/agent list");
    const said = () => slack.world.thread("D0ALICE", asked.ts).filter(({ bot_id }) => bot_id !== undefined);
    await until("the message", () => said().length > 0);

    expect(said().map(({ text }) => text)).toEqual(["Two agents"]);
  });

  it("answers a command privately where it was typed, and replaces what it said first", async () => {
    const { slack, seen } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("One moment"), "private");
        await inbound.reply.send(notice("Two agents"), "private");
      },
    });

    const delivery = await slack.person("U0ALICE").command("/agent", "list &amp; more", "C0GENERAL");
    await until("2 responses", () => slack.responses.length === 2);

    expect(delivery.isAcknowledged).toBe(true);
    expect(first(seen, "command").input).toEqual({ kind: "typed", text: "/agent list & more" });
    expect(slack.responses.map(({ body }) => [body["response_type"], body["replace_original"], body["text"]])).toEqual([
      ["ephemeral", false, "One moment"],
      ["ephemeral", true, "Two agents"],
    ]);
  });

  it("keeps each private answer to a message's menu in the thread of that message", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => {
        if (inbound.kind !== "shortcut") return;
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("One moment"), "private");
        await inbound.reply.send(notice("It works"), "private");
      },
    });
    const alice = slack.person("U0ALICE");
    const asked = alice.say("C0GENERAL", "Can it be moved?");
    const said = alice.say("C0GENERAL", "Yes, once.", { thread: asked.ts });

    await alice.shortcut("use_as_answer", said.ts);
    await until("2 responses", () => slack.responses.length === 2);

    expect(slack.responses.map(({ body }) => body["thread_ts"])).toEqual([asked.ts, asked.ts]);
  });

  it("opens a form, shows an error at its field, and accepts the second attempt; the same event however often it is sent", async () => {
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
    await until("a modal", () => alice.view() !== undefined);
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
    expect(new Set(forms.map((inbound) => inbound.eventKey)).size).toBe(1);
  });

  it("completes names in a field as they are typed", async () => {
    const { slack } = await openRoom({
      on: async (inbound) => inbound.ack(inbound.kind === "command" ? { kind: "form", form } : { kind: "none" }),
      complete: async ({ completes, typed }) => [{ value: `${completes}-${typed}`, label: "Sales" }],
    });
    const alice = slack.person("U0ALICE");
    await alice.command("/agent", "create", "C0GENERAL");
    await until("a modal", () => alice.view() !== undefined);
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

    await until("a response", () => slack.responses.length === 1);
    expect(slack.responses[0]?.body["text"]).toBe("The form couldn't be opened in time.");
  });

  it("opens the form of a message shortcut with the message and its author", async () => {
    const { slack, seen } = await openRoom({ on: async (inbound) => inbound.ack({ kind: "form", form }) });
    const alice = slack.person("U0ALICE");
    const said = slack.person("U0BOB").say("C0GENERAL", "SSO is in the team plan");
    await said.delivered;

    await alice.shortcut("ask_about", said.ts);
    await until("a modal", () => alice.view() !== undefined);

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

    const place = await platform.replyPlaces?.prepare(turn);
    const again = await platform.replyPlaces?.prepare(turn);

    const asked = only([...slack.world.messages.values()]);
    expect(asked.text).toContain("alice asked: how many");
    expect(place?.thread).toBe(asked.ts);
    expect(again).toEqual(place);
  });

  it("shows the question when Slack was too busy for it at first", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many?", "C0GENERAL");
    slack.fail("chat.postMessage", "ratelimited", { retryAfterS: 1 });

    const place = await platform.replyPlaces?.prepare(turnOf(first(seen, "command")));

    expect(place?.thread).toBe(only([...slack.world.messages.values()]).ts);
  });

  it("finds the posted question when the response to its post was lost", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many?", "C0GENERAL");
    const turn = turnOf(first(seen, "command"));
    slack.fail("chat.postMessage", "lost");

    await expect(platform.replyPlaces?.prepare(turn)).rejects.toMatchObject({ code: "platform_unreachable" });
    const place = await platform.replyPlaces?.prepare(turn);

    expect(place?.thread).toBe(only([...slack.world.messages.values()]).ts);
  });

  it("says privately what to do where Parley isn't a member", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    await slack.person("U0ALICE").command("/ask", "how many?", "C0NOBOT");

    const turn = turnOf(first(seen, "command"));
    await expect(platform.replyPlaces?.prepare(turn)).rejects.toMatchObject({ code: "not_permitted" });

    expect(JSON.stringify(slack.responses[0]?.body["blocks"])).toContain("/invite");
  });

  it("doesn't ask people to invite it into a group direct message, which Slack doesn't allow", async () => {
    const { slack, platform, seen } = await openRoom({ on: ask });
    slack.world.addChannel("C0DUO", ["U0ALICE", "U0BOB"], "mpim");
    await slack.person("U0ALICE").command("/ask", "how many?", "C0DUO");

    const turn = turnOf(first(seen, "command"));
    await expect(platform.replyPlaces?.prepare(turn)).rejects.toMatchObject({ code: "not_permitted" });

    const said = JSON.stringify(slack.responses[0]?.body["blocks"]);
    expect(said).toContain("Ask me in a direct message");
    expect(said).not.toContain("/invite");
  });

  it("gives a question that a message asks the thread of that message", async () => {
    const { slack, platform, seen } = await openRoom();
    await slack.person("U0ALICE").mention("C0GENERAL", "how many?").delivered;
    const { conversation, place, actor } = first(seen, "message");

    const prepared = await platform.replyPlaces?.prepare({
      id: "turn1",
      question: "?",
      askedIn: place,
      conversation,
      actor,
    });

    expect(prepared).toEqual(conversation);
  });
});

describe("buttons", () => {
  const raw = { id: "raw-steps", label: "Raw", value: "turn1", style: "plain" } as const;

  it("shows raw steps to one person, as a modal", async () => {
    const { slack, platform, seen } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        if (inbound.kind === "action") await inbound.reply.send(notice("SELECT 1"), "private");
      },
    });
    const [payload] = platform.render({ ...answered("42"), actions: [raw] });
    if (payload === undefined) throw new Error("nothing was drawn");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const ts = await platform.post(place, payload, { replyId: "turn1", part: 0, generation: 0 }, final);

    await slack.person("U0BOB").click(ts, "Raw");
    await until("a modal", () => slack.person("U0BOB").view() !== undefined);

    expect(first(seen, "action")).toMatchObject({
      action: "raw-steps",
      value: "turn1",
      messageId: ts,
      actor: { id: "U0BOB" },
    });
    expect(JSON.stringify(slack.person("U0BOB").view()?.blocks)).toContain("SELECT 1");
    expect(slack.person("U0ALICE").view()).toBeUndefined();
  });

  it("shows the raw steps that fit into one modal, which says that there are more", async () => {
    const step = { kind: "text" as const, text: [{ text: "Searched docs" }] };
    const { slack, platform } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        const steps = { ...notice("Steps"), blocks: Array.from({ length: 400 }, () => step) };
        if (inbound.kind === "action") await inbound.reply.send(steps, "private");
      },
    });
    const [payload] = platform.render({ ...answered("42"), actions: [raw] });
    if (payload === undefined) throw new Error("nothing was drawn");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };
    const ts = await platform.post(place, payload, { replyId: "turn1", part: 0, generation: 0 }, final);

    await slack.person("U0BOB").click(ts, "Raw");
    await until("a modal", () => slack.person("U0BOB").view() !== undefined);

    expect(JSON.stringify(slack.person("U0BOB").view()?.blocks)).toMatch(/Shortened: .* more characters not shown/);
  });
});
