/**
 * Ranks the writes that wait for one budget by the rule of priority; within a rank the oldest is first.
 */
import type { Clock } from "../ports/clock.ts";
import { compareRanks, type Rank, ranksThatWaitWith } from "./ranks.ts";
import type { Budgets, Countable } from "./write-budget.ts";

/** Number of blocked channels to remember before expired ones are dropped. */
const maxBlocked = 1_000;

/** Number of candidates ranked at once: with thousands of them, ranking all for each write took milliseconds. */
const maxRanked = 64;

/** What a candidate wants to write, and how long its current content has been standing (oldest first). */
export type Wish = { readonly rank: Rank; readonly sinceMs: number };

export type Write = {
  readonly countsAs: Countable;
  /** The candidate has no wish until it is over. Never rejects. */
  readonly start: () => Promise<void>;
};

/** A Reply that may want to write. It is asked again before every write, because the newest content changes meanwhile. */
export type Candidate = {
  readonly budgets: Budgets;
  /** Undefined: nothing for now. Cheap. */
  readonly wish: () => Wish | undefined;
  /** Determines exactly what there is to write; undefined: nothing. */
  readonly next: () => Write | undefined;
};

type Ranked = Wish & { readonly candidate: Candidate };

type Choice =
  | { readonly kind: "write"; readonly candidate: Candidate; readonly rank: Rank }
  /** All are blocked for this long. */
  | { readonly kind: "wait"; readonly waitMs: number }
  | { readonly kind: "nothing" };

export type WriteRanking = ReturnType<typeof createWriteRanking>;

export function createWriteRanking(clock: Pick<Clock, "now">) {
  const candidates = new Set<Candidate>();
  /** The next candidates, the best one last. The ranking is valid until `rankingEndsMs`. */
  let ranking: Ranked[] = [];
  let rankingEndsMs = Number.NEGATIVE_INFINITY;
  const blocked = new Map<Rank, Map<string, number>>();

  function blockedUntilMs({ workspace, channel }: Budgets, rank: Rank): number {
    const until = blocked.get(rank);
    if (until === undefined || until.size === 0) return Number.NEGATIVE_INFINITY;
    return Math.max(until.get(workspace) ?? 0, until.get(channel) ?? 0);
  }

  /** Undefined when all must be ranked again: none is left, or another one may come first by now. */
  function nextRanked(nowMs: number): Ranked | undefined {
    while (nowMs < rankingEndsMs) {
      const next = ranking.pop();
      if (next === undefined) return undefined;
      if (!candidates.has(next.candidate)) continue;
      const wish = next.candidate.wish();
      if (wish === undefined) candidates.delete(next.candidate);
      else if (wish.rank !== next.rank || wish.sinceMs !== next.sinceMs) return undefined;
      else if (blockedUntilMs(next.candidate.budgets, wish.rank) <= nowMs) return next;
    }
    return undefined;
  }

  function rankAll(nowMs: number): void {
    const all: Ranked[] = [];
    rankingEndsMs = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      const wish = candidate.wish();
      if (wish === undefined) {
        candidates.delete(candidate);
        continue;
      }
      const untilMs = blockedUntilMs(candidate.budgets, wish.rank);
      if (untilMs > nowMs) rankingEndsMs = Math.min(rankingEndsMs, untilMs);
      else all.push({ candidate, rank: wish.rank, sinceMs: wish.sinceMs });
    }
    ranking = all.sort(byRank).slice(0, maxRanked).reverse();
  }

  function add(candidate: Candidate): void {
    candidates.add(candidate);
    const [lastRanked] = ranking;
    const wish = lastRanked === undefined ? undefined : candidate.wish();
    if (wish !== undefined && lastRanked !== undefined && byRank(wish, lastRanked) < 0) ranking = [];
  }

  /** No candidate with that rank, or one that needs more tokens, and with that key can write for `forMs`. */
  function block(rank: Rank, key: string, forMs: number): void {
    const nowMs = clock.now();
    const untilMs = nowMs + forMs;
    for (const waiting of ranksThatWaitWith(rank)) {
      const until = blocked.get(waiting) ?? new Map<string, number>();
      blocked.set(waiting, until);
      if (until.size > maxBlocked) for (const [other, otherMs] of until) if (otherMs <= nowMs) until.delete(other);
      until.set(key, waiting === rank ? untilMs : Math.max(untilMs, until.get(key) ?? 0));
    }
    rankingEndsMs = Math.min(rankingEndsMs, nowMs + forMs);
  }

  function choose(): Choice {
    const nowMs = clock.now();
    let next = nextRanked(nowMs);
    if (next === undefined) {
      rankAll(nowMs);
      next = ranking.pop();
    }
    if (next !== undefined) return { kind: "write", candidate: next.candidate, rank: next.rank };
    return candidates.size === 0 ? { kind: "nothing" } : { kind: "wait", waitMs: rankingEndsMs - nowMs };
  }

  /** Whether it wants to write and isn't blocked. */
  function isReady(candidate: Candidate): boolean {
    const wish = candidate.wish();
    return wish !== undefined && blockedUntilMs(candidate.budgets, wish.rank) <= clock.now();
  }

  return {
    add,
    remove: (candidate: Candidate) => void candidates.delete(candidate),
    has: (candidate: Candidate) => candidates.has(candidate),
    block,
    /** The candidate it chose didn't write. */
    rankAgain: () => {
      ranking = [];
    },
    choose,
    isReady,
  };
}

/** Negative when `one` is served before `other`. */
function byRank(one: Wish, other: Wish): number {
  return compareRanks(one.rank, other.rank) || one.sinceMs - other.sinceMs;
}
