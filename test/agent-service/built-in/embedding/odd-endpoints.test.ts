/** Vectors in memory and in the store, with embedding models that change, refuse or never agree with themselves. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Embedder } from "../../../../src/agent-service/built-in/embedding/embedder.ts";
import { startEmbeddings } from "../../../../src/agent-service/built-in/embedding/embeddings.ts";
import { createSignIndex } from "../../../../src/agent-service/built-in/embedding/sign-index.ts";
import { openStore } from "../../../../src/agent-service/built-in/storage/store.ts";
import { createFakeClock } from "../../../doubles/fake-clock.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { until } from "../../../doubles/until.ts";

type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

const own: Embed = async (texts) =>
  texts.map((text) => Float32Array.from({ length: 40 }, (_, at) => ((text.length * (at + 1)) % 7) - 3));

function started(embed: Embed) {
  const clock = createFakeClock();
  const store = openStore(":memory:", clock.now);
  const base = store.bases.create("office", {})?.id ?? 0;
  const ending = new AbortController();
  const calls: string[][] = [];
  const embedder: Embedder = {
    name: "small",
    embed: async (texts) => {
      calls.push([...texts]);
      return embed(texts);
    },
    isRefused: (thrown) => thrown instanceof RangeError,
  };
  const embeddings = startEmbeddings({ embedder, store: store.embeddings, clock, log, signal: ending.signal });
  onTestFinished(async () => {
    ending.abort();
    await embeddings.ended;
    store.close();
  });
  const insert = async (rows: readonly { readonly id: string; readonly content: string }[]) => {
    await store.passages.insert(base, rows);
    embeddings.added();
  };
  const complete = () => until("all vectors", () => store.embeddings.isComplete());
  return { store, base, embeddings, calls, clock, insert, complete };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, content: `${"word ".repeat(at + 1)}` }));

describe("passages that are found by meaning", () => {
  it("are found however often a feed has replaced them", async () => {
    const { embeddings, base, store, insert, complete } = started(own);
    for (let time = 0; time < 20; time += 1) {
      await insert(Array.from({ length: 25 }, (_, at) => ({ id: `bed-${at}`, content: "A place to nap." })));
      await complete();
    }

    const found = await embeddings.nearest(base, "A place to nap.", 20);

    const ids = found.map(({ id }) => id);
    expect(new Set(store.passages.byIds(ids).map(({ rowId }) => rowId)).size).toBe(20);
  });

  it("leave no room taken when they are deleted", () => {
    const index = createSignIndex(32);
    for (let id = 1; id <= 200_000; id += 1) {
      index.add(id, 1, Uint32Array.of(id));
      index.drop(id - 100);
    }

    expect(index.capacity()).toBeLessThan(5_000);
    expect(index.nearest(1, Uint32Array.of(199_990), 1)).toEqual([199_990]);
    expect(index.nearest(1, Uint32Array.of(0), 1_000)).toHaveLength(100);
  });
});

describe("an embedding model", () => {
  it("that refuses every text is told to admins and asked again later, and no passage is left out", async () => {
    let refuses = true;
    const { calls, clock, insert, complete, embeddings, store } = started(async (texts) => {
      if (refuses) throw new RangeError("This model makes no embeddings.");
      return own(texts);
    });
    await insert(rows(64));
    await until("the first refusal", () => calls.length > 1);
    await clock.advance(1_000);

    expect(calls.length).toBeLessThan(4);
    expect(embeddings.notice()).toContain("The embedding model fails");

    refuses = false;
    await clock.advance(10_000);
    await complete();
    expect(store.embeddings.counts()).toEqual({ done: 64, passages: 64 });
  });

  it("adds no vector to those of another one, which another process uses", async () => {
    const { calls, insert, complete, embeddings, store } = started(own);
    await insert(rows(2));
    await complete();
    const before = calls.length;

    store.embeddings.begin("large");
    await insert(rows(4));
    await until("it stops", () => embeddings.notice()?.includes("The embedding model fails") === true);

    expect(calls).toHaveLength(before);
    expect(store.embeddings.put("small", 4, [{ id: 4, bytes: new Int8Array(8) }])).toBeUndefined();
  });

  it("whose vectors change their length with every request is asked less and less often", async () => {
    let asked = 0;
    const { calls, clock, insert } = started(async (texts) => {
      asked += 1;
      return texts.map(() => new Float32Array(asked % 2 === 0 ? 8 : 16).fill(1));
    });
    await insert(rows(96));
    await until("a change", () => calls.length > 1);
    for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);

    expect(calls.length).toBeGreaterThan(4);
    expect(calls.length).toBeLessThan(60);
  });

  it.each([
    ["NaN", async () => [new Float32Array([Number.NaN])]],
    ["too few", async () => []],
  ] as const)("that sends %s for a question leaves it to its words", async (_, odd) => {
    let isOdd = false;
    const { embeddings, base, insert, complete } = started(async (texts) => (isOdd ? odd() : own(texts)));
    await insert(rows(4));
    await complete();
    isOdd = true;

    expect(await embeddings.nearest(base, "word", 4)).toEqual([]);
  });
});
