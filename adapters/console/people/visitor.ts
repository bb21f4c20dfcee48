/** Who sends a request to the page. The guard finds out, and every route takes the person from here. */
import type { Context } from "hono";
import { type Actor, type Role, unnamed } from "../../../src/core/model/place.ts";
import { workspaceName } from "../intake/inbound.ts";

declare module "hono" {
  interface ContextVariableMap {
    visitor?: Visitor;
    /** Of the browser's address, as far as it is known. */
    network?: string | undefined;
  }
}

export type Visitor = {
  /** Of the person or, where nobody signs in by name, of the browser. Part of keys: votes, limits, audit. */
  readonly id: string;
  /** Untrusted text. */
  readonly name: string;
  /** False: the name is what someone typed, and says nothing about who it is. */
  readonly isVerified: boolean;
  /** Includes the lower ones. */
  readonly role: Role | "nobody";
  /** Workspaces of chat platforms that they manage at /admin, as `workspaceKey` has them. Absent: none, or all. */
  readonly managesIn?: readonly string[] | undefined;
  readonly how: "loopback" | "token" | "header" | "oidc";
};

/** Anyone on this machine, where no sign-in is set up. */
export const localVisitor: Visitor = { id: "you", name: unnamed, isVerified: false, role: "manage", how: "loopback" };

/** Throws if the guard has not admitted the request. */
export function visitorOf(context: Context): Visitor {
  const visitor = context.get("visitor");
  if (visitor === undefined) throw new Error("The guard has not admitted this request.");
  return visitor;
}

/** Whom only a browser tells from others with the same token. */
export const isGuest = ({ how, role }: Pick<Visitor, "how" | "role">) => how === "token" && role !== "manage";

export function actorOf(visitor: Visitor): Actor {
  const { id, role, managesIn } = visitor;
  return {
    id,
    workspace: workspaceName,
    name: shownName(visitor),
    isAdmin: role === "manage",
    isGuest: isGuest(visitor),
    isExternal: false,
    isBot: false,
    roles: [],
    signedInAs: role,
    ...(managesIn === undefined ? {} : { managesIn }),
  };
}

/** Wherever Parley repeats a name that nobody has checked, it says so. */
export function shownName({ name, isVerified, how }: Pick<Visitor, "name" | "isVerified" | "how">): string {
  return isVerified || how === "loopback" ? name : `${name} (unverified)`;
}
