/**
 * Does proofs as works: asks, closes or opens the gap, shows the result, tells those who asked. Each step is stored before
 * the next one begins and can be repeated, so another process finishes what a dead one left.
 */

import type { App } from "../../app.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import { untilDone } from "../../core/tools/until-done.ts";
import { alone } from "../schedules/due-work.ts";
import type { AnswerNow } from "./answer-now.ts";
import type { Telling } from "./telling.ts";
import { patienceMs, type Trial, trialKey } from "./trial.ts";
import type { TrialStore } from "./trial-store.ts";
import type { Watching } from "./watching.ts";

const pausesMs = [5_000, 15_000, 30_000, 60_000];
const longestPauseMs = 60_000;
/** They mostly wait for their workspace's turn. */
const concurrency = 100;

export function createWorking(
  app: App,
  deps: {
    readonly store: TrialStore;
    readonly gaps: Pick<Gaps, "get" | "change">;
    readonly ask: (trial: Trial, signal: AbortSignal) => Promise<Trial | undefined>;
    readonly answerNow: Pick<AnswerNow, "outdated">;
    readonly telling: Pick<Telling, "tell">;
    readonly watching: Pick<Watching, "show" | "leave">;
  },
) {
  const { store, gaps, ask, answerNow, telling, watching } = deps;
  const { clock } = app;
  const { works } = app.state;

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

  /**
   * Changes it as it is now, which a button may have changed: only that is done alone, since a person waits for it.
   * Undefined if the result is no longer that one, or if `isSame` says that the rest isn't.
   */
  function mark(trial: Trial, change: Partial<Trial>, isSame = (_newest: Trial) => true): Promise<Trial | undefined> {
    const key = trialKey(trial);
    return alone(app, "proofs", key, async () => {
      const newest = await store.unfinished(key);
      if (newest?.result?.atMs !== trial.result?.atMs || newest === undefined || !isSame(newest)) return undefined;
      return await store.keep({ ...newest, ...change });
    });
  }

  /** Returns when to ask again. */
  async function later(key: string): Promise<number> {
    const { failingSinceMs = clock.now() } = (await store.unfinished(key)) ?? {};
    const forMs = clock.now() - failingSinceMs;
    const pauseMs = pausesMs.find((pause) => forMs < pause) ?? longestPauseMs;
    // Then nobody is left waiting for a private reply.
    if (pauseMs >= longestPauseMs) watching.leave(key);
    return clock.now() + pauseMs;
  }

  /** Returns when to continue; undefined: it is over. */
  async function step(key: string, signal: AbortSignal): Promise<number | undefined> {
    const trial = await store.unfinished(key);
    if (trial === undefined) return undefined;
    const ran = trial.result === undefined ? await ask(trial, signal) : trial;
    return ran === undefined ? later(key) : conclude(key, signal);
  }

  /** What a button has changed meanwhile is done at once. */
  async function conclude(key: string, signal: AbortSignal): Promise<number | undefined> {
    const trial = await store.unfinished(key);
    if (trial?.result === undefined) return trial === undefined ? undefined : clock.now();
    // An answer that was removed or replaced meanwhile closes no gap, and nobody is told about it.
    const why = await answerNow.outdated(trial);
    const ran =
      why === undefined ? trial : await mark(trial, { result: { kind: "outdated", atMs: clock.now(), ...why } });
    if (ran === undefined) return clock.now();
    await settle(ran);
    const isNew = ran.isShown !== true && (await watching.show(ran)) === "done";
    const shown = isNew ? await mark(ran, { isShown: true }) : ran;
    if (shown?.result === undefined) return clock.now();
    const { result, tell } = shown;
    const left = tell && result.kind === "used" ? await telling.tell(shown, result.note, signal) : "all";
    const isLeft = left === "some-left" || shown.isShown !== true;
    if (isLeft && clock.now() - result.atMs < patienceMs) return clock.now() + longestPauseMs;
    const finished = await mark(shown, { isFinished: true }, (newest) => newest.tell === tell);
    return finished === undefined ? clock.now() : undefined;
  }

  works.define<null>("proofs", {
    ...untilDone(works, clock, "proofs"),
    concurrency,
    run: ({ key }, signal) => step(key, signal),
  });

  return {
    /** Has it done by any instance. Rejects with state_unavailable. */
    begin: async (key: string): Promise<void> => {
      await works.add("proofs", key, null);
    },
  };
}
