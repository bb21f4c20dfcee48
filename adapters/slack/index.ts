/**
 * Composes the Slack adapter from its parts, over Bolt.
 * Events arrive by Socket Mode with an app-level token, else by HTTP with a signing secret on Parley's own server.
 */
import { App } from "@slack/bolt";
import type { AdapterMetrics } from "../../src/core/metrics.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { Coordinator, KeyValue } from "../../src/core/ports/state.ts";
import { type CatchUp, createCatchUp } from "./catch-up/catch-up.ts";
import { createChannelReads } from "./catch-up/channel-reads.ts";
import { createWatermarks } from "./catch-up/watermarks.ts";
import { clientOptions, createClients, libraryLog } from "./connection/clients.ts";
import { createConnection } from "./connection/connection.ts";
import { type HttpMount, httpReceiver } from "./connection/http-receiver.ts";
import { createReadScheduler } from "./connection/read-scheduler.ts";
import { socketReceiver } from "./connection/socket-receiver.ts";
import { render, type SlackPayload } from "./drawing/render.ts";
import { isDirectChannel, isPendingThread, orderAt, pendingThread, placeOf, platformName } from "./ids.ts";
import { createActors } from "./intake/actors.ts";
import { createChannels } from "./intake/channels.ts";
import { createFiles } from "./intake/files.ts";
import { listen } from "./intake/listeners.ts";
import { platformLimits, postBurst, postIntervalMs, reactionBurst, reactionIntervalMs } from "./limits.ts";
import type { SlackParts } from "./parts.ts";
import { createLookups } from "./reading/lookups.ts";
import { createPeopleList } from "./reading/people-list.ts";
import { createAgentSessions } from "./writing/agent-sessions.ts";
import { createDirectMessages } from "./writing/direct-messages.ts";
import { createHome } from "./writing/home.ts";
import { createMessageApi } from "./writing/message-api.ts";
import { createWrites } from "./writing/messages.ts";
import { createRateLimiter } from "./writing/rate-limiter.ts";
import { createRefusals } from "./writing/refusals.ts";
import { createPrepare } from "./writing/reply-place.ts";
import { createRespond } from "./writing/responder.ts";
import { createStatusLine } from "./writing/status-line.ts";
import { createThreads } from "./writing/threads.ts";

/** As the settings say. */
export type SlackConfig = {
  readonly botToken: string;
  readonly intake:
    | { readonly kind: "socket"; readonly appToken: string }
    | { readonly kind: "http"; readonly signingSecret: string };
  /** Base URL of the Web API, up to and including "/api". */
  readonly apiUrl: string;
};

export type SlackOptions = SlackConfig & {
  readonly log: Log;
  readonly clock: Clock;
  /** Stores what a workspace refuses, the posts that start a thread for a question, and watermarks. */
  readonly keyValue: KeyValue<string>;
  readonly coordinator: Pick<Coordinator, "lease" | "takeToken" | "penalise">;
  /** Absent: nothing is counted. */
  readonly metrics?: AdapterMetrics;
  /** Channels of that workspace with an agent bound to them. */
  readonly boundChannels: (teamId: string) => Promise<readonly string[]>;
};

export type SlackPlatform = ChatPlatform<SlackPayload> & {
  /** In HTTP mode: the requests that Parley's server must pass on. */
  readonly httpMount?: HttpMount;
};

export type { HttpMount, SlackPayload };

