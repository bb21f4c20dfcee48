/**
 * The port to access: who may see, ask, change or add to what, and which agent answers where (Bindings): channel,
 * then workspace, then the settings, then the only agent there is.
 */

import type { Agent, KnowledgeBase } from "./agent-service.ts";
import type { Actor, Binding, Mode, Place, Role } from "./model/place.ts";

export type RoleAnswer = Readonly<Record<Role, { readonly allowed: boolean; readonly because: string }>>;

/** `see`: learn that it exists. `search`: read passages of it. `instructions`: read what an agent was told to be. */
export type AccessAction = Role | "see" | "search" | "instructions";

/** Something of the agent service, in a project of it. */
export type Named = { readonly project: string; readonly name: string };

export type Refusal = "not-served" | "role" | "guest" | "scope" | "knowledge" | "unknown";

export type Verdict =
  /** `isPrivate`: only where this person alone reads it, since others there could not reach it. */
  | { readonly allowed: true; readonly isPrivate: boolean }
  | { readonly allowed: false; readonly why: Refusal; readonly role?: Role; readonly because?: string };

/** Names of AGENT_PROJECT, at most a minute old. They reject while the service is away and nothing so new is known. */
export type Lists = {
  readonly agents: () => Promise<readonly Agent[]>;
  readonly knowledgeBases: () => Promise<readonly KnowledgeBase[]>;
  /** Reads them anew, unless that was done a moment ago. Never rejects. */
  readonly renew: () => Promise<void>;
};

export type NamesInReach = { readonly agents: readonly string[]; readonly knowledgeBases: readonly string[] };

export type Reach = {
  readonly isServed: (actor: Actor, place: Place) => boolean;
  readonly isDirect: (place: Place) => boolean;
  /** The action by itself: workspace and role. */
  readonly may: (actor: Actor, action: AccessAction, place: Place) => Verdict;
  /** `isKnown`: that agent has answered before, so no list has to name it. */
  readonly mayAgent: (
    actor: Actor,
    action: AccessAction,
    place: Place,
    agent: Named,
    how?: { readonly isKnown?: boolean },
  ) => Promise<Verdict>;
  readonly mayBase: (actor: Actor, action: AccessAction, place: Place, base: Named) => Promise<Verdict>;
  /** Which agent answers that person there when none is named. */
  readonly resolve: (actor: Actor, place: Place) => Promise<ResolvedBinding>;
  /** Those that the person may ask there. */
  readonly agents: (actor: Actor, place: Place) => Promise<readonly Agent[]>;
  /** Of these agents of AGENT_PROJECT, all that there are, those that the person may ask there with others reading along. */
  readonly openAmong: (actor: Actor, place: Place, names: readonly string[]) => Promise<readonly string[]>;
  /** Those of AGENT_PROJECT that the person may search there. */
  readonly bases: (actor: Actor, place: Place) => Promise<readonly KnowledgeBase[]>;
  /** Undefined for those who manage: they reach all. */
  readonly names: (actor: Actor, place: Place) => Promise<NamesInReach | undefined>;
  /** All there are, for whoever decides about them. */
  readonly lists: Lists;
};

export type Contributions = {
  readonly of: (actor: Pick<Actor, "id">, place: Place) => Promise<readonly Named[]>;
  /** Made or added to just now. */
  readonly note: (actor: Pick<Actor, "id">, place: Place, base: Named) => Promise<void>;
};

/** `channel` is "" for a workspace's default. */
export type BoundPlace = Pick<Place, "platform" | "workspace" | "channel">;

export type PlacesOf = (project: string, agent: string) => readonly BoundPlace[];

export type ResolvedBinding =
  | {
      readonly kind: "bound";
      readonly binding: Binding;
      readonly from: "channel" | "workspace" | "settings" | "only-agent";
    }
  /** None is bound and there are several. */
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  /** None is bound and there is none. */
  | { readonly kind: "none" };

export type ResolveOptions = {
  /** The workspace whose default answers, where that is not the place's own; undefined: of none. */
  readonly home?: { readonly workspace: string | undefined };
  /** What was chosen for the channel itself does not count. */
  readonly ignoresOwn?: boolean;
  /** Which agents there are; default: as the service says now. */
  readonly listAgents?: (project: string) => Promise<readonly Pick<Agent, "name" | "project">[]>;
};

export type Bindings = {
  readonly resolve: (place: Place, options?: ResolveOptions) => Promise<ResolvedBinding>;
  readonly modeOf: (place: Place) => Promise<Mode>;
  /** What is set for the channel itself. */
  readonly own: (place: Place) => Promise<Partial<Binding> | undefined>;
  readonly setChannel: (place: Place, changes: Partial<Binding>) => Promise<void>;
  readonly setWorkspace: (place: Place, changes: Partial<Binding>) => Promise<void>;
  /** False when no agent was set there. What else is set (mode, knowledge base) stays. */
  readonly clearChannel: (place: Place) => Promise<boolean>;
  readonly clearWorkspace: (place: Place) => Promise<boolean>;
  /** In every workspace; without `to`, places go back to what stands behind them. */
  readonly replaceAgent: (project: string, from: string, to: string | undefined) => Promise<void>;
  /** Every channel and workspace that names an agent, on every platform; from memory while nothing changes. */
  readonly places: () => Promise<PlacesOf>;
  /** Ids of the channels of that workspace which name the agent themselves. */
  readonly channelsOf: (
    project: string,
    agent: string,
    workspace: Pick<Place, "platform" | "workspace">,
  ) => Promise<readonly string[]>;
};
