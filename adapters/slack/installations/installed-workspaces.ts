/**
 * The workspaces that installed the app, as far as they are served: WORKSPACES lists them, or someone approved them at
 * /admin. All instances read the same installations, and tell each other what changed; what they miss shows when an
 * event comes, or a token is refused.
 */
import { webApi } from "@slack/bolt";
import { LRUCache } from "lru-cache";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { byClock, upTo } from "../../../src/core/tools/cache-time.ts";
import { clientOptions, createClients } from "../connection/clients.ts";
import { knownIdentity } from "../connection/identity.ts";
import type { EventSource } from "../intake/listeners.ts";
import { createWorkspace, type SlackWorkspace, type WorkspaceOptions } from "../workspace.ts";
import type { Workspaces } from "../workspaces.ts";
import type { Installation, Installations } from "./stored.ts";
import { createTokens, notInstalled, type Tokens } from "./tokens.ts";

/** What says that installations changed, by workspace. */
const topic = "slack/installations";
/** How long an event's workspace is known to be unserved, unless another instance says otherwise. */
const unservedForMs = 5_000;
const maxUnserved = 10_000;

/** Served, by the id of the workspace. */
type Open = { readonly installation: string; readonly tokens: Tokens; readonly workspace: SlackWorkspace };

export type InstalledWorkspaces = Workspaces & {
  /** Reads that installation again, here and on the other instances. */
  readonly changed: (id: string) => Promise<void>;
  readonly isServed: (installation: ServedFacts) => boolean;
  readonly serves: (workspace: string) => boolean;
  readonly stop: () => void;
};

type ServedFacts = Pick<Installation, "workspace" | "enterpriseId" | "isApproved">;

export function installedWorkspaces(
  options: WorkspaceOptions & {
    readonly coordinator: Coordinator;
    readonly installations: Installations;
    readonly clientId: string;
    readonly clientSecret: string;
    /** Ids in WORKSPACES; "*" for all. */
    readonly listed: "*" | readonly string[] | undefined;
    /** Slack refused the token of that installation, with that code. */
    readonly tokenRefused: (id: string, code: string) => void;
  },
): InstalledWorkspaces {
  const { installations, coordinator, listed = [], clock, log } = options;
  const client = new webApi.WebClient(undefined, clientOptions(options));
  const open = new Map<string, Open>();
  const unserved = new LRUCache<string, true>({ ...upTo(maxUnserved), ttl: unservedForMs, ...byClock(clock) });
  let isLoaded = false;
  let isConnected = false;

  const isServed = ({ workspace, enterpriseId, isApproved }: ServedFacts): boolean =>
    isApproved === true ||
    listed === "*" ||
    [workspace, enterpriseId].some((id) => id !== undefined && listed.includes(id));

  const isServedIn = (installation: Installation, team: string) =>
    isServed(installation) || (listed !== "*" && listed.includes(team));

  function begin(team: string, installation: Installation): Open {
    const { workspace: id, enterpriseId, credentials, isOrganisation } = installation;
    const { botUserId: userId, botId } = credentials;
    const tokens = createTokens(installation, { ...options, client, renewed: tell });
    const identity = {
      ...knownIdentity({ teamId: team, enterpriseId, userId, botId }, credentials.scopes),
      granted: () => tokens.credentials().scopes,
    };
    const clients = createClients({
      ...options,
      botToken: tokens.current,
      teamId: isOrganisation === true ? team : undefined,
      tokenRefused: (code) => {
        if (code === "token_expired") tokens.expired();
        else options.tokenRefused(id, code);
      },
    });
    const workspace = createWorkspace({ ...options, clients, identity, botToken: tokens.current });
    if (isConnected) workspace.catchUp.connected();
    log.info({ workspace: team }, "A Slack workspace is served");
    return { installation: id, tokens, workspace };
  }

  function end(team: string): void {
    const known = open.get(team);
    open.delete(team);
    void known?.workspace.stop();
    if (known !== undefined) log.info({ workspace: team }, "A Slack workspace is no longer served");
  }

  /** Serves it, or no longer. */
  function take(installation: Installation): void {
    const { workspace: id, isOrganisation, teams, credentials } = installation;
    for (const team of isOrganisation === true ? teams : [id]) {
      const known = open.get(team);
      const isSame = known?.installation === id && known.tokens.credentials().botUserId === credentials.botUserId;
      if (!isServedIn(installation, team)) end(team);
      else if (known !== undefined && isSame) known.tokens.replace(credentials);
      else {
        end(team);
        open.set(team, begin(team, installation));
        unserved.delete(team);
      }
    }
  }

  async function read(id: string): Promise<void> {
    const installation = await installations.get(id);
    unserved.clear();
    if (installation !== undefined) return take(installation);
    for (const [team, known] of open) if (known.installation === id) end(team);
  }

  const tell = (id: string): void => void coordinator.publish(topic, id).catch(() => undefined);

  const unsubscribe = coordinator.subscribe(topic, (id) => {
    read(id).catch((err: unknown) => log.warn({ err, workspace: id }, "A Slack installation could not be read yet"));
  });

  async function find({ teamId: team, enterpriseId }: EventSource): Promise<SlackWorkspace | undefined> {
    if (team === undefined || unserved.has(team)) return undefined;
    const own = await installations.get(team);
    const organisation =
      own === undefined && enterpriseId !== undefined ? await installations.get(enterpriseId) : undefined;
    if (own !== undefined) take(own);
    else if (organisation?.isOrganisation === true && isServedIn(organisation, team)) {
      await installations.addTeam(organisation.workspace, team);
      take({ ...organisation, teams: [...organisation.teams, team] });
      tell(organisation.workspace);
    }
    const found = open.get(team)?.workspace;
    if (found === undefined) unserved.set(team, true);
    return found;
  }

  return {
    isServed,
    serves: (workspace) => open.has(workspace),
    changed: async (id) => {
      await read(id);
      tell(id);
    },
    ofEvent: async (source) => open.get(source.teamId ?? "")?.workspace ?? find(source),
    at: async ({ workspace }) => {
      const found = open.get(workspace)?.workspace;
      if (found !== undefined) return found;
      throw isLoaded ? notInstalled() : new ParleyError("platform_unreachable");
    },
    known: ({ workspace }) => open.get(workspace)?.workspace,
    all: () => [...open.values()].map(({ workspace }) => workspace),
    connected: () => {
      isConnected = true;
    },
    lost: () => {
      isConnected = false;
    },
    authenticate: async () => {
      for (const installation of await installations.all()) take(installation);
      isLoaded = true;
      return [...open.values()].flatMap(({ tokens }) => tokens.problem() ?? [])[0];
    },
    advice: () => undefined,
    only: () => undefined,
    stop: unsubscribe,
  };
}
