/**
 * Finds a person in a stored record, and puts "a former member" in their place. Records name people in a few shapes
 * only: { id, name }, { key, name }, a voter's or actor's id, and keys that end with the id. Pure.
 */
import type { Person } from "../ports/content/privacy.ts";
import { formerMember, isIn, keyOfPerson } from "./person.ts";

type Members = Readonly<Record<string, unknown>>;

const ownPage = "console";

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Members that hold the id of a person. */
const idMembers = ["voter", "actorId"] as const;

function isNamed(value: Members, person: Person): boolean {
  if (typeof value["name"] !== "string") return false;
  return value["id"] === person.id || value["key"] === keyOfPerson(person);
}

/** Every workspace that the record names. */
function* placesIn(value: unknown): Generator<{ platform: string; workspace: string }> {
  if (!isObject(value)) return;
  const { platform, workspace } = value;
  if (typeof platform === "string" && typeof workspace === "string") yield { platform, workspace };
  for (const member of Object.values(value)) yield* placesIn(member);
}

function holdsKey(value: unknown, key: string): boolean {
  if (!isObject(value)) return false;
  return value["key"] === key || Object.values(value).some((member) => holdsKey(member, key));
}

/** Ids are unique in their workspace only. */
function isOfWorkspace(key: string, value: unknown, person: Person): boolean {
  const [platform = "", workspace = ""] = key.split("/").map(decoded);
  if (isIn(person, { platform, workspace })) return true;
  for (const place of placesIn(value)) if (isIn(person, place)) return true;
  if (person.platform !== ownPage) return false;
  // The page's own records begin with its one workspace.
  return platform === person.workspace || holdsSignIn(value, person);
}

/** People of the page act in places of other platforms. */
function holdsSignIn(value: unknown, person: Person): boolean {
  if (!isObject(value)) return false;
  const isTheirs = value["id"] === person.id && value["signedInAs"] !== undefined;
  return isTheirs || Object.values(value).some((member) => holdsSignIn(member, person));
}

function names(value: unknown, person: Person): boolean {
  if (!isObject(value)) return false;
  if (isNamed(value, person) || idMembers.some((member) => value[member] === person.id)) return true;
  return Object.values(value).some((member) => names(member, person));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether the record is about that person, or names them. `key`: where it is stored. */
export function isAbout(person: Person, key: string, value: unknown): boolean {
  if (holdsKey(value, keyOfPerson(person))) return true;
  if (!isOfWorkspace(key, value, person)) return false;
  return key.split("/").slice(2).map(decoded).includes(person.id) || names(value, person);
}

/** The same record without the person's id and name. */
export function withoutPerson<T>(value: T, person: Person): T {
  const replaced = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(replaced);
    if (!isObject(member)) return member;
    const walked = Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, replaced(inner)]));
    for (const name of idMembers) if (walked[name] === person.id) walked[name] = formerMember.id;
    if (!isNamed(member, person)) return walked;
    return "key" in walked ? { ...walked, key: "", name: formerMember.name } : { ...walked, ...formerMember };
  };
  return replaced(value) as T;
}
