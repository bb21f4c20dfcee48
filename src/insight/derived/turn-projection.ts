/** What is derived from each Turn and kept beside it: entries of the question log, counts. */
import type { Begin } from "../../core/content/gaps.ts";
import type { VoteCounts } from "../../core/content/voting.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Lease } from "../../core/ports/state.ts";

/** Turns are derived by the quarter of an hour (UTC) in which they were asked, which has a number. */
export const quarterMs = 900_000;

export const quarterOf = (ms: number): number => Math.floor(ms / quarterMs);

export type DerivingLease = Pick<Lease, "isCurrent" | "fence">;

export type ProjectedTurn = { readonly turn: Turn; readonly votes: VoteCounts };

/**
 * Derived by one worker, which notes a Turn before the fact and finds the note after a crash. It calls `derive` under
 * the lease of the quarter of an hour in which all these questions were asked: again with the same Turn whenever that
 * has ended, was asked again, voted on or forgotten, and after a crash. So each call must say what is true now, and sums
 * must know what a Turn had added before. It rejects if it could not: the Turns stay noted and come again.
 */
export type TurnProjection = {
  /**
   * Turns have a final state or are forgotten. `gone`: ids of Turns that no longer exist. `lease`: of that quarter; ask
   * whether it is current before the first write, and let writes carry its fence.
   */
  readonly derive: (
    quarter: number,
    turns: readonly ProjectedTurn[],
    gone: readonly string[],
    lease: DerivingLease,
  ) => Promise<void>;
};

/** Order: note, store the fact, begin. A process that dies in between is healed by another one. */
export type TurnNoting = {
  /** Durable when it resolves. Rejects with state_unavailable. */
  readonly note: (turn: Pick<Turn, "id" | "askedIn" | "createdAtMs">) => Promise<Begin>;
};
