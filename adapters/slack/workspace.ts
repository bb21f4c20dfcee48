/**
 * All of the adapter that belongs to one Slack workspace: its clients, its caches and limits, what was read of its
 * channels. Two workspaces share none of it, so equal ids of channels, people and messages never meet.
 */
import type { AdapterMetrics } from "../../src/core/metrics.ts";
import type { ChatPlatform, HomeTab, InboundPort } from "../../src/core/ports/chat-platform.ts";
import type { Coordinator } from "../../src/core/ports/state.ts";
import { createCatchUp } from "./catch-up/catch-up.ts";
import { createChannelReads } from "./catch-up/channel-reads.ts";
import { createWatermarks } from "./catch-up/watermarks.ts";
import type { BotToken, Clients } from "./connection/clients.ts";
import type { Identity } from "./connection/identity.ts";
import { createReadScheduler } from "./connection/read-scheduler.ts";
import type { SlackPayload } from "./drawing/render.ts";
import { isPendingThread, placeOf } from "./ids.ts";
import { createActors } from "./intake/actors.ts";
import { createChannels } from "./intake/channels.ts";
import { createFiles } from "./intake/files.ts";
import { createHandlers, type Handlers } from "./intake/handlers.ts";
import { postBurst, postIntervalMs, reactionBurst, reactionIntervalMs } from "./limits.ts";
import type { SlackParts } from "./parts.ts";
import { createLookups } from "./reading/lookups.ts";
import { createPeopleList } from "./reading/people-list.ts";
import { createAgentSessions } from "./writing/agent-sessions.ts";
import { createDirectMessages } from "./writing/direct-messages.ts";
import { createHome } from "./writing/home.ts";
import { createMessageApi } from "./writing/message-api.ts";
import { createWrites } from "./writing/messages.ts";
import { createRateLimiter } from "./writing/rate-limiter.ts";
import type { Refusals } from "./writing/refusals.ts";
import { createPrepare } from "./writing/reply-place.ts";
import { createRespond } from "./writing/responder.ts";
import { createThreads } from "./writing/threads.ts";

export type WorkspaceOptions = SlackParts & {
  /** Resolves when the platform is started. */
  readonly port: Promise<InboundPort>;
  readonly coordinator: Coordinator;
  readonly metrics?: AdapterMetrics | undefined;
  readonly boundChannels: (teamId: string) => Promise<readonly string[]>;
  readonly apiUrl: string;
  readonly refusals: Refusals;
};

export type SlackWorkspace = ReturnType<typeof createWorkspace>;

export function createWorkspace(
  options: WorkspaceOptions & {
    readonly identity: Identity;
    readonly clients: Clients;
    readonly botToken: BotToken;
  },
) {
  const { clients, identity, refusals, clock, log, keyValue } = options;
  const parts: SlackParts = { keyValue, clock, log };
  const { self, teamId, granted } = identity;
  const actors = createActors({ ...parts, client: clients.read });
  const agentSessions = createAgentSessions({ ...parts, client: clients.progress, refusals });
  const limiter = createRateLimiter({ clock, burst: postBurst, intervalMs: postIntervalMs });
  const reactionLimiter = createRateLimiter({ clock, burst: reactionBurst, intervalMs: reactionIntervalMs });
  const messages = createMessageApi({ ...options, client: clients.read, granted });
  const watermarks = createWatermarks({ ...parts, teamId });
  const scheduler = createReadScheduler(clock);
  const directMessages = createDirectMessages(keyValue);
  const closing = new AbortController();
  const channels = createChannels({
    ...parts,
    client: clients.read,
    scheduler,
    granted,
    teamId,
    closing: closing.signal,
  });
  const peopleList = createPeopleList({ ...parts, client: clients.read });
  const lookups = createLookups({ ...parts, client: clients.read, actors, channels, granted });
  const home = createHome({ ...parts, clients, channels, closing: closing.signal });
  const reads = createChannelReads({ client: clients.read, scheduler, granted, log });
  const handlers: Handlers = createHandlers({
    ...parts,
    port: options.port,
    clients,
    actors,
    lookups,
    respond: createRespond({ ...parts, clients, messages }),
    directMessages,
    sessionRenamed: agentSessions.renamed,
    // Unknown: as the manifest has it.
    readsFiles: () => granted()?.includes("files:read") !== false,
    watermarks,
    before: (channel) => catchUp.before(channel),
  });
  const catchUp = createCatchUp({ ...options, reads, watermarks, self, passOn: handlers.missed });

  const platform = {
    ...createWrites({ clients, messages, agentSessions, limiter, reactionLimiter, watermarks, directMessages }),
    ...createThreads({ ...parts, client: clients.read, scheduler, actors, lookups, self, directMessages }),
    ...createFiles({ ...options, clients, limiter, directMessages }),
    home: home satisfies HomeTab,
    visibility: channels.visibility,
    isMember: channels.isMember,
    channelName: channels.channelName,
    isIn: channels.isIn,
    replyPlaces: {
      prepare: createPrepare({ ...parts, clients, scheduler, self }),
      isPrepared: ({ thread }) => thread !== undefined && !isPendingThread(thread),
    },
    personNow: async (actor) => actors.now(await self(), actor.id),
    timeZone: async (actor) => actors.timeZone(await self(), actor.id),
    namesOfPeople: () => peopleList.names(),
    nameOf: async (userId) => (await actors.names(await self(), [userId])).get(userId),
  } satisfies Partial<ChatPlatform<SlackPayload>>;

  return {
    clients,
    self,
    platform,
    namesAuthors: messages.namesAuthors,
    /** Absent before the ids are known. */
    ownChannels: async () => {
      const team = teamId();
      const ids = team === undefined ? undefined : await channels.listOf(undefined);
      return team === undefined ? undefined : ids?.map((id) => placeOf(team, id));
    },
    problem: home.problem,
    catchUp,
    handlers,
    stop: async (): Promise<void> => {
      closing.abort();
      catchUp.stop();
      await watermarks.flush();
    },
  };
}
