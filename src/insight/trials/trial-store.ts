/** Stores proofs: those in progress, and finished ones for their buttons. */
import type { Place } from "../../core/model/place.ts";
import type { KeyValueFactory } from "../../core/ports/state.ts";
import { type Trial, trialKey } from "./trial.ts";

/** For its buttons. */
const keptMs = 30 * 86_400_000;

export type TrialStore = ReturnType<typeof createTrialStore>;

export function createTrialStore(keyValue: KeyValueFactory) {
  const trials = keyValue<Trial>("trials");
  return {
    keep: async (trial: Trial): Promise<Trial> => {
      await trials.set(trialKey(trial), trial, keptMs);
      return trial;
    },

    byKey: (key: string): Promise<Trial | undefined> => trials.get(key),

    find: (place: Pick<Place, "platform" | "workspace">, id: string): Promise<Trial | undefined> =>
      trials.get(trialKey({ ...place, id })),

    /** Undefined if it isn't in progress. */
    unfinished: async (key: string): Promise<Trial | undefined> => {
      const trial = await trials.get(key);
      return trial?.isFinished === true ? undefined : trial;
    },
  };
}
