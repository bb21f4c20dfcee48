/** How Discord describes channels, messages and people. */
import { botId, type Channel, type Json, type Message, type Person, permissions, type World } from "./world.ts";

export function channelJson(channel: Channel): Json {
  const { id, type, name, parentId } = channel;
  if (type === 1) return { id, type, recipients: [], flags: 0 };
  const thread = {
    parent_id: parentId,
    owner_id: channel.ownerId ?? null,
    thread_metadata: { archived: channel.isArchived, locked: channel.isLocked, auto_archive_duration: 1_440 },
    message_count: 0,
    member_count: 1,
  };
  const overwrites = [
    { id: botId, type: 1, allow: "0", deny: String(channel.denied) },
    { id: channel.serverId, type: 0, allow: "0", deny: String(channel.deniedToAll ?? 0n) },
    ...(channel.allowedRoles ?? []).map((role) => ({
      ...{ id: role, type: 0, allow: String(permissions.viewChannel), deny: "0" },
    })),
  ];
  const common = { id, type, name, guild_id: channel.serverId, position: channel.position, flags: 0 };
  return type === 11 || type === 12
    ? { ...common, ...thread }
    : { ...common, permission_overwrites: overwrites, parent_id: null };
}

export function messageJson(world: World, message: Message): Json {
  const author = world.people.get(message.authorId);
  const reference = message.referenceId === undefined ? undefined : world.messages.get(message.referenceId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    content: message.content,
    author: userJson(author),
    timestamp: new Date(message.atMs).toISOString(),
    edited_timestamp: message.editedAtMs === undefined ? null : new Date(message.editedAtMs).toISOString(),
    mentions: mentionedBy(world, message).map(userJson),
    mention_roles: [...message.content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id),
    mention_everyone: false,
    attachments: message.attachments,
    embeds: [],
    components: message.components,
    flags: message.flags,
    ...message.shows,
    ...(message.snapshots.length === 0 ? {} : { message_snapshots: message.snapshots }),
    ...(reference === undefined
      ? {}
      : {
          message_reference: { type: 0, channel_id: reference.channelId, message_id: reference.id },
          referenced_message: reference.isDeleted ? null : messageJson(world, { ...reference, referenceId: undefined }),
        }),
  };
}

/** Whom it names, and whom it replies to: they are told of it. */
export function mentionedBy(world: World, message: Message): readonly Person[] {
  const answered = message.pingsReplied ? world.messages.get(message.referenceId ?? "")?.authorId : undefined;
  const named = [...message.content.matchAll(/<@!?(\d+)>/g)].map(([, id]) => id);
  const ids = new Set([...named, ...(answered === message.authorId ? [] : [answered])]);
  return [...ids].flatMap((id) => world.people.get(id ?? "") ?? []);
}

export function userJson(
  person: { readonly id: string; readonly name: string; readonly isBot: boolean } | undefined,
): Json {
  const { id = "0", name = "gone", isBot = false } = person ?? {};
  return {
    id,
    username: name.toLowerCase(),
    global_name: name,
    discriminator: "0",
    avatar: null,
    ...(isBot ? { bot: true } : {}),
  };
}
