/** What the platform says about a person now: what was stored about them may be old. */

import type { Actor, Place } from "../core/model/place.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";

/** Undefined: it can't be found out now. */
export async function personNow(
  person: Actor,
  place: Place,
  { personNow: ask, memberships }: Pick<ChatPlatform, "personNow" | "memberships">,
): Promise<Actor | "gone" | undefined> {
  if (ask !== undefined) return ask(person, place);
  return memberships === undefined ? person : memberships.actorNow(person, place);
}
