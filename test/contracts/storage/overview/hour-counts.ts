/** Contract of hour counts on a backend: their sums equal a recount of all Turns, whatever dies, however many count. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VoteCounts } from "../../../../src/core/content/voting.ts";
import type { Turn } from "../../../../src/core/model/turn.ts";
import type { Coordinator, KeyValue, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { type Tallies, tallyDays } from "../../../../src/core/ports/storage/tallies.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { createTurnWork, type TurnNote } from "../../../../src/insight/derived/turn-work.ts";
import { createHourCounts, isOnesOwn } from "../../../../src/overview/figures/hour-counts.ts";
import { changesOf, dayOf, lists, shareOf } from "../../../../src/overview/figures/slots.ts";
import { appOf } from "../../../doubles/app.ts";
import { general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { propertyParameters } from "../../../properties.ts";
import { sampleTurn } from "../sample-records.ts";

type Opened = {
  readonly tallies: Tallies;
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
export function describeHourCounts(name: string, open: () => Promise<Opened>): void {
  function roomOver({ tallies, keyValue, coordinators }: Opened) {
    let laterMs = 0;
    const turns = new Map<string, Turn>();
    const votes = new Map<string, VoteCounts>();
    const isDirect = (turn: Turn) => isOnesOwn(turn, undefined);

    /** At that write it dies: before it reaches the store, or after it did. Nothing more reaches the store then. */
    function instance(which: 0 | 1 = 0, diesAt = Number.POSITIVE_INFINITY, isAfter = false) {
      let writes = 0;
      const attempt = async <T>(isWrite: boolean, call: () => Promise<T>): Promise<T> => {
        if (isWrite) writes += 1;
        if (isAfter && isWrite && writes === diesAt) await call();
        if (writes >= diesAt) throw new Error("This process is dead.");
        return call();
      };
      const store = keyValue<TurnNote>("open-counts");
      const notes: KeyValue<TurnNote> = {
        get: (key) => attempt(false, () => store.get(key)),
        set: (key, value, ttlMs) => attempt(true, () => store.set(key, value, ttlMs)),
        delete: (key) => attempt(true, () => store.delete(key)),
        entries: (prefix) => store.entries(prefix),
      };
      const mortal: Tallies = {
        contributions: (...args) => attempt(false, () => tallies.contributions(...args)),
        exchange: (...args) => attempt(true, () => tallies.exchange(...args)),
        forget: (...args) => attempt(true, () => tallies.forget(...args)),
        read: tallies.read,
      };
      const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
      const work = createTurnWork(
        appOf({
          keyValue: () => notes as never,
          turns: { get: async (id) => turns.get(id) },
          coordinator: coordinators[which],
          clock,
          log,
        }),
        {
          projections: [createHourCounts(appOf({ tallies: mortal, clock }), { isDirect })],
          votes: async ({ id }) => votes.get(id) ?? { up: 0, down: 0 },
        },
      );
      return { ...work, isDead: () => writes >= diesAt };
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

    const sorted = (sums: Iterable<readonly [string, number]>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

    async function stored(day: number): Promise<unknown> {
      const names = Object.values(lists);
      const found = names.map(async (list) => sorted(await tallies.read(day, list)).map((sum) => [list, ...sum]));
      return (await Promise.all(found)).flat();
    }

    /** What the sums of that day must be. */
    function recount(day: number): unknown {
      const sums = new Map(Object.values(lists).map((list) => [list, new Map<string, number>()] as const));
      for (const turn of turns.values()) {
        if (dayOf(turn.createdAtMs) !== day || turn.isForgotten === true) continue;
        const share = shareOf({ turn, votes: votes.get(turn.id) ?? { up: 0, down: 0 } }, isDirect(turn));
        for (const { list, counter, by } of changesOf(undefined, share)) {
          const of = sums.get(list as "all");
          of?.set(counter, (of.get(counter) ?? 0) + by);
        }
      }
      return [...sums].flatMap(([list, of]) => sorted(of).map((sum) => [list, ...sum]));
    }

    return {
      ...{ instance, store, turns, votes, stored, recount, tallies },
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

  describe(`hour counts on ${name}`, () => {
    it("count questions, sources, votes, failures and durations of the installation and of each channel", () =>
      inRoom(async ({ instance, store, tallies, stored, recount }) => {
        const one = instance();
        const later = { createdAtMs: today + 3_600_000, endedAtMs: today + 3_700_000 };
        await store(one, ended("t1"), { up: 2, down: 1 });
        await store(one, failed("t2", later));
        await store(one, ended("t3", { state: "stopped" }));
        await store(one, ended("t4", { notAnswered: "nothing" }));

        const day = dayOf(today);
        const all = await tallies.read(day, lists.all);
        expect(Object.fromEntries(all)).toEqual({
          ...{ "0 q": 1, "0 s": 1, "0 u": 2, "0 d": 1, "0 v": 1, "0 t/34": 1 },
          ...{ "4 q": 1, "4 f/stream_cut": 1 },
        });
        const where = "memory/T1/general mindsdb/support";
        expect(Object.fromEntries(await tallies.read(day, lists.channels))).toEqual({
          ...{ [`${where} q`]: 2, [`${where} s`]: 1, [`${where} f`]: 1 },
        });
        expect(await stored(day)).toEqual(recount(day));
      }));

    it("follow a question that is asked again, an answer of another agent and votes that are taken back", () =>
      inRoom(async ({ instance, store, stored, recount }) => {
        const [one, other] = [instance(0), instance(1)];
        await store(one, failed("t1"), { up: 0, down: 1 });
        await store(other, ended("t1", { attempt: 2, agent: { ...agent, name: "sales" } }), { up: 1, down: 0 });
        expect(await stored(dayOf(today))).toEqual(recount(dayOf(today)));
        await store(one, ended("t1", { attempt: 3, state: "stopped" }), { up: 0, down: 0 });
        expect(await stored(dayOf(today))).toEqual([]);
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
        expect(await stored(dayOf(today))).toEqual(recount(dayOf(today)));
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
            expect(await stored(dayOf(today)), `died at write ${diesAt}`).toEqual(recount(dayOf(today)));
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
          expect(await room.stored(dayOf(today))).toEqual(room.recount(dayOf(today)));
        });
        await fc.assert(property, { ...propertyParameters, numRuns: 15 });
      }));

    it("keep what was counted when a question is forgotten, and count a later vote on it no more", () =>
      inRoom(async ({ instance, store, stored, tallies }) => {
        const one = instance();
        await store(one, ended("t1"), { up: 1, down: 0 });
        const before = await stored(dayOf(today));
        await store(one, ended("t1", { isForgotten: true }), { up: 0, down: 5 });

        expect(await stored(dayOf(today))).toEqual(before);
        expect(await tallies.contributions(dayOf(today), ["t1"])).toEqual(new Map());
      }));

    it("say nothing about whose direct messages they count", () =>
      inRoom(async ({ instance, store, stored, tallies }) => {
        await store(instance(), ended("t1", { visibility: "direct", askedIn: { ...general, channel: "D77" } }));

        const kept = JSON.stringify([
          await stored(dayOf(today)),
          ...(await tallies.contributions(dayOf(today), ["t1"])),
        ]);
        expect(kept).toContain("memory/T1/ ");
        expect(kept).not.toMatch(/D77|U1|Alice/);
      }));

    it("leave alone a day whose counters are removed", () =>
      inRoom(async ({ instance, store, stored }) => {
        const longAgo = today - (tallyDays + 1) * dayMs;
        await store(instance(), ended("t1", { createdAtMs: longAgo, endedAtMs: longAgo }));
        expect(await stored(dayOf(longAgo))).toEqual([]);
      }));

    it("count a vote on the day of its question, and are exact if a clock was a day ahead", () =>
      inRoom(async ({ instance, store, stored, recount, pass, heal }) => {
        const yesterday = ended("t1", { createdAtMs: today - dayMs, endedAtMs: today });
        await store(instance(), yesterday);
        pass(dayMs);
        await store(instance(1, 2), yesterday, { up: 1, down: 0 }).catch(() => undefined);
        pass(-dayMs);
        await heal();
        expect(await stored(dayOf(today - dayMs))).toEqual(recount(dayOf(today - dayMs)));
        expect(await stored(dayOf(today))).toEqual([]);
      }));
  });
}
