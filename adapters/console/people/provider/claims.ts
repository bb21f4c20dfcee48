/** Decides who a person of the provider is, and which role their claims give them. Pure. */
import { createHash } from "node:crypto";
import { type Role, type Workspace, workspaceKey } from "../../../../src/core/model/place.ts";
import { cleanText } from "../../../../src/presentation/drawing.ts";
import { shorten } from "../../../../src/presentation/sentences.ts";
import { maxNameChars } from "../../limits.ts";
import type { Visitor } from "../visitor.ts";

/**
 * `groups:parley-admins`, `email:ana@acme.example`; "*" is everyone whom the provider admits. `slack:T123/groups:acme`
 * counts in that workspace only.
 */
export type ClaimEntry = "*" | { readonly claim: string; readonly value: string; readonly workspace?: Workspace };

export type ClaimLists = {
  readonly managers?: readonly ClaimEntry[];
  readonly ingesters?: readonly ClaimEntry[];
  /** Absent: everyone whom the provider admits. */
  readonly askers?: readonly ClaimEntry[];
};

export type Claims = Readonly<Record<string, unknown>>;

export function visitorOfClaims(issuer: string, claims: Claims & { readonly sub: string }, lists: ClaimLists): Visitor {
  const hash = createHash("sha256")
    .update(JSON.stringify([issuer, claims.sub]))
    .digest("hex");
  return {
    id: `oidc-${hash.slice(0, 32)}`,
    name: nameIn(claims),
    isVerified: true,
    role: roleOfClaims(claims, lists),
    managesIn: managedBy(claims, lists),
    how: "oidc",
  };
}

function roleOfClaims(claims: Claims, { managers = [], ingesters = [], askers }: ClaimLists): Role | "nobody" {
  const isListed = (entries: readonly ClaimEntry[]) =>
    entries.some((entry) => (entry === "*" || entry.workspace === undefined) && fits(claims, entry));
  if (isListed(managers)) return "manage";
  if (isListed(ingesters)) return "ingest";
  return askers === undefined || isListed(askers) ? "ask" : "nobody";
}

/** Absent: none. */
function managedBy(claims: Claims, { managers = [] }: ClaimLists): Visitor["managesIn"] {
  const found = managers.flatMap((entry) =>
    entry !== "*" && entry.workspace !== undefined && fits(claims, entry) ? [workspaceKey(entry.workspace)] : [],
  );
  return found.length === 0 ? undefined : found;
}

function fits(claims: Claims, entry: ClaimEntry): boolean {
  if (entry === "*") return true;
  const { claim, value } = entry;
  // Anyone can write any address into an account whose provider doesn't check it.
  if (claim === "email") {
    const isVerified = claims["email_verified"] === true || claims["email_verified"] === "true";
    return isVerified && String(claims["email"]).toLowerCase() === value.toLowerCase();
  }
  const given = valueAt(claims, claim);
  return (Array.isArray(given) ? given : [given]).some((one) => isText(one) && String(one) === value);
}

/** `realm_access.roles` is a claim within a claim, unless a claim has that whole name. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split(".")
    .reduce<unknown>(
      (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      claims,
    );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function nameIn(claims: Claims): string {
  const given = ["name", "preferred_username", "email"].map((claim) => claims[claim]);
  return nameOf(given.find((name) => nameOf(name) !== "")) || "Someone";
}

/** A name as it is shown: on one line, without anything that changes the text around it. "" if there is none. */
export function nameOf(given: unknown): string {
  return typeof given === "string" ? shorten(cleanText(given.slice(0, 1_000)), maxNameChars) : "";
}
