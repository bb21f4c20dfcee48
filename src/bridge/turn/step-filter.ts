/**
 * Which steps of an answer somebody sees whole: those whose knowledge they could look up themselves. An answer may stand
 * in a channel where not everybody can reach the agent that gave it.
 */

import type { Named, Reach } from "../../ports/access.ts";
import type { Actor, Place } from "../../ports/model/place.ts";
import type { Step } from "../../ports/model/turn.ts";
import { queriedNames } from "../../presentation/sentences.ts";

/** `agent`: whose steps they are; undefined when that was not stored. */
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
    // What was cut away may name anything.
    if (inputOmittedChars !== undefined) return false;
    const names = queriedNames(input);
    // Of this project: an agent's list may have held it once, and does not any more.
    const isBase = (name: Named) => name.project === project && known.has(name.name);
    const isReached = (name: Named) => isBase(name) && reached.has(name.name);
    const all = (names ?? []).map((parts) => ({ project: parts.at(-2) ?? project, name: parts.at(-1) ?? "" }));
    if (!reachesAgent) return all.length > 0 && all.every(isReached);
    return all.every((name) => !isBase(name) || isReached(name));
  };
}
