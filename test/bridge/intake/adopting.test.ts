/** "Use as answer" and 💡: what the bridge checks before it hands a message on. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AdoptedMessage, Adopting } from "../../../src/commands/insight/adoption.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { MessageRef } from "../../../src/core/ports/chat-platform.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { alice, bob, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let opened: AdoptedMessage[];
let shown: MessageRef[];
let looked: string[];
let offered: { readonly message: AdoptedMessage; readonly turnId: string }[];
let asksPlatform: string[];
let hasAnswered: boolean;
const form = { id: "kb answer", title: "Add the answer", submitLabel: "Add and test", fields: [], context: "x" };

const adopting: Adopting = {
  isAnswerMark: (emoji) => emoji === "💡",
  hasAnswered: async ({ thread: where = "none" }) => {
    looked.push(where);
    return hasAnswered;
  },
  openForm: async (message) => {
    opened.push(message);
    return { kind: "form", form };
  },
  show: async (message) => {
    shown.push(message);
    return { kind: "document", document: infoDocument("This will be added to handbook:") };
  },
  offer: async (message, turnId) => {
    offered.push({ message, turnId });
    return infoDocument("Use your reply as the answer?");
  },
};

const guest = { ...alice, isGuest: true };

async function open(changes: { readonly whispers?: true } = { whispers: true }) {
  return createHarness({
    adopting,
    platform: {
      ...changes,
      threadOf: async ({ messageId }) => {
        asksPlatform.push(messageId);
        if (messageId === "404") throw new ParleyError("platform_unreachable");
        return messageId === "7" ? "100" : undefined;
      },
    },
  });
}

beforeEach(async () => {
  [opened, shown, looked, offered, asksPlatform, hasAnswered] = [[], [], [], [], [], true];
  parley = await open();
});

afterEach(() => parley.stop());

const about = {
  ...{ messageId: "7", text: "Yes, once, up to 48 hours before.", attachments: [], authorName: "Bob", authorId: "U2" },
  ...{ isBot: false, order: "0000000107", atMs: 7 },
};

function shortcut(changes: Record<string, unknown> = {}) {
  return parley.send({
    ...{ kind: "shortcut", shortcut: "use-as-answer", eventKey: "memory/T1/shortcut/1", order: "1", place: thread },
    ...{ about, conversation: thread },
    ...changes,
  });
}

function react(changes: Record<string, unknown> = {}) {
  return parley.send({
    ...{ kind: "reaction", eventKey: "memory/T1/reaction/1", order: "1", emoji: "💡", messageId: "7", added: true },
    ...changes,
  });
}

describe("Use as answer", () => {
  it("opens the form with the message, and where it stands", async () => {
    const event = shortcut();
    await event.done;

    expect(event.acks).toEqual([{ kind: "form", form }]);
    expect(opened).toMatchObject([{ ...about, place: thread }]);
  });

  it("is refused to people who can't add knowledge, who read whom to ask", async () => {
    const event = shortcut({ actor: guest });
    await event.done;

    expect(opened).toEqual([]);
    expect(event.acks).toEqual([{ kind: "defer-private" }]);
    expect(event.sent).toMatchObject([{ visibility: "private", document: { tone: "failed" } }]);
    expect(event.sent[0]?.document.summary).toContain("You can't add to knowledge bases here");
  });
});

describe("the reaction 💡", () => {
  it("shows privately what would be added, once", async () => {
    const event = react();
    await event.done;
    await react().done;

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(shown).toEqual([{ place: thread, messageId: "7" }]);
  });

  it("means nothing where Parley has answered nothing", async () => {
    hasAnswered = false;
    const event = react();
    await event.done;

    expect(looked).toEqual(["100"]);
    expect([shown, event.sent]).toEqual([[], []]);
  });

  it("says nothing when its thread can't be found out: most such reactions mean something else", async () => {
    const event = react({ messageId: "404" });
    await event.done;

    expect([shown, event.sent]).toEqual([[], []]);
  });

  it("is ignored, without a call, from people who can't add knowledge, from bots, when removed, and as another emoji", async () => {
    const events = [
      react({ actor: guest }),
      react({ added: false }),
      react({ emoji: "👍" }),
      react({ actor: { ...alice, isBot: true } }),
    ];
    await Promise.all(events.map(({ done }) => done));

    expect(events.flatMap(({ sent }) => sent)).toEqual([]);
    expect([shown, looked, asksPlatform]).toEqual([[], [], []]);
  });
});

describe("a reply below an answer", () => {
  const reply = "Yes, once, up to 48 hours before check-in.";
  const said = { mentionsParley: false, place: thread, actor: bob };

  async function answered(): Promise<string> {
    await parley.say("Can a guest move a booking?", { place: general }).done;
    (await parley.agents.run(0)).answer("I found nothing.");
    await parley.settle(1_000);
    const [turn] = await parley.state().turns.recent(1);
    return turn?.id ?? "";
  }

  it("is offered as the answer to the person who wrote it, privately", async () => {
    const turnId = await answered();
    const event = parley.say(reply, said);
    await event.done;

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(event.sent).toMatchObject([
      { visibility: "private", document: { summary: "Use your reply as the answer?" } },
    ]);
    expect(offered).toMatchObject([
      { turnId, message: { place: thread, text: reply, authorId: bob.id, authorName: bob.name, isBot: false } },
    ]);
    expect(parley.agents.runs).toHaveLength(1);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["a few words", "same here", {}],
    ["thanks", "Thank you very much!", {}],
    ["a question", "Isn't that in the handbook already?", { addressesOthers: true }],
    ["a command", "/remind me to look at it tomorrow", {}],
    ["a mention of somebody alone", "@Charlotte @Maximilian", { isOnlyNames: true }],
    ["what a bot says", reply, { actor: { ...bob, isBot: true } }],
    ["what a guest says", reply, { actor: { ...bob, isGuest: true } }],
    ["what its asker adds", reply, { actor: alice }],
    ["a message outside the thread", reply, { place: general, conversation: { ...general, thread: "900" } }],
  ])("isn't offered if it is %s", async (_what, text, changes) => {
    await answered();
    await parley.say(text, { ...said, ...changes }).done;

    expect(offered).toEqual([]);
  });

  it("isn't offered in mode mention, where Parley says nothing unless it is mentioned", async () => {
    await parley.bindings().setChannel(general, { mode: "mention" });
    await answered();
    await parley.say(reply, said).done;

    expect(offered).toEqual([]);
  });

  it("isn't offered where others would see the offer", async () => {
    await parley.stop();
    parley = await open({});
    await answered();
    await parley.say(reply, said).done;

    expect(offered).toEqual([]);
  });

  it("asks neither the platform nor the service", async () => {
    await answered();
    const writes = parley.platform.writes.length;
    await parley.say(reply, said).done;
    await parley.say("We should also tell the night team about it.", said).done;

    expect(parley.platform.writes).toHaveLength(writes);
    expect([asksPlatform, parley.agents.runs.length]).toEqual([[], 1]);
  });
});
