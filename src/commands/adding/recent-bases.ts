/** Finds knowledge bases that were created a moment ago, which forms then have chosen already. From memory. */
import type { NameCache } from "../names/name-cache.ts";

/** How long a new one counts as new. The service's clock may be a little ahead. */
const recentMs = 3_600_000;
const maxAheadMs = 300_000;

/** The newest first. */
export function recentBases(names: Pick<NameCache, "knowledgeBases">, nowMs: number): readonly string[] {
  return names
    .knowledgeBases()
    .flatMap(({ name, createdAt }) => ({ name, atMs: timeOf(createdAt) }))
    .filter(({ atMs }) => nowMs - atMs < recentMs && atMs - nowMs < maxAheadMs)
    .sort((one, other) => other.atMs - one.atMs)
    .map(({ name }) => name);
}

/** The service writes its times in UTC, without a zone. NaN if there is none. */
function timeOf(written: string | undefined): number {
  return Date.parse(`${written?.slice(0, 19).replace(" ", "T")}Z`);
}
