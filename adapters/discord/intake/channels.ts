/**
 * Looks up channels, names and permissions in the gateway's cache, without a request.
 * Only a channel that is not cached, such as an archived thread, is requested from Discord.
 */

import { PermissionFlagsBits } from "@discordjs/core";
import { LRUCache } from "lru-cache";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
import type { Cache, CachedServer } from "../connection/cache.ts";
import { directWorkspace, threadId } from "../ids.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { type DiscordChannel, type DiscordMember, readChannel } from "./events.ts";
import type { Names } from "./inbound-text.ts";

/** A Discord channel or thread. */
export type ChannelInfo = {
  readonly id: string;
  readonly type: number;
  /** Of a thread: its title. */
  readonly name?: string;
  /** The channel of a thread. */
  readonly parentId?: string;
  /** The user who opened a thread. */
  readonly ownerId?: string;
};

export type Channels = ReturnType<typeof createChannels>;

const threadTypes: readonly number[] = [10, 11, 12];
const privateThread = 12;
/** Text and announcement channels, the only ones that allow threads from messages. */
const threadableTypes: readonly number[] = [0, 5];

export function isThread(channel: Pick<ChannelInfo, "type">): boolean {
  return threadTypes.includes(channel.type);
}

export function takesThreads(channel: Pick<ChannelInfo, "type">): boolean {
  return threadableTypes.includes(channel.type);
}

export function channelInfo(channel: DiscordChannel): ChannelInfo {
  const { id, type, name, parent_id: parentId, owner_id: ownerId } = channel;
  if (!threadTypes.includes(type) || parentId == null) return { id, type };
  return { id, type, parentId, name: name ?? undefined, ownerId: ownerId ?? undefined };
}

const adminRights = PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild;

function hasAdminRights(permissions: string | bigint): boolean {
  return (BigInt(permissions) & adminRights) !== 0n;
}

const allRights = Object.values(PermissionFlagsBits).reduce((all, right) => all | right, 0n);

/**
 * The permissions in a channel of everyone, of people with these roles, or of one of them. Discord's order: everyone,
 * roles, the person. Undefined if the server isn't known.
 */
function rightsIn(
  server: CachedServer,
  channel: DiscordChannel,
  roleIds: readonly string[],
  userId?: string,
): bigint | undefined {
  const everyone = server.roles.get(server.id);
  if (everyone === undefined) return undefined;
  if (userId !== undefined && server.ownerId === userId) return allRights;
  const roles = roleIds.flatMap((id) => (id === everyone.id ? [] : (server.roles.get(id) ?? [])));
  const all = roles.reduce((sum, role) => sum | role.permissions, everyone.permissions);
  if ((all & PermissionFlagsBits.Administrator) !== 0n) return allRights;
  const steps = [[everyone.id], roles.map(({ id }) => id), userId === undefined ? [] : [userId]];
  return steps.reduce((before, ids) => {
    const overwrites = channel.permission_overwrites.filter(({ id }) => ids.includes(id));
    const denied = overwrites.reduce((sum, { deny }) => sum | deny, 0n);
    return overwrites.reduce((sum, { allow }) => sum | allow, before & ~denied);
  }, all);
}

function includes(rights: bigint | undefined, needed: bigint): boolean | undefined {
  return rights === undefined ? undefined : (rights & needed) === needed;
}

const maxTries = 5;
const rememberedMs = 10 * 60_000;
const maxRemembered = 2_000;

