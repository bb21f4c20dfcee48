/**
 * Determines a person's roles from the platform's data and the settings. Pure. A list in the settings replaces its
 * role's default; a higher role includes the lower ones.
 */
import type { PlatformEntry, RoleAnswer, RoleEntry, RoleSettings } from "../core/access.ts";
import { ParleyError } from "../core/errors.ts";
import { type Actor, type Role, type Workspace, workspaceKey } from "../core/model/place.ts";

const says = {
  managers: "managers can",
};

export function rolesOf(actor: Actor, place: Workspace, settings: RoleSettings): RoleAnswer {
  if (managesFromPage(actor, place)) return bySignIn("manage");
  if (actor.signedInAs !== undefined) {
    const isApart = settings.keepsApart === true && !settings.trustedPlatforms.includes(place.platform);
    return bySignIn(isApart ? "nobody" : actor.signedInAs);
  }
  if (settings.trustedPlatforms.includes(place.platform)) {
    const open = yes("anyone with access to this page can do everything");
    return { ask: open, ingest: open, manage: open };
  }
  const manage =
    settings.managers === undefined
      ? actor.isAdmin && !actor.isExternal
        ? yes("workspace admins can")
        : no("only workspace admins can")
      : listed(actor, place, settings.managers, "MANAGERS");
  const ingest = manage.allowed
    ? yes(says.managers)
    : settings.ingesters === undefined
      ? isFullMember(actor)
        ? yes("full members can")
        : no("only full members can")
      : listed(actor, place, settings.ingesters, "INGESTERS");
  const ask = ingest.allowed
    ? yes(manage.allowed ? says.managers : "everyone who can add to knowledge bases can")
    : settings.askers === undefined
      ? actor.isExternal
        ? no("people from other organisations can't")
        : yes("members and guests can")
      : listed(actor, place, settings.askers, "ASKERS");
  return { ask, ingest, manage };
}

/** People who manage Parley on its page manage every workspace from there; others, those that the settings name. */
export function managesFromPage(
  { signedInAs, managesIn = [] }: Pick<Actor, "signedInAs" | "managesIn">,
  place: Workspace,
): boolean {
  return signedInAs === "manage" || managesIn.includes(workspaceKey(place));
}

/** The page's sign-in has decided, from the same settings. */
function bySignIn(role: Role | "nobody"): RoleAnswer {
  const rank = ranks.indexOf(role);
  const atLeast = (least: Role) =>
    rank >= ranks.indexOf(least) ? yes("your sign-in allows it") : no("your sign-in doesn't allow it");
  return { ask: atLeast("ask"), ingest: atLeast("ingest"), manage: atLeast("manage") };
}

const ranks: readonly (Role | "nobody")[] = ["nobody", "ask", "ingest", "manage"];

/** The error for a missing role; `what` replaces its first sentence. */
export function refusalOf(actor: Actor, what?: string): ParleyError {
  if (actor.isUnverified === true) return new ParleyError("person_unknown");
  return new ParleyError("not_allowed", { what });
}

/** Not a guest, a member of another organisation or a bot. */
export function isFullMember(actor: Actor): boolean {
  return !actor.isGuest && !actor.isExternal && !actor.isBot;
}

function listed(
  actor: Actor,
  place: Workspace,
  entries: readonly RoleEntry[],
  setting: string,
): { allowed: boolean; because: string } {
  const isListed = entries.some(
    (entry) =>
      entry === "*" ||
      (entry.platform === place.platform &&
        (entry.workspace === undefined || entry.workspace === place.workspace) &&
        (entry.kind === "user" ? entry.id === actor.id : actor.roles.includes(entry.id))),
  );
  return isListed ? yes(`you are listed in ${setting}`) : no(`only people listed in ${setting} can`);
}

/** Whether WORKSPACES or ANSWER_BOTS lists that id. */
export function hasEntry(entries: readonly PlatformEntry[], platform: string, id: string): boolean {
  return entries.some((entry) => entry === "*" || (entry.platform === platform && entry.id === id));
}

const yes = (because: string) => ({ allowed: true, because });
const no = (because: string) => ({ allowed: false, because });
