/** Keeps the question log current: an entry for each Turn that has ended, and none for one that was forgotten. */

import { entryOf } from "./entry.ts";
import type { QuestionLog } from "./question-log.ts";
import type { TurnProjection } from "./turn-projection.ts";

export function createLogProjection(log: Pick<QuestionLog, "put" | "delete">): TurnProjection {
  return {
    derive: async (_quarter, turns, gone, lease) => {
      const kept = turns.filter(({ turn }) => turn.isForgotten !== true);
      const removed = turns.filter(({ turn }) => turn.isForgotten === true).map(({ turn }) => turn.id);
      if (!lease.isCurrent()) throw new Error("The lease of a quarter's questions was lost.");
      await Promise.all([...removed, ...gone].map((id) => log.delete(id)));
      await Promise.all(kept.map(entryOf).map((entry) => log.put(entry.id, entry)));
    },
  };
}
