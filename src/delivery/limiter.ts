/**
 * Decides whose write is next within a platform's limits. All Replies of a workspace share its budgets: a busy answer
 * must not starve another one, progress must never use up what ends need, nor what is shown already the edits that new
 * steps need. The most urgent write is next, and the oldest of those. An end never waits long for an edit: where edits
 * are short, it is posted as a new message.
 *
 * It runs only while something waits. One write starts in each turn of the event loop: ten ends of the same moment are
 * sent before what follows the first of them blocks the process, and a hundred answers that change at once block nothing
 * else. The last one still picks its newest content.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type BudgetOptions,
  type Budgets,
  type Countable,
  createBudgets,
  type Expected,
  type Rank,
  ranks,
} from "./budgets.ts";

/** Blocked writes to remember before expired ones are dropped. */
const maxBlocked = 1_000;
/** Number of candidates ranked at once: with thousands of them, ranking all for each write took milliseconds. */
const maxRanked = 64;
/** An end waits this long for an edit, since one message is worth it; with the write itself, it is shown in a second. */
const endWaitsMs = 750;
/** How long an edit of what is shown already waits for a token, and how long if someone pressed a button for it. */
const spareWaitsMs = { spare: 10_000, awaited: 3_000 };

/** What a candidate wants to write, and how long its current content has been standing (oldest first). */
export type Wish = {
  readonly rank: Rank;
  readonly sinceMs: number;
  /** As far as is known before it is drawn. */
  readonly countsAs: Countable;
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

export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter(options: BudgetOptions) {
  const { clock } = options;
  const { perWorkspace } = options.limits;
  const perEditMs = perWorkspace === undefined ? 0 : 60_000 / perWorkspace.refillPerMinute;
  const budgets = createBudgets(options);
  const waiting = new Set<Candidate>();
  /** The next of them, the best one last. Another one may come first from `rankedUntilMs` on. */
  let ranking: Ranked[] = [];
  let rankedUntilMs = 0;
  /** Until when writes of a rank wait for a budget. */
  const blocked = new Map<string, number>();
  let isRunning = false;
  /** Present while it sleeps until there may be a token. */
  let interrupt: (() => void) | undefined;

  async function run(): Promise<void> {
    isRunning = true;
    for (;;) {
      await nextTurn();
      const next = choose();
      if (next !== undefined) await serve(next);
      else if (waiting.size > 0) await sleep(rankedUntilMs - clock.now());
      else break;
    }
    isRunning = false;
  }

  async function serve({ candidate, rank, isAnew }: Ranked): Promise<void> {
    const countsAs = candidate.next(isAnew)?.countsAs;
    if (countsAs === undefined) return void waiting.delete(candidate);
    const short = await budgets.take(candidate.budgets(), rank, countsAs);
    if (short !== undefined) return block(rank, short.key, short.waitMs);
    // By now it may want something else, or nothing. Then the token is lost, which seldom happens.
    const write = waiting.has(candidate) ? candidate.next(isAnew) : undefined;
    if (write?.countsAs !== countsAs) {
      ranking = [];
      return;
    }
    waiting.delete(candidate);
    void write.start();
  }

  /** The next that can write now. */
  function choose(): Ranked | undefined {
    const nowMs = clock.now();
    while (nowMs < rankedUntilMs) {
      const next = ranking.pop();
      if (next === undefined) break;
      const { candidate } = next;
      const wish = waiting.has(candidate) ? candidate.wish() : undefined;
      if (wish === undefined) waiting.delete(candidate);
      else if (isOther(wish, next)) break;
      else if (blockedUntilMs(next) <= nowMs) return next;
    }
    rankAll(nowMs);
    return ranking.pop();
  }

  function rankAll(nowMs: number): void {
    const ranked: Ranked[] = [];
    const short: Ranked[] = [];
    rankedUntilMs = Number.POSITIVE_INFINITY;
    for (const candidate of waiting) {
      const wish = candidate.wish();
      if (wish === undefined) {
        waiting.delete(candidate);
        continue;
      }
      const one = { ...wish, candidate, isAnew: false };
      const untilMs = blockedUntilMs(one);
      if (untilMs <= nowMs) ranked.push(one);
      else rankedUntilMs = Math.min(rankedUntilMs, untilMs);
      if (untilMs > nowMs && wish.mayPostAnew === true) short.push(one);
    }
    ranked.push(...postedAnew(short.sort(byRank), nowMs));
    ranking = ranked.sort(byRank).slice(0, maxRanked).reverse();
  }

  /** Of the ends that no edit can show now, the oldest first, those for which an edit would come too late. */
  function postedAnew(short: readonly Ranked[], nowMs: number): readonly Ranked[] {
    /** Ends that wait for an edit, by workspace. */
    const ahead = new Map<string, number>();
    return short.flatMap((one) => {
      const key = one.candidate.budgets().at(-1)?.key ?? "";
      const before = ahead.get(key) ?? 0;
      const anew: Ranked = { ...one, countsAs: "post", isAnew: true };
      const postUntilMs = blockedUntilMs(anew);
      const editMs = blockedUntilMs(one) - nowMs + before * perEditMs;
      if (postUntilMs <= nowMs && editMs > endWaitsMs) return [anew];
      if (postUntilMs > nowMs) rankedUntilMs = Math.min(rankedUntilMs, postUntilMs);
      ahead.set(key, before + 1);
      return [];
    });
  }

  function blockedUntilMs({ candidate, rank, countsAs }: Ranked): number {
    let untilMs = Number.NEGATIVE_INFINITY;
    if (blocked.size === 0) return untilMs;
    for (const { key, counts } of candidate.budgets()) {
      if (counts.includes(countsAs)) untilMs = Math.max(untilMs, blocked.get(`${rank} ${key}`) ?? untilMs);
    }
    return untilMs;
  }

  /**
   * No candidate with that rank and that budget can write for so long, nor one behind it that needs as many tokens:
   * otherwise it could take the next token a moment before.
   */
  function block(rank: Rank, key: string, forMs: number): void {
    const nowMs = clock.now();
    if (blocked.size > maxBlocked) for (const [other, untilMs] of blocked) if (untilMs <= nowMs) blocked.delete(other);
    for (const behind of ranks.slice(ranks.indexOf(rank))) {
      // Counts leave fewer tokens than these.
      if (behind === "counts" && (rank === "result" || rank === "elapsed")) continue;
      const name = `${behind} ${key}`;
      blocked.set(name, Math.max(nowMs + forMs, blocked.get(name) ?? 0));
    }
    rankedUntilMs = Math.min(rankedUntilMs, nowMs + forMs);
    // Others may be posted anew instead.
    if (rank === "end") ranking = [];
  }

  function sleep(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = () => {
        cancel();
        interrupt = undefined;
        resolve();
      };
      const cancel = clock.after(forMs, wakeUp);
      interrupt = wakeUp;
    });
  }

  function wake(candidate: Candidate): void {
    budgets.follow(candidate);
    waiting.add(candidate);
    if (!isRunning) return void run();
    const wish = candidate.wish();
    if (wish === undefined) return;
    const [lastRanked] = ranking;
    if (lastRanked !== undefined && byRank(wish, lastRanked) < 0) ranking = [];
    // The ranking decides whether it is to be posted anew.
    const untilMs = wish.mayPostAnew === true ? 0 : blockedUntilMs({ ...wish, candidate, isAnew: false });
    if (untilMs < Math.max(rankedUntilMs, clock.now() + 1)) interrupt?.();
  }

  function forget(candidate: Candidate): void {
    budgets.forget(candidate);
    waiting.delete(candidate);
    if (waiting.size === 0) interrupt?.();
  }

  /**
   * Waits for an edit of what is shown already: everything else goes first, unless someone waits for it, and it gives up
   * soon. False when there was none to spare in time.
   */
  function spareEdit(
    of: () => Budgets,
    { isAwaited = false, signal }: { readonly isAwaited?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const sinceMs = clock.now();
    let isWaiting = true;
    const end = (isTaken: boolean) => {
      isWaiting = false;
      cancel();
      signal?.removeEventListener("abort", giveUp);
      resolve(isTaken);
    };
    const candidate: Candidate = {
      budgets: of,
      wish: () => (isWaiting ? { rank: isAwaited ? "step" : "counts", sinceMs, countsAs: "edit" } : undefined),
      next: () => (isWaiting ? { countsAs: "edit", start: async () => end(true) } : undefined),
    };
    const giveUp = () => {
      end(false);
      forget(candidate);
    };
    const cancel = clock.after(isAwaited ? spareWaitsMs.awaited : spareWaitsMs.spare, giveUp);
    signal?.addEventListener("abort", giveUp, { once: true });
    wake(candidate);
    return promise;
  }

  return {
    /** Announces a Reply that will end, until it is forgotten. */
    expect: budgets.expect,
    /** Announces that the candidate may have a wish. Cheap; can be called at any time. */
    wake,
    forget,
    spareEdit,
    /** How long the budgets there need to earn one more such edit for each Reply that shares them. */
    earnMs: budgets.earnMs,
    /** The platform returned 429 for a write there: nothing is sent for `forMs`. */
    penalise: budgets.penalise,
  };
}

function isOther({ rank, sinceMs, countsAs }: Wish, before: Ranked): boolean {
  return rank !== before.rank || sinceMs !== before.sinceMs || (!before.isAnew && countsAs !== before.countsAs);
}

/** Negative when `one` is served before `other`. */
function byRank(one: Pick<Wish, "rank" | "sinceMs">, other: Pick<Wish, "rank" | "sinceMs">): number {
  return compareRanks(one.rank, other.rank) || one.sinceMs - other.sinceMs;
}

/** Negative when `one` is served before `other`. */
export function compareRanks(one: Rank, other: Rank): number {
  return ranks.indexOf(one) - ranks.indexOf(other);
}
