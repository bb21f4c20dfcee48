/** Add the answer, Edit, Put back and Remove: the form, who may do what, and what is in the knowledge base then. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandParts } from "../../../src/commands/app.ts";
import { problemsOf, writtenAnswer } from "../../../src/commands/insight/answer-form.ts";
import type { AnswerAdded } from "../../../src/core/content/answering.ts";
import type { FormValues } from "../../../src/core/document.ts";
import type { Asker, Gap } from "../../../src/core/model/insight.ts";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import { createAnswerStore } from "../../../src/insight/answers/answer-store.ts";
import { createAnswers } from "../../../src/insight/answers/answers.ts";
import { createGapList } from "../../../src/insight/gaps/gap-list.ts";
import { createGapSight } from "../../../src/insight/gaps/gap-sight.ts";
import { createVotes } from "../../../src/insight/votes.ts";
import { createBasesOf, createKnowledge, type PageReading } from "../../../src/knowledge/knowledge.ts";
import { createMemoryGaps } from "../../doubles/gaps.ts";
import { admin, project } from "../../doubles/people.ts";
import { filled, general, openRoom, type Room } from "../room.ts";

const hr: Place = { ...general, channel: "G1" };
const ben: Actor = { ...admin, id: "U3", name: "Ben" };

let room: Room;
let gaps: ReturnType<typeof createMemoryGaps>;
let members: readonly string[];
let told: AnswerAdded[];
let isPage: boolean;

beforeEach(async () => {
  gaps = createMemoryGaps();
  members = [admin.id];
  told = [];
  isPage = false;
  const now: Record<string, Visibility> = { C1: "public", G1: "private" };
  const platform: Partial<ChatPlatform> = {
    visibility: async ({ channel }: Place) => now[channel],
    isMember: async ({ id }: Actor) => members.includes(id),
    permalink: async () => undefined,
    readThread: async () => [],
    get isOwnPage() {
      return isPage ? (true as const) : undefined;
    },
  };
  room = await openRoom({
    platform,
    over: (given, state) => {
      const { names, service } = given;
      const store = createAnswerStore(state);
      const reading = { asOwner: (_owner: string, work: () => unknown) => work() } as unknown as PageReading;
      const knowledge = createKnowledge(given, { reading, answers: store });
      const basesOf = createBasesOf({ service, namesOf: () => names, projects: [project] });
      const answering = createAnswers(given, { store, rows: knowledge.answers, gaps, basesOf });
      knowledge.connect({
        whenAnswerAdded: answering.added,
        check: async () => ({ checked: { result: "gone" } }),
        offerReader: async () => undefined,
      });
      answering.onAdded(async (added) => void told.push(added));
      const sight = createGapSight(given);
      const gapList = createGapList({ gaps, sight });
      const notes = { noteSignal: async () => () => {}, withdrawSignal: async () => () => {} };
      const voting = createVotes(given, { notes });
      return {
        ...{ knowledge, basesOf, answering, sight, gapList, gaps, voting },
        proving: { watch: async () => undefined } as unknown as CommandParts["proving"],
        reviews: { unowned: async () => ({ count: 0, answers: [] }) } as unknown as CommandParts["reviews"],
      };
    },
  });
  await room.client.createKnowledgeBase(project, { name: "docs" });
  await room.client.createKnowledgeBase(project, { name: "other" });
  await room.submit("agent create", filled);
});
afterEach(() => room.close());

function gapFrom(id: string, askers: readonly Partial<Asker>[], changes: Partial<Gap> = {}): void {
  const atMs = room.clock.now();
  gaps.put({
    ...{ version: 1, id, platform: "slack", workspace: "T1", agent: { project, name: "sales" } },
    ...{ askerCount: askers.length, state: "open", createdAtMs: 0, lastAtMs: atMs },
    askers: askers.map((asker, index) => ({
      ...{ turnId: `turn-${index}`, actor: { id: `U9${index}`, name: "Someone" }, question: `${id}?` },
      ...{ place: general, visibility: "public", signals: ["nothing"], atMs, ...asker },
    })),
    ...changes,
  } as Gap);
}

const inHr = { place: hr, visibility: "private" } as const;
const written: FormValues = { question: "Can it move?", answer: "Yes, once.", base: "docs", urls: "", tell: ["yes"] };
const contents = async (base = "docs") =>
  (await room.client.search(project, base, "can it move", 20)).map(({ content }) => content);
const errorsOf = (changes: FormValues) => room.check("kb answer", { ...written, ...changes }, "gap refunds");
const asBen = async (values: FormValues, context = "gap refunds") =>
  room.end(await room.commands.submitForm("kb answer", values, context, room.context({ actor: ben })));

describe("Add the answer", () => {
  it("opens a form with the question, the agent's knowledge bases, and how many others asked", async () => {
    gapFrom("refunds", [{}, {}, { actor: { id: admin.id, name: admin.name } }]);

    const list = await room.say("kb gaps");
    const form = await room.opened("add-answer", "refunds");

    expect(list.text).toContain('"id":"add-answer","label":"Add the answer","value":"refunds"');
    expect(form).toMatchObject({ id: "kb answer", context: "gap refunds", submitLabel: "Add and test" });
    const [question, answer, base, urls, tell] = form.fields;
    expect(question).toMatchObject({ name: "question", initial: "refunds?" });
    expect(answer?.initial).toBeUndefined();
    expect(base).toMatchObject({ initial: "docs", choices: [{ value: "docs", label: "docs" }] });
    expect(urls).toMatchObject({ name: "urls", isRequired: false });
    expect(tell).toMatchObject({ initial: ["yes"], hint: "2 people, once each, after the test." });
  });

  it("offers to tell who asked where nobody signs in, so that everyone is the same actor", async () => {
    gapFrom("refunds", [{ actor: { id: admin.id, name: admin.name } }]);
    const tick = async () => (await room.opened("add-answer", "refunds")).fields.find(({ name }) => name === "tell");

    expect(await tick()).toBeUndefined();
    isPage = true;
    expect(await tick()).toMatchObject({ initial: ["yes"], hint: "1 person, once, after the test." });
  });

  it("says that agents quote the author's name on the page too, unless nobody signs in there", async () => {
    gapFrom("refunds", [{}]);
    isPage = true;
    const hintFor = async (name: string) =>
      (await room.opened("add-answer", "refunds", { ...admin, name })).fields.find((field) => field.name === "answer");

    expect(await hintFor("Ana Alonso")).not.toMatchObject({ hint: "Agents quote it. Markdown is fine." });
    expect(await hintFor("You")).toMatchObject({ hint: "Agents quote it. Markdown is fine." });
  });

  it("adds one row, which a second person replaces; the first one's is put back with one press", async () => {
    gapFrom("refunds", [{}]);

    const added = await room.submit("kb answer", written, "gap refunds");
    expect(added.text).toContain("Your answer is in docs.");
    expect(await contents()).toEqual(["Can it move?\n\nYes, once."]);
    expect(told).toMatchObject([{ tell: true, answer: { question: "Can it move?", by: { name: admin.name } } }]);

    await room.clock.advance(60_000);
    const replaced = await asBen({ ...written, answer: "No, says Ben.", tell: [] });
    expect(replaced.text).toContain(`${admin.name} answered this a minute ago; yours replaced it.`);
    expect(await contents()).toEqual(["Can it move?\n\nNo, says Ben."]);
    expect(told[1]).toMatchObject({ tell: false });

    const button = replaced.document.actions.find(({ id }) => id === "restore-answer");
    expect(button?.label).toBe(`Put ${admin.name}'s back`);
    const back = await room.press("restore-answer", button?.value ?? "", { actor: ben });
    expect(back.text).toContain(`${admin.name}'s answer is in docs again.`);
    expect(await contents()).toEqual(["Can it move?\n\nYes, once."]);
    const shown = await room.say("kb show docs");
    expect(shown.text).toContain(`answer by ${admin.name}`);
    expect(shown.document.blocks).toContainEqual(
      expect.objectContaining({
        layout: "menu",
        actions: [
          expect.objectContaining({ id: "edit-answer", label: "Edit" }),
          expect.objectContaining({ id: "remove-document", label: "Remove" }),
        ],
      }),
    );
    // Pressed twice, it doesn't take it away again.
    const twice = await room.press("restore-answer", button?.value ?? "", { actor: ben });
    expect(twice.text).toContain("nothing to put back");
    expect(await contents()).toEqual(["Can it move?\n\nYes, once."]);
  });

  it("says at the field what is missing, and that the knowledge base was deleted meanwhile", async () => {
    gapFrom("refunds", [{}]);

    expect(await errorsOf({})).toBeUndefined();
    expect(await errorsOf({ answer: "  \u200b " })).toEqual({ answer: "Write the answer." });
    expect(await errorsOf({ question: "" })).toEqual({ question: "Write the question that it answers." });
    expect(await errorsOf({ urls: "https://a.example ftp://b" })).toHaveProperty("urls");
    await room.client.deleteKnowledgeBase(project, "docs");
    expect(await errorsOf({})).toEqual({ base: "docs is no longer there. Choose another one." });
  });

  it("gives the text back when it could not be added", async () => {
    gapFrom("refunds", [{}]);
    room.faults.insert = async () => {
      throw new Error("full");
    };

    const failed = await room.submit("kb answer", written, "gap refunds");

    expect(failed.text).toContain("Your answer isn't in docs");
    expect(failed.text).toContain("Yes, once.");
    expect(failed.text).toContain("[Try again: retry-job");
  });

  it("offers to let the agent look in the knowledge base when it doesn't", async () => {
    gapFrom("refunds", [{}]);

    const added = await room.submit("kb answer", { ...written, base: "other" }, "gap refunds");

    expect(added.text).toContain("connect-base other");
  });

  it("asks first when a private channel's question would be read elsewhere, and adds it with one press", async () => {
    gapFrom("salaries", [inHr]);
    const inChannel = room.context({ place: hr });
    const submitted = await room.commands.submitForm("kb answer", written, "gap salaries", inChannel);
    const asked = await room.end(submitted);

    expect(asked.text).toContain("What was written here isn't public.");
    expect(await contents()).toEqual([]);
    const [button] = asked.document.actions;
    expect(button).toMatchObject({ id: "adopt-answer", label: "Add anyway" });
    await room.press("adopt-answer", button?.value ?? "", { place: hr });
    expect(await contents()).toHaveLength(1);
    expect(told).toMatchObject([{ answer: { origin: { kind: "gap", gapId: "salaries" } }, tell: true }]);
  });

  it("asks nothing first for a public question of a gap that a private channel has too", async () => {
    gapFrom("refunds", [{}, { ...inHr, atMs: 1 }]);
    const submitted = await room.commands.submitForm("kb answer", written, "gap refunds", room.context({ place: hr }));

    expect((await room.end(submitted)).text).not.toContain("isn't public");
    expect(await contents()).toHaveLength(1);
  });

  it("isn't listed with its question to others there", async () => {
    gapFrom("refunds", [{}]);
    await room.submit("kb answer", { ...written, question: "Who gets a raise?" }, "gap refunds");

    expect((await room.say("kb jobs")).text).toContain("Who gets a raise?");
    expect((await room.say("kb jobs", { actor: ben })).text).not.toContain("raise");
  });

  it("shows and adds nothing for a private channel's question to those who only know its id", async () => {
    gapFrom("salaries", [inHr]);

    await expect(room.opened("add-answer", "salaries")).rejects.toThrow("No form");
    await expect(room.press("add-answer", "salaries")).rejects.toMatchObject({ code: "turn_gone" });
    await expect(room.submit("kb answer", written, "gap salaries")).rejects.toMatchObject({ code: "turn_gone" });
    await expect(room.submit("kb answer", written, "whatever salaries")).rejects.toMatchObject({ code: "turn_gone" });
    expect(await contents()).toEqual([]);

    // A member of that channel, there, may.
    const inside = await room.commands.submitForm("kb answer", written, "gap salaries", room.context({ place: hr }));
    expect((await room.end(inside)).text).toContain("This will be added to docs:");
  });
});

describe("an added answer", () => {
  beforeEach(async () => {
    gapFrom("refunds", [{}]);
    await asBen({ ...written, answer: "Ben says once." });
  });

  it("is edited in a form that holds what it says, by its author and managers", async () => {
    const form = await room.opened("edit-answer", "refunds");
    expect(form).toMatchObject({ title: "Edit the answer", context: "answer refunds" });
    expect(form.fields.map(({ name }) => name)).toEqual(["question", "answer", "urls", "tell"]);
    expect(form.fields[1]).toMatchObject({ initial: "Ben says once." });

    const edited = await asBen({ ...written, answer: "Ben says twice." }, "answer refunds");
    expect(edited.text).toContain("Your answer is in docs.");
    expect(edited.text).not.toContain("replaced");
    expect(await contents()).toEqual(["Can it move?\n\nBen says twice."]);
  });

  it("isn't edited or removed by others who may add, and nobody finds one by a wrong id", async () => {
    const other = { ...admin, id: "U7", name: "Otto", isAdmin: false };
    const roles = room.context({}).roles;
    const refused = { ...roles, manage: { allowed: false, because: "not a manager" } };
    const context = { ...room.context({ actor: other }), roles: refused };

    await expect(room.commands.pressAction("remove-answer", "refunds", context)).rejects.toMatchObject({});
    await expect(room.commands.submitForm("kb answer", written, "answer refunds", context)).rejects.toMatchObject({});
    await expect(room.press("edit-answer", "other")).rejects.toMatchObject({ code: "turn_gone" });
    await expect(room.press("restore-answer", "other 1")).rejects.toMatchObject({ code: "turn_gone" });
    expect(await contents()).toEqual(["Can it move?\n\nBen says once."]);
  });

  it("is shown with its question, and fills the form of those who may add to its knowledge base", async () => {
    const shown = await room.press("gap-show", "refunds");
    expect(shown.text).toContain("Ben says once.");
    expect(shown.text).toMatch(/The answer that was added · from Ben, \d+ [A-Z][a-z]{2}/);
    expect(shown.text).toContain("[Edit: edit-answer refunds]");

    const form = await room.opened("add-answer", "refunds");
    expect(form.fields[0]).toMatchObject({ initial: "Can it move?" });
    expect(form.fields[1]).toMatchObject({ initial: "Ben says once." });
  });

  it("is removed after asking, and its question is open again", async () => {
    gapFrom("refunds", [{}], { state: "answered", answeredBy: { answerId: "refunds", atMs: 1 } });

    const asks = await room.press("remove-answer", "refunds");
    const confirm = asks.document.actions.find(({ id }) => id === "confirm");
    const removed = await room.press("confirm", confirm?.value ?? "");

    expect(removed.text).toContain("Removed");
    expect(await contents()).toEqual([]);
    expect((await gaps.get({ platform: "slack", workspace: "T1" }, "refunds"))?.state).toBe("open");
    await expect(room.press("edit-answer", "refunds")).rejects.toMatchObject({ code: "turn_gone" });
    // Nothing is left to put back.
    const again = await room.submit("kb answer", written, "gap refunds");
    expect(again.text).not.toContain("replaced");
  });
});

describe("the URLs of an answer", () => {
  const sent = (urls: string) => ({ question: "Where?", answer: "There.", base: "handbook", urls });

  it("may have commas, and may be separated by them", () => {
    expect(writtenAnswer(sent("https://a.example/x,12.html, https://b.example/y,https://c.example/z")).urls).toEqual([
      "https://a.example/x,12.html",
      "https://b.example/y",
      "https://c.example/z",
    ]);
  });

  it("are refused when they are too long to be shown again, so that an edit loses none", () => {
    const long = Array.from({ length: 9 }, (_, at) => `https://ja.example/${"日本語".repeat(10)}${at}`).join("\n");

    expect(long.length).toBeLessThan(600);
    expect(problemsOf(sent(long), true)).toMatchObject({ urls: expect.stringContaining("too long together") });
    expect(problemsOf(sent("https://ja.example/日本語"), true)).toBeUndefined();
  });
});