export function createChannels(
  options: DiscordParts & {
    readonly cache: Cache;
  },
) {
  const { cache, rest, clock } = options;
  const lookups = new LRUCache<string, ChannelInfo>({
    max: maxRemembered,
    ttl: rememberedMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: async (channelId) => {
      const channel = readChannel(await read(channelId));
      if (channel === undefined) throw new Error("Discord described a channel in no known way");
      return channelInfo(channel);
    },
  });
  /** Retries, because a question without its channel is lost. */
  const read = (channelId: string): Promise<unknown> =>
    retry(() => rest.call("GET", `/channels/${channelId}`), {
      clock,
      ...platformPauses,
      pauseAfter: (thrown, pauseMs, tries) =>
        toPlatformError(thrown).code === "platform_unreachable" && tries < maxTries ? pauseMs : undefined,
    });

  const find = async (channelId: string): Promise<ChannelInfo> => {
    const known = cache.channels.get(channelId);
    return known === undefined ? lookups.forceFetch(channelId) : channelInfo(known);
  };

  /** Everyone, people with these roles, or one of them. */
  const canView = (place: Place, roleIds: readonly string[], userId?: string): boolean | undefined => {
    const server = cache.servers.get(place.workspace);
    const channel = server?.channels.get(place.channel);
    if (server === undefined || channel === undefined || isThread(channel)) return undefined;
    return includes(rightsIn(server, channel, roleIds, userId), PermissionFlagsBits.ViewChannel);
  };

  /** Whether Parley has these permissions in the channel, or in that of the thread; undefined if unknown. */
  const hasRights = (channelId: string, needed: bigint): boolean | undefined => {
    const known = cache.channels.get(channelId);
    const server = cache.servers.get(known?.guild_id ?? "");
    const channel = known !== undefined && isThread(known) ? cache.channels.get(known.parent_id ?? "") : known;
    if (server?.ownRoles === undefined || channel === undefined) return undefined;
    return includes(rightsIn(server, channel, server.ownRoles, cache.self()?.userId), needed);
  };

  return {
    /** Rejects if Discord does not return the channel. */
    find,
    hasRights,
    /** Whether Parley can write there. Undefined while the server isn't known. */
    isIn: ({ workspace, channel }: Place): boolean | undefined => {
      const server = cache.servers.get(workspace);
      if (server === undefined || !server.isAvailable) return undefined;
      const found = server.channels.get(channel);
      if (found === undefined) return false;
      const writes = isThread(found) ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
      return hasRights(channel, PermissionFlagsBits.ViewChannel | writes);
    },
    isAdmin: (guildId: string, userId: string, member: DiscordMember | undefined): boolean => {
      if (member?.permissions !== undefined) return hasAdminRights(member.permissions);
      const server = cache.servers.get(guildId);
      if (server === undefined) return false;
      if (server.ownerId === userId) return true;
      const roles = [guildId, ...(member?.roles ?? [])].flatMap((id) => server.roles.get(id) ?? []);
      return hasAdminRights(roles.reduce((all, role) => all | role.permissions, 0n));
    },
    /** Private threads have few readers and no list of them, so they count as direct messages. */
    visibility: async (place: Place): Promise<Visibility | undefined> => {
      if (place.workspace === directWorkspace) return "direct";
      const thread = threadId(place);
      if (thread !== undefined && (await find(thread)).type === privateThread) return "direct";
      const sees = canView(place, []);
      return sees === undefined ? undefined : sees ? "public" : "private";
    },
    /** Those that people write in, and Parley too. */
    writableIn: (guildId: string): readonly string[] => {
      const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
      const found = [...(cache.servers.get(guildId)?.channels.values() ?? [])];
      return found.flatMap((channel) =>
        takesThreads(channel) && hasRights(channel.id, needed) === true ? [channel.id] : [],
      );
    },
    /** Undefined while the server isn't known yet, or is away. */
    channelName: ({ workspace, channel }: Place): { readonly name: string } | "gone" | undefined => {
      if (workspace === directWorkspace) return undefined;
      const server = cache.servers.get(workspace);
      if (server === undefined) return cache.holds(workspace) && cache.isComplete() ? "gone" : undefined;
      if (!server.isAvailable) return undefined;
      const found = server.channels.get(channel);
      return found === undefined ? "gone" : { name: found.name ?? "" };
    },
    /** From the roles of the person's last event. Undefined if the channel is unknown. */
    isMember: (actor: Actor, place: Place): boolean | undefined => canView(place, actor.roles, actor.id),
    /** Roles that mean Parley itself when mentioned. */
    ownRoles: (guildId: string): readonly string[] => {
      const roles = [...(cache.servers.get(guildId)?.roles.values() ?? [])];
      const own = cache.self()?.userId;
      return roles.flatMap(({ id, tags }) => (own !== undefined && tags?.bot_id === own ? [id] : []));
    },
    names: (guildId: string | undefined): Names => ({
      user: cache.personName,
      channel: (id) => cache.channels.get(id)?.name ?? undefined,
      role: (id) => cache.servers.get(guildId ?? "")?.roles.get(id)?.name,
    }),
  };
}
