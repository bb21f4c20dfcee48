/** Contract of what a digest counts, on a backend: exact, whatever dies, however many instances count. */
import { describe, expect, it } from "vitest";
import type { VoteCounts } from "../../../../src/core/content/voting.ts";
import type { Place } from "../../../../src/core/model/place.ts";
import type { Turn } from "../../../../src/core/model/turn.ts";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import type { Coordinator, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { countsIn, createQuestionCounts, type QuestionCounts } from "../../../../src/insight/counts/question-counts.ts";
import { createTurnWork, type TurnWork } from "../../../../src/insight/derived/turn-work.ts";
import { appOf } from "../../../doubles/app.ts";
import { mortalStores } from "../../../doubles/mortal-stores.ts";
import { general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { sampleTurn } from "../sample-records.ts";

type Opened = {
  readonly collection: CollectionFactory;
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

type Instance = Omit<QuestionCounts, "derive"> & TurnWork & { readonly isDead: () => boolean };

const dayMs = 86_400_000;
const monday = Date.parse("2027-01-11T10:00:00Z");
const agent = { project: "mindsdb", name: "support" };
const source = { title: "Handbook" };

function answered(id: string, changes: Partial<Turn> = {}, sources: readonly { readonly title: string }[] = [source]) {
  const base = { turnId: id, ref: "r", agent: "support", question: "?", steps: [], tables: [], isPartial: false };
  const outcome = {
    ...base,
    isResumed: false,
    state: "answered",
    answer: "Yes.",
    sources,
    grade: sources.length === 0 ? "nothing" : "sure",
  } as const;
  return sampleTurn(id, { state: "answered", agent, askedIn: general, createdAtMs: monday, outcome, ...changes });
}

/** `open` gives a store that nothing is in. */
export function describeDigestCounts(name: string, open: () => Promise<Opened>): void {
  function roomOver({ collection, keyValue, coordinators }: Opened) {
    let laterMs = 0;
    const turns = new Map<string, Turn>();
    const votes = new Map<string, VoteCounts>();

    /** From that write on, nothing reaches the store any more. */
    function instance(which: 0 | 1 = 0, diesAt = Number.POSITIVE_INFINITY): Instance {
      const { isDead, ...own } = mortalStores({ keyValue, collection }, diesAt);
      const clock = { ...systemClock, now: () => Math.max(monday, systemClock.now()) + laterMs };
      const counts = createQuestionCounts(appOf({ ...own, clock }));
      const work = createTurnWork(
        appOf({
          keyValue: own.keyValue,
          turns: { get: async (id) => turns.get(id) },
          coordinator: coordinators[which],
          clock: { ...systemClock, now: () => systemClock.now() + laterMs },
          log,
        }),
        {
          projections: [counts],
          votes: async ({ id }) => votes.get(id) ?? { up: 0, down: 0 },
        },
      );
      return { ...counts, ...work, isDead };
    }

    /** As the bridge does it: noted, stored, begun. */
    async function store(by: ReturnType<typeof instance>, turn: Turn, vote?: VoteCounts): Promise<void> {
      const begin = await by.note(turn);
      turns.set(turn.id, turn);
      if (vote !== undefined) votes.set(turn.id, vote);
      begin();
      await by.settled();
    }

    return {
      ...{ instance, store, turns },
      pass: (ms: number) => {
        laterMs += ms;
      },
      notes: async () => {
        let count = 0;
        for await (const _note of keyValue("open-counts").entries("")) count += 1;
        return count;
      },
      kept: async (): Promise<string> => {
        const found: unknown[] = await Array.fromAsync(countsIn({ collection }).entries());
        for (const namespace of ["counted", "open-counts"]) {
          for await (const entry of keyValue(namespace).entries("")) found.push(entry);
        }
        return JSON.stringify(found);
      },
      week: (by: Instance, place: Place = general) => by.between(place, monday - 3 * dayMs, monday + 3 * dayMs),
    };
  }

  async function inRoom(work: (room: ReturnType<typeof roomOver>) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(roomOver(opened));
    } finally {
      await opened.close();
    }
  }

  describe(`counts of a digest on ${name}`, () => {
    it("add up questions, sources and votes of a channel, and nothing of another one", () =>
      inRoom(async ({ instance, store, week, notes }) => {
        const one = instance();
        await store(one, answered("t1"));
        await store(one, answered("t2", { createdAtMs: monday + dayMs }, []), { up: 0, down: 1 });
        await store(one, sampleTurn("t3", { state: "failed", agent, askedIn: general, createdAtMs: monday }));
        await store(one, answered("t4", { askedIn: { ...general, channel: "random" } }));

        expect(await week(one)).toEqual({ questions: 3, withSource: 1, up: 0, down: 1 });
        expect((await week(one, { ...general, channel: "random" })).questions).toBe(1);
        expect(await one.between(general, monday + dayMs, monday + 2 * dayMs)).toMatchObject({ questions: 1, down: 1 });
        expect(await notes()).toBe(0);
      }));

    it("follow a question that is asked again, a vote that changes, and one that is taken back", () =>
      inRoom(async ({ instance, store, week }) => {
        const one = instance();
        await store(one, answered("t1", {}, []), { up: 0, down: 1 });
        await store(one, answered("t1", { attempt: 2, agent: { ...agent, name: "sales" } }), { up: 1, down: 0 });
        expect(await week(one)).toEqual({ questions: 1, withSource: 1, up: 1, down: 0 });
        await store(one, answered("t1", { attempt: 3, state: "stopped" }), { up: 0, down: 0 });
        expect(await week(one)).toEqual({ questions: 0, withSource: 0, up: 0, down: 0 });
      }));

    it("count a second agent's answer to the same question as no second question", () =>
      inRoom(async ({ instance, store, week }) => {
        const one = instance();
        await store(one, answered("t1"));
        await store(one, answered("t2", { repeats: "t1" }), { up: 1, down: 0 });
        expect(await week(one)).toEqual({ questions: 1, withSource: 1, up: 1, down: 0 });
      }));

    it("are exact when two instances count the same channel at once", () =>
      inRoom(async ({ instance, store, week, notes }) => {
        const both = [instance(0), instance(1)] as const;
        const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
        await Promise.all(
          ids.flatMap((id, index) => {
            // Every question is noted by both: its end by one, a vote by the other.
            const by = both[index % 2 === 0 ? 0 : 1];
            const other = both[index % 2 === 0 ? 1 : 0];
            return [store(by, answered(id), { up: 1, down: 0 }), store(other, answered(id), { up: 1, down: 0 })];
          }),
        );
        expect(await week(both[0])).toEqual({ questions: 40, withSource: 40, up: 40, down: 0 });
        expect(await notes()).toBe(0);
      }));

    it("are exact after a process died at any of its writes", () =>
      inRoom(async ({ instance, store, week, pass, notes, turns }) => {
        let questions = 0;
        for (let diesAt = 1; ; diesAt += 1) {
          const mortal = instance(0, diesAt);
          const turn = answered(`t${diesAt}`);
          await store(mortal, turn, { up: 1, down: 0 }).catch(() => undefined);
          // Dead before it was noted: its end was not recorded either, and is noted by whoever takes over.
          if (!turns.has(turn.id)) await store(instance(1), turn, { up: 1, down: 0 });
          questions += 1;
          pass(11_000);
          const next = instance(1);
          await next.recover();
          await next.settled();
          expect(await week(next), `died at write ${diesAt}`).toEqual({
            ...{ questions, withSource: questions, up: questions, down: 0 },
          });
          expect(await notes()).toBe(0);
          if (!mortal.isDead()) return;
        }
      }));

    it("wait for a question that has not ended when its process died", () =>
      inRoom(async ({ instance, turns, week, pass, notes }) => {
        const running = answered("t1", { state: "running" });
        turns.set("t1", running);
        await instance(0).note(running);
        pass(11_000);
        const next = instance(1);
        await next.recover();
        await next.settled();
        expect(await week(next)).toMatchObject({ questions: 0 });
        expect(await notes()).toBe(1);
        turns.set("t1", answered("t1"));
        await next.recover();
        await next.settled();
        expect(await week(next)).toMatchObject({ questions: 1 });
        expect(await notes()).toBe(0);
      }));

    it("are exact soon also if the clock of a process that died was a day ahead", () =>
      inRoom(async ({ instance, turns, week, pass, notes }) => {
        const asked = answered("t1");
        turns.set("t1", asked);
        pass(dayMs);
        await instance(0).note(asked);
        pass(-dayMs);
        const next = instance(1);
        await next.recover();
        await next.settled();
        expect(await week(next)).toMatchObject({ questions: 1 });
        expect(await notes()).toBe(0);
      }));

    it("know of no person and no question, and after forgetting of no Turn", () =>
      inRoom(async ({ instance, store, week, kept }) => {
        const one = instance();
        const asked = answered("turnthatisforgot", { question: "What does Ana earn?" });
        await store(one, asked, { up: 0, down: 1 });
        expect(await kept()).not.toMatch(/Ana|U1|Alice/);
        await store(one, { ...asked, isForgotten: true });
        expect(await kept()).not.toContain("turnthatisforgot");
        // Another vote on what was forgotten changes nothing.
        await store(one, { ...asked, isForgotten: true }, { up: 1, down: 0 });
        expect(await week(one)).toEqual({ questions: 1, withSource: 1, up: 0, down: 1 });
      }));
  });
}
