/** Messages and threads that become knowledge, by a form that works as it opens and by a reaction. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Form, FormValues } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { ThreadMessage } from "../../../src/core/ports/chat-platform.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { alice, general, project } from "../../doubles/people.ts";
import { openRoom, type Room } from "../room.ts";

let room: Room;
const root = "100";
const thread = { ...general, thread: root };

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
  await room.makeBase("other");
  say("100", "Bob", "How long do refunds take?");
  say("101", "Carol", "Five days, *always*.");
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
});

function say(messageId: string, authorName: string, text: string): void {
  const message: ThreadMessage = {
    ...{ messageId, order: messageId, authorName, isBot: false, isOwn: false, text, attachments: [] },
    atMs: Date.UTC(2026, 10, 21, 4, Number(messageId) - 100),
  };
  room.platform.say(thread, message);
}

const about = { place: general, messageId: root, authorName: "Bob", text: "How long do refunds take?" };

async function opened(changes: Partial<typeof about> = {}): Promise<Form> {
  const result = await room.parts().saving.openForm({ ...about, ...changes }, room.context());
  if (result.kind !== "form") throw new Error(documentText(result.document));
  return result.form;
}

/** As it opened. */
function unchanged(form: Form): FormValues {
  return Object.fromEntries(form.fields.map(({ name, initial }) => [name, initial ?? ""]));
}

const rows = async (base = "docs") => room.passages(base, "refunds five days");

describe("saving into a knowledge base that no agent looks in", () => {
  it("offers once per channel to let the agent look", async () => {
    await room.client.createAgent(project, { name: "guide" });
    await room.parts().bindings.setChannel(general, { knowledgeBase: "docs" });
    const saved = async (changes: Parameters<Room["context"]>[0] = {}) =>
      room.end(await room.parts().saving.saveMarked({ place: general, messageId: root }, room.context(changes)));

    const first = await saved();
    const second = await saved();
    const elsewhere = await saved({ place: { ...general, channel: "other" } });
    const action = first.document.actions.find(({ id }) => id === "connect-base");
    const connected = await room.press("connect-base", action?.value ?? "");

    expect(action?.label).toBe("Connect docs to guide");
    expect(second.document.actions.map(({ id }) => id)).toEqual(["remove-saved"]);
    expect(elsewhere.document.actions.map(({ id }) => id)).toEqual(["connect-base", "remove-saved"]);
    expect(connected.text).toContain("now uses");
    expect((await room.client.getAgent(project, "guide")).knowledgeBases).toEqual(["mindsdb.docs"]);
  });

  it("tells a person who doesn't manage whom to ask, without a button", async () => {
    await room.client.createAgent(project, { name: "guide" });
    await room.parts().bindings.setChannel(general, { knowledgeBase: "docs" });
    const context = room.context({ actor: alice });

    const { text, document } = await room.end(
      await room.parts().saving.saveMarked({ place: general, messageId: root }, context),
    );

    expect(text).toContain("Ask someone who manages Parley here");
    expect(document.actions.map(({ id }) => id)).toEqual(["remove-saved"]);
  });
});

describe("the form", () => {
  it("works as it opens: the thread, under its first words, into the channel's knowledge base", async () => {
    await room.parts().bindings.setChannel(general, { knowledgeBase: "other" });
    const form = await opened();

    expect(unchanged(form)).toEqual({ title: "How long do refunds take?", into: "other", scope: "thread" });
    const said = await room.submit(form.id, unchanged(form), form.context);

    const [passage] = await rows("other");
    expect(said.text).toContain("Saved How long do refunds take? to other.");
    expect(passage?.source).toMatchObject({ title: "How long do refunds take?", url: "https://chat.example/100" });
    expect(passage?.content).toContain("**Bob** (2026-11-21 04:00 UTC): How long do refunds take?");
    expect(passage?.content).toContain("**Carol** (2026-11-21 04:01 UTC): Five days, *always*.");
    expect(room.platform.reacted).toEqual(["100 ✅"]);
    expect(room.shown()).toEqual([]);
    const [entry, ...more] = await room.audit("kb save");
    expect(entry).toMatchObject({ role: "ingest", outcome: "done" });
    expect(more).toEqual([]);
    // What people said, perhaps in private.
    expect(entry?.about).not.toHaveProperty("items");
  });

  it("replaces the first saving with the second", async () => {
    const form = await opened();
    await room.submit(form.id, unchanged(form), form.context);
    say("102", "Dan", "Nine days since June.");
    const second = await opened();
    await room.submit(second.id, { ...unchanged(second), title: "Refunds" }, second.context);

    const found = await rows();
    expect(found).toHaveLength(1);
    expect(found[0]?.source.title).toBe("Refunds");
    expect(found[0]?.content).toContain("Nine days since June.");
  });

  it("saves a single message, also one that can no longer be read", async () => {
    const form = await opened({ messageId: "777", text: "Refunds never take five days" });
    await room.submit(form.id, { ...unchanged(form), scope: "message" }, form.context);

    expect((await rows())[0]?.content).toContain("**Bob**: Refunds never take five days");
    expect((await rows())[0]?.content).not.toContain("Carol");
  });

  it("offers to delete what was saved, and deletes it with its mark", async () => {
    const form = await opened();
    const { document } = await room.submit(form.id, unchanged(form), form.context);
    const remove = document.actions.find(({ id }) => id === "remove-saved");
    expect(room.platform.reacted).toEqual(["100 ✅"]);

    const said = await room.press(remove?.id ?? "", remove?.value ?? "");

    expect(said.text).toContain("Removed How long do refunds take? from docs.");
    expect(await rows()).toEqual([]);
    expect(room.platform.reacted).toEqual([]);
    expect(await room.audit("kb remove saved")).toHaveLength(1);
  });

  it("says at its fields what is missing", async () => {
    const form = await opened();
    const check = (values: FormValues) =>
      room.parts().commands.checkForm(form.id, values, form.context, room.context());

    expect(await check({ ...unchanged(form), title: " " })).toEqual({ title: "Enter a title." });
    expect(await check(unchanged(form))).toBeUndefined();
  });

  it("is submitted once, and says when it is too old", async () => {
    expect((await room.submit("kb save", { title: "x", into: "docs", scope: "thread" }, "gone")).text).toContain(
      "has expired",
    );
  });

  it("says why saving failed", async () => {
    room.faults.insert = async () => {
      throw new ParleyError("insert_failed");
    };
    const form = await opened();

    const said = await room.submit(form.id, unchanged(form), form.context);

    expect(said.text).toMatch(/^Couldn't save .*: The content couldn't be added\./);
    expect(room.platform.reacted).toEqual([]);
  });

  it("offers to create a knowledge base where there is none", async () => {
    await room.client.deleteKnowledgeBase(project, "docs");
    await room.client.deleteKnowledgeBase(project, "other");

    const result = await room.parts().saving.openForm(about, room.context());

    expect(result.kind === "document" ? result.document.actions : result).toMatchObject([
      { id: "open-form", value: "kb create" },
    ]);
  });

  it("opens in time while the service is silent", async () => {
    const clock = createFakeClock();
    const slow = await openRoom({ clock });
    await slow.makeBase("docs");
    await slow.parts().names.refresh();
    slow.faults.listKnowledgeBases = () => new Promise(() => {});

    const form = slow.parts().saving.openForm(about, slow.context());
    await clock.advance(1_000);
    const result = await form;
    await slow.close();

    expect(result.kind === "form" ? unchanged(result.form)["into"] : result).toBe("docs");
  });
});

