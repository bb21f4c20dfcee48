/**
 * Finds a person in a stored record, and puts "a former member" in their place. Records name people in a few shapes
 * only: { id, name }, { key, name }, a voter's or actor's id, keys that end with the id, and a bare name in two places.
 * Pure.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Person } from "../../core/content/privacy.ts";
import { saveSentences } from "../../presentation/sentences.ts";
import { awayOf, formerMember, isIn, isKeyOf, keyOfPerson, parsePerson } from "./person.ts";

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Members that hold the id of a person. */
const idMembers = ["voter", "actorId", "begunBy", "owner", "cancelledBy"] as const;

/** Members that hold { name } alone. */
const bareMembers = ["addedBy"] as const;

/** What a person was called in the records that have their id. */
export type Names = ReadonlySet<string>;

const noNames: Names = new Set();

function isNamed(value: Members, person: Person): boolean {
  if (typeof value["name"] !== "string") return false;
  return value["id"] === person.id || isKeyOf(person, value["key"]) || isNamedAway(value, person);
}

/** In places of other platforms. */
function isNamedAway({ id, key }: Members, person: Person): boolean {
  const away = awayOf(person);
  if (away === undefined) return false;
  return id === away || (typeof key === "string" && key.endsWith(`/${encodeURIComponent(away)}`));
}

/** Written as in the request to export a person: "slack:T1/U123". */
function isWritten(value: unknown, person: Person): boolean {
  const named = typeof value === "string" ? parsePerson(value) : undefined;
  return named !== undefined && isKeyOf(person, keyOfPerson(named));
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
  if (isKeyOf(person, value["key"]) || isNamedAway(value, person) || isWritten(value["person"], person)) return true;
  const away = awayOf(person);
  if (away !== undefined && idMembers.some((member) => value[member] === away)) return true;
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

function isId(value: unknown, person: Person): boolean {
  return typeof value === "string" && (value === person.id || value === awayOf(person));
}

function isBare(value: unknown, called: Names): value is Members {
  return isObject(value) && value["id"] === undefined && called.has(String(value["name"]));
}

function names(value: unknown, person: Person, called: Names): boolean {
  if (typeof value === "string") return untitled(value, called) !== value;
  if (!isObject(value)) return false;
  if (isNamed(value, person) || idMembers.some((member) => isId(value[member], person))) return true;
  if (bareMembers.some((member) => isBare(value[member], called))) return true;
  return Object.values(value).some((member) => names(member, person, called));
}

/** What the record calls that person, wherever it has their id. */
export function* namesIn(value: unknown, person: Person): Generator<string> {
  if (!isObject(value)) return;
  if (isNamed(value, person)) yield String(value["name"]);
  for (const member of Object.values(value)) yield* namesIn(member, person);
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
export function isAbout(person: Person, key: string, value: unknown, called = noNames): boolean {
  if (
    isCertain(value, person) ||
    key
      .split("/")
      .map(decoded)
      .includes(awayOf(person) ?? "/")
  )
    return true;
  if (!isOfWorkspace(key, value, person)) return false;
  return isKeyed(person, key) || names(value, person, called);
}

/** The same record without the person's id and name. */
export function withoutPerson<T>(value: T, person: Person, called = noNames): T {
  const replaced = (member: unknown): unknown => {
    if (typeof member === "string") return untitled(member, called);
    if (Array.isArray(member)) return member.map(replaced);
    if (!isObject(member)) return member;
    const walked = Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, replaced(inner)]));
    for (const name of idMembers) if (isId(walked[name], person)) walked[name] = formerMember.id;
    if (isWritten(walked["person"], person)) walked["person"] = formerMember.id;
    for (const name of bareMembers) {
      const bare = walked[name];
      if (isBare(bare, called)) walked[name] = { ...bare, name: formerMember.name };
    }
    if (!isNamed(member, person)) return walked;
    return "key" in walked ? { ...walked, key: "", name: formerMember.name } : { ...walked, ...formerMember };
  };
  return replaced(value) as T;
}

/** A message without words that someone saved is titled after its author. */
function untitled(text: string, called: Names): string {
  let now = text;
  for (const name of called) {
    const [title, former] = [saveSentences.titleOf(name, ""), saveSentences.titleOf(formerMember.name, "")];
    now = now.split(title).reduce((before, after) => before + (isLonger(after) ? title : former) + after);
  }
  return now;
}

/** A name that begins with this one continues: of "Alice Liddell" after "Al", or after "Alice". */
const isLonger = (after: string): boolean => /^ ?[\p{Lu}\p{Lt}]|^[\p{L}\p{N}]/u.test(after);
