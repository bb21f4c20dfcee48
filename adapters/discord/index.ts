/**
 * Composes the Discord adapter from its parts, over those of discord.js: its REST client, its gateway manager and the
 * client that hands on the gateway's events.
 * Events arrive by the gateway; everything Parley writes goes through the REST client.
 */

import { GatewayDispatchEvents } from "@discordjs/core";
import type { ChartPictures } from "../../src/core/model/chart.ts";
import type { ChatPlatform, InboundPort } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { Coordinator, KeyValue } from "../../src/core/ports/state.ts";
import { createCatchUp } from "./catch-up/catch-up.ts";
import { createCache } from "./connection/cache.ts";
import { createRest } from "./connection/clients.ts";
import { type CommandSetOptions, commandSet } from "./connection/command-set.ts";
import { createConnection } from "./connection/connection.ts";
import { tokenReason } from "./connection/connection-problems.ts";
import { createMalformedPackets } from "./connection/malformed-packets.ts";
import { createOwnUser } from "./connection/own-user.ts";
import { createRegistration } from "./connection/registration.ts";
import { createSessionStarts } from "./connection/session-starts.ts";
import { createFormDialog } from "./drawing/form-dialog.ts";
import { createOpenForms } from "./drawing/open-forms.ts";
import { type DiscordPayload, render } from "./drawing/render.ts";
import {
  directWorkspace,
  isInPlace,
  orderOf,
  pendingThread,
  placeOf,
  platformName,
  snowflakeAt,
  threadId,
} from "./ids.ts";
import { createChannels } from "./intake/channels.ts";
import { createEarlyPackets } from "./intake/early-packets.ts";
import type { DiscordMember } from "./intake/events.ts";
import { createFiles } from "./intake/files.ts";
import { createGoneMessages } from "./intake/gone-messages.ts";
import { actorNow } from "./intake/inbound.ts";
import { createInteractionListener } from "./intake/interactions.ts";
import { createListener } from "./intake/listeners.ts";
import { createReplyChains } from "./intake/reply-chains.ts";
import { createServers, type NamedServers } from "./intake/servers.ts";
import { platformLimits } from "./limits.ts";
import type { DiscordParts } from "./parts.ts";
import { createPeopleSearch } from "./reading/people-search.ts";
import { createAttachedPictures } from "./writing/attached-pictures.ts";
import { createDeferredReplies } from "./writing/deferred-replies.ts";
import { discardThread } from "./writing/discard-thread.ts";
import { createInteractionApi } from "./writing/interaction-api.ts";
import { createWrites } from "./writing/messages.ts";
import { createPermissionNotices, openDirect } from "./writing/permission-notices.ts";
import { createPrivateNotes } from "./writing/private-notes.ts";
import { createPrepare } from "./writing/reply-place.ts";
import { createThreads } from "./writing/threads.ts";

/** As the settings say. */
export type DiscordConfig = {
  readonly token: string;
  /** Base URL of the REST API, up to `/api`. */
  readonly apiUrl: string;
  /** Registers the commands in that server, where they appear at once; without it, globally. */
  readonly guildId?: string;
  /** The servers to serve. Default: the one that the bot was in at its first start. */
  readonly servers?: NamedServers;
  /** Whether the Message Content intent is enabled in the developer portal. */
  readonly hasMessageContent: boolean;
};

export type DiscordOptions = DiscordConfig & {
  readonly commands: Pick<CommandSetOptions, "definitions" | "groups" | "prefix">;
  readonly pictures: ChartPictures;
  readonly log: Log;
  readonly clock: Clock;
  /** Stores deferred replies, open forms and which commands are registered. */
  readonly keyValue: KeyValue<string>;
  /** Shares Discord's limits between all instances. */
  readonly coordinator: Pick<Coordinator, "takeToken" | "lease">;
};

export type { DiscordPayload };

/** A person who pressed a button waits for this lookup; usually the press itself has already cached it. */
const maxMembershipMs = 10_000;

