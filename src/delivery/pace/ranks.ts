/** The rule of priority among writes: who is served first, and what each leaves for more urgent ones. One table. */
import type { News } from "../types.ts";

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
   * Tokens to leave in a budget. "reserve": for the ends that may come. "spare": besides, one for each open Reply.
   * "spare-steps": those for its next steps, so that it never costs anyone a new step. "spare-or-all-others": "spare",
   * or all but one of a full budget, which nobody else uses.
   */
  readonly leaves: "nothing" | "half-reserve" | "reserve" | "spare-or-all-others" | "spare" | "spare-steps";
};

const rules: Readonly<Record<Rank, Rule>> = {
  end: { order: 0, leaves: "nothing" },
  "first-post": { order: 1, leaves: "half-reserve" },
  "first-step": { order: 2, leaves: "reserve" },
  step: { order: 3, leaves: "reserve" },
  "first-text": { order: 4, leaves: "reserve" },
  text: { order: 5, leaves: "spare-or-all-others" },
  result: { order: 6, leaves: "spare-steps" },
  elapsed: { order: 7, leaves: "spare-steps" },
  // Once in 30 s at most for each answer. They would never find a busy channel as quiet as results need it.
  counts: { order: 8, leaves: "spare" },
};

/** Negative when `one` is served before `other`. */
export function compareRanks(one: Rank, other: Rank): number {
  return rules[one].order - rules[other].order;
}

/** Something new begins with it. Where it has to wait, a platform's status line can say it. */
export function isBeginning(rank: Rank): boolean {
  return compareRanks(rank, "text") < 0;
}

/**
 * Tokens that a write of that rank leaves, where `open` Replies share a budget that holds `capacity`. `stepsEach`: how
 * many steps each of them may begin before the budget has another token.
 */
export function tokensLeft(
  rank: Rank,
  open: number | undefined,
  keptForFinals: number,
  { capacity, stepsEach }: { readonly capacity: number; readonly stepsEach: number },
): number {
  // Without an open Reply here, those of other instances are unknown.
  const reserve = Math.min(keptForFinals, (open ?? keptForFinals) + 1);
  switch (rules[rank].leaves) {
    case "nothing":
      return 0;
    case "half-reserve":
      return Math.floor(reserve / 2);
    case "reserve":
      return reserve;
    case "spare-or-all-others":
      return Math.max(reserve, Math.min(reserve + (open ?? 0), capacity - 1));
    case "spare":
      return reserve + (open ?? 0);
    case "spare-steps":
      return reserve + stepsEach * (open ?? 0);
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
  const { leaves } = rules[rank];
  if (leaves === "nothing" || leaves === "half-reserve") return [rank];
  const later = all.filter((other) => compareRanks(rank, other) <= 0);
  return leaves === "spare-steps" ? later.filter((other) => rules[other].leaves === leaves) : later;
}
