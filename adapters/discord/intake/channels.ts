/**
 * Looks up channels, names and permissions in the gateway's cache, without a request.
 * Only a channel that is not cached, such as an archived thread, is requested from Discord.
 */

import { type Client, PermissionFlagsBits } from "discord.js";
import { LRUCache } from "lru-cache";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
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

export function isThread(channel: ChannelInfo): boolean {
  return threadTypes.includes(channel.type);
}

export function takesThreads(channel: ChannelInfo): boolean {
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

const maxTries = 5;
const rememberedMs = 10 * 60_000;
const maxRemembered = 2_000;

export function createChannels(
  options: DiscordParts & {
    readonly client: () => Client | undefined;
  },
) {
  const { client, rest, clock } = options;
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
  const guild = (id: string) => client()?.guilds.cache.get(id);

  /** Retries, because a question without its channel is lost. */
  const read = (channelId: string): Promise<unknown> =>
    retry(() => rest.call("GET", `/channels/${channelId}`), {
      clock,
      ...platformPauses,
      pauseAfter: (thrown, pauseMs, tries) =>
        toPlatformError(thrown).code === "platform_unreachable" && tries < maxTries ? pauseMs : undefined,
    });

  const find = async (channelId: string): Promise<ChannelInfo> => {
    const known = client()?.channels.cache.get(channelId);
    if (known === undefined) return lookups.forceFetch(channelId);
    const { id, type } = known;
    if (!known.isThread()) return { id, type };
    return channelInfo({ id, type, name: known.name, parent_id: known.parentId, owner_id: known.ownerId });
  };

  /** Everyone, people with these roles, or one of them. Discord's order: everyone, roles, the person. */
  const canView = (place: Place, roleIds: readonly string[], userId?: string): boolean | undefined => {
    const known = guild(place.workspace);
    const channel = known?.channels.cache.get(place.channel);
    const everyone = known?.roles.cache.get(place.workspace);
    if (known === undefined || everyone === undefined || channel === undefined) return undefined;
    if (channel.isThread()) return undefined;
    if (userId !== undefined && known.ownerId === userId) return true;
    const roles = roleIds.flatMap((id) => (id === everyone.id ? [] : (known.roles.cache.get(id) ?? [])));
    const all = roles.reduce((sum, role) => sum | role.permissions.bitfield, everyone.permissions.bitfield);
    if ((all & PermissionFlagsBits.Administrator) !== 0n) return true;
    const steps = [[everyone.id], roles.map(({ id }) => id), userId === undefined ? [] : [userId]];
    const allowed = steps.reduce((before, ids) => {
      const overwrites = ids.flatMap((id) => channel.permissionOverwrites.cache.get(id) ?? []);
      const denied = overwrites.reduce((sum, { deny }) => sum | deny.bitfield, 0n);
      return overwrites.reduce((sum, { allow }) => sum | allow.bitfield, before & ~denied);
    }, all);
    return (allowed & PermissionFlagsBits.ViewChannel) !== 0n;
  };

  return {
    /** Rejects if Discord does not return the channel. */
    find,
    /** Id of the channel's last message; undefined if unknown. */
    newestIn: (channelId: string): string | undefined => {
      const channel = client()?.channels.cache.get(channelId);
      return channel !== undefined && "lastMessageId" in channel ? (channel.lastMessageId ?? undefined) : undefined;
    },
    /** Parley's permissions in the channel; undefined if unknown. */
    ownPermissions: (channelId: string): bigint | undefined => {
      const discord = client();
      const channel = discord?.channels.cache.get(channelId);
      if (discord?.user == null || channel === undefined || channel.isDMBased()) return undefined;
      return channel.permissionsFor(discord.user.id)?.bitfield;
    },
    /** Whether Parley can write there. Undefined while the server isn't known. */
    isIn: ({ workspace, channel }: Place): boolean | undefined => {
      const known = guild(workspace);
      if (known === undefined || !known.available) return undefined;
      const found = known.channels.cache.get(channel);
      if (found === undefined) return false;
      const own = client()?.user?.id;
      const rights = own === undefined ? undefined : found.permissionsFor(own);
      const writes = found.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
      return rights?.has([PermissionFlagsBits.ViewChannel, writes]);
    },
    isAdmin: (guildId: string, userId: string, member: DiscordMember | undefined): boolean => {
      if (member?.permissions !== undefined) return hasAdminRights(member.permissions);
      const known = guild(guildId);
      if (known === undefined) return false;
      if (known.ownerId === userId) return true;
      const roles = [guildId, ...(member?.roles ?? [])].flatMap((id) => known.roles.cache.get(id) ?? []);
      return hasAdminRights(roles.reduce((all, role) => all | role.permissions.bitfield, 0n));
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
      const own = client()?.user?.id;
      const found = own === undefined ? [] : [...(guild(guildId)?.channels.cache.values() ?? [])];
      const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
      return found.flatMap((channel) =>
        threadableTypes.includes(channel.type) && channel.permissionsFor(own ?? "")?.has(needed) === true
          ? [channel.id]
          : [],
      );
    },
    /** Undefined while the server isn't known yet, or is away. */
    channelName: ({ workspace, channel }: Place): { readonly name: string } | "gone" | undefined => {
      if (workspace === directWorkspace) return undefined;
      const known = guild(workspace);
      if (known === undefined) return client()?.isReady() === true ? "gone" : undefined;
      if (!known.available) return undefined;
      const found = known.channels.cache.get(channel);
      return found === undefined ? "gone" : { name: found.name };
    },
    /** From the roles of the person's last event. Undefined if the channel is unknown. */
    isMember: (actor: Actor, place: Place): boolean | undefined => canView(place, actor.roles, actor.id),
    /** Roles that mean Parley itself when mentioned. */
    ownRoles: (guildId: string): readonly string[] => {
      const own = client()?.user?.id;
      const known = guild(guildId);
      return known === undefined
        ? []
        : known.roles.cache.filter((role) => role.tags?.botId === own).map(({ id }) => id);
    },
    names: (guildId: string | undefined): Names => ({
      user: (id) => client()?.users.cache.get(id)?.displayName,
      channel: (id) => {
        const channel = client()?.channels.cache.get(id);
        return channel !== undefined && "name" in channel && typeof channel.name === "string"
          ? channel.name
          : undefined;
      },
      role: (id) => (guildId === undefined ? undefined : guild(guildId)?.roles.cache.get(id)?.name),
    }),
  };
}
