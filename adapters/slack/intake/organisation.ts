/**
 * Decides from team ids whether a person belongs to this organisation. Pure.
 * One foreign team makes a person external, except on Enterprise Grid, where all workspaces of one enterprise are one
 * organisation.
 */
import type { Self } from "../ids.ts";

/** "unknown" is treated as "other": only known people get rights. */
export type Organisation = "own" | "other" | "unknown";

/** What a payload or a lookup says about one person. */
export type TeamFacts = {
  /** All the person's team ids; on Grid some of them are the enterprise's id. */
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
  // Another workspace, perhaps of the same enterprise; the id of another enterprise is certainly foreign.
  return known.some((team) => team.startsWith("E") && team !== self.enterpriseId) ? "other" : "unknown";
}

/** External if either source says so. */
export function combined(one: Organisation, another: Organisation): Organisation {
  if (one === "other" || another === "other") return "other";
  return one === "own" || another === "own" ? "own" : "unknown";
}
