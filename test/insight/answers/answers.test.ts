/** Added answers: one row each, whoever adds it and however often, and nothing is lost when a process dies. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { maxAnswerChars } from "../../../src/core/content/answering.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import { answerIdOf } from "../../../src/insight/answers/answers.ts";
import { documentId } from "../../../src/knowledge/knowledge.ts";
import { alice, bob, general } from "../../doubles/people.ts";
import { until } from "../../doubles/until.ts";
import { handbook, openAnswerRoom } from "./answer-room.ts";

let room: Awaited<ReturnType<typeof openAnswerRoom>>;
beforeEach(async () => {
  room = await openAnswerRoom();
});
afterEach(() => room.close());

const entry = () => room.parts().ledger.get(handbook, documentId({ kind: "answer", answerId: "gap-1" }));

describe("an added answer", () => {
  it("is one row with a stable id, named after its question, with its author in the ledger", async () => {
    const ended = await room.add({ urls: ["https://example.com/a", "https://example.com/b", "javascript:alert(1)"] });

    expect(ended).toMatchObject({ kind: "added", answer: { id: "gap-1", by: { name: alice.name } } });
    expect(room.rows()).toEqual([
      {
        id: "answer-gap-1",
        title: "Can a guest move a booking?",
        content: "Can a guest move a booking?\n\nYes, once.\n\nhttps://example.com/b",
        url: "https://example.com/a",
        answer_id: "gap-1",
      },
    ]);
    expect(await entry()).toMatchObject({
      origin: { kind: "answer", answerId: "gap-1" },
      rows: 1,
      by: { name: alice.name },
    });
    expect(await room.parts().answers.byId("gap-1")).toMatchObject({ answer: "Yes, once." });
    expect(await room.parts().answers.answersOf(handbook)).toHaveLength(1);
    expect(room.parts().told).toMatchObject([{ answer: { id: "gap-1" }, actor: { id: alice.id }, tell: false }]);
  });

  it.each([
    ["Ana Alonso", "Ana Alonso"],
    ["Mona (unverified)", "Mona (unverified)"],
    ["You", "someone on the page"],
  ])("on Parley's own page by %s is from %s", async (name, from) => {
    room.onOwnPage();
    await room.restart();

    await room.add({}, { ...alice, name });

    expect(await entry()).toMatchObject({ by: { name: from } });
    expect(await room.parts().answers.byId("gap-1")).toMatchObject({ by: { name: from } });
  });

  it("replaces its row when it is added again", async () => {
    await room.add();
    const again = await room.add({ answer: "Yes, twice." });

    expect(room.rows()).toHaveLength(1);
    expect(room.rows()[0]).toMatchObject({ content: "Can a guest move a booking?\n\nYes, twice." });
    expect(again).toMatchObject({ kind: "added" });
    expect(JSON.parse(JSON.stringify(again))).not.toHaveProperty("replaced");
  });

  it("by a second person replaces the first one's and keeps that text; of two at once, both are told the truth", async () => {
    const ends = await Promise.all([
      room.add({ answer: "Says Alice." }, alice),
      room.add({ answer: "Says Bob." }, bob),
    ]);

    const stored = await room.parts().answers.byId("gap-1");
    expect(room.rows()).toHaveLength(1);
    expect(room.rows()[0]).toMatchObject({ content: expect.stringContaining(stored?.answer ?? "?") });
    expect([stored?.by.name, stored?.previous?.by.name].sort()).toEqual([alice.name, bob.name].sort());
    expect(ends.filter((end) => end.kind === "added" && end.replaced !== undefined)).not.toHaveLength(0);
    expect((await entry())?.by.name).toBe(stored?.by.name);

    // A correction of one's own keeps the way back to the other's.
    const author = stored?.by.name === alice.name ? alice : bob;
    const corrected = await room.add({ answer: "Corrected." }, author);
    expect(corrected).toMatchObject({ answer: { previous: stored?.previous } });
    expect(JSON.parse(JSON.stringify(corrected))).not.toHaveProperty("replaced");
  });

  it("keeps Markdown, loses pings and hidden characters, and is cut at its limit inside no character", async () => {
    await room.add({ answer: "**Yes** <@U123|Ana> <!channel> @everyone \u202Eask <@U9>" });
    expect(room.rows()[0]).toMatchObject({ content: expect.stringMatching(/\*\*Yes\*\* @Ana +everyone ask$/) });

    const begun = await room.parts().answers.addAnswer(room.draft({ answer: "🙂".repeat(20_000) }), room.context());
    await begun.ended();
    expect(begun.isCut).toBe(true);
    expect(begun.answer.answer.length).toBeLessThanOrEqual(maxAnswerChars);
    expect(begun.answer.answer.isWellFormed()).toBe(true);
    expect(room.rows()).toHaveLength(1);
  });

  it("keeps its lines: a list, a table and code stay what they are", async () => {
    const answer = "Two ways:\n\n1. Ask Ana\n2. Run\n\n```\nmove --once\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    await room.add({ answer });

    expect(await room.parts().answers.byId("gap-1")).toMatchObject({ answer });
    expect(room.rows()[0]).toMatchObject({ content: `Can a guest move a booking?\n\n${answer}` });
  });

  it("loses pings that stand inside each other", async () => {
    await room.add({ answer: "Ask <@<@U1>U2> or <!<!here>channel>, @@everyone, @@@here." });

    expect(room.rows()[0]).toMatchObject({ content: expect.not.stringMatching(/<[@!]|@(?:everyone|here)/) });
  });

  it("links to where it was asked only if everyone can read that", async () => {
    const turn = { id: "t1", conversation: { ...general, channel: "C7" }, reply: { parts: [{ messageId: "m7" }] } };
    room.turns.set("t1", turn as unknown as Turn);
    const asker = { turnId: "t1", visibility: "public", place: turn.conversation };
    room.putGap({ workspace: general.workspace, askers: [asker as never] });

    await room.add();
    expect(room.rows()[0]).toHaveProperty("url", "https://chat.example/m7");

    // The channel has become private.
    room.visibility["C7"] = "private";
    await room.add();
    expect(room.rows()[0]).not.toHaveProperty("url");
  });

  it("is in also when what follows it fails, and says when it was cancelled", async () => {
    room.parts().answers.onAdded(async () => {
      throw new Error("broken");
    });
    expect(await room.add()).toMatchObject({ kind: "added" });

    // Another insert has the base.
    const lease = await room.parts().state.coordinator.lease("insert/mindsdb/handbook");
    const begun = await room.parts().answers.addAnswer(room.draft({ answer: "Later." }), room.context());
    const job = await room.parts().state.jobs.get(begun.jobId);
    if (job === undefined) throw new Error("There is no job");
    expect(await room.parts().knowledge.jobs.cancel(job, alice.id)).toBe(true);
    expect(await begun.ended()).toEqual({ kind: "failed", reason: "it was cancelled" });
    await lease.release();
    expect(room.rows()[0]).toMatchObject({ content: expect.stringContaining("Yes, once.") });
  });

  it("fails with the reason when its knowledge base was deleted, and leaves no entry", async () => {
    room.bases.delete("handbook");
    const ended = await room.add();

    expect(ended).toMatchObject({ kind: "failed", reason: expect.stringMatching(/./) });
    expect(await entry()).toBeUndefined();
    expect(await room.parts().answers.byId("gap-1")).toBeUndefined();
    expect(room.parts().told).toEqual([]);
  });
});

describe("the store of answers", () => {
  const base = handbook;
  const named = (title: string, url?: string) => room.parts().store.named(base, { title, ...(url ? { url } : {}) });

  it("finds an answer by its row's title and URL as far as they are known, and by nothing that it no longer says", async () => {
    const url = "https://example.com/a";
    await room.add({ urls: [url] });

    expect(await named("Can a guest move a booking?")).toMatchObject({ id: "gap-1" });
    expect(await named("Can a guest move a booking?", url)).toMatchObject({ id: "gap-1" });
    expect(await named(url, url)).toMatchObject({ id: "gap-1" });
    expect(await named("Can a guest move a booking?", "https://example.com/other")).toBeUndefined();
    expect(await named("A page about it", url)).toBeUndefined();

    await room.add({ question: "Another question?" });
    expect(await named("Can a guest move a booking?")).toBeUndefined();
    expect(await named(url, url)).toBeUndefined();
    expect(await named("Another question?")).toMatchObject({ id: "gap-1" });

    await room.parts().knowledge.removeDocument(base, documentId({ kind: "answer", answerId: "gap-1" }));
    expect(await named("Another question?")).toBeUndefined();
    expect(await room.parts().answers.byId("gap-1")).toBeUndefined();
    expect(room.rows()).toEqual([]);
  });
});

describe("a process that dies", () => {
  const steps = ["set ledger-rows", "set ledger", "delete rows", "insert", "put answers", "told"];

  it.each(steps.flatMap((step) => [`before ${step}`, `after ${step}`]))(
    "%s leaves one row, one entry, one record and what it replaced, and its end is told",
    async (step) => {
      await room.add({ answer: "Says Bob." }, bob);
      room.dieAt(step);
      await room.parts().answers.addAnswer(room.draft({ answer: "Says Alice." }), room.context());
      const died = room.parts();
      await until("the process has died", () => died.hasDied());
      await room.restart();

      expect(room.rows()).toHaveLength(1);
      expect(room.rows()[0]).toMatchObject({ content: expect.stringContaining("Says Alice.") });
      expect(await entry()).toMatchObject({ rows: 1, by: { name: alice.name } });
      expect(await entry()).not.toHaveProperty("problem");
      expect(await room.parts().answers.byId("gap-1")).toMatchObject({
        answer: "Says Alice.",
        previous: { answer: "Says Bob." },
      });
      const told = [...died.told, ...room.parts().told].filter(({ actor }) => actor.id === alice.id);
      expect(new Set(told.map(({ jobId }) => jobId)).size).toBe(1);
    },
  );
});

describe("the id of an answer", () => {
  it("is its gap's or its Turn's, and the same for a message whether or not it is seen from its thread", () => {
    expect(answerIdOf({ kind: "gap", gapId: "g" })).toBe("g");
    expect(answerIdOf({ kind: "turn", turnId: "t" })).toBe("t");
    const message = { kind: "message", messageId: "1.2" } as const;
    expect(answerIdOf({ ...message, place: general })).toBe(
      answerIdOf({ ...message, place: { ...general, thread: "1.1" } }),
    );
  });
});
