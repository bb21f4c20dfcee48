/** Contract of the question log on a backend: each list is what comparing every entry would find, newest first. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import {
  type QuestionEntry,
  type QuestionFilter,
  type QuestionLog,
  questionLogCollection,
  questionOutcomes,
  questionQuery,
} from "../../../../src/insight/derived/question-log.ts";

type QuestionLogUnderTest = {
  readonly collection: CollectionFactory;
  readonly close: () => Promise<void>;
};

const monday = Date.parse("2027-01-11T10:00:00Z");

export function sampleEntry(id: string, changes: Partial<QuestionEntry> = {}): QuestionEntry {
  return {
    id,
    ref: id.slice(-4),
    askedAtMs: monday,
    endedAtMs: monday + 4_000,
    durationMs: 4_000,
    place: { platform: "slack", workspace: "T1", channel: "C1", thread: "100.1" },
    visibility: "public",
    agent: "mindsdb.support",
    outcome: "answered",
    hasSource: true,
    up: 0,
    down: 0,
    asker: "slack/T1/U1",
    ...changes,
  };
}

/** More than a store looks at in one go; some share a moment. Always the same ones. */
function manyEntries(count: number): QuestionEntry[] {
  let seed = 7;
  const pick = <T>(of: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    const found = of[seed % of.length];
    if (found === undefined) throw new Error("Nothing to pick from.");
    return found;
  };
  return Array.from({ length: count }, (_, at) => {
    const platform = pick(["slack", "slack", "discord"]);
    const outcome = pick([...questionOutcomes, "answered", "answered", "answered"] as const);
    return sampleEntry(`q${String(at).padStart(6, "0")}`, {
      ref: pick(["aaaa", "bbbb", "cccc", "7kq2", "dd%d"]),
      askedAtMs: monday + Math.floor(at / 3) * 60_000,
      place: { platform, workspace: pick(["T1", "T2"]), channel: pick(["C1", "C2", "a/b", "tab\tü"]) },
      agent: pick(["mindsdb.support", "mindsdb.support", 'shop.sales, "the" best']),
      outcome,
      ...(outcome === "not-shown" ? { why: pick(["nothing", "failed", "unchanged"] as const) } : {}),
      up: pick([0, 0, 0, 1, 10]),
      down: pick([0, 0, 0, 0, 2]),
      asker: pick(["slack/T1/U1", "slack/T1/U2"]),
    });
  });
}

function matches(entry: QuestionEntry, filter: QuestionFilter): boolean {
  const { place } = entry;
  return (
    entry.askedAtMs >= (filter.fromMs ?? 0) &&
    entry.askedAtMs < (filter.untilMs ?? Number.POSITIVE_INFINITY) &&
    [filter.platform ?? place.platform, filter.workspace ?? place.workspace].join() ===
      [place.platform, place.workspace].join() &&
    (filter.channel ?? place.channel) === place.channel &&
    (filter.agent ?? entry.agent) === entry.agent &&
    (filter.outcome ?? entry.outcome) === entry.outcome &&
    (filter.why ?? entry.why) === entry.why &&
    (filter.feedback !== "up" || entry.up > 0) &&
    (filter.feedback !== "down" || entry.down > 0) &&
    (filter.ref ?? entry.ref) === entry.ref &&
    (filter.asker ?? entry.asker) === entry.asker
  );
}

const newestFirst = (a: QuestionEntry, b: QuestionEntry) => b.askedAtMs - a.askedAtMs || (a.id < b.id ? 1 : -1);

const filters: readonly QuestionFilter[] = [
  {},
  { platform: "discord" },
  { platform: "slack", workspace: "T1", channel: "a/b" },
  { channel: "tab\tü" },
  { agent: 'shop.sales, "the" best' },
  { outcome: "answered" },
  { outcome: "failed" },
  { outcome: "not-shown", why: "unchanged" },
  { feedback: "up" },
  { feedback: "down", outcome: "failed", platform: "slack", workspace: "T2" },
  { feedback: "down", asker: "slack/T1/U2", channel: "C1", platform: "discord", workspace: "T1" },
  { ref: "7kq2" },
  { ref: "dd%d", outcome: "answered", feedback: "up" },
  { agent: "mindsdb.support", workspace: "T1", outcome: "stopped" },
  { agent: "nobody" },
  { ref: "none" },
  { fromMs: monday + 3_600_000, untilMs: monday + 7_200_000 },
  { fromMs: monday + 3_600_000, outcome: "nothing", feedback: "up", agent: "mindsdb.support" },
  { untilMs: monday },
];