export function createSlack(options: SlackOptions): SlackPlatform {
  const { clock, log, keyValue } = options;
  const parts: SlackParts = { keyValue, clock, log };
  const clients = createClients(options);
  const { receiver, mount } = receiverOf(options);
  const connection = createConnection({ ...parts, receiver, clients });
  const actors = createActors({ ...parts, client: clients.read });
  const refusals = createRefusals(parts);
  const agentSessions = createAgentSessions({ ...parts, client: clients.progress, refusals });
  const statusLine = createStatusLine({ ...options, client: clients.progress, refusals });
  const limiter = createRateLimiter({ clock, burst: postBurst, intervalMs: postIntervalMs });
  const reactionLimiter = createRateLimiter({ clock, burst: reactionBurst, intervalMs: reactionIntervalMs });
  const { self, teamId, granted } = connection;
  const messages = createMessageApi({ ...options, client: clients.read, refusals, granted });
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
  let catchUp: CatchUp | undefined;

  const stopIntake = async () => {
    closing.abort();
    catchUp?.stop();
    connection.close();
    await watermarks.flush();
  };

  return {
    name: platformName,
    limits: platformLimits,
    render,
    ...createWrites({ clients, messages, agentSessions, limiter, reactionLimiter, watermarks, directMessages }),
    ...createThreads({ ...parts, client: clients.read, scheduler, actors, lookups, self, directMessages }),
    ...createFiles({ ...options, clients, limiter, directMessages }),
    status: statusLine.show,
    home,
    visibility: channels.visibility,
    isMember: channels.isMember,
    channelName: channels.channelName,
    ownChannels: async () => {
      const team = teamId();
      const ids = team === undefined ? undefined : await channels.listOf(undefined);
      return team === undefined ? undefined : ids?.map((id) => placeOf(team, id));
    },
    isIn: channels.isIn,
    isDirect: ({ channel }) => isDirectChannel(channel),
    whispers: true,
    namesAuthors: messages.namesAuthors,
    // Posting to a user id opens the direct messages with that user.
    directPlace: ({ workspace, id }) => placeOf(workspace, id),
    replyPlaces: {
      prepare: createPrepare({ ...parts, clients, scheduler, self }),
      isPrepared: ({ thread }) => thread !== undefined && !isPendingThread(thread),
    },
    httpMount: mount,

    start: async (port) => {
      const app = new App({
        receiver,
        // The connection looks up Parley's own ids; Bolt would acknowledge events that it cannot authorise.
        authorize: async () => ({ botToken: options.botToken }),
        // inbound.ts drops Parley's own messages, also inside message_changed, which Bolt lets through.
        ignoreSelf: false,
        convoStore: false,
        clientOptions: clientOptions(options),
        logger: libraryLog(log),
      });
      app.error(async (thrown) => log.error({ err: thrown }, "A Slack event could not be handled"));
      const respond = createRespond({ ...parts, clients, messages });
      const passOn = listen(app, {
        ...parts,
        port,
        clients,
        actors,
        lookups,
        respond,
        self,
        directMessages,
        sessionRenamed: agentSessions.renamed,
        // Unknown: as the manifest has it.
        readsFiles: () => granted()?.includes("files:read") !== false,
        watermarks,
        before: async (channel) => catchUp?.before(channel),
      });
      const reads = createChannelReads({ client: clients.read, scheduler, granted, log });
      catchUp = createCatchUp({ ...options, reads, watermarks, self, passOn });
      await connection.start(catchUp);
    },
    personNow: async (actor) => actors.now(await self(), actor.id),
    timeZone: async (actor) => actors.timeZone(await self(), actor.id),
    startedByItself: ({ workspace, channel }, id, atMs) => ({
      conversation: placeOf(workspace, channel, pendingThread(id)),
      order: orderAt(atMs),
    }),
    namesOfPeople: () => peopleList.names(),
    nameOf: async (userId) => (await actors.names(await self(), [userId])).get(userId),
    stopIntake,
    close: stopIntake,
    health: () => {
      const health = connection.health();
      return { ...health, reason: health.reason ?? home.problem() };
    },
  };
}

function receiverOf({ intake, ...options }: SlackOptions) {
  if (intake.kind === "http") return httpReceiver({ ...options, signingSecret: intake.signingSecret });
  return { receiver: socketReceiver({ ...options, appToken: intake.appToken }), mount: undefined };
}
