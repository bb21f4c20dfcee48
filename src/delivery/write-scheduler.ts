/**
 * Decides whose write is next within a platform's rate limits. All Replies of a workspace share the platform's budget:
 * a busy answer must not starve another one, progress must never use up what finals need, and nobody waits while there
 * are tokens.
 *
 * One loop per budget (a workspace, or a channel where only channels have one). It runs only while something waits. One
 * write starts in each turn of the event loop: a hundred answers that change at once must not block everything else,
 * and the last one still picks its newest content.
 */
import type { WriteBucket, WriteLimits, WriteWindow } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { conversationKey, type Place, workspaceKey } from "../ports/model/place.ts";
import type { Coordinator } from "../ports/state.ts";
import { createWriteWindows, type Verdict } from "./write-windows.ts";

/** In the order in which they are served. */
type Urgency = "final" | "first" | "progress";

/** How a budget classifies a write: some only count edits. */
type Countable = "edit" | "other";

/** Bucket keys for writes to a place; created once per Reply, because they are looked up often. */
export type Budgets = { readonly workspace: string; readonly channel: string };

export function budgetsOf(place: Place): Budgets {
  // A thread counts as its own channel: on Discord it is one.
  return { workspace: `writes/${workspaceKey(place)}`, channel: `writes/channel/${conversationKey(place)}` };
}

/**
 * Something that wants to write now. It is asked again before every write, because the newest content changes
 * meanwhile.
 */
export type Candidate = {
  readonly budgets: Budgets;
  /**
   * What it wants to write, and how long its current content has been standing (oldest first). Undefined: nothing for
   * now. Cheap.
   */
  readonly wish: () => { readonly urgency: Urgency; readonly sinceMs: number } | undefined;
  /** Determines exactly what there is to write; undefined: nothing. */
  readonly confirm: () => Countable | undefined;
  /** Starts one write; the candidate has no wish until it is over. Resolves when it is over, never rejects. */
  readonly write: () => Promise<void>;
};

export type WriteScheduler = {
  /**
   * Announces a Reply that will end, until it is forgotten: the tokens reserved for finals depend on how many may come.
   */
  readonly expect: (candidate: Candidate) => void;
  /** Announces that the candidate may have a wish. Cheap; can be called at any time. */
  readonly wake: (candidate: Candidate) => void;
  readonly forget: (candidate: Candidate) => void;
  /** The platform returned 429 for a write there: nothing is sent for `forMs`. */
  readonly penalise: (budgets: Budgets, forMs: number) => Promise<void>;
};

/** How long to wait before asking a coordinator that did not respond again. */
const coordinatorAwayMs = 500;

/** Number of blocked channels to remember before expired ones are dropped. */
const maxBlocked = 1_000;

/** Number of candidates ranked at once: with thousands of them, ranking all for each write took milliseconds. */
const maxRanked = 64;

type Wish = NonNullable<ReturnType<Candidate["wish"]>>;
type Ranked = Wish & { readonly candidate: Candidate };

type Scope = {
  readonly candidates: Set<Candidate>;
  /** The next candidates, the best one last. The ranking is valid until `rankingEndsMs`. */
  ranking: Ranked[];
  rankingEndsMs: number;
  /** No candidate with that urgency and key can write before that time. */
  readonly blocked: Readonly<Record<Urgency, Map<string, number>>>;
  running: boolean;
  /** Set while the loop waits for a token. */
  interrupt: (() => void) | undefined;
};

