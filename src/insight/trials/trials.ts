/** Proves added answers: composes the parts of a proof, and answers those who wait for one or press its buttons. */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { CommandContext } from "../../core/commands.ts";
import type { AnswerAdded, AnswerStore } from "../../core/content/answering.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import type { Document } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import { errorDocument } from "../../presentation/drawing.ts";
import { proofSentences as says } from "../../presentation/sentences.ts";
import type { GapSight } from "../gap-sight.ts";
import { alone } from "../schedules/due-work.ts";
import { createAnswerNow } from "./answer-now.ts";
import { createAsking } from "./asking.ts";
import { createBeginning } from "./beginning.ts";
import { asking, createDrawing } from "./drawing.ts";
import { createJudging } from "./judging.ts";
import type { RunOnce } from "./run-once.ts";
import { createTelling } from "./telling.ts";
import { type Trial, trialKey } from "./trial.ts";
import { createTrialStore } from "./trial-store.ts";
import { createWatching } from "./watching.ts";
import { createWorking } from "./working.ts";

/** Shown at once, then replaced by what comes of it. Never rejects. */
export type Proved = { readonly progress: Document; readonly end: Promise<Document> };

/** All of them reject with state_unavailable while storage is unreachable. */
export type Proving = {
  /**
   * For the person who waits for that Job of an added answer: call it right after the row is in. Someone who isn't waiting
   * in this process gets a message of their own. Undefined: there is no question to ask again.
   */
  readonly watch: (jobId: string, place: Pick<Place, "platform" | "workspace">) => Promise<Proved | undefined>;
  /** Once more, for that person. Throws turn_gone when it isn't theirs to see. */
  readonly again: (proofId: string, context: Pick<CommandContext, "actor" | "place">) => Promise<Proved>;
  /** Tells those who asked. Resolves with how many they are at most. Throws turn_gone. */
  readonly tell: (proofId: string, context: Pick<CommandContext, "actor" | "place">) => Promise<number>;
};

export type Trials = Proving & {
  /** Called once an answer's row is in; durable when it resolves, and repeated after a crash. */
  readonly begin: (added: AnswerAdded) => Promise<void>;
};

export function createTrials(
  app: App,
  parts: {
    readonly gaps: Gaps;
    readonly answerStore: Pick<AnswerStore, "get">;
    readonly sight: GapSight;
    readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
    readonly runOnce: RunOnce;
  },
): Trials {
  const { clock } = app;
  const store = createTrialStore(app.state.keyValue);
  const answerNow = createAnswerNow(parts.answerStore);
  const beginning = createBeginning(app, parts);
  const telling = createTelling(app, parts);
  const { draw, redraw } = createDrawing({ beginning, telling, clock });
  const watching = createWatching(app, async (key) => {
    const trial = await store.byKey(key);
    return trial === undefined ? undefined : draw(trial);
  });
  const judge = createJudging(app, parts);
  const { coordinator } = app.state;
  const { runOnce } = parts;
  const { forPersonNow } = beginning;
  const ask = createAsking({ store, answerNow, forPersonNow, judge, runOnce, coordinator, clock });
  const working = createWorking(app, { ...parts, store, ask, answerNow, telling, watching });

  async function pressed(id: string, viewer: Parameters<Proving["tell"]>[1]): Promise<Trial> {
    const trial = await store.find(viewer.place, id);
    // Only its own person ever sees it: an id that was read elsewhere shows nothing.
    if (trial?.actor.id === viewer.actor.id) return trial;
    throw new ParleyError("turn_gone", says.gone);
  }

  /** Undefined leaves it. */
  async function changed(trial: Trial, change: (newest: Trial) => Trial | undefined): Promise<void> {
    const key = trialKey(trial);
    await alone(app, "proofs", key, async () => {
      const next = change((await store.byKey(key)) ?? trial);
      if (next !== undefined) await store.keep({ ...next, isFinished: undefined });
    });
    await working.begin(key);
  }

  function watched(trial: Trial): Proved {
    return { progress: asking, end: watching.watch(trialKey(trial)) };
  }

  return {
    begin: async (added) => {
      const known = await store.find(added.place, added.jobId);
      const trial = known ?? (await beginning.trialOf(added, clock.now()));
      if (trial === undefined || trial.isFinished === true) return;
      if (known === undefined) await store.keep(trial);
      await working.begin(trialKey(trial));
    },

    watch: async (jobId, place) => {
      const trial = await store.find(place, jobId);
      return trial === undefined || trial.isShown === true ? undefined : watched(trial);
    },

    again: async (id, viewer) => {
      const trial = await pressed(id, viewer);
      if (trial.result === undefined) {
        await working.begin(trialKey(trial));
        return watched(trial);
      }
      const { actor } = viewer;
      if (trial.result.kind !== "failed")
        return {
          progress: asking,
          end: redraw({ ...trial, actor }).catch((failure: unknown) => errorDocument(toParleyError(failure))),
        };
      await changed(trial, (newest) => {
        const { result, isShown: _shown, failingSinceMs: _since, ...rest } = newest;
        return result?.kind === "failed" ? { ...rest, actor, begun: 0 } : undefined;
      });
      return watched(trial);
    },

    tell: async (id, viewer) => {
      const trial = await pressed(id, viewer);
      if (trial.result?.kind !== "used") throw new ParleyError("turn_gone", says.gone);
      const why = await answerNow.outdated(trial);
      if (why !== undefined) throw new ParleyError("turn_gone", why);
      const { left } = await telling.count(trial);
      if (left > 0) await changed(trial, (newest) => ({ ...newest, tell: true }));
      return left;
    },
  };
}
