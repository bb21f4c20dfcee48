/**
 * Contract of collections, over every storage. `one` and `other` are two instances over the same data; on SQLite, which
 * one process has, they are the same.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Collection,
  CollectionDefinition,
  CollectionFactory,
  Entry,
  IndexDefinition,
  Query,
} from "../../../src/core/ports/collection.ts";
import type { Damage } from "../../../src/core/ports/state.ts";
import { propertyParameters, runs } from "../../properties.ts";
import { type Note, type NoteField, noteDefinition, wordedNotes } from "./collection-note.ts";

type Notes = Collection<Note, NoteField>;

export type CollectionSubject = {
  readonly one: CollectionFactory;
  readonly other: CollectionFactory;
  /** Stores other text as the record. */
  readonly spoil: (name: string, id: string, text: string) => Promise<void>;
  /** Ids that an index or a list of words has, each as often as it has them. */
  readonly indexed: (name: string) => Promise<readonly string[]>;
  readonly damage: () => Damage;
  readonly logged: () => string;
  /** Only the newest are found by words. */
  readonly limitsWords: boolean;
  readonly close: () => Promise<unknown>;
};

export function describeCollection(name: string, create: () => Promise<CollectionSubject>): void {
  describe(`Collections on ${name}`, () => {
    let subject: CollectionSubject;
    let opened = 0;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject?.close());

    /** An empty one, as two instances have it. */
    function fresh(): { readonly notes: Notes; readonly others: Notes; readonly name: string } {
      opened += 1;
      const own = `notes${opened}`;
      return { name: own, notes: subject.one(own, noteDefinition), others: subject.other(own, noteDefinition) };
    }

    async function idsOf(notes: Notes, query: Query<NoteField>, limit = 100): Promise<readonly string[]> {
      const ids = (await notes.query(query, limit)).entries.map(({ id }) => id);
      // They may include damaged ones.
      const unread = (await notes.ids(query, limit)).map(({ id }) => id);
      expect(unread.filter((id) => ids.includes(id))).toEqual(ids);
      return ids;
    }
    const newest = { order: "atMs" } as const;

    it("stores a record once: the second caller gets the first one's", async () => {
      const { notes, others } = fresh();

      const created = await Promise.all([notes.create("a", { atMs: 1 }), others.create("a", { atMs: 2 })]);

      expect(created.filter((each) => each.created)).toHaveLength(1);
      const atMs = created[0]?.created ? 1 : 2;
      expect(created.find((each) => !each.created)).toMatchObject({ existing: { id: "a", record: { atMs } } });
      expect(await others.get("a")).toMatchObject({ id: "a", record: { atMs } });
    });

    it("replaces and deletes a record with everything that finds it", async () => {
      const { notes, others } = fresh();
      await notes.put("a", { team: "red", kind: "x", atMs: 1, text: "hello world" });

      await others.put("a", { team: "blue", atMs: 2, text: "world again" });

      expect(await idsOf(notes, { ...newest, where: { team: "red" } })).toEqual([]);
      expect(await idsOf(notes, { ...newest, where: { team: "blue" } })).toEqual(["a"]);
      expect(await idsOf(notes, { ...newest, words: [["hello"]] })).toEqual([]);
      expect(await idsOf(notes, { ...newest, words: [["world", "again"]] })).toEqual(["a"]);
      await notes.delete("a");
      await notes.delete("a");
      expect(await others.get("a")).toBeUndefined();
      expect(await idsOf(others, newest)).toEqual([]);
      expect(await idsOf(others, { ...newest, words: [["world"]] })).toEqual([]);
      expect(await others.groups({ by: ["team"], order: "atMs" })).toEqual([]);
    });

    it("loses no change when two instances change the same record", async () => {
      const { notes, others } = fresh();
      await notes.create("a", { atMs: 0 });
      const add = ({ record }: Entry<Note>) => ({ ...record, atMs: record.atMs + 1 });

      await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? notes : others).update("a", add)));

      expect(await notes.get("a")).toMatchObject({ record: { atMs: 40 } });
    });

    it("gives each write another version, also when a record comes again", async () => {
      const { notes } = fresh();
      const versions = new Set<number | undefined>();
      for (let time = 0; time < 3; time += 1) {
        await notes.put("a", { atMs: 1 });
        versions.add((await notes.get("a"))?.version);
        versions.add((await notes.update("a", ({ record }) => ({ ...record, atMs: 2 })))?.version);
        await notes.delete("a");
      }

      expect(versions.size).toBe(6);
    });

    it("changes the record that is there, not the one that was there when the change began", async () => {
      const { notes } = fresh();
      await notes.put("a", { team: "old", atMs: 1 });
      const seen: (string | undefined)[] = [];

      const changed = await notes.update("a", ({ record }) => {
        seen.push(record.team);
        if (seen.length === 1) void notes.delete("a").then(() => undefined);
        if (seen.length === 1) void notes.put("a", { team: "new", atMs: 5 });
        return { ...record, size: 7 };
      });

      expect(seen).toEqual(["old", "new"]);
      expect(changed?.record).toEqual({ team: "new", atMs: 5, size: 7 });
    });

    it("changes nothing when the change is refused or there is no record", async () => {
      const { notes } = fresh();
      await notes.put("a", { atMs: 1 });
      const before = await notes.get("a");

      expect(await notes.update("a", ({ version }) => (version === 0 ? { atMs: 2 } : undefined))).toBeUndefined();
      expect(await notes.update("b", () => ({ atMs: 2 }))).toBeUndefined();
      expect(await notes.get("a")).toEqual(before);
    });

    it("refuses a change with an older fence than the stored one", async () => {
      const { notes, others } = fresh();
      await notes.create("a", { atMs: 1 });

      expect(await notes.update("a", () => ({ atMs: 2 }), 5)).toMatchObject({ record: { atMs: 2 } });
      expect(await others.update("a", () => ({ atMs: 3 }), 4)).toBeUndefined();
      expect(await others.update("a", () => ({ atMs: 4 }), 5)).toMatchObject({ record: { atMs: 4 } });
      expect(await others.update("a", () => ({ atMs: 5 }))).toMatchObject({ record: { atMs: 5 } });
      await notes.put("a", { atMs: 6 });
      expect(await notes.update("a", () => ({ atMs: 7 }), 4)).toBeUndefined();
    });

    it("lists by time, newest or oldest first, and records of one moment by their ids", async () => {
      const { notes } = fresh();
      for (const [id, atMs] of [
        ["b", 2],
        ["a", 2],
        ["d", 3],
        ["c", 1],
        ["é", 2],
        ["B", 2],
      ] as const) {
        await notes.put(id, { atMs });
      }

      expect(await idsOf(notes, newest)).toEqual(["d", "é", "b", "a", "B", "c"]);
      expect(await idsOf(notes, { ...newest, isAscending: true })).toEqual(["c", "B", "a", "b", "é", "d"]);
      expect(await idsOf(notes, { ...newest, from: 2, until: 3 })).toEqual(["é", "b", "a", "B"]);
      expect(await idsOf(notes, { ...newest, from: 2, isAscending: true }, 2)).toEqual(["B", "a"]);
    });

    it.each([false, true])(
      "pages through all of them once, whatever arrives or goes (ascending: %s)",
      async (isAscending) => {
        const { notes, others } = fresh();
        const ids = Array.from({ length: 12 }, (_, at) => `n${String(at).padStart(2, "0")}`);
        for (const [at, id] of ids.entries()) await notes.put(id, { atMs: Math.floor(at / 4), team: "red" });
        const query = { ...newest, where: { team: "red" }, isAscending };

        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const { entries, next } = await notes.query(query, 3, after);
          seen.push(...entries.map(({ id }) => id));
          if (next === undefined) break;
          // The record of the cursor goes, and a new one comes in front.
          await others.delete(entries.at(-1)?.id ?? "");
          await others.put(`new${seen.length}`, { atMs: isAscending ? -1 : 9, team: "red" });
          after = next;
        }

        expect(seen).toEqual(isAscending ? ids : [...ids].reverse());
      },
    );

    it("begins at the start for a cursor that makes no sense", async () => {
      const { notes } = fresh();
      await notes.put("a", { atMs: 5 });

      for (const cursor of ["", "x", "12", "12:", ":a", "1e3.k", "9:a", "-1:a", "99999999999999999999999:a"]) {
        const query = { ...newest, from: 0, until: 9 };
        expect([cursor, (await notes.query(query, 5, cursor)).entries.length]).toEqual([cursor, 1]);
      }
    });

    it("keeps numbers of any size and sign in order", async () => {
      const { notes } = fresh();
      const numbers = [-1e15, -2.5, 0, 1e-7, 0.1, 1.5, 1_764_212_000_000.25, Number.MAX_SAFE_INTEGER];
      for (const atMs of numbers) await notes.put(`n${atMs}`, { atMs });

      const { entries, next } = await notes.query({ ...newest, isAscending: true }, 4);
      const rest = await notes.query({ ...newest, isAscending: true }, 10, next);

      expect([...entries, ...rest.entries].map(({ record }) => record.atMs)).toEqual(numbers);
    });

    it("refuses a record with a field that is no number, and leaves what is there", async () => {
      const { notes } = fresh();
      await notes.put("a", { atMs: 1 });

      for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(notes.put("a", { atMs })).rejects.toMatchObject({ code: "internal" });
        await expect(notes.update("a", () => ({ atMs }))).rejects.toMatchObject({ code: "internal" });
      }

      expect(await idsOf(notes, newest)).toEqual(["a"]);
      expect(await notes.get("a")).toMatchObject({ record: { atMs: 1 } });
    });

    it("finds exactly the value, whatever it looks like", async () => {
      const { notes } = fresh();
      const values = [
        "1",
        1,
        0,
        "",
        '"',
        "a\tkind=1\tb",
        "a\nb",
        "[]",
        "\\",
        "*",
        "'; --",
        "ü",
        "😀",
        "\ud800",
        "null",
      ];
      for (const [at, kind] of values.entries()) {
        await notes.put(`n${at}`, { atMs: at, kind, team: String(kind) });
      }

      for (const [at, kind] of values.entries()) {
        expect([kind, await idsOf(notes, { ...newest, where: { kind } })]).toEqual([kind, [`n${at}`]]);
        expect(await idsOf(notes, { ...newest, where: { kind, team: String(kind) } })).toEqual([`n${at}`]);
      }
      expect(await idsOf(notes, { ...newest, where: { kind: "2" } })).toEqual([]);
    });

    it("leaves records without a value out of its index, and takes undefined for any value", async () => {
      const { notes } = fresh();
      await notes.put("a", { atMs: 1, size: 3 });
      await notes.put("b", { atMs: 2, team: "red" });

      expect(await idsOf(notes, { order: "size" })).toEqual(["a"]);
      expect(await idsOf(notes, { ...newest, where: { team: undefined } })).toEqual(["b", "a"]);
      await expect(notes.query({ order: "team" }, 1)).rejects.toThrow("no index");
    });

    it("counts up to a limit", async () => {
      const { notes } = fresh();
      for (let at = 0; at < 9; at += 1) await notes.put(`n${at}`, { atMs: at, team: "red", kind: at % 3, size: at });

      expect(await notes.count(newest, 100)).toEqual({ count: 9, isMore: false });
      expect(await notes.count({ ...newest, where: { team: "red", kind: 1 } }, 3)).toEqual({ count: 3, isMore: false });
      expect(await notes.count({ ...newest, where: { kind: 1 }, from: 2 }, 100)).toEqual({ count: 2, isMore: false });
      expect(await notes.count(newest, 8)).toEqual({ count: 8, isMore: true });
      expect(await notes.count({ ...newest, where: { kind: 1 } }, 2)).toEqual({ count: 2, isMore: true });
      expect(await notes.count({ ...newest, where: { team: "blue" } }, 2)).toEqual({ count: 0, isMore: false });
    });

    it("counts by group, the group with the newest record first", async () => {
      const { notes, others } = fresh();
      const index: IndexDefinition<NoteField> = { by: ["team", "kind"], order: "atMs" };
      for (let at = 0; at < 9; at += 1)
        await notes.put(`n${at}`, { atMs: at, team: at < 6 ? "red" : "blue", kind: at % 2 });
      await notes.put("none", { atMs: 100, team: "green" });

      expect(await others.groups(index)).toEqual([
        { values: { team: "blue", kind: 0 }, count: 2, newest: { id: "n8", order: 8 } },
        { values: { team: "blue", kind: 1 }, count: 1, newest: { id: "n7", order: 7 } },
        { values: { team: "red", kind: 1 }, count: 3, newest: { id: "n5", order: 5 } },
        { values: { team: "red", kind: 0 }, count: 3, newest: { id: "n4", order: 4 } },
      ]);
      expect(await others.groups(index, { from: 1, until: 4 })).toEqual([
        { values: { team: "red", kind: 1 }, count: 2, newest: { id: "n3", order: 3 } },
        { values: { team: "red", kind: 0 }, count: 1, newest: { id: "n2", order: 2 } },
      ]);
      expect(await others.groups({ by: ["team"], order: "atMs" }, { from: 7 })).toMatchObject([
        { values: { team: "green" }, count: 1 },
        { values: { team: "blue" }, count: 2 },
      ]);
    });

    it("deletes what matches and nothing else", async () => {
      const { notes, name: own } = fresh();
      const all = Array.from({ length: 450 }, (_, at) => ({ id: `n${at}`, atMs: at, kind: at % 2, text: "word" }));
      await Promise.all(all.map(({ id, ...note }) => notes.put(id, note)));

      expect(await notes.deleteWhere({ ...newest, where: { kind: 1 }, until: 440 })).toBe(220);
      expect(await notes.deleteWhere({ ...newest, where: { kind: 1 }, until: 440 })).toBe(0);
      expect(await notes.count(newest, 1_000)).toEqual({ count: 230, isMore: false });
      const left = new Set(await subject.indexed(own));
      expect(left.size).toBe(230);
    });

    it("finds a rare record behind thousands of others, and goes through all of them", async () => {
      const { notes } = fresh();
      const count = 4_500;
      await notes.put("rare", { atMs: -1, kind: "rare", size: 1 });
      for (let from = 0; from < count; from += 250) {
        // A thousand of each moment.
        await Promise.all(
          Array.from({ length: 250 }, (_, at) =>
            notes.put(`n${from + at}`, { atMs: Math.floor((from + at) / 1_000), kind: "usual", size: 2 }),
          ),
        );
      }

      expect(await idsOf(notes, { ...newest, where: { kind: "rare" } })).toEqual(["rare"]);
      expect(await idsOf(notes, { ...newest, where: { kind: "rare" }, from: 0 })).toEqual([]);
      expect(await notes.count({ ...newest, where: { kind: "usual" } }, 10_000)).toEqual({ count, isMore: false });
      expect(await notes.count(newest, 10_000)).toEqual({ count: count + 1, isMore: false });
      for (const query of [newest, { ...newest, where: { kind: "usual" } }, { order: "size" as const, from: 2 }]) {
        const seen = new Set<string>();
        let times = 0;
        for await (const { id } of notes.all(query)) {
          seen.add(id);
          times += 1;
        }
        expect([seen.size, times]).toEqual(query === newest ? [count + 1, count + 1] : [count, count]);
      }
      const every = new Set<string>();
      for await (const { id } of notes.entries()) every.add(id);
      expect(every.size).toBe(count + 1);
    }, 120_000);

    it("finds records by words: by all of a list, and by any of several lists", async () => {
      const { notes } = fresh();
      await notes.put("a", { atMs: 1, team: "red", text: "refund an order" });
      await notes.put("b", { atMs: 2, team: "red", text: "cancel an order" });
      await notes.put("c", { atMs: 3, team: "blue", text: `odd" OR * 'words' größe 注文 NEAR( \ud800` });

      expect(await idsOf(notes, { ...newest, words: [["order"]] })).toEqual(["b", "a"]);
      expect(await idsOf(notes, { ...newest, words: [["order"]], isAscending: true })).toEqual(["a", "b"]);
      expect(await idsOf(notes, { ...newest, words: [["order", "refund"]] })).toEqual(["a"]);
      expect(await idsOf(notes, { ...newest, words: [["order", "refund"], ["größe"]] })).toEqual(["c", "a"]);
      expect(await idsOf(notes, { ...newest, words: [["order"]], from: 2 })).toEqual(["b"]);
      expect(await idsOf(notes, { ...newest, words: [["order"]], where: { team: "blue" } })).toEqual([]);
      expect(await idsOf(notes, { ...newest, words: [["an"]], where: { team: "red" } }, 1)).toEqual(["b"]);
      for (const word of [`odd"`, "*", "'words'", "注文", "NEAR(", "\ud800"]) {
        expect([word, await idsOf(notes, { ...newest, words: [[word]] })]).toEqual([word, ["c"]]);
      }
      expect(await idsOf(notes, { ...newest, words: [["ord"]] })).toEqual([]);
      expect(await idsOf(notes, { ...newest, words: [[]] })).toEqual([]);
      expect(await idsOf(notes, { ...newest, words: [] })).toEqual([]);
      expect(await notes.count({ ...newest, words: [["order"]] }, 5)).toEqual({ count: 2, isMore: false });
    });

    it("pages through what has a word, and finds the newest of many", async () => {
      const { notes } = fresh();
      for (let at = 0; at < 9; at += 1) await notes.put(`n${at}`, { atMs: at, text: "order" });

      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const { entries, next } = await notes.query({ ...newest, words: [["order"]] }, 2, after);
        seen.push(...entries.map(({ id }) => id));
        if (next === undefined) break;
        after = next;
      }

      const all = ["n8", "n7", "n6", "n5", "n4", "n3", "n2", "n1", "n0"];
      expect(seen).toEqual(subject.limitsWords ? all.slice(0, wordedNotes) : all);
    });

    it.each([`{"atMs`, "null", `{"atMs":"1"}`, "\u0000"])(
      "skips a record damaged to %j, logs it once, and counts it until it is replaced or gone",
      async (text) => {
        const { notes, name: own } = fresh();
        const before = subject.damage().count;
        for (const [at, id] of ["a", "b", "c"].entries()) await notes.put(id, { atMs: at, team: "red", text: "word" });
        await subject.spoil(own, "b", text);

        expect(await idsOf(notes, newest)).toEqual(["c", "a"]);
        expect(await idsOf(notes, { ...newest, words: [["word"]] })).toEqual(["c", "a"]);
        expect((await notes.ids(newest, 2)).map(({ id }) => id)).toEqual(["c", "b"]);
        expect((await notes.query(newest, 2)).next).toBeDefined();
        expect(await notes.get("b")).toBeUndefined();
        expect(await notes.update("b", () => ({ atMs: 9 }))).toBeUndefined();
        expect(subject.damage().count).toBe(before + 1);
        expect(subject.logged().split(`${own}/b`)).toHaveLength(2);
        expect(subject.logged()).not.toContain(`${text.slice(0, 4)}"`);

        expect(await notes.create("b", { atMs: 5, team: "blue" })).toEqual({ created: true });
        expect(subject.damage().count).toBe(before);
        expect(await idsOf(notes, newest)).toEqual(["b", "c", "a"]);
        expect(await idsOf(notes, { ...newest, where: { team: "red" } })).toEqual(["c", "a"]);
        await subject.spoil(own, "b", text);
        expect(await notes.get("b")).toBeUndefined();
        expect(await notes.deleteWhere({ ...newest, from: 5 })).toBe(1);
        expect(subject.damage().count).toBe(before);
        expect(new Set(await subject.indexed(own))).toEqual(new Set(["a", "c"]));
      },
    );

    it("finds records by thousands of words, in one list or each in its own", async () => {
      const { notes } = fresh();
      const words = Array.from({ length: 9_000 }, (_, index) => `word${index}`);
      await notes.put("a", { atMs: 1, team: "red", text: words.join(" ") });
      await notes.put("b", { atMs: 2, team: "red", text: words.slice(1).join(" ") });

      expect(await idsOf(notes, { ...newest, words: [words] })).toEqual(["a"]);
      expect(await idsOf(notes, { ...newest, words: [words.slice(1)] })).toEqual(["b", "a"]);
      expect(await idsOf(notes, { ...newest, words: [[...words, "other"]] })).toEqual([]);
      expect(await idsOf(notes, { ...newest, words: words.map((word) => [word, "word1"]) })).toEqual(["b", "a"]);
    });

    it("doesn't compile before it says whose words it holds", () => {
      const { holds, retain, fields, indexes } = noteDefinition;
      // @ts-expect-error
      const silent: CollectionDefinition<Note, NoteField> = { holds, retain, fields, indexes };

      expect(silent).not.toHaveProperty("person");
    });

    it("has one definition for a name", () => {
      const { notes, name: own } = fresh();

      expect(subject.one(own, noteDefinition)).toBe(notes);
      expect(() => subject.one(own, { ...noteDefinition })).toThrow("Two collections are named");
      expect(() => subject.one(`a"; DROP TABLE turns; --`, noteDefinition)).toThrow("can't be named");
    });

    it("finds after any changes what a look at every record finds", async () => {
      const id = fc.constantFrom("a", "b", "c", "d");
      const note = fc.record(
        {
          ...{
            team: fc.constantFrom("red", "blue"),
            kind: fc.constantFrom("1", 1),
            size: fc.integer({ min: 0, max: 3 }),
          },
          text: fc.constantFrom("one", "one two", "two three", ""),
          atMs: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: ["atMs"] },
      ) as fc.Arbitrary<Note>;
      const how = fc.constantFrom("create", "put", "update", "delete", "deleteWhere");
      const step = fc.record({ how, id, note, isOther: fc.boolean() });

      const changes = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { notes, others, name: own } = fresh();
        const model = new Map<string, Note>();
        for (const { how: what, id: at, note: value, isOther } of steps) {
          await change(isOther ? others : notes, model, what, at, value);
        }
        await expectWhole(notes, model, subject.limitsWords);
        expect(new Set(await subject.indexed(own))).toEqual(new Set(model.keys()));
      });
      await fc.assert(changes, { ...propertyParameters, numRuns: runs(60) });
    }, 120_000);
  });
}

