/**
 * What Parley reads of Discord without a request: its servers, their channels, open threads and roles, and the names of
 * people whom it saw. Discord sends a server whole when a session starts, then every change.
 */
import { type Client, GatewayDispatchEvents, type ToEventProps } from "@discordjs/core";
import { LRUCache } from "lru-cache";
import type { Self } from "../ids.ts";
import * as events from "../intake/events.ts";
import { nameOf } from "../reading/read-message.ts";
import type { MalformedPackets } from "./malformed-packets.ts";

export type CachedServer = {
  readonly id: string;
  readonly shard: number;
  /** Discord has sent it since Parley connected; before, only its id is known. */
  isTold: boolean;
  /** False during an outage at Discord. What was known before is kept. */
  isAvailable: boolean;
  ownerId: string | undefined;
  /** Parley's roles there; undefined if unknown. */
  ownRoles: readonly string[] | undefined;
  readonly roles: Map<string, events.DiscordRole>;
  /** With the threads that are open. */
  readonly channels: Map<string, events.DiscordChannel>;
};

export type Cache = ReturnType<typeof createCache>;

const maxPeople = 2_000;
const maxDirectChannels = 2_000;

export function createCache(malformed: MalformedPackets) {
  const servers = new Map<string, CachedServer>();
  /** Those of all servers. */
  const channels = new Map<string, events.DiscordChannel>();
  /** By channel of direct messages: its newest message. */
  const newestDirect = new LRUCache<string, string>({ max: maxDirectChannels });
  const people = new LRUCache<string, string>({ max: maxPeople });
  const readyShards = new Set<number>();
  let shardCount = 1;
  let isComplete = false;
  let self: Self | undefined;

  /** As Discord spreads servers over shards. */
  const shardOf = (guildId: string): number => Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
  const knowsServers = (shard: number): boolean =>
    [...servers.values()].every((server) => server.shard !== shard || server.isTold);
  const serverOf = (id: string, shard: number): CachedServer => {
    const known = servers.get(id);
    if (known !== undefined) return known;
    const server = { id, shard, isTold: false, isAvailable: false, ownerId: undefined, ownRoles: undefined };
    const added: CachedServer = { ...server, roles: new Map(), channels: new Map() };
    servers.set(id, added);
    return added;
  };
  const forgetChannel = (server: CachedServer, id: string) => {
    server.channels.delete(id);
    channels.delete(id);
  };
  const forgetServer = (server: CachedServer) => {
    for (const id of server.channels.keys()) channels.delete(id);
    servers.delete(server.id);
  };
  const put = (server: CachedServer, channel: events.DiscordChannel) => {
    // A thread that is closed is requested when it is needed: a server can have any number of them.
    if (channel.thread_metadata?.archived === true) return forgetChannel(server, channel.id);
    // An update doesn't always say which message is the newest.
    const newest = channel.last_message_id ?? channels.get(channel.id)?.last_message_id;
    const kept = { ...channel, guild_id: server.id, last_message_id: newest };
    server.channels.set(channel.id, kept);
    channels.set(channel.id, kept);
  };

  const onReady = (ready: NonNullable<ReturnType<typeof events.readReady>>, shard: number) => {
    self = { userId: ready.user.id, applicationId: ready.application?.id ?? ready.user.id };
    readyShards.add(shard);
    shardCount = ready.shard?.[1] ?? 1;
    const joined = new Set(ready.guilds.map(({ id }) => id));
    // A new session doesn't mention the servers that Parley was removed from while it was disconnected.
    for (const server of servers.values()) if (server.shard === shard && !joined.has(server.id)) forgetServer(server);
    for (const id of joined) serverOf(id, shard).isAvailable = false;
  };
  const onServer = (guild: events.DiscordGuild, shard: number) => {
    const server = serverOf(guild.id, shard);
    server.isTold = true;
    server.isAvailable = guild.unavailable !== true;
    if (!server.isAvailable) return;
    server.ownerId = guild.owner_id ?? undefined;
    server.ownRoles = guild.members.find(({ user }) => user?.id === self?.userId)?.roles;
    server.roles.clear();
    for (const role of guild.roles) server.roles.set(role.id, role);
    for (const id of server.channels.keys()) forgetChannel(server, id);
    for (const channel of [...guild.channels, ...guild.threads]) put(server, channel);
  };
  const onServerGone = (gone: { readonly id: string; readonly unavailable?: boolean | null | undefined }) => {
    const server = servers.get(gone.id);
    if (server === undefined) return;
    server.isTold = true;
    server.isAvailable = false;
    if (gone.unavailable !== true) forgetServer(server);
  };
  const onChannel = (channel: events.DiscordChannel) => {
    const server = servers.get(channel.guild_id ?? "");
    if (server !== undefined) put(server, channel);
  };
  const onChannelGone = ({ id }: events.DiscordChannel) => {
    const server = servers.get(channels.get(id)?.guild_id ?? "");
    if (server === undefined) return;
    forgetChannel(server, id);
    // Discord doesn't mention the threads of a deleted channel.
    for (const { id: thread, parent_id: parent, thread_metadata: isThread } of server.channels.values())
      if (isThread != null && parent === id) forgetChannel(server, thread);
  };
  const noteNewest = ({ id, channel_id: channelId }: events.DiscordMessage) => {
    const channel = channels.get(channelId);
    if (channel === undefined) newestDirect.set(channelId, id);
    else channel.last_message_id = id;
  };
  const notePeople = (...seen: readonly (events.DiscordUser | undefined)[]) => {
    for (const user of seen) {
      const name = nameOf(user);
      if (user !== undefined && name !== undefined) people.set(user.id, name);
    }
  };

  return {
    servers: servers as ReadonlyMap<string, CachedServer>,
    channels: channels as ReadonlyMap<string, events.DiscordChannel>,
    /** Parley's own ids; undefined before the first session. */
    self: (): Self | undefined => self,
    /** Whether Discord has sent all servers of that shard. */
    knowsServers,
    /** The same, of all shards that this instance holds. */
    isComplete: (): boolean => {
      isComplete ||= readyShards.size > 0 && [...readyShards].every(knowsServers);
      return isComplete;
    },
    /** Whether this instance holds the shard of that server, so that it would know of it. */
    holds: (guildId: string): boolean => readyShards.has(shardOf(guildId)),
    /** Another instance is told of its servers from now on, and what is known of them here gets old. */
    forget: (shard: number): void => {
      readyShards.delete(shard);
      isComplete = false;
      for (const server of servers.values()) if (server.shard === shard) forgetServer(server);
    },
    /** Id of the channel's last message; undefined if unknown. */
    newestIn: (channelId: string): string | undefined =>
      channels.get(channelId)?.last_message_id ?? newestDirect.get(channelId),
    personName: (id: string): string | undefined => people.get(id),

    /** Begins anew with the events of that client. */
    follow: (client: Client): void => {
      servers.clear();
      channels.clear();
      readyShards.clear();
      isComplete = false;
      const on = <T>(
        event: GatewayDispatchEvents,
        read: (d: unknown, onMalformed: (path: string) => void) => T | undefined,
        take: (value: T, shard: number) => void,
      ) =>
        client.on(event, ({ data, shardId }: ToEventProps<unknown>) => {
          const value = read(data, (path) => malformed.unread(event, path));
          if (value !== undefined) take(value, shardId);
        });
      on(GatewayDispatchEvents.Ready, events.readReady, onReady);
      on(GatewayDispatchEvents.GuildCreate, events.readGuild, onServer);
      on(GatewayDispatchEvents.GuildDelete, events.readGuildChange, onServerGone);
      on(GatewayDispatchEvents.GuildUpdate, events.readGuildChange, ({ id, owner_id: ownerId }) => {
        const server = servers.get(id);
        if (server !== undefined) server.ownerId = ownerId ?? undefined;
      });
      for (const event of [GatewayDispatchEvents.GuildRoleCreate, GatewayDispatchEvents.GuildRoleUpdate])
        on(event, events.readRole, ({ guild_id: id, role }) => servers.get(id)?.roles.set(role.id, role));
      on(GatewayDispatchEvents.GuildRoleDelete, events.readRoleDeletion, ({ guild_id: id, role_id: role }) =>
        servers.get(id)?.roles.delete(role),
      );
      on(GatewayDispatchEvents.GuildMemberUpdate, events.readMemberChange, ({ guild_id: id, user, roles }) => {
        const server = servers.get(id);
        if (server !== undefined && user.id === self?.userId) server.ownRoles = roles;
      });
      const { ChannelCreate, ChannelUpdate, ThreadCreate, ThreadUpdate } = GatewayDispatchEvents;
      for (const event of [ChannelCreate, ChannelUpdate, ThreadCreate, ThreadUpdate])
        on(event, events.readChannel, onChannel);
      for (const event of [GatewayDispatchEvents.ChannelDelete, GatewayDispatchEvents.ThreadDelete])
        on(event, events.readChannel, onChannelGone);
      on(GatewayDispatchEvents.ThreadListSync, events.readThreads, ({ guild_id: id, threads }) => {
        const server = servers.get(id);
        if (server !== undefined) for (const thread of threads) put(server, thread);
      });
      on(GatewayDispatchEvents.MessageCreate, events.readMessage, (message) => {
        noteNewest(message);
        notePeople(message.author, ...message.mentions, message.referenced_message?.author);
      });
      on(GatewayDispatchEvents.MessageReactionAdd, events.readReaction, ({ member }) => notePeople(member?.user));
      on(GatewayDispatchEvents.InteractionCreate, events.readInteraction, ({ member, user }) =>
        notePeople(member?.user ?? user),
      );
    },
  };
}
