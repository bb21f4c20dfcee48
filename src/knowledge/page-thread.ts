/**
 * Hands pages to the worker thread, one at a time, and ends it when a page takes too long or too much memory: what
 * strangers write into a page must not decide how long everybody waits. The thread goes away when nothing is to be read.
 */
import { Worker } from "node:worker_threads";
import type { Clock } from "../bridge/ports/clock.ts";
import { pageSentences } from "../presentation/sentences-knowledge.ts";
import type { PageText } from "./page-text.ts";
import { ReadFailure } from "./read-failure.ts";

export type PageTask = {
  /** Must be all of their buffer: they go over to the thread, and are empty here from then on. */
  readonly html: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string };
  readonly address: string;
};

export type PageThread = {
  /** Throws ReadFailure. */
  readonly read: (task: PageTask) => Promise<PageText>;
  readonly close: () => Promise<void>;
};

const limitMs = 30_000;
const idleMs = 30_000;
const maxHeapMegabytes = 1_024;
/** Without it the thread keeps 140 MB more of what was already read, and is a tenth faster (pages of 80 kB, Node 24). */
const maxYoungMegabytes = 16;

type Answer = { readonly id: number } & ({ readonly page: PageText } | { readonly error: string });
type Waiting = { readonly id: number; readonly settle: (answer: Answer | undefined) => void };

export function createPageThread(options: { readonly clock: Clock; readonly limitMs?: number }): PageThread {
  const { clock } = options;
  let worker: Worker | undefined;
  let waiting: Waiting | undefined;
  let line: Promise<unknown> = Promise.resolve();
  let cancelIdle = () => {};
  let nextId = 1;

  function thread(): Worker {
    if (worker !== undefined) return worker;
    const started = new Worker(new URL("./page-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: maxYoungMegabytes },
      stdout: true,
      stderr: true,
    });
    started.unref();
    started.on("message", (answer: Answer) => {
      if (answer.id === waiting?.id) waiting.settle(answer);
    });
    const gone = () => {
      if (worker !== started) return;
      worker = undefined;
      waiting?.settle(undefined);
    };
    started.on("error", gone);
    started.on("exit", gone);
    worker = started;
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  async function readOne({ html, address }: PageTask): Promise<PageText> {
    cancelIdle();
    const id = nextId;
    nextId += 1;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      const cancel = clock.after(options.limitMs ?? limitMs, () => settle(undefined));
      const settle = (given: Answer | undefined) => {
        cancel();
        waiting = undefined;
        resolve(given);
      };
      waiting = { id, settle };
      const busy = thread();
      // The process must not end while somebody waits for this page.
      busy.ref();
      // Given over, not copied: garbage of this size would wait for long until it is looked for.
      busy.postMessage({ id, html, address }, [html.bytes.buffer]);
    });
    if (answer === undefined) await end();
    worker?.unref();
    cancelIdle = clock.after(idleMs, () => void end());
    if (answer === undefined || "error" in answer) {
      throw new ReadFailure("unreadable", pageSentences.tooComplex, answer?.error);
    }
    return answer.page;
  }

  return {
    read: (task) => {
      const read = line.then(() => readOne(task));
      line = read.catch(() => undefined);
      return read;
    },
    close: async () => {
      cancelIdle();
      await end();
      waiting?.settle(undefined);
    },
  };
}
