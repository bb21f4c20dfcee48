/** Contract of counts on a backend: they equal a recount of all Turns, whatever dies, however many count. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VoteCounts } from "../../../../src/core/content/voting.ts";
import type { Turn } from "../../../../src/core/model/turn.ts";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import type { Coordinator, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import {
  channelsOf,
  countedDays,
  countsIn,
  createQuestionCounts,
} from "../../../../src/insight/counts/question-counts.ts";
import { linesOf, type Share, shareOf } from "../../../../src/insight/counts/share.ts";
import { createTurnWork, quarterOf } from "../../../../src/insight/derived/turn-work.ts";
import { appOf } from "../../../doubles/app.ts";
import { mortalStores } from "../../../doubles/mortal-stores.ts";
import { general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { propertyParameters } from "../../../properties.ts";
import { sampleTurn } from "../sample-records.ts";

type Opened = {
  readonly collection: CollectionFactory;
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const agent = { project: "mindsdb", name: "support" };

function ended(id: string, changes: Partial<Turn> = {}): Turn {
  const base = { turnId: id, ref: "r", agent: "support", question: "?", steps: [], tables: [], isPartial: false };
  const outcome = {
    ...base,
    isResumed: false,
    state: "answered",
    answer: "Yes.",
    sources: [{ title: "Handbook" }],
    grade: "sure",
  } as const;
  const times = { createdAtMs: today, endedAtMs: today + 6_000 };
  return sampleTurn(id, { state: "answered", agent, askedIn: general, outcome, ...times, ...changes });
}

const failure = { code: "stream_cut", what: "It broke.", hint: "Try again." };
const failed = (id: string, changes: Partial<Turn> = {}): Turn => {
  const turn = ended(id, changes);
  if (turn.outcome === undefined) throw new Error("It has ended.");
  return { ...turn, state: "failed", outcome: { ...turn.outcome, state: "failed", sources: [], error: failure } };
};

/** `open` gives a store that nothing is in. */
export function describeQuestionCounts(name: string, open: () => Promise<Opened>): void {
  function roomOver({ collection, keyValue, coordinators }: Opened) {
    const counts = countsIn({ collection });
    let laterMs = 0;
    const turns = new Map<string, Turn>();
    const votes = new Map<string, VoteCounts>();

    /** At that write it dies: before it reaches the store, or after it did. Nothing more reaches the store then. */
    function instance(which: 0 | 1 = 0, diesAt = Number.POSITIVE_INFINITY, isAfter = false) {
      const { isDead, ...own } = mortalStores({ keyValue, collection }, diesAt, isAfter);
      const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
      const work = createTurnWork(
        appOf({
          keyValue: own.keyValue,
          turns: { get: async (id) => turns.get(id) },
          coordinator: coordinators[which],
          clock,
          log,
        }),
        {
          projections: [createQuestionCounts(appOf({ ...own, clock }))],
          votes: async ({ id }) => votes.get(id) ?? { up: 0, down: 0 },
        },
      );
      return { ...work, isDead };
    }

    type Instance = ReturnType<typeof instance>;

    /** As the bridge does it: noted, stored, begun. */
    async function store(by: Instance, turn: Turn, vote?: VoteCounts): Promise<void> {
      const begin = await by.note(turn);
      turns.set(turn.id, turn);
      if (vote !== undefined) votes.set(turn.id, vote);
      begin();
      await by.settled();
    }

    /** By quarter of an hour: whose shares they are, as the sum of all. */
    const sumOf = (shares: readonly Share[]) => {
      const sums: Record<string, number> = {};
      const add = (name: string, count: number) => {
        const sum = (sums[name] ?? 0) + count;
        if (sum === 0) delete sums[name];
        else sums[name] = sum;
      };
      for (const share of shares) {
        for (const [name, count] of Object.entries(share.counters)) add(name, count);
        for (const [where, numbers] of linesOf(share)) {
          for (const [at, count] of numbers.entries()) add(`${where} ${at}`, count);
        }
      }
      return sums;
    };
    const withCounts = (found: Iterable<readonly [number, object]>) =>
      Object.fromEntries([...found].filter(([, sums]) => Object.keys(sums).length > 0));

    /** Counts of that UTC day, by quarter. */
    async function stored(dayStartMs: number): Promise<Record<string, unknown>> {
      const all = await Array.fromAsync(
        counts.all({ order: "sinceMs", from: dayStartMs, until: dayStartMs + dayMs }),
        ({ record }) => record,
      );
      return withCounts(
        all.map((record) => {
          const ofChannels = channelsOf(record).map(([where, channel]) => ({ where, counters: {}, channel }));
          const none = [0, 0, 0, 0, 0, 0, 0] as const;
          return [
            quarterOf(record.sinceMs),
            sumOf([{ where: "", counters: record.counters, channel: none }, ...ofChannels]),
          ] as const;
        }),
      );
    }

    /** What they must be. */
    function recount(dayStartMs: number): Record<string, unknown> {
      const counted = [...turns.values()].filter(
        ({ createdAtMs, isForgotten }) =>
          createdAtMs >= dayStartMs && createdAtMs < dayStartMs + dayMs && isForgotten !== true,
      );
      const byQuarter = Map.groupBy(counted, ({ createdAtMs }) => quarterOf(createdAtMs));
      return withCounts(
        [...byQuarter].map(([quarter, some]) => {
          const shares = some.map((turn) => {
            const isDirect = turn.visibility === "direct";
            return shareOf(
              { turn, votes: votes.get(turn.id) ?? { up: 0, down: 0 } },
              { isDirect, isInDigest: !isDirect },
            );
          });
          return [quarter, sumOf(shares)] as const;
        }),
      );
    }

    /** All that is stored beside the Turns. */
    async function kept(): Promise<string> {
      const found: unknown[] = await Array.fromAsync(counts.entries());
      for (const namespace of ["counted", "open-counts"]) {
        for await (const entry of keyValue(namespace).entries("")) found.push(entry);
      }
      return JSON.stringify(found);
    }

    return {
      ...{ instance, store, turns, votes, stored, recount, kept },
      pass: (ms: number) => {
        laterMs += ms;
      },
      heal: async () => {
        laterMs += 11_000;
        const next = instance(1);
        await next.recover();
        await next.settled();
      },
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

  describe(`counts of questions on ${name}`, () => {
    it("count questions, sources, votes, failures and durations of the installation and of each channel", () =>
      inRoom(async ({ instance, store, stored, recount }) => {
        const one = instance();
        const later = { createdAtMs: today + 3_600_000, endedAtMs: today + 3_700_000 };
        await store(one, ended("t1"), { up: 2, down: 1 });
        await store(one, failed("t2", later));
        await store(one, ended("t3", { state: "stopped" }));
        await store(one, ended("t4", { notAnswered: "nothing" }));

        const where = "memory/T1/general mindsdb/support";
        const quarter = quarterOf(today);
        expect(await stored(today)).toEqual({
          [quarter]: {
            ...{ q: 1, s: 1, u: 2, d: 1, v: 1, "t/34": 1 },
            ...{ [`${where} 0`]: 1, [`${where} 1`]: 1, [`${where} 3`]: 2, [`${where} 4`]: 2 },
            ...{ [`${where} 5`]: 2, [`${where} 6`]: 1 },
          },
          [quarter + 4]: { q: 1, "f/stream_cut": 1, [`${where} 0`]: 1, [`${where} 2`]: 1, [`${where} 3`]: 1 },
        });
        expect(await stored(today)).toEqual(recount(today));
      }));

    it("follow a question that is asked again, an answer of another agent and votes that are taken back", () =>
      inRoom(async ({ instance, store, stored, recount }) => {
        const [one, other] = [instance(0), instance(1)];
        await store(one, failed("t1"), { up: 0, down: 1 });
        await store(other, ended("t1", { attempt: 2, agent: { ...agent, name: "sales" } }), { up: 1, down: 0 });
        expect(await stored(today)).toEqual(recount(today));
        await store(one, ended("t1", { attempt: 3, state: "stopped" }), { up: 0, down: 0 });
        expect(await stored(today)).toEqual({});
      }));

    it("are exact when two instances count the same questions at once", () =>
      inRoom(async ({ instance, store, stored, recount }) => {
        const both = [instance(0), instance(1)] as const;
        const ids = Array.from({ length: 40 }, (_, index) => `t${index}`);
        await Promise.all(
          ids.flatMap((id, index) => {
            const askedIn = { ...general, channel: `C${index % 3}` };
            return both.map((by) => store(by, ended(id, { askedIn }), { up: 1, down: 0 }));
          }),
        );
        expect(await stored(today)).toEqual(recount(today));
      }));

    it("are exact after a process died before or after any of its writes", () =>
      inRoom(async ({ instance, store, stored, recount, turns, heal }) => {
        for (const isAfter of [false, true]) {
          for (let diesAt = 1; ; diesAt += 1) {
            const mortal = instance(0, diesAt, isAfter);
            const turn = ended(`t${isAfter}${diesAt}`);
            await store(mortal, turn, { up: 1, down: 0 }).catch(() => undefined);
            // Dead before it was noted: its end was not recorded either, and is noted by whoever takes over.
            if (!turns.has(turn.id)) await store(instance(1), turn, { up: 1, down: 0 });
            await heal();
            expect(await stored(today), `died at write ${diesAt}`).toEqual(recount(today));
            if (!mortal.isDead()) break;
          }
        }
      }));

    it("equal a recount whatever happens to questions, votes and processes", () =>
      inRoom(async (room) => {
        let run = 0;
        const change = fc.record({
          id: fc.integer({ min: 0, max: 3 }),
          end: fc.constantFrom("answered", "failed", "stopped", "quiet"),
          channel: fc.constantFrom("C1", "C2"),
          up: fc.integer({ min: 0, max: 2 }),
          isDirect: fc.boolean(),
          minutes: fc.integer({ min: 0, max: 200 }),
          diesAt: fc.integer({ min: 1, max: 6 }),
          isAfter: fc.boolean(),
        });
        const property = fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
          run += 1;
          for (const { id, end, channel, up, isDirect, minutes, diesAt, isAfter } of changes) {
            const createdAtMs = today + minutes * 60_000;
            const known = room.turns.get(`${run}-${id}`);
            // When and where it was asked never changes.
            const about = known ?? { askedIn: { ...general, channel }, createdAtMs };
            const { askedIn, createdAtMs: atMs } = about;
            const make = end === "failed" ? failed : ended;
            const turn = make(`${run}-${id}`, {
              ...{ askedIn, createdAtMs: atMs, endedAtMs: atMs + minutes * 1_000 },
              ...((known?.visibility ?? (isDirect ? "direct" : undefined)) === "direct"
                ? { visibility: "direct" }
                : {}),
              ...(end === "stopped" ? { state: "stopped" } : {}),
              ...(end === "quiet" ? { notAnswered: "nothing" } : {}),
            });
            await room.store(room.instance(0, diesAt, isAfter), turn, { up, down: 0 }).catch(() => undefined);
          }
          await room.heal();
          expect(await room.stored(today)).toEqual(room.recount(today));
        });
        await fc.assert(property, { ...propertyParameters, numRuns: 15 });
      }));

    it("keep what was counted when a question is forgotten, and count a later vote on it no more", () =>
      inRoom(async ({ instance, store, stored, kept }) => {
        const one = instance();
        await store(one, ended("t1"), { up: 1, down: 0 });
        const before = await stored(today);
        await store(one, ended("t1", { isForgotten: true }), { up: 0, down: 5 });

        expect(await stored(today)).toEqual(before);
        expect(await kept()).not.toContain("t1");
      }));

    it("keep nothing of a question that is forgotten after its counts are removed", () =>
      inRoom(async ({ instance, store, kept, pass }) => {
        await store(instance(), ended("t1"));
        expect(await kept()).toContain("t1");
        pass((countedDays + 5) * dayMs);
        await store(instance(), ended("t1", { isForgotten: true }));
        expect(await kept()).not.toContain("t1");
      }));

    it("say nothing about whose direct messages they count", () =>
      inRoom(async ({ instance, store, kept }) => {
        await store(instance(), ended("t1", { visibility: "direct", askedIn: { ...general, channel: "D77" } }));

        expect(await kept()).toContain("memory/T1/ ");
        expect(await kept()).not.toMatch(/D77|U1|Alice/);
      }));

    it("leave alone a day whose counters are removed", () =>
      inRoom(async ({ instance, store, stored }) => {
        const longAgo = today - (countedDays + 1) * dayMs;
        await store(instance(), ended("t1", { createdAtMs: longAgo, endedAtMs: longAgo }));
        expect(await stored(longAgo)).toEqual({});
      }));

    it("count a vote on the day of its question, and are exact if a clock was a day ahead", () =>
      inRoom(async ({ instance, store, stored, recount, pass, heal }) => {
        const yesterday = ended("t1", { createdAtMs: today - dayMs, endedAtMs: today });
        await store(instance(), yesterday);
        pass(dayMs);
        await store(instance(1, 2), yesterday, { up: 1, down: 0 }).catch(() => undefined);
        pass(-dayMs);
        await heal();
        expect(await stored(today - dayMs)).toEqual(recount(today - dayMs));
        expect(await stored(today)).toEqual({});
      }));
  });
}
