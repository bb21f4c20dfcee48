/**
 * Ranks the writes that wait for one budget by the rule of priority; within a rank the oldest is first. Of ends that
 * wait for edits, it chooses those to be posted anew.
 */
import type { Clock } from "../../core/ports/clock.ts";
import { compareRanks, type Rank, ranksThatWaitWith } from "./ranks.ts";
import { routeOf } from "./route.ts";
import type { Budgets, Countable, Expected } from "./write-budget.ts";

/** Number of blocked channels to remember before expired ones are dropped. */
const maxBlocked = 1_000;

/** Number of candidates ranked at once: with thousands of them, ranking all for each write took milliseconds. */
const maxRanked = 64;

/** What a candidate wants to write, and how long its current content has been standing (oldest first). */
export type Wish = {
  readonly rank: Rank;
  readonly sinceMs: number;
  /** Absent while it isn't determined: mostly an edit. */
  readonly countsAs?: Countable | undefined;
  /** An edit of an end that may be a new message instead. */
  readonly mayPostAnew?: boolean;
};

export type Write = {
  readonly countsAs: Countable;
  /** The candidate has no wish until it is over. Never rejects. */
  readonly start: () => Promise<void>;
};

/** A Reply that may want to write. It is asked again before every write, because the newest content changes meanwhile. */
export type Candidate = Expected & {
  /** Undefined: nothing for now. Cheap. */
  readonly wish: () => Wish | undefined;
  /** Determines exactly what there is to write; undefined: nothing. `isAnew`: a new message instead of an edit. */
  readonly next: (isAnew: boolean) => Write | undefined;
};

type Ranked = Wish & { readonly candidate: Candidate; readonly isAnew: boolean };

type Choice =
  | { readonly kind: "write"; readonly candidate: Candidate; readonly rank: Rank; readonly isAnew: boolean }
  /** All are blocked for this long. */
  | { readonly kind: "wait"; readonly waitMs: number }
  | { readonly kind: "nothing" };

type RankedBudgets = {
  /** Keys of the budgets that count such a write. */
  readonly keysFor: (budgets: Budgets, what: Countable) => readonly string[];
  readonly perEditMs: number;
};

export type WriteRanking = ReturnType<typeof createWriteRanking>;

export function createWriteRanking(clock: Pick<Clock, "now">, { keysFor, perEditMs }: RankedBudgets) {
  const candidates = new Set<Candidate>();
  /** The next candidates, the best one last. The ranking is valid until `rankingEndsMs`. */
  let ranking: Ranked[] = [];
  let rankingEndsMs = Number.NEGATIVE_INFINITY;
  const blocked = new Map<Rank, Map<string, number>>();

  function blockedUntilMs(budgets: Budgets, rank: Rank, what: Countable): number {
    const until = blocked.get(rank);
    if (until === undefined || until.size === 0) return Number.NEGATIVE_INFINITY;
    return Math.max(Number.NEGATIVE_INFINITY, ...keysFor(budgets, what).map((key) => until.get(key) ?? 0));
  }

  const untilOf = ({ budgets }: Candidate, { rank, countsAs = "edit" }: Wish) =>
    blockedUntilMs(budgets(), rank, countsAs);

  /** Undefined when all must be ranked again: none is left, or another one may come first by now. */
  function nextRanked(nowMs: number): Ranked | undefined {
    while (nowMs < rankingEndsMs) {
      const next = ranking.pop();
      if (next === undefined) return undefined;
      const { candidate, isAnew } = next;
      if (!candidates.has(candidate)) continue;
      const wish = candidate.wish();
      if (wish === undefined) candidates.delete(candidate);
      else if (isOther(wish, next)) return undefined;
      else if (isAnew && blockedUntilMs(candidate.budgets(), wish.rank, "post") > nowMs) return undefined;
      else if (isAnew || untilOf(candidate, wish) <= nowMs) return next;
    }
    return undefined;
  }

  function rankAll(nowMs: number): void {
    const all: Ranked[] = [];
    const short: (Wish & { readonly candidate: Candidate })[] = [];
    rankingEndsMs = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      const wish = candidate.wish();
      if (wish === undefined) {
        candidates.delete(candidate);
        continue;
      }
      const untilMs = untilOf(candidate, wish);
      if (untilMs <= nowMs) all.push({ ...wish, candidate, isAnew: false });
      else rankingEndsMs = Math.min(rankingEndsMs, untilMs);
      if (untilMs > nowMs && wish.mayPostAnew === true) short.push({ ...wish, candidate });
    }
    all.push(...postedAnew(short.sort(byRank), nowMs));
    ranking = all.sort(byRank).slice(0, maxRanked).reverse();
  }

  /** Of the ends that no edit can show now, those to be posted, the oldest first. */
  function postedAnew(short: readonly (Wish & { readonly candidate: Candidate })[], nowMs: number): readonly Ranked[] {
    const anew: Ranked[] = [];
    let ahead = 0;
    for (const { candidate, ...wish } of short) {
      const postUntilMs = blockedUntilMs(candidate.budgets(), wish.rank, "post");
      const editMs = untilOf(candidate, wish) - nowMs;
      const route = routeOf({ editMs, ahead, perEditMs, postMs: postUntilMs - nowMs });
      if (route === "anew") anew.push({ ...wish, candidate, isAnew: true });
      else ahead += 1;
      if (postUntilMs > nowMs) rankingEndsMs = Math.min(rankingEndsMs, postUntilMs);
    }
    return anew;
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
    // Others may be posted anew instead.
    if (rank === "end") ranking = [];
  }

  function choose(): Choice {
    const nowMs = clock.now();
    let next = nextRanked(nowMs);
    if (next === undefined) {
      rankAll(nowMs);
      next = ranking.pop();
    }
    if (next !== undefined) {
      const { candidate, rank, isAnew } = next;
      return { kind: "write", candidate, rank, isAnew };
    }
    return candidates.size === 0 ? { kind: "nothing" } : { kind: "wait", waitMs: rankingEndsMs - nowMs };
  }

  /** Whether it wants to write before those that were ranked can. */
  function isSooner(candidate: Candidate): boolean {
    const wish = candidate.wish();
    if (wish === undefined) return false;
    // The ranking decides whether it is to be posted anew.
    return wish.mayPostAnew === true || untilOf(candidate, wish) < Math.max(rankingEndsMs, clock.now() + 1);
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
    isSooner,
  };
}

function isOther({ rank, sinceMs, countsAs = "edit" }: Wish, before: Wish): boolean {
  return rank !== before.rank || sinceMs !== before.sinceMs || countsAs !== (before.countsAs ?? "edit");
}

/** Negative when `one` is served before `other`. */
function byRank(one: Pick<Wish, "rank" | "sinceMs">, other: Pick<Wish, "rank" | "sinceMs">): number {
  return compareRanks(one.rank, other.rank) || one.sinceMs - other.sinceMs;
}
