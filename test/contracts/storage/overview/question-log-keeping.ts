/** Contract of how the question log is kept current on a backend: whatever dies, however many instances there are. */
import { describe, expect, it } from "vitest";
import type { VoteCounts } from "../../../../src/core/content/voting.ts";
import type { Turn } from "../../../../src/core/model/turn.ts";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import type { Coordinator, KeyValue, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { createLogProjection, questionLogIn, questionQuery } from "../../../../src/insight/derived/question-log.ts";
import { createTurnWork, type TurnNote, type TurnWork } from "../../../../src/insight/derived/turn-work.ts";
import { appOf } from "../../../doubles/app.ts";
import { general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { sampleTurn } from "../sample-records.ts";

type Opened = {
  readonly keyValue: KeyValueFactory;
  readonly collection: CollectionFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

type Instance = TurnWork & { readonly isDead: () => boolean };

const monday = Date.parse("2027-01-11T10:00:00Z");

function ended(id: string, changes: Partial<Turn> = {}): Turn {
  return sampleTurn(id, { state: "failed", askedIn: general, createdAtMs: monday, ...changes });
}

/** `open` gives a store that nothing is in. */
export function describeQuestionLogKeeping(name: string, open: () => Promise<Opened>): void {
  function roomOver({ keyValue, collection, coordinators }: Opened) {
    const questionLog = questionLogIn({ collection });
    let laterMs = 0;
    const turns = new Map<string, Turn>();
    const votes = new Map<string, VoteCounts>();

    /** From that write on, nothing reaches the store any more. `onRead`: between reading a Turn and writing its entry. */
    function instance(which: 0 | 1 = 0, diesAt = Number.POSITIVE_INFINITY, onRead = async () => {}): Instance {
      let writes = 0;
      const attempt = async <T>(call: () => Promise<T>): Promise<T> => {
        writes += 1;
        if (writes >= diesAt) throw new Error("This process is dead.");
        return call();
      };
      const notes = keyValue<TurnNote>("open-counts");
      const mortal: KeyValue<TurnNote> = {
        ...notes,
        set: (key, value, ttlMs) => attempt(() => notes.set(key, value, ttlMs)),
        delete: (key) => attempt(() => notes.delete(key)),
      };
      const work = createTurnWork(
        appOf({
          keyValue: () => mortal as never,
          turns: { get: async (id) => turns.get(id) },
          coordinator: coordinators[which],
          clock: { ...systemClock, now: () => systemClock.now() + laterMs },
          log,
        }),
        {
          votes: async ({ id }) => {
            await onRead();
            return votes.get(id) ?? { up: 0, down: 0 };
          },
          projections: [
            createLogProjection({
              put: (id, entry) => attempt(() => questionLog.put(id, entry)),
              delete: (id) => attempt(() => questionLog.delete(id)),
            }),
          ],
        },
      );
      return { ...work, isDead: () => writes >= diesAt };
    }

    return {
      ...{ instance, turns, votes },
      /** As the bridge does it: noted, stored, begun. */
      store: async (by: Instance, turn: Turn): Promise<void> => {
        const begin = await by.note(turn);
        turns.set(turn.id, turn);
        begin();
        await by.settled();
      },
      heal: async (by: Instance): Promise<void> => {
        laterMs += 11_000;
        await by.recover();
        await by.settled();
      },
      listed: async () =>
        (await questionLog.query(questionQuery({}), 100)).entries.map(({ id, record }) => [
          id,
          record.up,
          record.outcome,
        ]),
      notes: async () => {
        let count = 0;
        for await (const _note of keyValue("open-counts").entries("")) count += 1;
        return count;
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

  describe(`the question log of Turns on ${name}`, () => {
    it("says of each question how it ended last, and what people think of it now", () =>
      inRoom(async ({ instance, store, votes, listed, notes }) => {
        const one = instance();
        await store(one, ended("t1"));
        await store(one, ended("t2", { state: "stopped" }));
        votes.set("t1", { up: 1, down: 0 });
        await store(one, ended("t1", { attempt: 2, state: "stopped" }));
        expect(await listed()).toEqual([
          ["t2", 0, "stopped"],
          ["t1", 1, "stopped"],
        ]);
        expect(await notes()).toBe(0);
      }));

    it("has each question once after a process died at any of its writes", () =>
      inRoom(async ({ instance, store, heal, listed, notes, turns }) => {
        const expected: unknown[] = [];
        for (let diesAt = 1; ; diesAt += 1) {
          const mortal = instance(0, diesAt);
          const turn = ended(`t${diesAt}`);
          await store(mortal, turn).catch(() => undefined);
          // Dead before it was noted: its end was not recorded either, and is noted by whoever takes over.
          if (!turns.has(turn.id)) await store(instance(1), turn);
          expected.unshift([turn.id, 0, "failed"]);
          await heal(instance(1));
          expect(await listed(), `died at write ${diesAt}`).toEqual(expected);
          expect(await notes()).toBe(0);
          if (!mortal.isDead()) return;
        }
      }));

    it("agrees with the votes when two instances change the same question at once", () =>
      inRoom(async ({ instance, store, votes, listed }) => {
        const both = [instance(0), instance(1)] as const;
        for (let up = 1; up <= 12; up += 1) {
          votes.set("t1", { up, down: 0 });
          await Promise.all([store(both[0], ended("t1")), store(both[1], ended("t1"))]);
          expect(await listed()).toEqual([["t1", up, "failed"]]);
        }
      }));

    it("loses a question that is forgotten, also while another instance writes its entry", () =>
      inRoom(async ({ instance, store, listed, turns }) => {
        const read = Promise.withResolvers<void>();
        const go = Promise.withResolvers<void>();
        const slow = instance(0, Number.POSITIVE_INFINITY, async () => {
          read.resolve();
          await go.promise;
        });
        const writing = store(slow, ended("t1"));
        await read.promise;
        const other = instance(1);
        const begin = await other.note(ended("t1"));
        turns.set("t1", ended("t1", { isForgotten: true }));
        begin();
        go.resolve();
        await writing;
        await other.settled();
        expect(await listed()).toEqual([]);
      }));

    it("loses a question that no longer exists when someone votes on it", () =>
      inRoom(async ({ instance, store, listed, turns }) => {
        const one = instance();
        await store(one, ended("t1"));
        const begin = await one.note(ended("t1"));
        turns.delete("t1");
        begin();
        await one.settled();
        expect(await listed()).toEqual([]);
      }));

    it("reads a question that nobody noted, and leaves out one that runs", () =>
      inRoom(async ({ instance, listed, turns }) => {
        turns.set("old", ended("old"));
        turns.set("running", ended("running", { state: "running" }));
        await instance().derive([...turns.values()]);
        expect(await listed()).toEqual([["old", 0, "failed"]]);
      }));
  });
}
