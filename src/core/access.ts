/** The port to access: who can do what, and which agent answers where. */

import type { Actor, Binding, Mode, Place, Role, Workspace } from "./model/place.ts";
import type { Agent, KnowledgeBase } from "./ports/agent-service.ts";

export type RoleAnswer = Readonly<Record<Role, { readonly allowed: boolean; readonly because: string }>>;

/** An entry of MANAGERS, INGESTERS or ASKERS: `slack:U123`, `slack:T123/U123`, `discord:role:456`, `*`. */
export type RoleEntry =
  | "*"
  | {
      readonly platform: string;
      /** Absent: in every workspace of the platform. */
      readonly workspace?: string;
      readonly kind: "user" | "role";
      readonly id: string;
    };

/** MANAGERS, INGESTERS and ASKERS. An absent one has its default. */
export type RoleLists = {
  readonly managers?: readonly RoleEntry[];
  readonly ingesters?: readonly RoleEntry[];
  readonly askers?: readonly RoleEntry[];
};

export type RoleSettings = RoleLists & {
  /** Platforms that only admit people with every role (the console: loopback, or its token). */
  readonly trustedPlatforms: readonly string[];
  /** Workspaces have projects of their own: who doesn't manage them does nothing there from Parley's page. */
  readonly keepsApart?: boolean;
};

/** An entry of WORKSPACES or ANSWER_BOTS: `slack:T123`, `*`. */
export type PlatformEntry = "*" | { readonly platform: string; readonly id: string };

/** An entry of WORKSPACE_PROJECTS: `slack:T123=acme`. */
export type WorkspaceProject = Exclude<PlatformEntry, "*"> & { readonly project: string };

/** Of a workspace without a line in WORKSPACE_PROJECTS. No project has that name, so nothing is in it. */
export const noProject = "";

/** `see`: learn that it exists. `search`: read passages of it. `instructions`: read an agent's prompt. */
export type AccessAction = Role | "see" | "search" | "instructions";

/** An agent or knowledge base in a project of the agent service. */
export type Named = { readonly project: string; readonly name: string };

export type Refusal = "not-served" | "role" | "guest" | "scope" | "knowledge" | "read-only" | "unknown";

export type Verdict =
  /** `isPrivate`: only where nobody else reads it, because others there could not reach it. */
  | { readonly allowed: true; readonly isPrivate: boolean }
  | { readonly allowed: false; readonly why: Refusal; readonly role?: Role; readonly because?: string };

/** Names in one project, at most a minute old. Rejects while the service is down and the cached names are older. */
export type Lists = {
  readonly agents: () => Promise<readonly Agent[]>;
  readonly knowledgeBases: () => Promise<readonly KnowledgeBase[]>;
  /** The agent of another project that is written like that ("shop.helper"), if there is one. */
  readonly agentElsewhere: (written: string) => Promise<Agent | undefined>;
  /** Refreshes the names, unless that just happened. Never rejects. */
  readonly renew: () => Promise<void>;
};

export type NamesInReach = { readonly agents: readonly string[]; readonly knowledgeBases: readonly string[] };

