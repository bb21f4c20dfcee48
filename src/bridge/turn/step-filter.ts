/**
 * Decides which steps of an answer a person sees in full. They see those whose knowledge they could look up themselves.
 * An answer may be in a channel where not everyone can reach its agent.
 */

import type { Named, Reach } from "../../core/access.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Step } from "../../core/model/turn.ts";
import { queriedNames } from "../../presentation/sentences.ts";

/** `agent`: the one that took the steps; undefined if that was not stored. */
export async function stepFilter(
  actor: Actor,
  place: Place,
  agent: Named | undefined,
  { reach, project }: { readonly reach: Reach; readonly project: string },
): Promise<(step: Step) => boolean> {
  if (reach.may(actor, "manage", place).allowed) return () => true;
  const [verdict, bases] = await Promise.all([
    agent === undefined ? undefined : reach.mayAgent(actor, "ask", place, agent),
    reach.bases(actor, place),
  ]);
  const reachesAgent = verdict?.allowed === true;
  const reached = new Set(bases.map(({ name }) => name));
  const known = new Set((await reach.lists.knowledgeBases()).map(({ name }) => name));
  return ({ input, inputOmittedChars }) => {
    // The part that was cut may name anything.
    if (inputOmittedChars !== undefined) return false;
    const names = queriedNames(input);
    // In this project: an agent's list may have contained it once, and no longer does.
    const isBase = (name: Named) => name.project === project && known.has(name.name);
    const isReached = (name: Named) => isBase(name) && reached.has(name.name);
    const all = (names ?? []).map((parts) => ({ project: parts.at(-2) ?? project, name: parts.at(-1) ?? "" }));
    if (!reachesAgent) return all.length > 0 && all.every(isReached);
    return all.every((name) => !isBase(name) || isReached(name));
  };
}
