/** Asks a proof's question again, for its person as they are now. While the service is down, it is asked later. */

import { ParleyError, toParleyError } from "../../core/errors.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { TurnError, TurnView } from "../../core/model/turn.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { errorText, proofSentences as says } from "../../presentation/sentences.ts";
import type { AnswerNow } from "./answer-now.ts";
import type { RunOnce } from "./run-once.ts";
import { patienceMs, type Trial, type TrialResult, trialKey } from "./trial.ts";
import type { TrialStore } from "./trial-store.ts";

/** A run that was begun and whose process died is begun again so often. */
const maxRepeats = 2;
/** These may be over in a minute. */
const passing: readonly string[] = ["service_unreachable", "service_busy", "stream_cut", "stream_silent"];

export function createAsking(deps: {
  readonly store: TrialStore;
  readonly answerNow: AnswerNow;
  readonly forPersonNow: (trial: Trial) => Promise<Trial | undefined>;
  readonly judge: (trial: Trial, view: TurnView, tookMs: number) => Promise<TrialResult>;
  readonly runOnce: RunOnce;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Pick<Clock, "now">;
}) {
  const { store, answerNow, forPersonNow, judge, runOnce, coordinator, clock } = deps;
  const { keep } = store;

  /** Undefined: the service is down, and it is to be asked again later. */
  async function failed(trial: Trial, { code, what, hint }: TurnError): Promise<TrialResult | undefined> {
    const failingSinceMs = trial.failingSinceMs ?? clock.now();
    if (passing.includes(code) && clock.now() - failingSinceMs < patienceMs) {
      await keep({ ...trial, failingSinceMs });
      return undefined;
    }
    return { kind: "failed", atMs: clock.now(), what, hint };
  }

  /** Undefined: later. */
  async function ask(trial: Trial, signal: AbortSignal): Promise<TrialResult | undefined> {
    const now = await forPersonNow(trial).catch((failure: unknown) => {
      const error = toParleyError(failure);
      if (passing.includes(error.code)) return error;
      throw failure;
    });
    if (now instanceof ParleyError) return failed(trial, { code: now.code, ...errorText(now) });
    if (now === undefined) return { kind: "failed", atMs: clock.now(), ...says.notForYou };
    const begun = await keep({ ...now, begun: trial.begun + 1 });
    const answerAtMs = await answerNow.atMs(trial);
    const startedAtMs = clock.now();
    const view = await runOnce(now.agent, now.question, signal, now).catch(async (failure: unknown) => {
      // An orderly end is none of the ends that are counted.
      if (signal.aborted && (await store.unfinished(trialKey(trial)))?.result === undefined) await keep(trial);
      throw failure;
    });
    if (view.error !== undefined) return failed(trial, view.error);
    const result = await judge(begun, view, clock.now() - startedAtMs);
    return result.kind === "used" ? { ...result, answerAtMs } : result;
  }

  /** Returns the trial with its result, stored. At most one of a workspace runs at a time. Undefined: later. */
  return async (trial: Trial, signal: AbortSignal): Promise<Trial | undefined> => {
    if (trial.begun > maxRepeats) {
      return keep({ ...trial, result: { kind: "failed", atMs: clock.now(), ...says.interrupted } });
    }
    const lease = await coordinator.lease(`trials/${workspaceKey(trial)}`, { signal });
    try {
      const result = await ask(await answerNow.renewed(trial), AbortSignal.any([signal, lease.lost]));
      if (result === undefined) return undefined;
      return await keep({ ...((await store.unfinished(trialKey(trial))) ?? trial), result });
    } finally {
      await lease.release();
    }
  };
}
