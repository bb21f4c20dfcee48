/**
 * The built-in service with 100,000 passages: how long a full-text search takes, how long inserts take, and how long
 * either blocks the event loop. Words are drawn by Zipf's law, as in real text. Questions take words from a passage, but
 * the most frequent ones: these play the stop words, which a search drops.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readQuestion } from "../../src/agent-service/built-in/answering/question.ts";
import { startEmbeddings } from "../../src/agent-service/built-in/embedding/embeddings.ts";
import { openStore, type Store } from "../../src/agent-service/built-in/storage/store.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import type { Measure } from "../measure.ts";

const passages = 100_000;
const wordsEach = 110;
const vocabulary = 40_000;
const stopWords = 150;
const questions = 300;
const dimensions = 1_024;
const rowsAtOnce = 25;

export async function bench(): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), "passages-"));
  const store = openStore(join(folder, "local-service.db"), Date.now);
  const random = randomFrom(7);
  const word = zipf(random);
  const base = store.bases.get("large") ?? store.bases.create("large", {});
  if (base === undefined) throw new Error("The knowledge base can't be created.");

  const inserts: number[] = [];
  const asked: string[] = [];
  const frequent = new Set(Array.from({ length: stopWords }, (_, rank) => wordOf(rank)));
  const startedMs = performance.now();
  for (let at = 0; at < passages; at += rowsAtOnce) {
    const rows = Array.from({ length: rowsAtOnce }, (_, index) => {
      const words = Array.from({ length: wordsEach }, word);
      if ((at + index) % Math.floor(passages / questions) === 0)
        asked.push(
          questionFrom(
            words.filter((one) => !frequent.has(one)),
            random,
          ),
        );
      return { id: `row-${at + index}`, title: words.slice(0, 4).join(" "), content: sentence(words) };
    });
    const beganMs = performance.now();
    await store.passages.insert(base.id, rows);
    inserts.push(performance.now() - beganMs);
  }
  const insertMs = performance.now() - startedMs;

  const searches: number[] = [];
  const blocks: number[] = [];
  for (const question of asked) {
    let isOver = false;
    const watching = (async () => {
      for (let lastMs = performance.now(); !isOver; ) {
        await new Promise((resolve) => setImmediate(resolve));
        const nowMs = performance.now();
        blocks.push(nowMs - lastMs);
        lastMs = nowMs;
      }
    })();
    const beganMs = performance.now();
    await store.passages.search([base.id], readQuestion([{ question, answer: "" }]), 10);
    searches.push(performance.now() - beganMs);
    isOver = true;
    await watching;
  }
  const meant = await searchByMeaning(store, base.id, asked, random);
  store.close();
  await rm(folder, { recursive: true });

  return [
    {
      name: "full-text search among 100,000 passages, p95",
      value: share(searches, 0.95),
      target: { atMost: 80 },
      unit: "ms",
    },
    { name: "the same, median", value: share(searches, 0.5), unit: "ms" },
    { name: "the same, slowest of 300", value: share(searches, 1), unit: "ms" },
    { name: "its longest work without yielding, of 300 searches", value: share(blocks, 1), unit: "ms" },
    ...meant,
    { name: "inserting 100,000 passages", value: insertMs / 1000, unit: "s" },
    { name: "longest insert of 25 rows without yielding", value: share(inserts, 1), unit: "ms" },
    { name: "insert of 25 rows, p95", value: share(inserts, 0.95), unit: "ms" },
  ];
}

/** With vectors of a common length. They are random: how long it takes doesn't depend on what they mean. */
async function searchByMeaning(
  store: Store,
  base: number,
  asked: readonly string[],
  random: () => number,
): Promise<readonly Measure[]> {
  const embed = async (texts: readonly string[]) =>
    texts.map(() => Float32Array.from({ length: dimensions }, () => random() - 0.5));
  const ending = new AbortController();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const beganMs = performance.now();
  const embeddings = startEmbeddings({
    embedder: { name: "random", embed, isRefused: () => false },
    store: store.embeddings,
    clock,
    log,
    signal: ending.signal,
  });
  while (!store.embeddings.isComplete()) await sleep(50);
  const storedMs = performance.now() - beganMs;
  const times: number[] = [];
  for (const question of asked) {
    const askedMs = performance.now();
    await embeddings.nearest(base, question, 20);
    times.push(performance.now() - askedMs);
  }
  ending.abort(new Error("The bench is over."));
  await embeddings.ended;
  return [
    { name: `search of 100,000 embeddings of ${dimensions} numbers, p95`, value: share(times, 0.95), unit: "ms" },
    { name: "storing these embeddings, the model's time left out", value: storedMs / 1000, unit: "s" },
  ];
}

function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** Three to eight of the words. */
function questionFrom(words: readonly string[], random: () => number): string {
  const count = 3 + Math.floor(random() * 6);
  return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(" ");
}

function sentence(words: readonly string[]): string {
  return words.map((word, index) => (index % 12 === 11 ? `${word}.` : word)).join(" ");
}

/** The word of rank n comes with a frequency of 1/n. */
function zipf(random: () => number): () => string {
  const sums = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank += 1) {
    sum += 1 / (rank + 2);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = vocabulary - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return wordOf(low);
  };
}

/** A pronounceable word of its own for each rank. */
function wordOf(rank: number): string {
  const syllables = ["ba", "ko", "ri", "te", "mu", "la", "no", "si", "de", "fu", "ga", "ho", "ja", "pe", "vo", "zu"];
  let text = "";
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16] ?? "";
  return `${text}x`;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
