/**
 * Works proofs off in the background: asks, closes or opens the gap, shows the result, tells those who asked. Each step
 * is stored before the next one begins and can be repeated, so another process finishes what a dead one left.
 */

import type { Gaps } from "../../core/content/gaps.ts";
import type { Document } from "../../core/document.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { AnswerNow } from "./answer-now.ts";
import type { Telling } from "./telling.ts";
import { patienceMs, type Trial, type UnderLease } from "./trial.ts";
import type { TrialStore } from "./trial-store.ts";
import type { Watching } from "./watching.ts";

const pausesMs = [5_000, 15_000, 30_000, 60_000];
/** Then nobody is left waiting for a private reply. */
const slowMs = 60_000;

export function createWorking(deps: {
  readonly store: TrialStore;
  readonly gaps: Pick<Gaps, "get" | "change">;
  readonly ask: (trial: Trial) => Promise<Trial | undefined>;
  readonly answerNow: Pick<AnswerNow, "outdated">;
  readonly draw: (trial: Trial) => Promise<Document>;
  readonly telling: Pick<Telling, "tell">;
  readonly watching: Pick<Watching, "show" | "leave">;
  readonly underLease: UnderLease;
  readonly ending: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { store, gaps, ask, answerNow, draw, telling, watching, underLease, ending, clock, log } = deps;
  const working = new Map<string, Promise<void>>();

  /** Someone who asks after that is let down again, and opens the gap again. */
  async function settle({ gapId, answer, result, ...at }: Trial): Promise<void> {
    const gap = gapId === undefined ? undefined : await gaps.get(at, gapId);
    if (gap === undefined || (result?.kind !== "used" && result?.kind !== "unused")) return;
    const { atMs } = result;
    await gaps.change(gap, (newest) => {
      const isOwn = newest.answeredBy?.answerId === answer.id;
      if (result.kind === "unused")
        return isOwn && newest.state === "answered" ? { ...newest, state: "open" } : undefined;
      if ((isOwn && newest.answeredBy?.atMs === atMs) || newest.lastAtMs > atMs) return undefined;
      const { dismissedBy: _dismissed, ...rest } = newest;
      return { ...rest, state: "answered", answeredBy: { answerId: answer.id, atMs } };
    });
  }

  /** An answer that was removed or replaced meanwhile closes no gap, and nobody is told about it. */
  async function current(trial: Trial | undefined): Promise<Trial | undefined> {
    const why = trial === undefined ? undefined : await answerNow.outdated(trial);
    return trial === undefined || why === undefined
      ? trial
      : store.keep({ ...trial, result: { kind: "outdated", atMs: clock.now(), ...why } });
  }

  /** Returns when to continue; undefined: it is over. */
  async function step(key: string): Promise<number | undefined> {
    const trial = await store.unfinished(key);
    if (trial === undefined) return undefined;
    const ran = await current(trial.result === undefined ? await ask(trial) : trial);
    if (ran?.result === undefined) {
      const { failingSinceMs = clock.now() } = (await store.unfinished(key)) ?? {};
      const forMs = clock.now() - failingSinceMs;
      return pausesMs.find((pause) => forMs < pause) ?? pausesMs.at(-1);
    }
    const { result } = ran;
    await settle(ran);
    let shown = ran;
    if (ran.isShown !== true && (await watching.show(ran, await draw(ran))) === "done") {
      shown = await store.keep({ ...ran, isShown: true });
    }
    const isTelling = shown.tell && result.kind === "used";
    const left = isTelling ? await telling.tell(shown, result.note, ending) : "all";
    const isLeft = left === "some-left" || shown.isShown !== true;
    if (isLeft && clock.now() - result.atMs < patienceMs) return pausesMs.at(-1);
    await store.finish(shown);
    return undefined;
  }

  /** Keeps the lease while it waits: the person waits for it in this process. */
  async function workOff(key: string): Promise<void> {
    await underLease(`trial/${key}`, async (signal) => {
      for (;;) {
        const pauseMs = await step(key);
        if (pauseMs === undefined) return;
        if (pauseMs >= slowMs) watching.leave(key);
        await clock.sleep(pauseMs, signal);
      }
    });
  }

  function begin(key: string): void {
    if (working.has(key) || ending.aborted) return;
    const work = workOff(key)
      .catch((err: unknown) => {
        if (!ending.aborted) log.warn({ err, key }, "A proof is not finished yet");
      })
      .finally(() => working.delete(key));
    working.set(key, work);
  }

  return {
    /** Returns at once. */
    begin,
    /** Continues what dead processes left. Never rejects. */
    recover: async (): Promise<void> => {
      try {
        for await (const key of store.unfinishedKeys()) begin(key);
      } catch (err) {
        log.warn({ err }, "Can't look for unfinished proofs");
      }
    },
    /** Resolves once nothing is in progress here. */
    ended: async (): Promise<void> => {
      await Promise.all(working.values());
    },
  };
}