export function createDiscord(options: DiscordOptions): ChatPlatform<DiscordPayload> {
  const { token, hasMessageContent, commands, clock, log, keyValue, coordinator } = options;
  const apiUrl = options.apiUrl.replace(/\/$/, "");
  const rest = createRest({ token, apiUrl, clock, log });
  const parts: DiscordParts = { rest, keyValue, clock, log };
  const pictures = createAttachedPictures({ ...parts, pictures: options.pictures });
  const peopleSearch = createPeopleSearch(parts);
  const interactions = createInteractionApi(rest, pictures);
  const deferred = createDeferredReplies(parts);
  const permissionNotices = createPermissionNotices(parts);
  const privateNotes = createPrivateNotes({ ...parts, interactions });
  const dialog = createFormDialog({ openForms: createOpenForms(parts), interactions });
  const registration = createRegistration({
    ...parts,
    commands: commandSet({ ...commands, isForOneServer: options.guildId !== undefined }),
    guildId: options.guildId,
  });
  const malformed = createMalformedPackets(log);
  const cache = createCache(malformed);
  const { self } = cache;
  const ownUser = createOwnUser(parts, self);
  const connection = createConnection({
    ...parts,
    token,
    apiUrl,
    hasMessageContent,
    malformed,
    starts: createSessionStarts({ ...parts, token, coordinator }),
    knowsServers: cache.knowsServers,
    onElsewhere: cache.forget,
    coordinator,
    listen: (client) => {
      // First, so that the others find in it what an event tells.
      cache.follow(client);
      catchUp.follow(client);
      client.on(GatewayDispatchEvents.Ready, () => {
        const own = self();
        if (own === undefined) return;
        registration.ensure(own.applicationId);
        void servers.learn(own.userId).catch(() => undefined);
      });
    },
  });
  const channels = createChannels({ ...parts, cache });
  const servers = createServers({ ...parts, named: options.servers, joined: () => [...cache.servers.keys()] });
  const replyChains = createReplyChains({ keyValue, newestIn: cache.newestIn });
  const gone = createGoneMessages();
  const catchUp = createCatchUp({
    ...parts,
    channels,
    self,
    serves: async (guildId) => {
      const own = self();
      if (own !== undefined) await servers.learn(own.userId);
      return servers.serves(guildId);
    },
  });

  const listen = (port: InboundPort) =>
    createListener({
      ...parts,
      port,
      channels,
      replyChains,
      privateNotes,
      servers,
      hasMessageContent,
      malformed,
      gone,
      onDirect: catchUp.noteDirect,
      onInteraction: createInteractionListener({
        ...parts,
        port,
        interactions,
        dialog,
        privateNotes,
        definitions: commands.definitions,
        prefix: commands.prefix ?? "",
      }),
    });

  return {
    name: platformName,
    limits: platformLimits,
    memberships: {
      serves: ({ workspace }, { memberOf = [] }) =>
        workspace === directWorkspace ? memberOf.length > 0 : servers.serves(workspace),
      actorNow: async (actor, place) => {
        const memberships = await servers.membershipsOf(actor.id, maxMembershipMs);
        const isAdmin = (member: DiscordMember) => channels.isAdmin(place.workspace, actor.id, member);
        return memberships === undefined ? undefined : actorNow(actor, place, memberships, isAdmin);
      },
    },
    render,
    isDirect: ({ workspace }) => workspace === directWorkspace,
    visibility: (place) => channels.visibility(place).catch(() => undefined),
    ownChannels: async () => {
      // Before Discord has told of its servers, nobody knows their channels.
      if (!cache.isComplete()) return undefined;
      return [...cache.servers.keys()]
        .filter((id) => servers.serves(id))
        .flatMap((id) => channels.writableIn(id).map((channel) => placeOf(id, channel)));
    },
    namesOfPeople: ({ workspace }, likely) => peopleSearch.names(workspace, likely),
    channelName: async (place) => channels.channelName(place),
    isMember: async (actor, place) => channels.isMember(actor, place),
    isIn: async (place) => channels.isIn(place),
    directPlace: async (actor, insteadOf, hasAnswer = false) => {
      // Bots have no direct messages.
      if (actor.isBot || (!hasAnswer && (await permissionNotices.wasSent(insteadOf)))) return undefined;
      const channel = await openDirect(rest, actor.id);
      // That person can reply there, and may never have written there before.
      catchUp.noteDirect(channel);
      return placeOf(directWorkspace, channel);
    },
    ...createWrites({ ...parts, interactions, pictures, deferred, permissionNotices, replyChains, channels, gone }),
    ...createThreads({ ...parts, channels, deferred, ownUser }),
    ...createFiles({ ...parts, apiUrl }),
    startedByItself: (place, id, atMs) => ({
      // What is asked in a thread is answered there: its channel may be read by more people.
      conversation: threadId(place) === undefined ? placeOf(place.workspace, place.channel, pendingThread(id)) : place,
      order: orderOf(snowflakeAt(atMs)),
    }),
    hasOwnLimits: deferred.isWrittenByToken,
    replyPlaces: {
      prepare: createPrepare({ ...parts, interactions, deferred, channels, permissionNotices, replyChains, gone }),
      discard: (conversation) => discardThread(parts, channels, ownUser, conversation),
      isInPlace,
    },

    start: async (port) => {
      catchUp.passTo(createEarlyPackets({ learn: ({ userId }) => servers.learn(userId), onPacket: listen(port), log }));
      await connection.start();
    },
    // Discord keeps sending: events that still arrive are journaled and answered after the restart.
    stopIntake: async () => undefined,
    close: async () => {
      catchUp.close();
      servers.close();
      await connection.close();
    },
    health: () => {
      if (rest.isRefused()) return { isConnected: false, reason: tokenReason };
      const health = connection.health();
      const problem = servers.problem();
      return health.isConnected && problem !== undefined ? { ...health, reason: problem } : health;
    },
  };
}
