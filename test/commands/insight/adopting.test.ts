/** A person's message as the answer: the form, what 💡 shows, the offer below a bad answer, and what was said in private. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandParts } from "../../../src/commands/app.ts";
import type { AdoptedMessage, Adopting } from "../../../src/commands/insight/adoption.ts";
import type { CommandContext } from "../../../src/core/commands.ts";
import type { AnswerDraft } from "../../../src/core/content/answering.ts";
import type { FormValues } from "../../../src/core/document.ts";
import type { AddedAnswer, Asker, Gap } from "../../../src/core/model/insight.ts";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { ThreadMessage } from "../../../src/core/ports/chat-platform.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { createMemoryGaps } from "../../doubles/gaps.ts";
import { admin, project } from "../../doubles/people.ts";
import { filled, general, openRoom, type Room } from "../room.ts";

const where: Place = { ...general, thread: "10" };
const hr: Place = { platform: "slack", workspace: "T1", channel: "G1", thread: "10" };
const ben: Actor = { ...admin, id: "U3", name: "Ben", isAdmin: false };
const asked = "Can a guest move a booking?";
const said = "Yes, once, up to 48 hours before check-in.";

let room: Room;
let gaps: ReturnType<typeof createMemoryGaps>;
let adopting: Adopting;
let added: AnswerDraft[];
let visibility: Visibility | undefined;
let inThread: ThreadMessage[];
let reads: number;

beforeEach(async () => {
  gaps = createMemoryGaps();
  [added, visibility, inThread, reads] = [[], "public", [], 0];
  room = await openRoom({
    platform: {
      visibility: async () => visibility,
      readThread: async () => {
        reads += 1;
        return inThread;
      },
    },
    over: () => ({
      gaps,
      basesOf: async () => [{ project, name: "docs" }],
      knowledge: {
        ledger: { page: async () => ({ documents: [], total: 0 }) },
      } as unknown as CommandParts["knowledge"],
      proving: { watch: async () => undefined } as unknown as CommandParts["proving"],
      answering: {
        addAnswer: async (draft: AnswerDraft) => {
          added.push(draft);
          const by = draft.by ?? { key: "slack/T1/U1", name: "Alice" };
          const { name: knowledgeBase } = draft.base;
          const answer = { ...draft, version: 1, id: "a1", project, knowledgeBase, by, atMs: 1 } as AddedAnswer;
          return { answer, jobId: "j1", isCut: false, ended: async () => ({ kind: "added", answer }) };
        },
      } as unknown as CommandParts["answering"],
    }),
  });
  adopting = room.commands.adopting;
  await room.client.createKnowledgeBase(project, { name: "docs" });
  await room.client.createKnowledgeBase(project, { name: "other" });
  await room.submit("agent create", filled);
});
afterEach(() => room.close());

async function answeredIn(place: Place = where, changes: Partial<Turn> = {}): Promise<void> {
  await room.state.turns.create(
    sampleTurn("t1", {
      ...{ askedIn: place, conversation: place, question: asked, order: "0010", state: "answered" },
      ...{ agent: { project, name: "sales" }, actor: { ...admin, id: "U9", name: "Guest" }, ...changes },
    }),
  );
}

function gapFrom(asker: Partial<Asker> = {}, changes: Partial<Gap> = {}): void {
  const atMs = room.clock.now();
  gaps.put({
    ...{ version: 1, id: "g1", platform: "slack", workspace: "T1", agent: { project, name: "sales" } },
    ...{ askerCount: 4, state: "open", createdAtMs: 0, lastAtMs: atMs },
    askers: [
      {
        ...{ turnId: "t1", actor: { id: "U9", name: "Guest" }, question: asked, place: where },
        ...{ visibility: "public", signals: ["nothing"], atMs, ...asker },
      },
    ],
    ...changes,
  } as Gap);
}

const message = (changes: Partial<AdoptedMessage> = {}): AdoptedMessage => ({
  ...{ place: where, messageId: "20", order: "0020", text: said, authorName: ben.name, authorId: ben.id },
  ...{ isBot: false, atMs: 20, ...changes },
});

async function formOf(of = message(), context: Partial<CommandContext> = {}) {
  const opened = await adopting.openForm(of, room.context({ place: of.place, ...context }));
  if (opened.kind !== "form") throw new Error(`No form: ${opened.document.summary}`);
  return opened.form;
}

const written: FormValues = { question: asked, answer: said, base: "docs", urls: "", tell: ["yes"] };

async function sent(id: string, values: FormValues = written, place: Place = where, actor: Actor = admin) {
  const context = room.context({ actor, place });
  const errors = await room.commands.checkForm("kb adopt", values, id, context);
  if (errors !== undefined) return errors;
  return room.end(await room.commands.submitForm("kb adopt", values, id, context));
}

async function marked(changes: Partial<ThreadMessage> = {}, place: Place = where) {
  inThread = [{ ...message(), isOwn: false, attachments: [], ...changes }];
  const result = await adopting.show({ place, messageId: "20" }, room.context({ place }));
  return result.kind === "nothing" ? undefined : room.end(result);
}

const byBen = { key: "slack/T1/U3", name: "Ben" };

describe("Use as answer", () => {
  it("opens the form with the question above the message, its text, and how many can be told", async () => {
    await answeredIn();
    gapFrom();

    const form = await formOf();

    expect(form).toMatchObject({ id: "kb adopt", title: "Add the answer", submitLabel: "Add and test" });
    expect(form.context.length).toBeLessThan(60);
    const [question, answer, base, , tell] = form.fields;
    expect(question).toMatchObject({ initial: asked });
    expect(answer).toMatchObject({ initial: said, isRequired: true });
    expect(base).toMatchObject({ initial: "docs" });
    expect(tell).toMatchObject({ initial: ["yes"], hint: "4 people, once each, after the test." });
  });

  it("adds it in the words of the form, from who wrote it, when they wrote it", async () => {
    await answeredIn();
    gapFrom();
    const { context: id } = await formOf();

    const shown = await sent(id, { ...written, question: "Can a booking move?" });

    expect(added).toMatchObject([
      {
        ...{ question: "Can a booking move?", answer: said, base: { project, name: "docs" }, tell: true },
        ...{ origin: { kind: "gap", gapId: "g1" }, by: byBen, atMs: 20 },
      },
    ]);
    expect(shown).toMatchObject({ text: expect.stringContaining("Ben's answer is in docs.") });
  });

  it("replaces the answer to that question if there was no gap, and its own if there was no question", async () => {
    await answeredIn();
    await sent((await formOf()).context);
    const alone = message({ place: { ...where, thread: "90" } });
    const form = await formOf(alone);
    await sent(form.context, written);

    expect(form.fields[0]).toMatchObject({ name: "question", initial: "", isRequired: true });
    expect(form.fields.map(({ name }) => name)).not.toContain("tell");
    expect(added.map(({ origin }) => origin)).toEqual([
      { kind: "turn", turnId: "t1" },
      { kind: "message", place: alone.place, messageId: "20" },
    ]);
  });

  it.each([
    ["a bot", { isBot: true }, "Only a person's message"],
    ["nobody, because it has no words", { text: " \u200b " }, "no text"],
  ])("says why not if it is from %s", async (_who, changes, why) => {
    const opened = await adopting.openForm(message(changes), room.context());

    expect(opened).toMatchObject({ kind: "document", document: { summary: expect.stringContaining(why) } });
  });

  it("takes 40 kB whole up to 20,000 characters, although the form has no room for it", async () => {
    const long = "moving ".repeat(6_000).trim();
    await answeredIn();
    const form = await formOf(message({ text: long }));
    const [, answer] = form.fields;

    expect(answer).toMatchObject({
      isRequired: false,
      hint: "Leave it empty to use the first 20,000 characters of the message.",
    });
    expect(answer?.initial).toBeUndefined();
    await sent(form.context, { ...written, answer: "" });
    await sent(form.context, { ...written, answer: "In short: yes." });
    expect(added.map((draft) => draft.answer.length)).toEqual([long.length, "In short: yes.".length]);
  });

  it("says at the field what is missing, and that the knowledge base was deleted meanwhile", async () => {
    await answeredIn();
    const { context: id } = await formOf();

    expect(await sent(id, { ...written, answer: "" })).toEqual({ answer: "Write the answer." });
    expect(await sent(id, { ...written, question: "" })).toEqual({ question: "Write the question that it answers." });
    await room.client.deleteKnowledgeBase(project, "docs");
    expect(await sent(id)).toEqual({ base: "docs is no longer there. Choose another one." });
    expect(added).toEqual([]);
  });

  it("can't be sent with the id of another workspace's message, or after an hour", async () => {
    await answeredIn();
    const { context: id } = await formOf();

    await expect(sent(id, written, { ...where, workspace: "T2" })).rejects.toMatchObject({ code: "turn_gone" });
    await room.clock.advance(61 * 60_000);
    await expect(sent(id)).rejects.toMatchObject({ code: "turn_gone" });
    expect(added).toEqual([]);
  });
});

describe("the reaction 💡", () => {
  it("shows what will be added, and adds it with one press", async () => {
    await answeredIn();
    gapFrom();

    const shown = await marked();
    const [button, ...others] = shown?.document.actions ?? [];

    expect(shown?.text).toContain("This will be added to docs:");
    for (const part of [asked, said, "from Ben", "4 people asked"]) expect(shown?.text).toContain(part);
    expect(button).toMatchObject({ id: "adopt-answer", label: "Add and test" });
    expect([others, added]).toEqual([[], []]);
    await room.press("adopt-answer", button?.value ?? "", { place: where });
    expect(added).toMatchObject([{ question: asked, answer: said, by: byBen, tell: true, base: { name: "docs" } }]);
  });

  it("shows and adds nothing to another person who has read its id", async () => {
    await answeredIn(hr);
    visibility = "private";
    const { context: form } = await formOf(message({ place: hr }));
    const button = (await marked({}, hr))?.document.actions[0]?.value ?? "";

    for (const id of [form, button]) {
      const other = room.context({ actor: { ...admin, id: "U7" }, place: where });
      await expect(room.press("adopt-answer", id, other)).rejects.toMatchObject({ code: "turn_gone" });
      await expect(room.commands.submitForm("kb adopt", written, id, other)).rejects.toMatchObject({
        code: "turn_gone",
      });
    }
    expect(added).toEqual([]);
  });

  it("says that a very long message is cut", async () => {
    await answeredIn();

    expect((await marked({ text: "word ".repeat(8_000) }))?.text).toContain("only its first 20,000 characters");
  });

  it.each<[string, Partial<ThreadMessage>]>([
    ["Parley's own answer", { isBot: true, isOwn: true }],
    ["a picture", { text: "" }],
    ["what was said before the first question", { order: "0005" }],
    ["a message that is gone", { messageId: "21" }],
  ])("says nothing on %s", async (_what, changes) => {
    await answeredIn();

    expect(await marked(changes)).toBeUndefined();
  });

  it("looks for answers in the store alone", async () => {
    expect(await adopting.hasAnswered(where)).toBe(false);
    await answeredIn();
    expect(await adopting.hasAnswered(where)).toBe(true);
    expect(await adopting.hasAnswered(hr)).toBe(false);
    expect(reads).toBe(0);
  });

  it("adds nothing with a wrong id, in another workspace, or for a base that is gone", async () => {
    await answeredIn();
    const id = (await marked())?.document.actions[0]?.value ?? "";

    await expect(room.press("adopt-answer", "nothing")).rejects.toMatchObject({ code: "turn_gone" });
    await expect(room.press("adopt-answer", id, { place: { ...where, workspace: "T2" } })).rejects.toMatchObject({
      code: "turn_gone",
    });
    await room.client.deleteKnowledgeBase(project, "docs");
    await room.names.refresh();
    const refused = await room.press("adopt-answer", id, { place: where });
    expect(refused.document.tone).toBe("failed");
    expect(added).toEqual([]);
  });
});

describe("a message from a private place", () => {
  it.each<[string, Visibility | undefined, Place, string]>([
    ["a private channel", "private", hr, "What was written here isn't public"],
    ["a direct message", "direct", { ...hr, channel: "D1" }, "from a direct message"],
    ["a place that is not known to be public", undefined, hr, "What was written here isn't public"],
  ])("is added from %s only after it was confirmed that others will read it", async (_what, seenBy, place, warning) => {
    visibility = seenBy;
    await answeredIn(place);
    const form = await formOf(message({ place }));

    const asks = await sent(form.context, { ...written, answer: "The director earns 5." }, place);
    if (!("document" in asks)) throw new Error("No question");
    expect((asks as { text: string }).text).toContain(warning);
    expect((asks as { text: string }).text).toContain("The director earns 5.");
    expect(added).toEqual([]);

    const [button] = (asks as Awaited<ReturnType<Room["press"]>>).document.actions;
    expect(button).toMatchObject({ label: "Add anyway", style: "danger" });
    await room.press("adopt-answer", button?.value ?? "", { place });
    expect(added).toMatchObject([{ answer: "The director earns 5." }]);
  });

  it("is warned of below 💡 as well, and added with one press nevertheless", async () => {
    visibility = "private";
    await answeredIn(hr);

    const shown = await marked({}, hr);

    expect(shown?.text).toContain("What was written here isn't public");
    expect(shown?.document.actions).toMatchObject([{ id: "adopt-answer", label: "Add anyway" }]);
  });

  /** An agent that is bound to #hr and nowhere else, and alone looks in docs. */
  async function confined(): Promise<void> {
    visibility = "private";
    await room.submit("agent create", { ...filled, name: "guide", knowledgeBases: ["other"] });
    await room.bindings.setChannel(hr, { agent: "sales" });
    await room.names.refresh();
    await answeredIn(hr);
  }

  it("needs no question if that channel's agent alone looks in the knowledge base", async () => {
    await confined();
    const alone = await sent((await formOf(message({ place: hr }))).context, written, hr);

    expect(alone).toMatchObject({ text: expect.stringContaining("is in docs") });
    expect(added).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the agent answers elsewhere too", () => room.bindings.setChannel(general, { agent: "sales" })],
    ["another channel chose the knowledge base", () => room.bindings.setChannel(general, { knowledgeBase: "docs" })],
    ["another agent looks in it", () => room.submit("agent create", { ...filled, name: "support" })],
  ])("is asked for again when %s", async (_why, change) => {
    await confined();
    await change();
    await room.names.refresh();

    await sent((await formOf(message({ place: hr }))).context, written, hr);
    expect(added).toEqual([]);
  });
});

