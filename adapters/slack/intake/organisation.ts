/**
 * Which organisation somebody belongs to, as far as team ids tell. Pure. One foreign team is enough to be of another
 * organisation, except on Enterprise Grid, where the workspaces of one enterprise are one organisation.
 */
import type { Self } from "../ids.ts";

/** Unknown counts as another one: rights are given to people who are known. */
export type Organisation = "own" | "other" | "unknown";

/** What a payload or a lookup says of one person. */
export type TeamFacts = {
  /** Every team id that is that person's; on Grid some of them are the enterprise's id. */
  readonly teams: readonly (string | undefined)[];
  /** The enterprise of these teams. */
  readonly enterpriseId?: string | undefined;
};

export function organisationOf({ teams, enterpriseId }: TeamFacts, self: Self): Organisation {
  const known = teams.filter((team) => team !== undefined);
  if (known.length === 0) return "unknown";
  if (known.every((team) => team === self.teamId || team === self.enterpriseId)) return "own";
  if (self.enterpriseId === undefined) return "other";
  if (enterpriseId !== undefined) return enterpriseId === self.enterpriseId ? "own" : "other";
  // Another workspace, perhaps of the same enterprise. The id of another enterprise is not.
  return known.some((team) => team.startsWith("E") && team !== self.enterpriseId) ? "other" : "unknown";
}

/** Whoever is foreign by one of the two is foreign. */
export function combined(one: Organisation, another: Organisation): Organisation {
  if (one === "other" || another === "other") return "other";
  return one === "own" || another === "own" ? "own" : "unknown";
}
