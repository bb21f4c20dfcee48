/**
 * What a button below an answer reaches: the Turn that it names, with the rights of the person who pressed it, and those
 * of its steps that the person may see.
 */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { Step, Turn } from "../../core/model/turn.ts";
import type { ChatPlatform, Inbound } from "../../core/ports/chat-platform.ts";
import type { TurnStore } from "../../core/ports/state.ts";
import { queriedNames } from "../../presentation/sentences.ts";
import type { People } from "../people.ts";

/** The id is untrusted: a press only reaches Turns whose answer is in the place where it was pressed. */
export async function turnHere(
  turns: TurnStore,
  id: string,
  { place, actor }: Pick<Inbound, "place" | "actor">,
): Promise<Turn> {
  const turn = await turns.get(id);
  const stands = turn?.conversation;
  const isThere = stands?.platform === place.platform && stands.workspace === place.workspace;
  // A direct message may have two ids: the person's and its own.
  const isHere = turn?.isPrivate === true ? turn.actor.id === actor.id : stands?.channel === place.channel;
  if (turn === undefined || turn.isForgotten === true || !isThere || !isHere) throw new ParleyError("turn_gone");
  return turn;
}

/**
 * People have fewer rights in a direct message than where they asked. A private answer uses their current rights there.
 * What was last seen of them may be old, and after a restart only the data stored with the question is left.
 */
export async function currentAsker(
  turn: Turn,
  { actor, place }: Pick<Inbound, "actor" | "place">,
  platform: ChatPlatform,
  people: People,
): Promise<{ readonly actor: Actor; readonly place: Place }> {
  if (turn.isPrivate !== true) return { actor, place };
  const { askedIn } = turn;
  const heard = people.newest(turn.actor, askedIn);
  if (platform.memberships === undefined) return { actor: heard, place: askedIn };
  const now = await platform.memberships.actorNow(heard, askedIn).catch(() => undefined);
  if (now === undefined) throw new ParleyError("person_unknown");
  people.saw(now, askedIn);
  return { actor: now, place: askedIn };
}

/**
 * People see those steps in full whose knowledge they could look up themselves: an answer may be in a channel where not
 * everyone can reach its agent. `agent`: the one that took the steps; undefined if that was not stored.
 */
export async function stepFilter(
  actor: Actor,
  place: Place,
  agent: Named | undefined,
  { reach, settings }: App,
): Promise<(step: Step) => boolean> {
  if (reach.may(actor, "manage", place).allowed) return () => true;
  const project = settings.projectOf(place, actor);
  const [verdict, bases] = await Promise.all([
    agent === undefined ? undefined : reach.mayAgent(actor, "ask", place, agent),
    reach.bases(actor, place),
  ]);
  const reachesAgent = verdict?.allowed === true;
  const reached = new Set(bases.map(({ name }) => name));
  const known = new Set((await reach.lists(project).knowledgeBases()).map(({ name }) => name));
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
