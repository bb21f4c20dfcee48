/** The port to checks: answered questions of an agent, asked again to see whether their answers still hold. */
import type { GapScope } from "../model/insight.ts";
import type { Job, JobItem } from "../model/job.ts";

/**
 * Asks one answered gap again for that Job, and stores what was found. Throws ParleyError if it can't be asked. Of a
 * question that is worth naming, the title is what may be read where the Job is shown.
 */
export type AskCheck = (
  gapId: string,
  job: Pick<Job, "id" | "actor" | "askedIn" | "reply">,
  signal: AbortSignal,
) => Promise<Pick<JobItem, "title" | "checked">>;

/** Questions that one check asks. Its Job is stored as a whole. */
export const maxChecks = 500;

export type Checks = {
  /** Ids of the agent's answered gaps in that workspace, at most `maxChecks`, those with most people first. */
  readonly of: (scope: GapScope) => Promise<readonly string[]>;
  /** How many a check asks. */
  readonly count: (scope: GapScope) => Promise<number>;
  /** How many there are. */
  readonly total: (scope: GapScope) => Promise<number>;
  readonly ask: AskCheck;
};
