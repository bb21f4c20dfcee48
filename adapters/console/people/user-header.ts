/** Takes a person's name from the header that a trusted proxy sets: TRUSTED_USER_HEADER. */
import type { RoleEntry, RoleLists } from "../../../src/core/access.ts";
import { idAway, type Role, workspaceKey } from "../../../src/core/model/place.ts";
import type { Client } from "../intake/client.ts";
import type { Visitor } from "./visitor.ts";

/** Of the lists, entries such as console:ana@acme.example count. */
export type HeaderSettings = RoleLists & {
  /** TRUSTED_USER_HEADER, in lower case. */
  readonly name: string;
};

export type FromHeader =
  | { readonly kind: "visitor"; readonly visitor: Visitor }
  /** The request doesn't come through the proxy, so anyone may have written what it says. */
  | { readonly kind: "forged" }
  /** A web site could have sent it, from a browser on a trusted machine. */
  | { readonly kind: "foreign" }
  | { readonly kind: "missing" }
  /** Not a name that Parley takes. */
  | { readonly kind: "invalid" };

/** A user name or an address: it becomes part of keys. */
export const userPattern = /^[A-Za-z\d][\w.@+-]{0,99}$/;

/** Ids that mean someone else. */
const reserved = /^(?:you|parley|someone|browser-.*|oidc-.*|me-.*)$/i;

export function visitorOfHeader(value: string | undefined, client: Client, settings: HeaderSettings): FromHeader {
  const given = value?.trim() ?? "";
  if (!client.isTrustedProxy) return { kind: value === undefined ? "missing" : "forged" };
  if (given === "") return { kind: "missing" };
  if (!client.isOwnHost) return { kind: "foreign" };
  if (!userPattern.test(given) || reserved.test(given)) return { kind: "invalid" };
  return { kind: "visitor", visitor: visitorNamed(given, settings) };
}

export function visitorNamed(id: string, settings: HeaderSettings): Visitor {
  const managesIn = managedBy(id, settings);
  return { id, name: id, isVerified: true, role: roleNamed(id, settings), managesIn, how: "header" };
}

/** Entries such as slack:T123/console:ana@acme.example. Absent: none. */
function managedBy(id: string, { managers = [] }: HeaderSettings): Visitor["managesIn"] {
  const found = managers.flatMap((entry) => {
    if (entry === "*" || entry.workspace === undefined || entry.id !== idAway({ id })) return [];
    return [workspaceKey({ platform: entry.platform, workspace: entry.workspace })];
  });
  return found.length === 0 ? undefined : found;
}

function roleNamed(id: string, { managers = [], ingesters, askers }: HeaderSettings): Role | "nobody" {
  const isListed = (entries: readonly RoleEntry[]) =>
    entries.some(
      (entry) => entry === "*" || (entry.platform === "console" && entry.kind === "user" && entry.id === id),
    );
  if (isListed(managers)) return "manage";
  if (ingesters === undefined || isListed(ingesters)) return "ingest";
  return askers === undefined || isListed(askers) ? "ask" : "nobody";
}
