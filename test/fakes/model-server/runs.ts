/** Runs of the Responses API: their events, who reads them, and what a server keeps of them afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Emission, type Json, wireText } from "./emission.ts";
import type { Item } from "./responses-request.ts";

export type Run = {
  readonly id: string;
  /** Wire texts of the events so far. */
  readonly texts: readonly string[];
  /** Sequence number of each; -1 of what has none. */
  readonly sequences: readonly number[];
  /** The `response` of the last event that had one. */
  readonly response: () => Json;
  readonly isOver: () => boolean;
  /** Ends it where it is. */
  readonly stop: () => void;
  /** Resolves when there is more than `count` events, or when it is over. */
  readonly beyond: (count: number) => Promise<void>;
};

/** Plays emissions at their pace, whether anybody reads them or not. */
export function startRun(id: string, emissions: Iterable<Emission>): Run {
  const texts: string[] = [];
  const sequences: number[] = [];
  const stopping = new AbortController();
  let response: Json = {};
  let isOver = false;
  let wakeAll: (() => void)[] = [];

  function wake(): void {
    const waiting = wakeAll;
    wakeAll = [];
    for (const go of waiting) go();
  }

  async function play(): Promise<void> {
    const startedMs = performance.now();
    let dueMs = startedMs;
    for (const emission of emissions) {
      if (stopping.signal.aborted) break;
      if ("cut" in emission) break;
      if ("hangs" in emission) await sleep(2 ** 30, undefined, { signal: stopping.signal });
      if ("gapMs" in emission) {
        // A steady beat: a late timer doesn't delay those after it.
        dueMs += emission.gapMs;
        wake();
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: stopping.signal });
        continue;
      }
      if ("data" in emission) {
        if (emission.data["response"] !== undefined) response = emission.data["response"] as Json;
        sequences.push(Number(emission.data["sequence_number"] ?? -1));
      } else sequences.push(-1);
      texts.push(wireText(emission));
    }
  }

  const played = play()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      wake();
    });
  void played;
  return {
    ...{ id, texts, sequences, response: () => response, isOver: () => isOver },
    stop: () => {
      response = { ...response, status: "cancelled" };
      stopping.abort();
    },
    beyond: async (count) => {
      while (texts.length <= count && !isOver) await new Promise<void>((resolve) => wakeAll.push(resolve));
    },
  };
}

/** What a server keeps of a response. */
export type Stored = {
  readonly run: Run;
  /** Everything before its answer: history and input. */
  readonly items: readonly Item[];
  readonly isBackground: boolean;
  readonly conversation: string | undefined;
};

/** All items up to the answer's own. */
export function itemsAfter(stored: Stored): readonly Item[] {
  const output = stored.run.response()["output"];
  return [...stored.items, ...((Array.isArray(output) ? output : []) as Item[])];
}
