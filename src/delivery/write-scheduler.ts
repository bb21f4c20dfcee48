/**
 * Decides whose write is next. The platform's budget is shared by every Reply of a workspace, so a busy answer must not
 * starve another one, progress must never use up what finals need, and nobody may wait while there are tokens.
 *
 * One loop per budget (a workspace, or a channel where only channels have one). It runs only while something waits.
 */
import type { WriteLimits } from "../bridge/ports/chat-platform.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Coordinator } from "../bridge/ports/state.ts";
import { conversationKey, type Place, workspaceKey } from "../bridge/words.ts";
import type { Log } from "../operations/log.ts";

/** In the order in which they are served. */
export type Urgency = "final" | "first" | "progress";

/** Something that wants to write now. Asked again before every write, because what is newest changes meanwhile. */
export type Candidate = {
  readonly place: Place;
  /** What it wants, and since when it shows what it shows (older is served first); undefined: nothing, for now. Cheap. */
  readonly wish: () => { readonly urgency: Urgency; readonly sinceMs: number } | undefined;
  /** Looks closely whether there really is something to write. */
  readonly confirm: () => boolean;
  /** Starts one write; the candidate has no wish until it is over. Resolves, never rejects, when the write is over. */
  readonly write: () => Promise<void>;
};

export type WriteScheduler = {
  /** Says that the candidate may have a wish. Cheap; may be called at any time. */
  readonly wake: (candidate: Candidate) => void;
  readonly forget: (candidate: Candidate) => void;
  /** The platform said 429 for a write there: nothing is sent before `forMs` is over. */
  readonly penalise: (place: Place, forMs: number) => Promise<void>;
};

/** When the coordinator does not answer: how long until it is asked again. */
const coordinatorAwayMs = 500;

type Verdict = { readonly taken: true } | { readonly taken: false; readonly waitMs: number };