async function change(notes: Notes, model: Map<string, Note>, how: string, id: string, note: Note): Promise<void> {
  if (how === "create") {
    const { created } = await notes.create(id, note);
    expect(created).toBe(!model.has(id));
    if (created) model.set(id, note);
  } else if (how === "put") {
    await notes.put(id, note);
    model.set(id, note);
  } else if (how === "update") {
    await notes.update(id, () => note);
    if (model.has(id)) model.set(id, note);
  } else if (how === "delete") {
    await notes.delete(id);
    model.delete(id);
  } else {
    await notes.deleteWhere({ order: "atMs", where: { team: note.team }, until: note.atMs });
    for (const [each, { team, atMs }] of [...model]) {
      if (atMs < note.atMs && (note.team === undefined || team === note.team)) model.delete(each);
    }
  }
}

/** Every query finds exactly the records that it says, in its order. */
export async function expectWhole(notes: Notes, model: ReadonlyMap<string, Note>, limitsWords: boolean): Promise<void> {
  const sorted = (order: "atMs" | "size") =>
    [...model]
      .filter(([, note]) => note[order] !== undefined)
      .sort(([a, one], [b, other]) => (other[order] ?? 0) - (one[order] ?? 0) || (a < b ? 1 : -1));
  const found = async (query: Query<NoteField>) => {
    const { entries } = await notes.query(query, 1_000);
    expect(await notes.ids(query, 1_000)).toEqual(
      entries.map(({ id, record }) => ({ id, order: record[query.order] })),
    );
    return entries.map(({ id, record }) => [id, record] as const);
  };

  expect(await found({ order: "atMs" })).toEqual(sorted("atMs"));
  expect(await found({ order: "size" })).toEqual(sorted("size"));
  for (const team of ["red", "blue"]) {
    const ofTeam = sorted("atMs").filter(([, note]) => note.team === team);
    expect(await found({ order: "atMs", where: { team } })).toEqual(ofTeam);
    for (const kind of ["1", 1]) {
      const both = ofTeam.filter(([, note]) => note.kind === kind);
      expect(await found({ order: "atMs", where: { team, kind } })).toEqual(both);
      const groups = await notes.groups({ by: ["team", "kind"], order: "atMs" });
      const count = groups.find(({ values }) => values.team === team && values.kind === kind)?.count ?? 0;
      expect(count).toBe(both.length);
    }
  }
  for (const word of ["one", "two", "three"]) {
    const withWord = sorted("atMs").filter(([, { text = "" }]) => text.split(" ").includes(word));
    const given = await found({ order: "atMs", words: [[word]] });
    if (limitsWords) expect(withWord).toEqual(expect.arrayContaining([...given]));
    else expect(given).toEqual(withWord);
    if (model.size < wordedNotes) expect(given).toEqual(withWord);
  }
}
