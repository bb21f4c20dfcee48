/** How Discord describes a server to the bot: its roles, its channels and the threads that are open. */
import { channelJson, userJson } from "./json.ts";
import {
  adminRole,
  botId,
  botPermissions,
  botRole,
  type Channel,
  type Json,
  permissions,
  type Server,
  type World,
} from "./world.ts";

export function createServerJson(world: World): (server: Server) => Json {
  const filledJson = (channel: Channel): Json => ({
    ...channelJson(channel),
    last_message_id: world.inChannel(channel.id).at(-1)?.id ?? null,
  });
  const channelsOf = (id: string) => [...world.channels.values()].filter(({ serverId }) => serverId === id);
  const guildJson = (server: Server): Json =>
    server.isUnavailable ? { id: server.id, unavailable: true } : availableJson(server);
  const availableJson = ({ id, name, ownerId, members, joinedAtMs, systemChannelId }: Server): Json => ({
    id,
    name,
    owner_id: ownerId,
    unavailable: false,
    joined_at: new Date(joinedAtMs).toISOString(),
    large: false,
    system_channel_id: systemChannelId ?? null,
    member_count: members.size,
    roles: [
      role(id, "@everyone", permissions.viewChannel | permissions.sendMessages),
      role(adminRole, "Admin", permissions.administrator),
      { ...role(botRole, "Parley", botPermissions), managed: true, tags: { bot_id: botId } },
    ],
    members: [
      {
        ...{ user: userJson(world.people.get(botId)), roles: [botRole], flags: 0 },
        joined_at: new Date(joinedAtMs).toISOString(),
      },
    ],
    channels: channelsOf(id)
      .filter(({ type }) => type !== 11 && type !== 12)
      .map(filledJson),
    threads: channelsOf(id)
      .filter(({ type, isArchived }) => (type === 11 || type === 12) && !isArchived)
      .map(filledJson),
    emojis: [],
    stickers: [],
    features: [],
    presences: [],
    voice_states: [],
    guild_scheduled_events: [],
    stage_instances: [],
  });
  return guildJson;
}

function role(id: string, name: string, rights: bigint): Json {
  return {
    id,
    name,
    permissions: String(rights),
    position: 0,
    color: 0,
    hoist: false,
    managed: false,
    mentionable: false,
  };
}
