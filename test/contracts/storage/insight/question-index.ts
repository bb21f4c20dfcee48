/** Contract of the index of questions: every backend finds the same, and grouping over it is the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import type { Damage } from "../../../../src/core/ports/state.ts";
import { boundsOf, mostAlike, questionForm } from "../../../../src/insight/grouping/grouping.ts";
import {
  deleteQuestion,
  maxFoundQuestions,
  putQuestion,
  questionsIn,
  sharing,
} from "../../../../src/insight/grouping/question-index.ts";
import { grouped, readQuestions } from "../../../insight/grouping/question-set.ts";

type Subject = {
  readonly collection: CollectionFactory;
  /** Stores other text as the question. */
  readonly spoil: (scope: string, id: string, text: string) => Promise<unknown>;
  readonly damage: () => Damage;
  readonly close: () => Promise<unknown>;
};

export function describeQuestionIndex(name: string, create: () => Promise<Subject>): void {
  describe(`The index of questions on ${name}`, () => {
    let subject: Subject;
    let questions: ReturnType<typeof questionsIn>;
    let made = 0;
    beforeAll(async () => {
      subject = await create();
      questions = questionsIn(subject);
    });
    afterAll(() => subject?.close());

    const scope = () => {
      made += 1;
      return `memory/T1/mindsdb/agent${made}`;
    };
    const put = (place: string, id: string, text: string) =>
      putQuestion(questions, place, { ...questionForm(text), id });
    async function idsLike(place: string, text: string): Promise<readonly string[]> {
      const form = questionForm(text);
      return (await sharing(questions, place, form, boundsOf(form))).map(({ id }) => id);
    }

    it("groups all questions of the set exactly as comparing each with every other one does", async () => {
      const all = readQuestions();
      const expected = grouped(all);
      const place = scope();
      const groups = new Map<string, string>();

      for (const [index, { text }] of all.entries()) {
        const form = questionForm(text);
        const found = mostAlike(form, await sharing(questions, place, form, boundsOf(form)));
        const group = found?.id.split("/")[0] ?? String(index).padStart(6, "0");
        groups.set(text, group);
        await putQuestion(questions, place, { ...form, id: `${group}/${index}` });
      }

      expect([...groups.values()]).toEqual(all.map((question) => expected.get(question)));
    }, 60_000);

    it("gives back what was stored", async () => {
      const place = scope();
      const form = questionForm("How do I cancel my order from 2025?");

      await putQuestion(questions, place, { ...form, id: "g1/0" });

      expect(await sharing(questions, place, form, boundsOf(form))).toEqual([{ ...form, id: "g1/0" }]);
    });

    it("replaces a question with the same id, and forgets a deleted one", async () => {
      const place = scope();
      await put(place, "g1/0", "How do I cancel my order?");
      await put(place, "g2/0", "Where is the coffee machine?");

      await put(place, "g1/0", "Is there a discount for students?");
      await deleteQuestion(questions, place, "g2/0");
      await deleteQuestion(questions, place, "g2/0");

      expect(await idsLike(place, "cancel order")).toEqual([]);
      expect(await idsLike(place, "coffee machine")).toEqual([]);
      expect(await idsLike(place, "student discount")).toEqual(["g1/0"]);
    });

    it.each([`["cance`, "null", "[1]"])(
      "skips a question damaged to %s, and counts it until it is replaced",
      async (text) => {
        const place = scope();
        await put(place, "g1/0", "How do I cancel my order?");
        await put(place, "g2/0", "how can I cancel an order");
        await subject.spoil(place, "g1/0", text);

        expect(await idsLike(place, "cancel order")).toEqual(["g2/0"]);
        expect(subject.damage()).toEqual({ count: 1, keys: [`gap-wordings/${place}/g1/0`] });

        await put(place, "g1/0", "Is there a discount for students?");
        expect(await idsLike(place, "cancel order")).toEqual(["g2/0"]);
        expect(await idsLike(place, "student discount")).toEqual(["g1/0"]);
        await subject.spoil(place, "g1/0", text);
        expect(await idsLike(place, "student discount")).toEqual([]);
        await deleteQuestion(questions, place, "g1/0");
        expect(subject.damage().count).toBe(0);
        expect(await idsLike(place, "student discount")).toEqual([]);
      },
    );

    it("finds nothing of another workspace or agent, and nothing with other numbers or names", async () => {
      const [here, there] = [scope(), scope()];
      await put(there, "g1/0", "public holidays in Germany 2026");
      await put(here, "g2/0", "public holidays in France 2026");
      await put(here, "g3/0", "public holidays in Germany 2025");

      expect(await idsLike(here, "public holidays in Germany 2026")).toEqual([]);
    });

    it("keeps questions apart whatever their words are", async () => {
      const place = scope();
      await put(place, "g1/0", `" OR "1" = '1 AND NOT * NEAR(`);
      await put(place, "g2/0", "\u0000 how { } about : this ^ thing");

      expect(await idsLike(place, "How do I cancel my order?")).toEqual([]);
      expect(await idsLike(place, `" OR "1" = '1 AND NOT * NEAR(`)).toEqual(["g1/0"]);
    });

    it("finds at most 500, of one size those with the smallest ids", async () => {
      const place = scope();
      const ids = Array.from({ length: maxFoundQuestions + 20 }, (_, index) => `g${String(index).padStart(4, "0")}/0`);
      for (let at = 0; at < ids.length; at += 100) {
        await Promise.all(ids.slice(at, at + 100).map((id) => put(place, id, "How do I cancel my order?")));
      }

      expect(await idsLike(place, "cancel order")).toEqual(ids.slice(0, maxFoundQuestions));
    });
  });
}
