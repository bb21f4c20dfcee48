/** What 429s have taught about budgets, as known in this process: for the metrics. */
import type { Clock } from "../../ports/clock.ts";
import type { BudgetKind, DeliveryMetrics } from "../../ports/metrics.ts";
import { type LearntShare, shareNow, wholeAgainAtMs } from "../../ports/model/learnt-share.ts";

export type Learnt = {
  readonly watch: (kind: BudgetKind, perMinute: number) => void;
  /** That budget may use `share` of its limit when the wait that the platform asked for is over. */
  readonly lowered: (kind: BudgetKind, key: string, share: number, forMs: number) => void;
};

export function createLearnt(
  clock: Pick<Clock, "now">,
  metrics: Pick<DeliveryMetrics, "onBudgetLowered" | "watchBudget"> | undefined,
): Learnt {
  const shares = new Map<BudgetKind, Map<string, LearntShare>>();

  function lowest(kind: BudgetKind): number {
    const known = [...(shares.get(kind)?.values() ?? [])];
    return Math.min(1, ...known.map((share) => shareNow(share, clock.now())));
  }

  return {
    watch: (kind, perMinute) => metrics?.watchBudget(kind, () => perMinute * lowest(kind)),
    lowered: (kind, key, share, forMs) => {
      const nowMs = clock.now();
      const known = shares.get(kind) ?? new Map<string, LearntShare>();
      shares.set(kind, known);
      if (share < shareNow(known.get(key), nowMs)) metrics?.onBudgetLowered(kind);
      for (const [other, before] of known) if (wholeAgainAtMs(before) <= nowMs) known.delete(other);
      known.set(key, { share, loweredAtMs: nowMs, quietSinceMs: nowMs + forMs });
    },
  };
}
