/**
 * Keeps the vectors of all passages up to date in the background, and finds passages by them. Whatever fails, full-text
 * search works on: then nothing is found here.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import { orAborted } from "../../../core/tools/abortable.ts";
import type { Embedder } from "./embedder.ts";
import type { EmbeddingStore } from "./embedding-store.ts";
import { createSignIndex, type SignIndex } from "./sign-index.ts";
import { cosine, toBytes, toSigns } from "./vectors.ts";

export type Embeddings = ReturnType<typeof startEmbeddings>;

export type EmbeddingsOptions = {
  readonly embedder: Embedder;
  readonly store: EmbeddingStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** `share`: the cosine, 1 for the same direction. */
type Near = { readonly id: number; readonly share: number };

const passagesAtOnce = 32;
const rowsAtOnce = 500;
const retryFirstMs = 5_000;
const retryMostMs = 300_000;
/** If this is refused too, the texts aren't at fault. */
const harmlessText = "OK?";
/** A question waits this long for its vector, and is then searched by its words alone. */
const questionMs = 3_000;
const maxQuestionChars = 2_000;
/** Signs are coarse: this many times the wanted passages are compared by their bytes. */
const coarseShare = 20;

export function startEmbeddings(options: EmbeddingsOptions) {
  const { embedder, store, clock, log, signal } = options;
  let index: SignIndex | undefined;
  let isDown = false;
  let wake = () => {};
  /** How often in a row its vectors had another length, so that all were made anew. */
  let changes = 0;
  let asked: { readonly text: string; readonly vector: Promise<Int8Array> } | undefined;

  async function keep(): Promise<void> {
    store.deleted();
    if (store.model() === embedder.name) await load();
    else await clear();
    let pauseMs = retryFirstMs;
    while (!signal.aborted) {
      if (store.isComplete()) {
        changes = 0;
        await orAborted(new Promise<void>((resolve) => (wake = resolve)), signal);
        continue;
      }
      try {
        await embedNext();
        if (isDown) log.info({ model: embedder.name }, "The embedding model is back");
        isDown = false;
        pauseMs = retryFirstMs;
        await yielded();
      } catch (thrown) {
        if (signal.aborted) return;
        if (!isDown) log.warn({ err: thrown }, "The embedding model failed; passages are found by their words alone");
        isDown = true;
        await clock.sleep(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, retryMostMs);
      }
    }
  }

  async function clear(): Promise<void> {
    index = undefined;
    // Its name is stored last: a process that ends here starts over.
    store.begin("");
    while (store.deleteSome(rowsAtOnce)) await yielded();
    store.begin(embedder.name);
    store.deleted();
  }

  function dropDeleted(): void {
    for (const id of store.deleted()) index?.drop(id);
  }

  async function load(): Promise<void> {
    for (let after = 0; !signal.aborted; ) {
      const rows = store.signs(after, rowsAtOnce);
      for (const { id, base, dimensions, signs } of rows) {
        index ??= createSignIndex(dimensions);
        if (dimensions !== index.dimensions) return clear();
        index.add(id, base, signs);
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      await yielded();
    }
  }

  async function embedNext(): Promise<void> {
    const passages = store.next(passagesAtOnce);
    const last = passages.at(-1);
    if (last === undefined) return;
    if (store.model() !== embedder.name) throw otherModel();
    const vectors = await vectorsOf(passages.map(({ text }) => text));
    const made = passages.flatMap(({ id, base }, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ id, base, bytes: toBytes(vector) }];
    });
    const dimensions = made[0]?.bytes.length;
    if (index !== undefined && dimensions !== undefined && dimensions !== index.dimensions) {
      await clear();
      // An endpoint that can't make up its mind must not be asked, and paid, without end.
      await clock.sleep(Math.min(retryFirstMs * 2 ** changes, retryMostMs), signal);
      changes += 1;
      return;
    }
    const stored = store.put(embedder.name, last.id, made);
    if (stored === undefined) throw otherModel();
    dropDeleted();
    for (const { id, base, bytes } of made.filter((one) => stored.has(one.id))) {
      index ??= createSignIndex(bytes.length);
      index.add(id, base, toSigns(bytes));
    }
  }

  /** A text that is refused costs only itself its vector. Throws if the model refuses every text. */
  async function vectorsOf(
    texts: readonly string[],
    isChecked = false,
  ): Promise<readonly (Float32Array | undefined)[]> {
    try {
      return await embedder.embed(texts, signal);
    } catch (thrown) {
      if (!embedder.isRefused(thrown) || signal.aborted) throw thrown;
    }
    if (!isChecked) await embedder.embed([harmlessText], signal);
    if (texts.length === 1) return [undefined];
    const half = Math.ceil(texts.length / 2);
    return [...(await vectorsOf(texts.slice(0, half), true)), ...(await vectorsOf(texts.slice(half), true))];
  }

  async function vectorOf(text: string): Promise<Int8Array> {
    if (asked?.text === text) return asked.vector;
    const late = AbortSignal.any([signal, AbortSignal.timeout(questionMs)]);
    const vector = embedder.embed([text], late).then(([first = new Float32Array()]) => toBytes(first));
    asked = { text, vector };
    return vector;
  }

  const kept = keep().catch((thrown: unknown) => {
    if (!signal.aborted) log.error({ err: thrown }, "Embedding has ended; passages are found by their words alone");
  });

  return {
    /** There are new passages. */
    added: () => wake(),
    /** The passages nearest to the text, best first; none if the model fails or has made none yet. */
    nearest: async (base: number, text: string, limit: number): Promise<readonly Near[]> => {
      const own = text.slice(-maxQuestionChars).trim();
      if (index === undefined || isDown || own === "") return [];
      try {
        const wanted = await vectorOf(own);
        if (index === undefined || wanted.length !== index.dimensions) return [];
        dropDeleted();
        const coarse = index.nearest(base, toSigns(wanted), limit * coarseShare);
        const rated = [...store.vectors(coarse)].map(([id, vector]) => ({ id, share: cosine(wanted, vector) }));
        return rated.sort((a, b) => b.share - a.share).slice(0, limit);
      } catch (thrown) {
        asked = undefined;
        if (!signal.aborted)
          log.debug({ err: thrown }, "A question has no embedding and is searched by its words alone");
        return [];
      }
    },
    /** For admins; undefined if all is done. */
    notice: (): string | undefined => {
      if (store.isComplete()) return undefined;
      const { done, passages } = store.counts();
      const why = isDown ? "The embedding model fails, and is tried again" : "The others follow";
      return `${done} of ${passages} passages have an embedding by ${embedder.name}. ${why}; until then words alone find them.`;
    },
    ended: kept,
  };
}

/** Of two processes, the one that started last decides. */
function otherModel(): Error {
  return new Error("Another process uses these passages with another embedding model");
}

/** This service shares its process with Parley. */
function yielded(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
