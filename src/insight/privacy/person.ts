/** Reads names of people such as slack:T1/U123, recognises them in records, and knows what replaces them. Pure. */
import type { Person } from "../../core/content/privacy.ts";
import { type Actor, idAway, type Place, personKey } from "../../core/model/place.ts";

const ownPage = "console";

/** Where one id is one person: in every server, and in direct messages, which belong to none. */
const everywhere: readonly string[] = ["discord"];

export const formerMember = { id: "former-member", name: "A former member" } as const;

/** "slack:T1/U123". Undefined: it isn't written like that. */
export function parsePerson(text: string): Person | undefined {
  const [, platform, workspace, id] = /^([a-z]+):([^/\s]+)\/(\S+)$/.exec(text.trim()) ?? [];
  if (platform === undefined || workspace === undefined || id === undefined) return undefined;
  return { platform, workspace, id };
}

export function keyOfPerson({ platform, workspace, id }: Person): string {
  return personKey({ platform, workspace }, { id });
}

/** Whether `personKey` made that of them, in any of their workspaces. */
export function isKeyOf(person: Person, key: unknown): boolean {
  if (typeof key !== "string") return false;
  if (key === keyOfPerson(person)) return true;
  const [platform = "", workspace, id, ...more] = key.split("/");
  return (
    everywhere.includes(person.platform) &&
    platform === person.platform &&
    workspace !== undefined &&
    id === encodeURIComponent(person.id) &&
    more.length === 0
  );
}

/** The workspace is theirs. */
export function isIn({ platform, workspace }: Person, place: Pick<Place, "platform" | "workspace">): boolean {
  return place.platform === platform && (place.workspace === workspace || everywhere.includes(platform));
}

/** People of the page can act in places of other platforms, under this id. No other platform has such ids. */
export function awayOf({ platform, id }: Person): string | undefined {
  return platform === ownPage ? idAway({ id }) : undefined;
}

/** Whether that is the person who acted there. */
export function isPerson(person: Person, actor: Pick<Actor, "id"> & Partial<Actor>, place: Place): boolean {
  if (actor.id === awayOf(person)) return true;
  if (actor.id !== person.id) return false;
  return isIn(person, place) || (place.platform === person.platform && actor.workspace === person.workspace);
}

export function formerActor(workspace: string): Actor {
  const nothing = { isAdmin: false, isGuest: true, isExternal: false, isBot: false, roles: [] };
  return { ...formerMember, workspace, ...nothing };
}
