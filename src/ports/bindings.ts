/**
 * The port to Bindings: which agent answers where. Resolved channel -> workspace -> settings -> the only agent there is.
 */
import type { PlacesOf } from "./access.ts";
import type { Agent } from "./agent-service.ts";
import type { Binding, Place } from "./words.ts";

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
