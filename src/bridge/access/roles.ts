/**
 * Determines a person's roles from the platform's data and the settings. Pure. A list in the settings replaces its
 * role's default; a higher role includes the lower ones.
 */
import type { RoleAnswer, RoleEntry } from "../../ports/access.ts";
import { ParleyError } from "../../ports/errors.ts";
import type { Actor, Place } from "../../ports/model/place.ts";
import { present } from "../../ports/tools/present.ts";

export type RoleSettings = {
  readonly managers?: readonly RoleEntry[] | undefined;
  readonly ingesters?: readonly RoleEntry[] | undefined;
  readonly askers?: readonly RoleEntry[] | undefined;
  /** Platforms that only admit people with every role (the console: loopback, or its token). */
  readonly trustedPlatforms: readonly string[];
};

export function rolesOf(actor: Actor, place: Pick<Place, "platform">, settings: RoleSettings): RoleAnswer {
  if (settings.trustedPlatforms.includes(place.platform)) {
    const because = "whoever can open this page may do everything";
    return { ask: yes(because), ingest: yes(because), manage: yes(because) };
  }
  const manage =
    settings.managers === undefined
      ? actor.isAdmin && !actor.isExternal
        ? yes("workspace admins manage")
        : no("only workspace admins manage")
      : listed(actor, place, settings.managers, "MANAGERS");
  const ingest = manage.allowed
    ? yes("who manages may also ingest")
    : settings.ingesters === undefined
      ? isFullMember(actor)
        ? yes("full members may ingest")
        : no("only full members may ingest")
      : listed(actor, place, settings.ingesters, "INGESTERS");
  const ask = ingest.allowed
    ? yes(manage.allowed ? "who manages may also ask" : "who ingests may also ask")
    : settings.askers === undefined
      ? actor.isExternal
        ? no("people from other organisations may not ask")
        : yes("members and guests may ask")
      : listed(actor, place, settings.askers, "ASKERS");
  return { ask, ingest, manage };
}

/** The error for a missing role; `what` replaces its first sentence. */
export function refusalOf(actor: Actor, what?: string): ParleyError {
  if (actor.isUnverified === true) return new ParleyError("person_unknown");
  return new ParleyError("not_allowed", present({ what }));
}

/** Not a guest, a member of another organisation or a bot. */
export function isFullMember(actor: Actor): boolean {
  return !actor.isGuest && !actor.isExternal && !actor.isBot;
}

function listed(
  actor: Actor,
  place: Pick<Place, "platform">,
  entries: readonly RoleEntry[],
  setting: string,
): { allowed: boolean; because: string } {
  const isListed = entries.some(
    (entry) =>
      entry === "*" ||
      (entry.platform === place.platform &&
        (entry.kind === "user" ? entry.id === actor.id : actor.roles.includes(entry.id))),
  );
  return isListed ? yes(`listed in ${setting}`) : no(`only those listed in ${setting} may`);
}

const yes = (because: string) => ({ allowed: true, because });
const no = (because: string) => ({ allowed: false, because });
