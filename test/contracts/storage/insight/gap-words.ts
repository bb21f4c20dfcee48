/** Contract of finding a gap by the words of its questions: every backend finds the same, and groups the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GapScope } from "../../../../src/core/model/insight.ts";
import { workspaceKey } from "../../../../src/core/model/place.ts";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import type { Damage } from "../../../../src/core/ports/state.ts";
import { newGap, type StoredGap, withAsker } from "../../../../src/insight/gaps/gap-record.ts";
import { createGapStore, gapsIn } from "../../../../src/insight/gaps/gap-store.ts";
import { questionForm } from "../../../../src/insight/grouping/form.ts";
import { alice, general } from "../../../doubles/people.ts";
import { grouped, readQuestions } from "../../../insight/grouping/question-set.ts";

type Subject = {
  readonly collection: CollectionFactory;
  /** Stores other text as the gap. */
  readonly spoil: (key: string, text: string) => Promise<unknown>;
  readonly damage: () => Damage;
  readonly close: () => Promise<unknown>;
};

/** How many gaps are compared with a question. */
const most = 500;

export function describeGapWords(name: string, create: () => Promise<Subject>): void {
  describe(`The words of gaps on ${name}`, () => {
    let subject: Subject;
    let store: ReturnType<typeof createGapStore>;
    let made = 0;
    beforeAll(async () => {
      subject = await create();
      store = createGapStore(subject);
    });
    afterAll(() => subject?.close());

    function scope(): GapScope {
      made += 1;
      return { platform: "memory", workspace: "T1", agent: { project: "mindsdb", name: `agent${made}` } };
    }
    function gapOf(of: GapScope, id: string, question: string, atMs = 1): StoredGap {
      const asker = { turnId: `t-${id}`, actor: alice, question, place: general, signals: ["nothing"] as const, atMs };
      return withAsker(newGap({ ...of, id, nowMs: 1 }), asker);
    }
    const put = (of: GapScope, id: string, question: string, atMs?: number) => store.put(gapOf(of, id, question, atMs));
    const idLike = async (of: GapScope, question: string) => (await store.alike(of, questionForm(question)))?.id;
    const keyOf = (of: GapScope, id: string) => `${workspaceKey(of)}/${id}`;

    it("group all questions of the set exactly as comparing each with every other one does", async () => {
      const all = readQuestions();
      const expected = grouped(all);
      const of = scope();
      const groups = new Map<string, string>();

      for (const [index, { text }] of all.entries()) {
        const form = questionForm(text);
        const id = String(index).padStart(6, "0");
        const gap = (await store.alike(of, form)) ?? { ...gapOf(of, id, text), forms: [] };
        groups.set(text, gap.id);
        await store.put({ ...gap, forms: [...gap.forms, { turnId: id, form }] });
      }

      expect([...groups.values()]).toEqual(all.map((question) => expected.get(question)));
    }, 60_000);

    it("find the gap as it was stored", async () => {
      const of = scope();
      const gap = gapOf(of, "g1", "How do I cancel my order from 2025?");

      await store.put(gap);

      expect(await store.alike(of, questionForm("How do I cancel my order from 2025?"))).toEqual(gap);
    });

    it("change with the gap, and go with it", async () => {
      const of = scope();
      await put(of, "g1", "How do I cancel my order?");
      await put(of, "g2", "Where is the coffee machine?");

      await put(of, "g1", "Is there a discount for students?");
      const second = gapOf(of, "g2", "");
      for (let times = 0; times < 2; times += 1) await store.put({ ...second, askers: [] });

      expect(await idLike(of, "cancel order")).toBeUndefined();
      expect(await idLike(of, "coffee machine")).toBeUndefined();
      expect(await idLike(of, "student discount")).toBe("g1");
    });

    it.each([`["cance`, "null", "[1]"])(
      "find no gap damaged to %s, which is counted until it is replaced, and the others",
      async (text) => {
        const of = scope();
        await put(of, "g1", "How do I cancel my order?");
        await put(of, "g2", "how can I cancel an order");
        await subject.spoil(keyOf(of, "g1"), text);

        expect(await idLike(of, "cancel order")).toBe("g2");
        expect(subject.damage()).toEqual({ count: 1, keys: [`gaps/${keyOf(of, "g1")}`] });

        await put(of, "g1", "Is there a discount for students?");
        expect(await idLike(of, "cancel order")).toBe("g2");
        expect(await idLike(of, "student discount")).toBe("g1");
        await subject.spoil(keyOf(of, "g1"), text);
        expect(await idLike(of, "student discount")).toBeUndefined();
        for (const id of ["g1", "g2"]) await gapsIn(subject).delete(keyOf(of, id));
        expect(subject.damage().count).toBe(0);
        expect(await idLike(of, "student discount")).toBeUndefined();
      },
    );

    it("find nothing of another workspace or agent, and nothing with other numbers or names", async () => {
      const [here, there] = [scope(), scope()];
      await put(there, "g1", "public holidays in Germany 2026");
      await put({ ...here, workspace: "T2" }, "g2", "public holidays in Germany 2026");
      await put(here, "g3", "public holidays in France 2026");
      await put(here, "g4", "public holidays in Germany 2025");

      expect(await idLike(here, "public holidays in Germany 2026")).toBeUndefined();
    });

    it("keep questions apart whatever their words are", async () => {
      const of = scope();
      await put(of, "g5", `" OR "1" = '1 AND NOT * NEAR(`);
      await put(of, "g6", "\u0000 how { } about : this ^ thing");

      expect(await idLike(of, "How do I cancel my order?")).toBeUndefined();
      expect(await idLike(of, `" OR "1" = '1 AND NOT * NEAR(`)).toBe("g5");
    });

    it("are compared in the 500 heaviest gaps that share them, of equal ones the smallest id counts", async () => {
      const of = scope();
      const ids = Array.from({ length: most + 20 }, (_, index) => `g${String(index).padStart(4, "0")}`);
      for (let at = 0; at < ids.length; at += 100) {
        const some = ids.slice(at, at + 100);
        await Promise.all(
          some.map((id, index) => put(of, id, "How do I cancel my order?", 1_000_000 * (at + index + 1))),
        );
      }

      expect(await idLike(of, "cancel order")).toBe(ids[20]);
    });
  });
}
