/** Keeps the question log current: an entry for each Turn that has ended, and none for one that was forgotten. */
import type { QuestionLogStore } from "../../core/overview/question-log.ts";
import type { TurnProjection } from "../../core/overview/turn-projection.ts";
import { entryOf } from "./entry.ts";

export function createLogProjection(log: Pick<QuestionLogStore, "put" | "remove">): TurnProjection {
  return {
    derive: async (_cell, turns, gone, isCurrent) => {
      const kept = turns.filter(({ turn }) => turn.isForgotten !== true);
      const removed = turns.filter(({ turn }) => turn.isForgotten === true).map(({ turn }) => turn.id);
      if (!isCurrent()) throw new Error("The lease of a day's questions was lost.");
      if (removed.length + gone.length > 0) await log.remove([...removed, ...gone]);
      if (kept.length > 0) await log.put(kept.map(entryOf));
    },
  };
}