export type Reach = {
  /** Whether that person of Parley's own page sees the workspace on the pages at /admin. */
  readonly oversees: (viewer: Pick<Actor, "signedInAs" | "managesIn">, place: Workspace) => boolean;
  readonly isServed: (actor: Actor, place: Place) => boolean;
  readonly isDirect: (place: Place) => boolean;
  /** Whether every message there is for Parley, whatever the mode. */
  readonly answersAll: (place: Place) => boolean;
  /** The action alone: workspace and role. */
  readonly may: (actor: Actor, action: AccessAction, place: Place) => Verdict;
  /** `isKnown`: the agent has answered before, so it need not be listed. */
  readonly mayAgent: (
    actor: Actor,
    action: AccessAction,
    place: Place,
    agent: Named,
    how?: { readonly isKnown?: boolean },
  ) => Promise<Verdict>;
  readonly mayBase: (actor: Actor, action: AccessAction, place: Place, base: Named) => Promise<Verdict>;
  /** Which agent answers that person there when they name none. */
  readonly resolve: (actor: Actor, place: Place) => Promise<ResolvedBinding>;
  /** The agents that person can ask there. */
  readonly agents: (actor: Actor, place: Place) => Promise<readonly Agent[]>;
  /** Of all these agents in the workspace's project, the ones that person can ask there in public. */
  readonly openAmong: (actor: Actor, place: Place, names: readonly string[]) => Promise<readonly string[]>;
  /** The knowledge bases in the workspace's project that person can search there, or add to. */
  readonly bases: (actor: Actor, place: Place, action?: "search" | "ingest") => Promise<readonly KnowledgeBase[]>;
  /** Undefined for managers: they reach everything. */
  readonly names: (actor: Actor, place: Place) => Promise<NamesInReach | undefined>;
  /** Everything that one of the projects has, for code that decides about it. */
  readonly lists: (project: string) => Lists;
};

export type Contributions = {
  readonly of: (actor: Pick<Actor, "id">, place: Place) => Promise<readonly Named[]>;
  /** Called after the person created it or added to it. */
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
  /** None is bound, and there are several agents. */
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  /** None is bound, and there are no agents. */
  | { readonly kind: "none" };

export type ResolveOptions = {
  /** The workspace whose default applies, if not the place's own. `workspace: undefined` means none. */
  readonly home?: { readonly workspace: string | undefined };
  /** Default: the place's. */
  readonly project?: string;
  /** Ignores what is set for the channel itself. */
  readonly ignoresOwn?: boolean;
  /** Lists the agents. Default: what the service reports now. */
  readonly listAgents?: (project: string) => Promise<readonly Pick<Agent, "name" | "project">[]>;
};

export type Bindings = {
  readonly resolve: (place: Place, options?: ResolveOptions) => Promise<ResolvedBinding>;
  readonly modeOf: (place: Place) => Promise<Mode>;
  /** What is set for the channel itself. */
  readonly own: (place: Place) => Promise<Partial<Binding> | undefined>;
  readonly setChannel: (place: Place, changes: Partial<Binding>) => Promise<void>;
  readonly setWorkspace: (place: Place, changes: Partial<Binding>) => Promise<void>;
  /** False when no agent was set there. Other settings (mode, knowledge base) stay. */
  readonly clearChannel: (place: Place) => Promise<boolean>;
  readonly clearWorkspace: (place: Place) => Promise<boolean>;
  /** False when the channel had no knowledge base of its own. Other settings stay. */
  readonly clearKnowledgeBase: (place: Place) => Promise<boolean>;
  /** Everything set for a channel that is gone. */
  readonly removeChannel: (place: Place) => Promise<void>;
  /** In every workspace. Without `to`, those places use the next level: workspace, settings or only agent. */
  readonly replaceAgent: (project: string, from: string, to: string | undefined) => Promise<void>;
  /** Every channel and workspace that names an agent, on every platform. Cached until a binding changes. */
  readonly places: () => Promise<PlacesOf>;
  /** Every channel and workspace that chose that knowledge base of its project. */
  readonly placesChoosing: (knowledgeBase: Named) => Promise<readonly BoundPlace[]>;
  /** Everything that is set for a channel or a workspace as a whole (channel ""), on every platform. */
  readonly all: () => Promise<readonly { readonly place: BoundPlace; readonly binding: Partial<Binding> }[]>;
  /** Ids of the channels in that workspace that have anything set. */
  readonly channelsIn: (workspace: Pick<Place, "platform" | "workspace">) => Promise<readonly string[]>;
  /** Ids of the channels in that workspace that name the agent themselves. */
  readonly channelsOf: (
    project: string,
    agent: string,
    workspace: Pick<Place, "platform" | "workspace">,
  ) => Promise<readonly string[]>;
};
