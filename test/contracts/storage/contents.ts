/** Contract of everything that is stored, as a backup reads it and a restore writes it, on every backend. */
import { expect, it, onTestFinished } from "vitest";
import { personKey } from "../../../src/core/model/place.ts";
import type { CollectionDefinition } from "../../../src/core/ports/collection.ts";
import type { State, WaitingLimits } from "../../../src/core/ports/state.ts";
import type { StoredItem } from "../../../src/core/ports/storage/contents.ts";
import { sampleJob, sampleTurn } from "./sample-records.ts";

type Note = { readonly text: string; readonly atMs: number };

export const notes: CollectionDefinition<Note, "atMs"> = {
  holds: "Notes",
  person: "nobody",
  retain: "until it is removed",
  fields: { atMs: ({ atMs }) => atMs },
  indexes: [{ by: [], order: "atMs" }],
  text: { of: ({ text }) => text.split(" "), order: "atMs" },
};

const hourMs = 3_600_000;

function limits(ofAsker: number): WaitingLimits {
  const { conversation, actor } = sampleTurn("any");
  return { asker: personKey(conversation, actor), ofAsker, all: 10 };
}

/** Everything of a kind that a store has. */
export async function fillStore(state: State, nowMs: number): Promise<void> {
  await state.turns.create(sampleTurn("waits"), limits(10));
  await state.turns.create(sampleTurn("answered", { state: "answered", createdAtMs: nowMs }));
  await state.jobs.create(sampleJob("job"));
  // Its writer held a lease: the fence goes with it.
  const lease = await state.coordinator.lease("a-lease");
  const collection = state.collection("notes", notes);
  await collection.put("a", { text: "how to connect", atMs: 1 });
  await collection.update("a", ({ record }) => ({ ...record, text: "how to connect Slack" }), lease.fence);
  await collection.put('b/"ü"\u2028', { text: "none", atMs: -2.5 });
  await state.turns.transition("waits", ["queued"], "running", { topic: { __proto__: null } as never }, lease.fence);
  await lease.release();
  await state.keyValue("settings").set("plain", { list: [1, null, "\u2028ü\ud800"], no: false, empty: "" });
  await state.keyValue("a::b c").set("k::1", "x".repeat(300_000));
  await state.keyValue("settings").set("passing", Buffer.from([0, 255, 10]).toString("base64"), hourMs);
  await state.claims.claim("event/1", hourMs);
  await state.works.add("letters", "due", { text: "now" });
  await state.works.add("letters", "later", null, { dueAtMs: nowMs + 10 * hourMs });
}

/** With keys in order. Only whether it expires: a store's clock counts on while it is written. */
export async function dumpOf(state: Pick<State, "contents">): Promise<readonly string[]> {
  const items = (await itemsOf(state)).filter((item) => item.in !== "fences");
  return items
    .map((item) => JSON.stringify(sorted(expiryOf(item) === undefined ? item : { ...item, expiresAtMs: 0 })))
    .sort();
}

const expiryOf = (item: StoredItem) => (item.in === "claims" || item.in === "values" ? item.expiresAtMs : undefined);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}

export async function itemsOf({ contents }: Pick<State, "contents">): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const item of contents.read()) items.push(item);
  return items;
}