type Scope = {
  readonly candidates: Set<Candidate>;
  /** Nobody of that urgency and key needs to ask before then. */
  readonly blocked: Map<string, number>;
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
  /** Tokens that were taken for a write which then was not needed. */
  const spare = new Map<string, number>();

  const scopeKey = (place: Place) => (limits.perWorkspace === undefined ? conversationKey(place) : workspaceKey(place));
  const workspaceBudget = (place: Place) => `writes/${workspaceKey(place)}`;
  const channelBudget = (place: Place) => `writes/channel/${conversationKey(place)}`;

  /** What must be left in a bucket. A first post may take half of what is kept: somebody is looking at nothing. */
  function keep(urgency: Urgency): number {
    if (urgency === "final") return 0;
    return urgency === "first" ? Math.floor(limits.keptForFinals / 2) : limits.keptForFinals;
  }

  async function takeOne(
    key: string,
    bucket: { capacity: number; refillPerMinute: number },
    urgency: Urgency,
  ): Promise<Verdict> {
    const left = spare.get(key) ?? 0;
    if (left > 0) {
      if (left === 1) spare.delete(key);
      else spare.set(key, left - 1);
      return { taken: true };
    }
    try {
      return await coordinator.takeToken(key, bucket, keep(urgency));
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The write budget could not be asked");
      return { taken: false, waitMs: coordinatorAwayMs };
    }
  }

  function giveBack(place: Place): void {
    const keys = [
      ...(limits.perWorkspace === undefined ? [] : [workspaceBudget(place)]),
      ...(limits.perChannel === undefined ? [] : [channelBudget(place)]),
    ];
    for (const key of keys) spare.set(key, (spare.get(key) ?? 0) + 1);
  }

  /** A token of each bucket that the place has; `key` is the one that had none. */
  async function take(place: Place, urgency: Urgency): Promise<Verdict & { readonly key?: string }> {
    if (limits.perChannel !== undefined) {
      const key = channelBudget(place);
      const verdict = await takeOne(key, limits.perChannel, urgency);
      if (!verdict.taken) return { ...verdict, key };
    }
    if (limits.perWorkspace !== undefined) {
      const key = workspaceBudget(place);
      const verdict = await takeOne(key, limits.perWorkspace, urgency);
      if (!verdict.taken) {
        if (limits.perChannel !== undefined)
          spare.set(channelBudget(place), (spare.get(channelBudget(place)) ?? 0) + 1);
        return { ...verdict, key };
      }
    }
    return { taken: true };
  }

  function blockedUntilMs(scope: Scope, place: Place, urgency: Urgency): number {
    const until = (key: string) => scope.blocked.get(`${urgency} ${key}`) ?? 0;
    return Math.max(until(workspaceBudget(place)), until(channelBudget(place)));
  }

  /** The candidate to serve next, or how long until there may be one. */
  function choose(
    scope: Scope,
  ): { readonly candidate: Candidate; readonly urgency: Urgency } | { readonly waitMs: number } {
    const nowMs = clock.now();
    let best: { candidate: Candidate; urgency: Urgency; sinceMs: number } | undefined;
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const candidate of scope.candidates) {
      const wish = candidate.wish();
      if (wish === undefined) {
        scope.candidates.delete(candidate);
        continue;
      }
      const untilMs = blockedUntilMs(scope, candidate.place, wish.urgency);
      if (untilMs > nowMs) {
        earliestMs = Math.min(earliestMs, untilMs);
        continue;
      }
      if (best === undefined || isBefore(wish, best)) best = { candidate, ...wish };
    }
    return best ?? { waitMs: earliestMs - nowMs };
  }

  async function run(key: string, scope: Scope): Promise<void> {
    // Whoever says more in the same breath is heard before the first write.
    await undefined;
    for (;;) {
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
      if (!candidate.confirm()) {
        scope.candidates.delete(candidate);
        continue;
      }
      const verdict = await take(candidate.place, urgency);
      if (!verdict.taken) {
        scope.blocked.set(`${urgency} ${verdict.key}`, clock.now() + Math.max(1, verdict.waitMs));
        continue;
      }
      // What it wanted may be over, or more urgent, by now.
      if (!scope.candidates.has(candidate) || candidate.wish() === undefined || !candidate.confirm()) {
        giveBack(candidate.place);
        continue;
      }
      scope.candidates.delete(candidate);
      void candidate.write();
    }
    scope.running = false;
    scopes.delete(key);
  }

  return {
    wake: (candidate) => {
      const key = scopeKey(candidate.place);
      const scope = scopes.get(key) ?? {
        candidates: new Set(),
        blocked: new Map(),
        running: false,
        interrupt: undefined,
      };
      scopes.set(key, scope);
      scope.candidates.add(candidate);
      const wish = scope.interrupt === undefined ? undefined : candidate.wish();
      if (wish !== undefined && blockedUntilMs(scope, candidate.place, wish.urgency) <= clock.now())
        scope.interrupt?.();
      if (scope.running) return;
      scope.running = true;
      void run(key, scope);
    },
    forget: (candidate) => {
      const scope = scopes.get(scopeKey(candidate.place));
      scope?.candidates.delete(candidate);
      scope?.interrupt?.();
    },
    penalise: async (place, forMs) => {
      const key = limits.perChannel !== undefined ? channelBudget(place) : workspaceBudget(place);
      spare.delete(key);
      try {
        await coordinator.penalise(key, forMs);
      } catch (thrown) {
        log.warn({ err: thrown, key }, "The write budget could not be told to wait");
      }
    },
  };
}

const rank: Record<Urgency, number> = { final: 0, first: 1, progress: 2 };

function isBefore(one: { urgency: Urgency; sinceMs: number }, other: { urgency: Urgency; sinceMs: number }): boolean {
  return rank[one.urgency] === rank[other.urgency]
    ? one.sinceMs < other.sinceMs
    : rank[one.urgency] < rank[other.urgency];
}
