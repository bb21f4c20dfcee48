import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SaveAbout, Saving } from "../../../src/commands/adding/save.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { MessageRef } from "../../../src/core/ports/chat-platform.ts";
import { infoDocument } from "../../../src/presentation/drawing/notice.ts";
import { alice, general, thread } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let opened: SaveAbout[];
let marked: MessageRef[];
let threadOf: (messageId: string) => Promise<string | undefined>;
const form = { id: "kb save", title: "Save", submitLabel: "Save", fields: [], context: "x" };

const saving: Saving = {
  isSaveMark: (emoji) => emoji === "📌",
  openForm: async (about) => {
    opened.push(about);
    return { kind: "form", form };
  },
  offerFiles: async () => infoDocument("Add it?"),
  saveMarked: async (message) => {
    marked.push(message);
    return { kind: "document", document: infoDocument("Saved") };
  },
};

beforeEach(async () => {
  opened = [];
  marked = [];
  threadOf = async () => undefined;
  parley = await createHarness({ saving, platform: { threadOf: ({ messageId }) => threadOf(messageId) } });
});

afterEach(() => parley.stop());

const guest = { ...alice, isGuest: true };

function shortcut(changes: Record<string, unknown> = {}) {
  const about = { messageId: "7", text: "Five days", attachments: [], authorName: "Bob" };
  return parley.send({
    ...{
      kind: "shortcut",
      shortcut: "save",
      eventKey: "memory/T1/shortcut/1",
      order: "1",
      about,
      conversation: thread,
    },
    ...changes,
  });
}

function react(changes: Record<string, unknown> = {}) {
  return parley.send({
    ...{ kind: "reaction", eventKey: "memory/T1/reaction/1", order: "1", emoji: "📌", messageId: "7", added: true },
    ...changes,
  });
}

describe("Save to knowledge base", () => {
  it("opens the form about the message", async () => {
    const event = shortcut();
    await event.done;

    expect(event.acks).toEqual([{ kind: "form", form }]);
    expect(opened).toMatchObject([{ place: general, messageId: "7", authorName: "Bob", text: "Five days" }]);
  });

  it("is refused to people who can't add knowledge", async () => {
    const event = shortcut({ actor: guest });
    await event.done;

    expect(opened).toEqual([]);
    expect(event.sent[0]?.document).toMatchObject({
      tone: "failed",
      summary: expect.stringContaining("You can't add to knowledge bases here: only full members can."),
    });
  });
});

describe("a form that asks a question", () => {
  it("asks it with what the commands know of what it is about", async () => {
    await parley.stop();
    const told = "The question is about what was just added to the knowledge base docs:\n- Refunds";
    parley = await createHarness({
      commands: {
        askedWith: async (formId, about) =>
          formId === "ask-added" && about === "job1" ? { kind: "ask", context: told } : undefined,
      },
    });
    const event = parley.send({
      ...{ kind: "form", eventKey: "memory/T1/form/1", order: "1", formId: "ask-added", context: "job1" },
      ...{ values: { question: "How long?" }, conversation: thread },
    });
    await event.done;

    expect(event.acks).toEqual([{ kind: "defer" }]);
    expect((await parley.agents.run(0)).question).toBe(`${told}\n\nQuestion:\nHow long?`);
  });
});

describe("the reaction that saves", () => {
  it("saves the message, once, and tells only the person who reacted", async () => {
    const event = react();
    await event.done;
    await react().done;

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(event.sent).toMatchObject([{ visibility: "private" }]);
    expect(marked).toEqual([{ place: general, messageId: "7" }]);
  });

  it("finds the thread of a reply where the reaction does not name it", async () => {
    threadOf = async (messageId) => (messageId === "7" ? "5" : undefined);
    await react().done;
    await react({ eventKey: "memory/T1/reaction/2", messageId: "8" }).done;

    expect(marked).toEqual([
      { place: { ...general, thread: "5" }, messageId: "7" },
      { place: general, messageId: "8" },
    ]);
  });

  it("notifies the person who reacted when its thread is unknown, and saves no part of it", async () => {
    threadOf = async () => {
      throw new ParleyError("platform_unreachable");
    };
    const event = react();
    await event.done;

    expect(marked).toEqual([]);
    expect(event.sent).toMatchObject([{ visibility: "private", document: { tone: "failed" } }]);
  });

  it("is ignored when someone else adds it, when it is removed, and when it is another emoji", async () => {
    const events = [
      react({ actor: guest }),
      react({ added: false }),
      react({ emoji: "👍" }),
      react({ actor: { ...alice, isBot: true } }),
    ];
    await Promise.all(events.map(({ done }) => done));

    expect(marked).toEqual([]);
    expect(events.flatMap(({ sent }) => sent)).toEqual([]);
  });
});
