/** What a person who presses a button below an answer may do where its question was asked. */

import { ParleyError } from "../core/errors.ts";
import type { Actor, Place } from "../core/model/place.ts";
import type { Turn } from "../core/model/turn.ts";
import type { ChatPlatform, Inbound } from "../core/ports/chat-platform.ts";
import type { People } from "./people.ts";

/**
 * People have fewer rights in a direct message than where they asked. A private answer uses their current rights there.
 * What was last seen of them may be old, and after a restart only the data stored with the question is left.
 */
export async function currentAsker(
  turn: Turn,
  { actor, place }: Pick<Inbound, "actor" | "place">,
  platform: Pick<ChatPlatform, "memberships">,
  people: Pick<People, "newest" | "saw">,
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
