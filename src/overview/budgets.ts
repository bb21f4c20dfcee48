/** Remembers how the platforms' budgets are read, so that the page System can show what 429s have taught. */
import type { AdapterMetrics, BudgetKind, DeliveryMetrics, WatchedBudget } from "../core/metrics.ts";

/** What a platform lets Parley write, of one kind. */
export type BudgetLine = {
  readonly platform: string;
  readonly kind: BudgetKind;
  readonly per: "workspace" | "channel";
  /** While the platform doesn't complain. */
  readonly perMinute: number;
  /** Where it has complained, the smallest first. */
  readonly lowered: readonly LoweredLine[];
};

export type LoweredLine = {
  readonly workspace: string;
  readonly channel?: string;
  /** Of a direct message, which isn't named. */
  readonly isDirect?: true;
  /** The channel's; cleaned. */
  readonly name?: string;
  readonly perMinute: number;
  readonly wholeAgainAtMs: number;
};

export type BudgetWatch = {
  /** The same metrics; what is watched through them is read here too. */
  readonly around: <M extends Pick<DeliveryMetrics & AdapterMetrics, "watchBudget">>(platform: string, metrics: M) => M;
  readonly read: () => readonly BudgetLine[];
};

export function createBudgetWatch(): BudgetWatch {
  const watched = new Map<string, WatchedBudget & { readonly platform: string; readonly kind: BudgetKind }>();
  return {
    around: (platform, metrics) => ({
      ...metrics,
      watchBudget: (kind: BudgetKind, budget: WatchedBudget) => {
        watched.set(`${platform}/${kind}`, { ...budget, platform, kind });
        metrics.watchBudget(kind, budget);
      },
    }),
    read: () =>
      [...watched.values()].map(({ platform, kind, per, perMinute, lowered }) => ({
        platform,
        kind,
        per,
        perMinute,
        lowered: lowered().flatMap(({ workspace, channel, ...now }) =>
          workspace === undefined ? [] : [{ workspace, channel, ...now }],
        ),
      })),
  };
}

/** What several instances know about the same budgets: of each owner the smallest. */
export function joined(own: readonly BudgetLine[], others: readonly BudgetLine[]): readonly BudgetLine[] {
  const ofOthers = (line: BudgetLine) =>
    others.filter(({ platform, kind }) => platform === line.platform && kind === line.kind);
  return own.map((line) => {
    const smallest = new Map<string, LoweredLine>();
    for (const found of [line, ...ofOthers(line)].flatMap(({ lowered }) => lowered)) {
      const key = JSON.stringify([found.workspace, found.channel]);
      if (found.perMinute < (smallest.get(key)?.perMinute ?? Number.POSITIVE_INFINITY)) smallest.set(key, found);
    }
    return { ...line, lowered: [...smallest.values()].sort((one, other) => one.perMinute - other.perMinute) };
  });
}
