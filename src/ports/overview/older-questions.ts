/** The port to the reading of questions of earlier versions: how far the log and the counts go back until it is over. */

export type OlderQuestions = {
  /** Undefined: all are read. Rejects with state_unavailable. */
  readonly left: () => Promise<QuestionsLeft | undefined>;
};

/** Lists and counts are complete since that time. `share`: how much is read, from 0 to 1. */
export type QuestionsLeft = { readonly sinceMs: number; readonly share: number };
