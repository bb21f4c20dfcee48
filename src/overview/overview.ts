/** The face of the overview: reads what the pages for those who run Parley show. Each page has its own files here. */
import type { NowCounts, Overview } from "../ports/overview/overview.ts";

export type OverviewDeps = {
  readonly counts: NowCounts;
};

export function createOverview({ counts }: OverviewDeps): Overview {
  return { now: counts };
}