describe("a reply below a bad answer", () => {
  const offered = (changes: Partial<AdoptedMessage> = {}) =>
    adopting.offer(message(changes), "t1", room.context({ actor: ben, place: where }));

  it("is offered once to its author, whose press opens the form with it", async () => {
    await answeredIn();
    gapFrom();

    const document = await offered();
    const again = await Promise.all([offered(), offered({ messageId: "21", text: "One more thing about it." })]);

    expect(document?.actions).toMatchObject([{ id: "adopt-answer", label: "Use as answer" }]);
    expect(JSON.stringify(document)).toContain(asked);
    expect(again).toEqual([undefined, undefined]);
    const form = await room.opened("adopt-answer", document?.actions[0]?.value ?? "", ben);
    expect(form.fields.slice(0, 2)).toMatchObject([{ initial: asked }, { initial: said }]);
    await sent(form.context, written, where, ben);
    expect(added).toMatchObject([{ answer: said, by: byBen, origin: { kind: "gap", gapId: "g1" } }]);
  });

  it("is offered to each person who replies", async () => {
    await answeredIn();
    gapFrom();
    const other = { ...ben, id: "U4", name: "Cleo" };

    expect(await offered()).toBeDefined();
    const toOther = adopting.offer(message({ authorId: "U4" }), "t1", room.context({ actor: other, place: where }));
    expect(await toOther).toBeDefined();
  });

  it.each<[string, () => void]>([
    ["nothing was wrong with the answer", () => undefined],
    ["the person asked it", () => gapFrom({ actor: { id: ben.id, name: ben.name } })],
    ["a day has passed", () => gapFrom({ atMs: room.clock.now() - 25 * 3_600_000 })],
    ["its vote was taken back", () => gapFrom({ signals: [] })],
    ["the question has a good answer by now", () => gapFrom({}, { state: "answered" })],
    ["it was dismissed", () => gapFrom({}, { state: "dismissed" })],
  ])("isn't offered if %s", async (_why, prepare) => {
    await answeredIn();
    prepare();

    expect(await offered()).toBeUndefined();
  });

  it("isn't offered for a question that was forgotten, or answered to its asker alone", async () => {
    gapFrom();
    expect(await offered()).toBeUndefined();
    await answeredIn(where, { isPrivate: true });
    expect(await offered()).toBeUndefined();
  });
});