export function describeQuestionLog(name: string, create: () => Promise<QuestionLogUnderTest>): void {
  describe(`the question log on ${name}`, () => {
    const count = 9_100;
    const entries = manyEntries(count);
    let subject: QuestionLogUnderTest;
    let log: QuestionLog;

    beforeAll(async () => {
      subject = await create();
      log = subject.collection("question-log", questionLogCollection);
    });
    afterAll(() => subject?.close());

    const putAll = (some: readonly QuestionEntry[]) => Promise.all(some.map((entry) => log.put(entry.id, entry)));

    async function fill(some: readonly QuestionEntry[]): Promise<void> {
      await log.deleteWhere(questionQuery({}));
      for (let from = 0; from < some.length; from += 200) await putAll(some.slice(from, from + 200));
    }

    async function listed(filter: QuestionFilter): Promise<QuestionEntry[]> {
      const found: QuestionEntry[] = [];
      for await (const { record } of log.all(questionQuery(filter))) found.push(record);
      return found;
    }

    it("finds for every combination of filters what comparing each entry finds, in pages and counted", async () => {
      await fill(entries);
      for (const filter of filters) {
        const expected = entries.filter((entry) => matches(entry, filter)).sort(newestFirst);
        const ids = expected.map(({ id }) => id);
        expect(
          (await listed(filter)).map(({ id }) => id),
          JSON.stringify(filter),
        ).toEqual(ids);
        expect(await log.count(questionQuery(filter), count)).toEqual({ count: ids.length, isMore: false });

        const pages: string[] = [];
        let after: string | undefined;
        for (let page = 0; page < 3; page += 1) {
          const { entries: found, next } = await log.query(questionQuery(filter), 7, after);
          pages.push(...found.map(({ id }) => id));
          expect(next === undefined).toBe(pages.length >= ids.length);
          after = next;
          if (after === undefined) break;
        }
        expect(pages).toEqual(ids.slice(0, 21));
      }
      expect(await log.count(questionQuery({}), 100)).toEqual({ count: 100, isMore: true });
      expect(await log.count(questionQuery({ outcome: "answered", platform: "slack" }), 3)).toEqual({
        count: 3,
        isMore: true,
      });
      expect(await log.count(questionQuery({}), count)).toEqual({ count, isMore: false });
      expect((await log.get("q000005"))?.record).toEqual(entries[5]);
    }, 60_000);

    it("gives back every member, also of an entry that has few", async () => {
      const whole = sampleEntry("whole", {
        ...{ isPrivate: true, isScheduled: true, outcome: "not-shown", why: "failed", code: "service_busy" },
        hasSource: false,
      });
      const { thread: _thread, ...place } = whole.place;
      const bare = sampleEntry("bare", { place: { ...place, channel: "" }, outcome: "failed", askedAtMs: monday - 1 });
      const { agent, visibility, endedAtMs, durationMs, ...few } = bare;
      expect([agent, visibility, endedAtMs, durationMs]).not.toContain(undefined);
      await fill([whole, few]);

      expect(await listed({})).toEqual([whole, few]);
      expect((await log.get("bare"))?.record).toEqual(few);
      expect(await log.get("other")).toBeUndefined();
    });

    it("replaces an entry whose question was asked again, in every list", async () => {
      await fill([sampleEntry("one", { outcome: "failed", down: 1 }), sampleEntry("two")]);

      await putAll([sampleEntry("one", { agent: "mindsdb.sales", up: 1 })]);

      expect((await listed({})).map(({ id }) => id)).toEqual(["two", "one"]);
      expect(await listed({ outcome: "failed" })).toEqual([]);
      expect(await listed({ feedback: "down" })).toEqual([]);
      expect(await listed({ agent: "mindsdb.support" })).toEqual([sampleEntry("two")]);
      expect((await listed({ feedback: "up", agent: "mindsdb.sales" })).map(({ id }) => id)).toEqual(["one"]);
      for (const agent of ["mindsdb.support", "mindsdb.sales"]) {
        expect(await log.count(questionQuery({ agent }), 10)).toEqual({ count: 1, isMore: false });
      }
      expect(await log.count(questionQuery({}), 10)).toEqual({ count: 2, isMore: false });
    });

    it("removes entries from every list, and what is older than the retention", async () => {
      const some = manyEntries(700);
      await fill(some);
      await Promise.all(["q000000", "q000699", "never-there"].map((id) => log.delete(id)));
      const left = some.filter(({ id }) => id !== "q000000" && id !== "q000699");
      const beforeMs = monday + 100 * 60_000;

      expect(await log.deleteWhere(questionQuery({ untilMs: beforeMs }))).toBe(
        left.filter(({ askedAtMs }) => askedAtMs < beforeMs).length,
      );

      const kept = left.filter(({ askedAtMs }) => askedAtMs >= beforeMs);
      for (const filter of filters) {
        const ids = kept.filter((entry) => matches(entry, filter)).sort(newestFirst);
        expect((await listed(filter)).map(({ id }) => id)).toEqual(ids.map(({ id }) => id));
        expect(await log.count(questionQuery(filter), 700)).toEqual({ count: ids.length, isMore: false });
      }
      expect(await log.deleteWhere(questionQuery({ untilMs: beforeMs }))).toBe(0);
    });

    it("moves no page when entries arrive or go meanwhile", async () => {
      await fill(manyEntries(30));
      const first = await log.query(questionQuery({}), 10);

      await putAll([sampleEntry("zz-newest", { askedAtMs: monday + 86_400_000 })]);
      await log.delete(first.entries.at(-1)?.id ?? "");
      const second = await log.query(questionQuery({}), 10, first.next);

      const expected = manyEntries(30).sort(newestFirst);
      expect(second.entries.map(({ id }) => id)).toEqual(expected.slice(10, 20).map(({ id }) => id));
    });

    it("lists many questions of one moment in pages too", async () => {
      const same = Array.from({ length: 4_200 }, (_, at) => sampleEntry(`s${String(at).padStart(5, "0")}`));
      await fill(same);
      const found = await listed({ outcome: "answered" });
      expect(found.map(({ id }) => id)).toEqual(same.map(({ id }) => id).reverse());
    }, 30_000);
  });
}