/** `open` gives a store that nothing is in, or another connection to it. `isForRestore`: as `openState` has it. */
export function describeContents(
  name: string,
  openStore: () => Promise<{
    readonly open: (options?: { readonly isForRestore: boolean }) => Promise<State>;
    readonly now: () => number;
  }>,
): void {
  async function opened(options?: { readonly isForRestore: boolean }) {
    const store = await openStore();
    const state = await store.open(options);
    onTestFinished(() => state.close());
    state.collection("notes", notes);
    return { ...store, state };
  }

  it(`has everything that is in ${name}, each once`, async () => {
    const { state, now } = await opened();
    await fillStore(state, now());

    const items = await itemsOf(state);

    const kinds = items.map((item) => item.in).sort();
    const expected = ["turns", "turns", "jobs", "collections", "collections", "claims", "fences"];
    expect(kinds).toEqual([...expected, "values", "values", "values", "works", "works"].sort());
    const lines = await dumpOf(state);
    expect(new Set(lines).size).toBe(items.length - 1);
    const fenced = items.find((item) => item.in === "collections" && item.id === "a");
    expect(fenced).toMatchObject({ name: "notes", record: { text: "how to connect Slack", atMs: 1 } });
    const highest = items.find((item) => item.in === "fences")?.highest;
    expect(highest).toBeGreaterThanOrEqual((fenced as { readonly fence: number }).fence);
  });

  it(`gives everything back in an empty ${name}, once however often it is written`, async () => {
    const source = await opened();
    await fillStore(source.state, source.now());
    const [items, lines] = [await itemsOf(source.state), await dumpOf(source.state)];
    const { state, now } = await opened();

    await state.contents.write(items);
    await state.contents.write(items);

    expect(await dumpOf(state)).toEqual(lines);
    const times = (await itemsOf(state)).map(expiryOf).filter((time) => time !== undefined);
    expect(times).toHaveLength(2);
    for (const time of times) expect(Math.abs(time - now() - hourMs)).toBeLessThan(60_000);
    // What finds them is there too.
    expect((await state.turns.getByEventKey("event-of-answered"))?.id).toBe("answered");
    const found = await state.collection("notes", notes).query({ order: "atMs", words: [["slack"], ["Slack"]] }, 10);
    expect(found.entries.map(({ id }) => id)).toEqual(["a"]);
    expect(await state.claims.claim("event/1", hourMs)).toBe(false);
    // The one that waits counts for its asker.
    const refused = await state.turns.create(sampleTurn("more"), limits(1));
    expect(refused).toMatchObject({ created: false, refused: "asker" });
  });

  it(`leaves out of ${name} what has expired`, async () => {
    const { state, now } = await opened();

    await state.contents.write([
      { in: "values", namespace: "settings", key: "old", value: 1, expiresAtMs: now() - 1 },
      { in: "claims", key: "old", expiresAtMs: now() - 1 },
    ]);

    expect(await dumpOf(state)).toEqual([]);
    expect(await state.claims.claim("old", hourMs)).toBe(true);
  });

  it(`gives leases in ${name} higher fences than any before, from the next start on`, async () => {
    const { state, open } = await opened();
    await state.contents.write([{ in: "fences", highest: 123_456_789_012 }]);
    await state.contents.write([{ in: "fences", highest: 5 }]);
    await state.close();
    const next = await open();
    onTestFinished(() => next.close());

    const lease = await next.coordinator.lease("a-lease");

    expect(lease.fence).toBeGreaterThan(123_456_789_012);
    await lease.release();
  });

  it(`keeps in ${name} how often a work was tried, and one that has failed`, async () => {
    const { state, now } = await opened();
    const work = { in: "works", kind: "letters", payload: { text: "ü" }, sinceAtMs: 5, firstAtMs: 6 } as const;
    const retried = { ...work, key: "retried", state: "waiting", dueAtMs: now() + hourMs } as const;
    const failed = { ...work, key: "failed", state: "failed", dueAtMs: 7 } as const;
    const items = [
      { ...retried, attempts: 2, begun: 3, error: "once" },
      { ...failed, attempts: 5, begun: 5, error: "no" },
    ];

    await state.contents.write(items);
    await state.contents.write(items);

    expect((await itemsOf(state)).filter((item) => item.in === "works")).toEqual(expect.arrayContaining(items));
    expect(await state.works.list("letters", "failed", 9)).toEqual([
      { key: "failed", dueAtMs: 5, attempts: 5, error: "no" },
    ]);
    expect((await state.works.list("letters", "delayed", 9)).map(({ key }) => key)).toEqual(["retried"]);
    expect(await state.works.retry("letters", "failed")).toBe(true);
    // It is done with what is known of it.
    const begun = Promise.withResolvers<number>();
    state.works.define<{ readonly text: string }>("letters", {
      ...{ concurrency: 1, attempts: 9, backoff: () => 100, giveUpAfterMs: hourMs },
      run: async ({ begun: times, payload }) => {
        begun.resolve(payload.text === "ü" ? times : 0);
        return undefined;
      },
    });
    await state.works.start();
    expect(await begun.promise).toBe(6);
  });

  it(`opens ${name} only for a restore while one has begun and not ended`, async () => {
    const { state, open } = await opened();
    expect(await state.contents.restoring()).toBeUndefined();
    await state.contents.setRestoring("half");
    await state.close();

    await expect(open().then((other) => other.close())).rejects.toThrow("A restore into");
    const restoring = await open({ isForRestore: true });
    expect(await restoring.contents.restoring()).toBe("half");
    await restoring.ping();
    await restoring.contents.setRestoring(undefined);
    await restoring.close();
    const after = await open();
    onTestFinished(() => after.close());
    expect(await after.contents.restoring()).toBeUndefined();
    await after.ping();
  });

  it(`refuses ${name} if it has a collection that nobody knows`, async () => {
    const { state, open } = await opened();
    await state.collection("notes", notes).put("a", { text: "a", atMs: 1 });
    await state.close();
    const other = await open();
    onTestFinished(() => other.close());

    await expect(itemsOf(other)).rejects.toThrow("this version of Parley doesn't know (notes)");
  });
}
