/**
 * Keeps chat platforms out of it when a person of Parley's own page acts in their channels. Platforms don't know that
 * person, so they are not asked about them, and nothing is sent to them there.
 */

import type { Actor } from "../core/model/place.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";

export function withVisitors(platform: ChatPlatform): ChatPlatform {
  if (platform.isOwnPage === true) return platform;
  const isVisitor = ({ signedInAs }: Actor) => signedInAs !== undefined;
  const { directPlace, isMember, personNow, memberships, timeZone } = platform;
  return {
    ...platform,
    directPlace:
      directPlace &&
      ((...given: Parameters<typeof directPlace>) => (isVisitor(given[0]) ? undefined : directPlace(...given))),
    isMember:
      isMember &&
      (async (actor: Actor, ...place: [Parameters<typeof isMember>[1]]) =>
        isVisitor(actor) ? undefined : isMember(actor, ...place)),
    personNow:
      personNow &&
      (async (...given: Parameters<typeof personNow>) => (isVisitor(given[0]) ? given[0] : personNow(...given))),
    timeZone: timeZone && (async (actor: Actor) => (isVisitor(actor) ? undefined : timeZone(actor))),
    memberships: memberships && {
      ...memberships,
      actorNow: async (...given: Parameters<typeof memberships.actorNow>) =>
        isVisitor(given[0]) ? given[0] : memberships.actorNow(...given),
    },
  };
}
