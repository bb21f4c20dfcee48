/** What 429s have taught about budgets, as known in this process: for the metrics and the page System. */

import type { BudgetKind, DeliveryMetrics, LoweredBudget, WatchedBudget } from "../../core/metrics.ts";
import { type LearntShare, shareNow, wholeAgainAtMs } from "../../core/model/learnt-share.ts";
import type { WriteLimits } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";

/** Whose budget it is. */
export type BudgetOwner = Pick<LoweredBudget, "workspace" | "channel"> & { readonly key: string };

export type Learnt = {
  /** That budget may use `share` of its limit when the wait that the platform asked for is over. */
  readonly lowered: (kind: BudgetKind, owner: BudgetOwner, share: number, forMs: number) => void;
};

export function createLearnt(
  limits: WriteLimits,
  clock: Pick<Clock, "now">,
  metrics: Pick<DeliveryMetrics, "onBudgetLowered" | "watchBudget"> | undefined,
): Learnt {
  const shares = new Map<BudgetKind, Map<string, BudgetOwner & LearntShare>>();

  function loweredNow(kind: BudgetKind, perMinute: number): readonly LoweredBudget[] {
    const nowMs = clock.now();
    return [...(shares.get(kind)?.values() ?? [])]
      .filter((known) => wholeAgainAtMs(known) > nowMs)
      .map(({ key: _key, share, loweredAtMs, quietSinceMs, ...owner }) => {
        const learnt = { share, loweredAtMs, quietSinceMs };
        return { ...owner, perMinute: perMinute * shareNow(learnt, nowMs), wholeAgainAtMs: wholeAgainAtMs(learnt) };
      });
  }

  function watch(kind: BudgetKind, per: WatchedBudget["per"], perMinute: number): void {
    metrics?.watchBudget(kind, { per, perMinute, lowered: () => loweredNow(kind, perMinute) });
  }

  const { perWorkspace, perChannel, posts } = limits;
  if (perChannel !== undefined) watch("edits", "channel", (perChannel.limit * 60_000) / perChannel.windowMs);
  else if (perWorkspace !== undefined) watch("edits", "workspace", perWorkspace.refillPerMinute);
  if (posts !== undefined) watch("posts", "workspace", posts.perWorkspace.refillPerMinute);

  return {
    lowered: (kind, owner, share, forMs) => {
      const nowMs = clock.now();
      const known = shares.get(kind) ?? new Map<string, BudgetOwner & LearntShare>();
      shares.set(kind, known);
      if (share < shareNow(known.get(owner.key), nowMs)) metrics?.onBudgetLowered(kind);
      for (const [other, before] of known) if (wholeAgainAtMs(before) <= nowMs) known.delete(other);
      known.set(owner.key, { ...owner, share, loweredAtMs: nowMs, quietSinceMs: nowMs + forMs });
    },
  };
}
