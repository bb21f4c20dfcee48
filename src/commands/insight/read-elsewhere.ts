/**
 * Whether people outside a channel can read a knowledge base: then a private message must not just become part of it.
 */
import type { BoundPlace, Named } from "../../core/access.ts";
import { channelKey, type Place } from "../../core/model/place.ts";
import type { CommandApp } from "../app.ts";
import { readersOf } from "../names/readers.ts";

/**
 * False only if the channel's own agents alone look in it. Agents answer questions from what they look in, so a base
 * that is not known to be confined counts as read by others.
 */
export async function isReadElsewhere(
  { reach, bindings, names, settings }: CommandApp,
  base: Named,
  place: Place,
): Promise<boolean> {
  const { platform, workspace } = place;
  const isHere = (bound: BoundPlace) => channelKey(bound) === channelKey(place);
  const anyone = { isAdmin: false, isGuest: false, isExternal: false, isBot: false, roles: [] };
  const nowhere = { platform, workspace, channel: "" };
  const [agents, placesOf, choosing, ofAnyone] = await Promise.all([
    names.current.agents(),
    bindings.places(),
    base.project === settings.project ? bindings.placesChoosing(base) : [],
    reach.mayBase({ ...anyone, id: "", workspace, name: "" }, "search", nowhere, base),
  ]);
  if (ofAnyone.allowed || !choosing.every(isHere)) return true;
  const readers = readersOf(agents, base).map(({ project, name }) => placesOf(project, name));
  return readers.length === 0 || readers.some((places) => places.length === 0 || !places.every(isHere));
}
