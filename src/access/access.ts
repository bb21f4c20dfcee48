/**
 * Decides who can do what, where, with which agent or knowledge base. Every entry point uses this one pure function;
 * reach.ts gathers the facts, and a fact that could not be determined counts as a no.
 */
import type { Settings } from "../config/settings.ts";
import type { AccessAction, Named, Refusal, RoleSettings, Verdict } from "../core/access.ts";
import type { Actor, Role, Workspace } from "../core/model/place.ts";
import { isFullMember, rolesOf } from "./roles.ts";

const roleOf: Readonly<Record<AccessAction, Role>> = {
  ask: "ask",
  see: "ask",
  search: "ask",
  ingest: "ingest",
  manage: "manage",
  instructions: "manage",
};

export type AccessTarget =
  | { readonly kind: "none" }
  | { readonly kind: "agent"; readonly agent: Named }
  | { readonly kind: "knowledge-base"; readonly base: Named };

export const noTarget: AccessTarget = { kind: "none" };

export type AgentFacts = {
  /** The service lists it under exactly this name. */
  readonly isKnown: boolean;
  /** It answers this person here when they name no agent. */
  readonly answersHere: boolean;
  /** It is this workspace's default for channels without their own agent. */
  readonly isDefaultHere: boolean;
  /** Where restricting bindings put it: nowhere, in this channel, or only elsewhere. */
  readonly bound: "nowhere" | "here" | "elsewhere";
};

export type KnowledgeFacts = {
  /** Knowledge bases connected to the agents this person can reach here; the name "*" means a whole project. */
  readonly ofAgents: readonly Named[];
  /** The one set for this channel. */
  readonly chosen?: Named;
  /** The ones this person created or added to. */
  readonly own: readonly Named[];
};

export type AccessFacts = {
  /** The workspace is served, and this person in it. */
  readonly isServed: boolean;
  readonly roles: RoleSettings;
  /** "open": a binding selects who answers in a channel, and restricts nothing. */
  readonly scope: Settings["agentScope"];
  /** The workspace's. */
  readonly project: string;
  /** Nothing of another project is reached, by nobody. */
  readonly isSeparate: boolean;
  /** Nobody but this person reads that place. */
  readonly isDirect: boolean;
  /** About the agent in question. Absent: unknown. */
  readonly agent?: AgentFacts;
  /** Absent: unknown. */
  readonly knowledge?: KnowledgeFacts;
  /** Holds Parley's own manual: each version of Parley replaces it, so that nobody can add to it. */
  readonly ownDocs?: Named;
};

const yes: Verdict = { allowed: true, isPrivate: false };
const no = (why: Refusal): Verdict => ({ allowed: false, why });

/** Checks in this order: workspace, role (which covers organisations), scope of the agent, knowledge. */
export function may(
  actor: Actor,
  action: AccessAction,
  place: Workspace,
  target: AccessTarget,
  facts: AccessFacts,
): Verdict {
  if (!facts.isServed) return no("not-served");
  const roles = rolesOf(actor, place, facts.roles);
  const role = roleOf[action];
  if (!roles[role].allowed) return { allowed: false, why: "role", role, because: roles[role].because };
  switch (target.kind) {
    case "none":
      return yes;
    case "agent":
      return mayReachAgent(actor, roles.manage.allowed, target.agent, facts);
    case "knowledge-base":
      if (action === "ingest" && isSameBase(facts.ownDocs, target.base)) return no("read-only");
      return mayReachBase(roles.manage.allowed, target.base, facts);
    default:
      return target satisfies never;
  }
}

function mayReachAgent(actor: Actor, manages: boolean, { project }: Named, facts: AccessFacts): Verdict {
  const { agent, scope, isDirect } = facts;
  const isForeign = project !== facts.project;
  if (isForeign && facts.isSeparate) return no("unknown");
  if (scope === "open" && !isForeign) return yes;
  // An agent of another project is reached where it is bound, whatever the scope.
  const isUnbound = agent?.bound === "nowhere" && !isForeign;
  const isBoundHere = agent?.bound === "here" || agent?.isDefaultHere === true || agent?.answersHere === true;
  const isOpenHere = isUnbound || isBoundHere;
  if (manages) return { allowed: true, isPrivate: !isDirect && !isOpenHere };
  if (agent === undefined) return no("unknown");
  if (agent.answersHere) return yes;
  if (!isFullMember(actor)) return no("guest");
  if (isForeign) return isBoundHere ? yes : no("unknown");
  if (!agent.isKnown) return no("unknown");
  return isOpenHere ? yes : no("scope");
}

function isSameBase(known: Named | undefined, { project, name }: Named): boolean {
  return known?.project === project && known.name === name;
}

function mayReachBase(manages: boolean, base: Named, facts: AccessFacts): Verdict {
  if (facts.isSeparate && base.project !== facts.project) return no("knowledge");
  if (manages) return yes;
  if (base.project !== facts.project) return no("knowledge");
  if (facts.scope === "open") return yes;
  if (facts.knowledge === undefined) return no("unknown");
  const { ofAgents, chosen, own } = facts.knowledge;
  const isAmong = (other: Named) => other.project === base.project && (other.name === "*" || other.name === base.name);
  const isReached = ofAgents.some(isAmong) || own.some((one) => isSameBase(one, base)) || isSameBase(chosen, base);
  return isReached ? yes : no("knowledge");
}
