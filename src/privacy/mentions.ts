/**
 * Finds a person in a stored record, and puts "a former member" in their place. Records name people in a few shapes
 * only: { id, name }, { key, name }, a voter's or actor's id, and keys that end with the id. Pure.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Person } from "../ports/content/privacy.ts";
import { awayOf, formerMember, isIn, keyOfPerson } from "./person.ts";

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Members that hold the id of a person. */
const idMembers = ["voter", "actorId", "begunBy"] as const;

function isNamed(value: Members, person: Person): boolean {
  if (typeof value["name"] !== "string") return false;
  return value["id"] === person.id || value["key"] === keyOfPerson(person) || isNamedAway(value, person);
}

/** In places of other platforms. */
function isNamedAway({ id, key }: Members, person: Person): boolean {
  const away = awayOf(person);
  if (away === undefined) return false;
  return id === away || (typeof key === "string" && key.endsWith(`/${encodeURIComponent(away)}`));
}

/** Every workspace that the record names. */
function* placesIn(value: unknown): Generator<{ platform: string; workspace: string }> {
  if (!isObject(value)) return;
  const { platform, workspace } = value;
  if (typeof platform === "string" && typeof workspace === "string") yield { platform, workspace };
  for (const member of Object.values(value)) yield* placesIn(member);
}

/** Named in a way that no other workspace has. */
function isCertain(value: unknown, person: Person): boolean {
  if (!isObject(value)) return false;
  if (value["key"] === keyOfPerson(person) || isNamedAway(value, person)) return true;
  return Object.values(value).some((member) => isCertain(member, person));
}

/** Ids are unique in their workspace only. */
function isOfWorkspace(key: string, value: unknown, person: Person): boolean {
  const [platform = "", workspace = ""] = key.split("/").map(decoded);
  if (isIn(person, { platform, workspace })) return true;
  for (const place of placesIn(value)) if (isIn(person, place)) return true;
  // The page's own records begin with its one workspace.
  return awayOf(person) !== undefined && platform === person.workspace;
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

/** The same key, with a random id instead. */
export function keyWithout(person: Person, key: string): string {
  if (!isKeyed(person, key)) return key;
  const ids: readonly (string | undefined)[] = [person.id, awayOf(person)];
  const segments = key.split("/").map((part, at) => (at > 0 && ids.includes(decoded(part)) ? formerKey() : part));
  return segments.join("/");
}

/** Several people may be erased. */
const formerKey = () => `${formerMember.id}-${randomUUID()}`;

/** Whether the id is a part of the key. */
function isKeyed(person: Person, key: string): boolean {
  const segments = key.split("/").slice(1).map(decoded);
  const away = awayOf(person);
  if (segments.slice(1).includes(person.id)) return true;
  if (away === undefined) return false;
  // Ids of files of the page begin with a hash of their owner's.
  const owner = `${createHash("sha256").update(person.id).digest("hex").slice(0, 32)}.`;
  return segments.some((segment) => segment === away || segment.startsWith(owner));
}

/** Whether the record is about that person, or names them. `key`: where it is stored. */
export function isAbout(person: Person, key: string, value: unknown): boolean {
  if (
    isCertain(value, person) ||
    key
      .split("/")
      .map(decoded)
      .includes(awayOf(person) ?? "/")
  )
    return true;
  if (!isOfWorkspace(key, value, person)) return false;
  return isKeyed(person, key) || names(value, person);
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
