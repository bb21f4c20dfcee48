/** Contract of every KeyValue backend. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangingKeyValue, ChangingKeyValueFactory, Damage } from "../../../src/core/ports/state.ts";
import { runs } from "../../properties.ts";

export type KeyValueUnderTest = {
  readonly keyValue: ChangingKeyValueFactory;
  /** Puts a text in the place of what is stored. */
  readonly spoil: (namespace: string, key: string, text: string) => Promise<void>;
  readonly damage: () => Damage;
  /** Lets that much time pass for the backend. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Cut in the middle, and JSON of another shape. */
const spoiled = ['{"value":{"agent":"sa', "7", "null", "[]", "{}", ""];

async function collect<T>(entries: AsyncIterable<readonly [string, T]>): Promise<Record<string, T>> {
  const found: [string, T][] = [];
  for await (const [key, value] of entries) found.push([key, value]);
  expect(new Set(found.map(([key]) => key)).size).toBe(found.length);
  return Object.fromEntries(found);
}

export function describeKeyValue(name: string, create: () => Promise<KeyValueUnderTest>): void {
  describe(`KeyValue on ${name}`, () => {
    let subject: KeyValueUnderTest;
    let namespaces = 0;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject?.close());

    function fresh<T>(): ChangingKeyValue<T> {
      namespaces += 1;
      return subject.keyValue<T>(`test${namespaces}`);
    }

    it("gives back what was set, and undefined for what was not", async () => {
      const store = fresh<unknown>();

      await store.set("w/1", { agent: "sales", list: [1, null, "ü"], no: false, zero: 0, empty: "" });

      expect(await store.get("w/1")).toEqual({ agent: "sales", list: [1, null, "ü"], no: false, zero: 0, empty: "" });
      expect(await store.get("w/2")).toBeUndefined();
    });

    it("keeps the last of several writes", async () => {
      const store = fresh<number>();

      await store.set("w", 1);
      await store.set("w", 2);

      expect(await store.get("w")).toBe(2);
    });

    it("forgets what was deleted, and accepts deleting nothing", async () => {
      const store = fresh<number>();
      await store.set("w", 1);

      await store.delete("w");
      await store.delete("w");

      expect(await store.get("w")).toBeUndefined();
      expect(await collect(store.entries(""))).toEqual({});
    });

    it("keeps namespaces apart, also where one name begins another and keys hold the separator", async () => {
      const short = subject.keyValue<string>("names");
      const long = subject.keyValue<string>("names::x");
      await short.set("k", "short");
      await long.set("k", "long");

      expect(await short.get("k")).toBe("short");
      expect(await long.get("k")).toBe("long");
      expect(await collect(long.entries(""))).toEqual({ k: "long" });
    });

    it("holds one namespace through two handles", async () => {
      await subject.keyValue<number>("shared").set("k", 7);

      expect(await subject.keyValue<number>("shared").get("k")).toBe(7);
    });

    it("treats names of object properties as keys like any other", async () => {
      const store = fresh<unknown>();
      const keys = ["__proto__", "constructor", "toString", "hasOwnProperty"];
      for (const key of keys) expect(await store.get(key)).toBeUndefined();

      for (const key of keys) await store.set(key, { of: key });

      for (const key of keys) expect(await store.get(key)).toEqual({ of: key });
      const listed: string[] = [];
      for await (const [key] of store.entries("")) listed.push(key);
      expect(listed.sort()).toEqual([...keys].sort());
      expect(Object.prototype).not.toHaveProperty("of");
    });

    it("lists what begins with a prefix, taking it literally", async () => {
      const store = fresh<number>();
      const keys = ["a/1", "a/2", "ab", "b/1", "a%", "a_1", "a*", "a[x]", "a?", "a\\", "a"];
      for (const [index, key] of keys.entries()) await store.set(key, index);

      expect(Object.keys(await collect(store.entries("a/"))).sort()).toEqual(["a/1", "a/2"]);
      for (const key of keys.slice(4, 10)) expect(Object.keys(await collect(store.entries(key)))).toEqual([key]);
      expect(Object.keys(await collect(store.entries("a"))).length).toBe(keys.length - 1);
    });

    it("lists more entries than one page holds", async () => {
      const store = fresh<number>();
      await Promise.all(Array.from({ length: 1_050 }, (_, index) => store.set(`w/${index}`, index)));

      const all = await collect(store.entries("w/"));

      expect(Object.keys(all)).toHaveLength(1_050);
      expect(all["w/1049"]).toBe(1_049);
    });

    it("can be changed while it is being listed", async () => {
      const store = fresh<number>();
      for (let index = 0; index < 10; index += 1) await store.set(`w/${index}`, index);

      for await (const [key] of store.entries("w/")) await store.delete(key);

      expect(await collect(store.entries(""))).toEqual({});
    });

    it("forgets an entry when its time is over, and not before", async () => {
      const store = fresh<string>();
      await store.set("short", "x", 500);
      await store.set("long", "y", 3_600_000);
      expect(await store.get("short")).toBe("x");

      await subject.pass(600);

      expect(await store.get("short")).toBeUndefined();
      expect(await collect(store.entries(""))).toEqual({ long: "y" });
    });

    it("changes a value without a change of when it expires, and nothing where there is none", async () => {
      const store = fresh<string>();
      await store.set("short", "x", 500);
      await store.set("long", "y");

      for (const key of ["short", "long", "none"]) await store.change(key, (value) => `${value}2`);
      expect(await collect(store.entries(""))).toEqual({ short: "x2", long: "y2" });
      for (const key of ["short", "long", "none"]) await store.change(key, (value) => value, `${key}-moved`);
      expect(await collect(store.entries(""))).toEqual({ "short-moved": "x2", "long-moved": "y2" });
      await subject.pass(600);

      expect(await collect(store.entries(""))).toEqual({ "long-moved": "y2" });
      expect(await store.get("none")).toBeUndefined();
    });

    it("takes a time limit back when the entry is set again without one", async () => {
      const store = fresh<string>();
      await store.set("k", "x", 500);
      await store.set("k", "y");

      await subject.pass(600);

      expect(await store.get("k")).toBe("y");
    });

    it.each(spoiled)("skips a damaged value (%j), counts it, and forgets it when it is set again", async (text) => {
      const store = fresh<unknown>();
      const namespace = `test${namespaces}`;
      const counted = subject.damage().count;
      for (const key of ["w/1", "w/2", "w/3"]) await store.set(key, { of: key });
      await subject.spoil(namespace, "w/2", text);

      expect(await store.get("w/2")).toBeUndefined();
      expect(await collect(store.entries("w/"))).toEqual({ "w/1": { of: "w/1" }, "w/3": { of: "w/3" } });
      expect(subject.damage().count).toBe(counted + 1);

      await store.set("w/2", { of: "new" });
      expect(subject.damage().count).toBe(counted);
      expect(await store.get("w/2")).toEqual({ of: "new" });
    });

    it("gives back any JSON value under any key", async () => {
      const store = fresh<unknown>();
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.jsonValue(), async (key, value) => {
          await store.set(`w/${key}`, value);
          // JSON has no negative zero.
          expect(await store.get(`w/${key}`)).toEqual(JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: runs(50) },
      );
    });
  });
}