describe("the reaction", () => {
  it("is the one of the settings", () => {
    const { saving } = room.parts();

    expect(["📌", "📌\uFE0F", "👍", "pushpin"].map(saving.isSaveMark)).toEqual([true, true, false, false]);
  });

  it("saves the message with its thread, where the channel's things go", async () => {
    const said = await room.end(
      await room.parts().saving.saveMarked({ place: general, messageId: root }, room.context()),
    );

    expect(said.text).toContain("Saved How long do refunds take? to docs.");
    expect((await rows())[0]?.content).toContain("Carol");
    expect(room.platform.reacted).toEqual(["100 ✅"]);
  });

  it("on the same thread replaces what the form saved", async () => {
    const form = await opened();
    await room.submit(form.id, unchanged(form), form.context);
    await room.end(await room.parts().saving.saveMarked({ place: general, messageId: root }, room.context()));

    expect(await rows()).toHaveLength(1);
  });
});

describe("a message that can't be read", () => {
  const unreadable = (more: Partial<ThreadMessage>): void => {
    const message = {
      messageId: "200",
      order: "200",
      authorName: "pager",
      isBot: true,
      isOwn: false,
      text: "",
      attachments: [],
      atMs: 0,
    };
    room.platform.say({ ...general, thread: "200" }, { ...message, ...more });
    const answer = { messageId: "201", order: "201", authorName: "parley", isBot: true, isOwn: true, atMs: 1 };
    room.platform.say({ ...general, thread: "200" }, { ...answer, text: "refunds five days", attachments: [] });
  };
  const marked = async () =>
    room.end(await room.parts().saving.saveMarked({ place: general, messageId: "200" }, room.context()));

  it("saves nothing in its place, and says what it holds", async () => {
    unreadable({ unread: ["a canvas (Plan)"] });
    const { text } = await marked();

    expect(text).toContain("it shows only a canvas (Plan), which can't be read");
    expect(await rows()).toEqual([]);
  });

  it("names its picture", async () => {
    const attachments = [{ id: "F1", name: "a.png", mediaType: "image/png", sizeBytes: 9, reference: "" }];
    unreadable({ attachments });

    expect((await marked()).text).toContain("it shows only a picture (a.png), which can't be read");
    expect(await rows()).toEqual([]);
  });

  it("in part is saved with a note of the rest", async () => {
    await room.parts().bindings.setChannel(general, { knowledgeBase: "docs" });
    unreadable({ text: "refunds: five days", unread: ["a canvas (Plan)"] });
    await marked();

    const [passage] = await rows();
    expect(passage?.content).toContain("refunds: five days\n(Not readable in this message: a canvas (Plan).)");
  });

  it("that is gone is not replaced by its replies", async () => {
    room.platform.say(
      { ...general, thread: "200" },
      {
        messageId: "201",
        order: "201",
        authorName: "Bob",
        isBot: false,
        isOwn: false,
        atMs: 1,
        text: "five days",
        attachments: [],
      },
    );

    expect((await marked()).text).toContain("it has no messages left to save");
    expect(await rows()).toEqual([]);
  });
});

describe("Parley's own message", () => {
  it("is not saved while it isn't at its end", async () => {
    const running = { messageId: "102", order: "102", authorName: "parley", isBot: true, isOwn: true, atMs: 1 };
    room.platform.say(thread, { ...running, text: "guide is looking it up", attachments: [], isUnfinished: true });
    const form = await opened();
    await room.submit(form.id, unchanged(form), form.context);

    const [passage] = await rows();
    expect(passage?.content).toContain("Five days");
    expect(passage?.content).not.toContain("looking it up");
  });
});