export function createWriteScheduler(options: {
  readonly limits: WriteLimits;
  readonly coordinator: Pick<Coordinator, "takeToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
}): WriteScheduler {
  const { limits, coordinator, clock, log } = options;
  const scopes = new Map<string, Scope>();
  /** Tokens taken for writes that turned out not to be needed. */
  const spare = new Map<string, number>();

  const { perWorkspace, perChannel } = limits;
  const windows = perChannel === undefined ? undefined : createWriteWindows(perChannel, clock);
  const isUnlimited = perWorkspace === undefined && perChannel === undefined;
  function scopeKey({ workspace, channel }: Budgets): string {
    if (isUnlimited) return "";
    return perWorkspace === undefined ? channel : workspace;
  }

  /** Replies open here, by scope. Those of other instances are unknown: their finals may wait for a token or two. */
  const expected = new Map<string, Set<Candidate>>();

  /**
   * Tokens to leave in a bucket: for the finals that may come, and one more. An answer that runs alone need not reserve
   * ten. A first post can use half of the reserve, because its reader sees nothing yet.
   */
  function keep(urgency: Urgency, budgets: Budgets): number {
    if (urgency === "final") return 0;
    const open = expected.get(scopeKey(budgets))?.size ?? limits.keptForFinals;
    const kept = Math.min(limits.keptForFinals, open + 1);
    return urgency === "first" ? Math.floor(kept / 2) : kept;
  }

  async function takeOne(
    key: string,
    bucket: { capacity: number; refillPerMinute: number },
    kept: number,
  ): Promise<Verdict> {
    const left = spare.get(key) ?? 0;
    if (left > 0) {
      if (left === 1) spare.delete(key);
      else spare.set(key, left - 1);
      return { taken: true };
    }
    try {
      return await coordinator.takeToken(key, bucket, kept);
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The write budget could not be read");
      return { taken: false, waitMs: coordinatorAwayMs };
    }
  }

  function spareOne(key: string): void {
    spare.set(key, (spare.get(key) ?? 0) + 1);
  }

  /** Takes a token from each bucket that counts such a write; `key` is the one that had none. */
  async function take(
    budgets: Budgets,
    urgency: Urgency,
    what: Countable,
  ): Promise<Verdict & { readonly key?: string }> {
    const kept = keep(urgency, budgets);
    if (counts(perChannel, what)) {
      const verdict = windows?.take(budgets.channel, kept) ?? { taken: true };
      if (!verdict.taken) return { ...verdict, key: budgets.channel };
    }
    if (counts(perWorkspace, what)) {
      const verdict = await takeOne(budgets.workspace, perWorkspace, kept);
      if (!verdict.taken) {
        if (counts(perChannel, what)) windows?.giveBack(budgets.channel);
        return { ...verdict, key: budgets.workspace };
      }
    }
    return { taken: true };
  }

  function giveBack(budgets: Budgets, what: Countable): void {
    if (counts(perWorkspace, what)) spareOne(budgets.workspace);
    if (counts(perChannel, what)) windows?.giveBack(budgets.channel);
  }

  function blockedUntilMs(scope: Scope, budgets: Budgets, urgency: Urgency): number {
    const blocked = scope.blocked[urgency];
    if (blocked.size === 0) return Number.NEGATIVE_INFINITY;
    return Math.max(blocked.get(budgets.workspace) ?? 0, blocked.get(budgets.channel) ?? 0);
  }

  function block(scope: Scope, urgency: Urgency, key: string, untilMs: number): void {
    const blocked = scope.blocked[urgency];
    if (blocked.size > maxBlocked)
      for (const [other, otherMs] of blocked) if (otherMs <= clock.now()) blocked.delete(other);
    blocked.set(key, untilMs);
    scope.rankingEndsMs = Math.min(scope.rankingEndsMs, untilMs);
  }

  /** The candidate to serve next, or the time until there may be one. */
  function choose(scope: Scope): Ranked | { readonly waitMs: number } {
    const nowMs = clock.now();
    const known = nextRanked(scope, nowMs);
    if (known !== undefined) return known;
    const all: Ranked[] = [];
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const candidate of scope.candidates) {
      const wish = candidate.wish();
      if (wish === undefined) {
        scope.candidates.delete(candidate);
        continue;
      }
      const untilMs = blockedUntilMs(scope, candidate.budgets, wish.urgency);
      if (untilMs > nowMs) earliestMs = Math.min(earliestMs, untilMs);
      else all.push({ candidate, urgency: wish.urgency, sinceMs: wish.sinceMs });
    }
    scope.ranking = all.sort(byRank).slice(0, maxRanked).reverse();
    scope.rankingEndsMs = earliestMs;
    return scope.ranking.pop() ?? { waitMs: earliestMs - nowMs };
  }

  /** Undefined when all must be ranked again: none is left, or another one may come first by now. */
  function nextRanked(scope: Scope, nowMs: number): Ranked | undefined {
    while (nowMs < scope.rankingEndsMs) {
      const next = scope.ranking.pop();
      if (next === undefined) return undefined;
      if (!scope.candidates.has(next.candidate)) continue;
      const wish = next.candidate.wish();
      if (wish === undefined) scope.candidates.delete(next.candidate);
      else if (wish.urgency !== next.urgency || wish.sinceMs !== next.sinceMs) return undefined;
      else if (blockedUntilMs(scope, next.candidate.budgets, wish.urgency) <= nowMs) return next;
    }
    return undefined;
  }

  async function run(key: string, scope: Scope): Promise<void> {
    for (;;) {
      await clock.loopTurn("writes");
      const chosen = choose(scope);
      if ("waitMs" in chosen) {
        if (scope.candidates.size === 0) break;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(chosen.waitMs, resolve);
          scope.interrupt = () => {
            cancel();
            resolve();
          };
        });
        scope.interrupt = undefined;
        continue;
      }
      const { candidate, urgency } = chosen;
      const what = candidate.confirm();
      if (what === undefined) {
        scope.candidates.delete(candidate);
        continue;
      }
      const verdict = await take(candidate.budgets, urgency, what);
      if (!verdict.taken) {
        block(scope, urgency, verdict.key ?? key, clock.now() + Math.max(1, verdict.waitMs));
        continue;
      }
      // By now it may want something else, or nothing.
      if (!scope.candidates.has(candidate) || candidate.wish() === undefined || candidate.confirm() !== what) {
        giveBack(candidate.budgets, what);
        scope.ranking = [];
        continue;
      }
      scope.candidates.delete(candidate);
      void candidate.write();
    }
    scope.running = false;
    scopes.delete(key);
  }

  return {
    expect: (candidate) => {
      const key = scopeKey(candidate.budgets);
      const open = expected.get(key) ?? new Set();
      expected.set(key, open.add(candidate));
    },
    wake: (candidate) => {
      const key = scopeKey(candidate.budgets);
      const scope = scopes.get(key) ?? newScope();
      scopes.set(key, scope);
      scope.candidates.add(candidate);
      const [lastRanked] = scope.ranking;
      const wish = scope.interrupt === undefined && lastRanked === undefined ? undefined : candidate.wish();
      if (wish !== undefined && lastRanked !== undefined && byRank(wish, lastRanked) < 0) scope.ranking = [];
      if (wish !== undefined && blockedUntilMs(scope, candidate.budgets, wish.urgency) <= clock.now())
        scope.interrupt?.();
      if (scope.running) return;
      scope.running = true;
      void run(key, scope);
    },
    forget: (candidate) => {
      const key = scopeKey(candidate.budgets);
      const open = expected.get(key);
      open?.delete(candidate);
      if (open?.size === 0) expected.delete(key);
      const scope = scopes.get(key);
      scope?.candidates.delete(candidate);
      scope?.interrupt?.();
    },
    penalise: async ({ workspace, channel }, forMs) => {
      if (isUnlimited) return;
      if (windows !== undefined) return windows.penalise(channel, forMs);
      spare.delete(workspace);
      try {
        await coordinator.penalise(workspace, forMs);
      } catch (thrown) {
        log.warn({ err: thrown, key: workspace }, "The platform's Retry-After could not be stored in the write budget");
      }
    },
  };
}

function counts<T extends WriteBucket | WriteWindow>(budget: T | undefined, what: Countable): budget is T {
  return budget !== undefined && (budget.counts === undefined || what === "edit");
}

function newScope(): Scope {
  const blocked = { final: new Map(), first: new Map(), progress: new Map() };
  const ranked = { ranking: [], rankingEndsMs: Number.NEGATIVE_INFINITY };
  return { candidates: new Set(), ...ranked, blocked, running: false, interrupt: undefined };
}

const rank: Record<Urgency, number> = { final: 0, first: 1, progress: 2 };

/** Negative when `one` is served before `other`. */
function byRank(one: Wish, other: Wish): number {
  return rank[one.urgency] - rank[other.urgency] || one.sinceMs - other.sinceMs;
}
