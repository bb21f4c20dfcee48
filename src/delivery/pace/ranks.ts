/** The rule of priority among writes: who is served first, and what each leaves for more urgent ones. One table. */
import type { News } from "../../ports/delivery.ts";

export type Rank =
  /** An end, its further messages and its file. */
  | "end"
  /** The reader sees nothing yet. */
  | "first-post"
  | News
  /** An answer that is shown already: counts of votes. */
  | "counts";

type Rule = {
  readonly order: number;
  /**
   * Tokens to leave in a budget. "reserve": for the ends that may come. "spare": besides, one for each open Reply, so
   * that it never costs anyone a new step.
   */
  readonly leaves: "nothing" | "half-reserve" | "reserve" | "spare";
};

const rules: Readonly<Record<Rank, Rule>> = {
  end: { order: 0, leaves: "nothing" },
  "first-post": { order: 1, leaves: "half-reserve" },
  "first-step": { order: 2, leaves: "reserve" },
  step: { order: 3, leaves: "reserve" },
  result: { order: 4, leaves: "spare" },
  elapsed: { order: 5, leaves: "spare" },
  counts: { order: 6, leaves: "spare" },
};

/** Negative when `one` is served before `other`. */
export function compareRanks(one: Rank, other: Rank): number {
  return rules[one].order - rules[other].order;
}

/** Tokens that a write of that rank leaves, where `open` Replies share the budget. */
export function tokensLeft(rank: Rank, open: number | undefined, keptForFinals: number): number {
  // Without an open Reply here, those of other instances are unknown.
  const reserve = Math.min(keptForFinals, (open ?? keptForFinals) + 1);
  switch (rules[rank].leaves) {
    case "nothing":
      return 0;
    case "half-reserve":
      return Math.floor(reserve / 2);
    case "reserve":
      return reserve;
    case "spare":
      return reserve + (open ?? 0);
  }
}

/**
 * Tokens that a first post which shows no end leaves of a budget of posts: it takes at most a third of a burst. While
 * many wait, all but one are kept, so that the first message of most of them is their answer.
 */
export function placeholdersLeave(capacity: number, withoutMessage: number): number {
  return Math.max(Math.ceil((2 * capacity) / 3), Math.min(capacity - 1, withoutMessage));
}

const all = Object.keys(rules) as readonly Rank[];

/** The ranks that need at least as many tokens as this one: where it has to wait, so have they. */
export function ranksThatWaitWith(rank: Rank): readonly Rank[] {
  if (rules[rank].leaves === "nothing" || rules[rank].leaves === "half-reserve") return [rank];
  return all.filter((other) => compareRanks(rank, other) <= 0);
}
