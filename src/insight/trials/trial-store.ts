/** Stores proofs: those in progress, so that another process can finish them, and finished ones for their buttons. */
import type { Place } from "../../core/model/place.ts";
import type { KeyValueFactory } from "../../core/ports/state.ts";
import { type Trial, trialKey } from "./trial.ts";

/** For its buttons. */
const keptMs = 30 * 86_400_000;

export type TrialStore = ReturnType<typeof createTrialStore>;

export function createTrialStore(keyValue: KeyValueFactory) {
  /** In progress, by workspace and id. */
  const open = keyValue<Trial>("open-trials");
  const done = keyValue<Trial>("trials");
  return {
    /** Stores it as one in progress. */
    keep: async (trial: Trial): Promise<Trial> => {
      await open.set(trialKey(trial), trial);
      return trial;
    },

    /** Undefined if it isn't in progress. */
    unfinished: (key: string): Promise<Trial | undefined> => open.get(key),

    find: async (place: Pick<Place, "platform" | "workspace">, id: string): Promise<Trial | undefined> => {
      const key = trialKey({ ...place, id });
      return (await open.get(key)) ?? done.get(key);
    },

    finish: async (trial: Trial): Promise<void> => {
      await done.set(trialKey(trial), trial, keptMs);
      await open.delete(trialKey(trial));
    },

    unfinishedKeys: async function* (): AsyncGenerator<string> {
      for await (const [key] of open.entries("")) yield key;
    },
  };
}
