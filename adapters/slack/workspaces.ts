/** The workspaces that the adapter serves: the one of SLACK_BOT_TOKEN, or each that installed the app. */
import type { Place } from "../../src/core/model/place.ts";
import { createClients } from "./connection/clients.ts";
import { askedIdentity } from "./connection/identity.ts";
import { missingOptionalScopes } from "./connection/scopes.ts";
import type { EventSource } from "./intake/listeners.ts";
import { createWorkspace, type SlackWorkspace, type WorkspaceOptions } from "./workspace.ts";

export type Workspaces = {
  /** The one an event is for. Undefined: it isn't served. Rejects while that can't be found out. */
  readonly ofEvent: (source: EventSource) => Promise<SlackWorkspace | undefined>;
  /** Rejects with not_permitted where Parley isn't installed, and with platform_unreachable while that is unknown. */
  readonly at: (place: Pick<Place, "workspace">) => Promise<SlackWorkspace>;
  /** The same at once. Undefined: not, or not known. */
  readonly known: (place: Pick<Place, "workspace">) => SlackWorkspace | undefined;
  readonly all: () => readonly SlackWorkspace[];
  readonly connected: () => void;
  readonly lost: () => void;
  /** For the connection, with the two below. */
  readonly authenticate: () => Promise<string | undefined>;
  readonly advice: () => string | undefined;
  readonly only: () => string | undefined;
};

/** Of a bot token. Whose it is, Slack tells when it is connected. */
export function oneWorkspace(options: WorkspaceOptions & { readonly botToken: string }): Workspaces {
  const clients = createClients(options);
  const { authenticate, ...identity } = askedIdentity(clients);
  const workspace = createWorkspace({ ...options, clients, identity });
  return {
    ofEvent: async () => workspace,
    at: async () => workspace,
    known: () => workspace,
    all: () => [workspace],
    connected: () => undefined,
    lost: () => undefined,
    authenticate,
    advice: () => {
      const granted = identity.granted();
      return granted === undefined ? undefined : missingOptionalScopes(granted);
    },
    only: identity.teamId,
  };
}
