/**
 * Translates Discord's events into the bridge's Inbound. Pure.
 * A message or interaction has the same key in every replay. An update that is not an edit (a link got its preview) is
 * dropped.
 */

import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Inbound, InboundMessage } from "../../../src/core/ports/chat-platform.ts";
import { byWhom } from "../../../src/core/tools/ids.ts";
import { saidIn } from "../../shared/reading.ts";
import {
  directWorkspace,
  eventKey,
  inPlaceThread,
  messageKey,
  orderOf,
  pendingThread,
  placeOf,
  type Self,
  timeOf,
  workspaceOf,
} from "../ids.ts";
import { isUnfinished, nameOf, readMessage } from "../reading/read-message.ts";
import { type ChannelInfo, isThread, takesThreads } from "./channels.ts";
import type {
  DiscordDeletion,
  DiscordInteraction,
  DiscordMember,
  DiscordMessage,
  DiscordReaction,
  DiscordUser,
} from "./events.ts";
import type { Names } from "./inbound-text.ts";
import type { Membership } from "./servers.ts";

/** Facts about an event that it does not contain itself. */
export type EventFacts = {
  readonly self: Self;
  /** Undefined in direct messages. */
  readonly channel: ChannelInfo | undefined;
  readonly names: Names;
  readonly ownRoles: readonly string[];
  readonly isAdmin: boolean;
  /** In direct messages: the served servers the person belongs to; undefined if Discord did not say. */
  readonly memberships?: readonly Membership[] | undefined;
  /** The Conversation of the post of Parley's in the channel that this message replies to. */
  readonly repliesIn?: Place;
};

type InboundOf<K extends Inbound["kind"]> = Omit<Extract<Inbound, { kind: K }>, "ack" | "reply">;

/** Messages and replies; other types (joins, pins, renamed threads) are ignored. */
const messageTypes: readonly number[] = [0, 19];
const guestFlag = 1 << 4;

export function isMessage(message: DiscordMessage): boolean {
  return messageTypes.includes(message.type);
}

export function translateMessage(message: DiscordMessage, facts: EventFacts): InboundOf<"message"> {
  const workspace = workspaceOf(message.guild_id);
  const { channel, repliesIn } = facts;
  const canHaveThread = channel !== undefined && takesThreads(channel);
  const thread = canHaveThread ? message.id : inPlaceThread(message.id);
  return {
    kind: "message",
    eventKey: messageKey(workspace, message.id),
    order: orderOf(message.id),
    sentAtMs: timeOf(message.id),
    place: placeIn(workspace, message.channel_id, channel),
    conversation: repliesIn ?? conversationIn(workspace, message.channel_id, channel, thread),
    ...(isInOwnThread(facts) ? { isInOwnThread: true } : {}),
    actor: messageActor(message, facts),
    ...messageContent(message, facts),
  };
}

function isInOwnThread({ channel, self }: EventFacts): boolean {
  return channel !== undefined && isThread(channel) && channel.ownerId === self.userId;
}

export function translateEdit(message: DiscordMessage, facts: EventFacts): InboundOf<"message-edited"> | undefined {
  if (message.edited_timestamp == null) return undefined;
  const { kind: _kind, isInOwnThread: _own, sentAtMs: _sent, ...said } = translateMessage(message, facts);
  return {
    ...said,
    kind: "message-edited",
    eventKey: `${said.eventKey}/edited/${message.edited_timestamp}`,
    questionKey: said.eventKey,
  };
}

/** Discord does not say who deleted a message, nor who wrote it; `authorId` comes from memory. */
export function translateDeletion(
  deleted: DiscordDeletion,
  facts: EventFacts,
  authorId: string,
): InboundOf<"message-deleted"> {
  const workspace = workspaceOf(deleted.guild_id);
  const questionKey = messageKey(workspace, deleted.id);
  return {
    kind: "message-deleted",
    eventKey: `${questionKey}/deleted`,
    questionKey,
    messageId: deleted.id,
    order: orderOf(deleted.id),
    place: placeIn(workspace, deleted.channel_id, facts.channel),
    actor: { ...nobody(workspace), id: authorId },
  };
}

export function translateReaction(
  reaction: DiscordReaction,
  added: boolean,
  facts: EventFacts,
  /** Distinguishes it from the same reaction at another time. */
  period: string,
): InboundOf<"reaction"> {
  const workspace = workspaceOf(reaction.guild_id);
  const emoji = reaction.emoji.name ?? reaction.emoji.id ?? "";
  const { message_id: messageId, user_id: userId, member } = reaction;
  // In direct messages Discord sends the user's id only.
  const user = member?.user ?? facts.memberships?.[0]?.member.user ?? { id: userId, username: userId };
  return {
    kind: "reaction",
    eventKey: eventKey(
      workspace,
      "reaction",
      messageId,
      byWhom(userId, messageId, emoji, added ? "added" : "removed", period),
    ),
    order: orderOf(messageId),
    place: placeIn(workspace, reaction.channel_id, facts.channel),
    actor: actorOf(workspace, user, member, facts),
    emoji,
    messageId,
    added,
  };
}

/** The fields that every interaction has. */
export function interactionBase(interaction: DiscordInteraction, facts: EventFacts) {
  const workspace = workspaceOf(interaction.guild_id);
  const channelId = interaction.channel?.id ?? interaction.channel_id ?? "";
  const user = interaction.member?.user ?? interaction.user ?? { id: "", username: "someone" };
  return {
    eventKey: eventKey(workspace, "interaction", interaction.id),
    order: orderOf(interaction.id),
    place: placeIn(workspace, channelId, facts.channel),
    actor: actorOf(workspace, user, interaction.member, facts),
    conversation: conversationIn(workspace, channelId, facts.channel, pendingThread(interaction.id)),
    /** For preparing the Reply: the deferred answer, and Parley's permissions in the channel. */
    platformData: {
      interaction: interaction.id,
      application: interaction.application_id,
      token: interaction.token,
      channelType: String(facts.channel?.type ?? 1),
      ...(interaction.app_permissions !== undefined && { permissions: interaction.app_permissions }),
    },
  };
}

/** The content of a message, also of one that a shortcut is used on: then all in one. */
export function messageContent(message: DiscordMessage, facts: EventFacts): InboundMessage {
  const { self, ownRoles, names } = facts;
  const ownIds = [self.userId, ...ownRoles];
  const repliesTo = message.referenced_message?.author.id;
  const isOwn = (id: string) => id === self.userId;
  const mentionsParley =
    message.mentions.some(({ id }) => isOwn(id)) ||
    message.mention_roles.some((id) => ownRoles.includes(id)) ||
    (repliesTo !== undefined && isOwn(repliesTo));
  const others =
    message.mentions.some(({ id }) => !isOwn(id)) ||
    message.mention_roles.some((id) => !ownRoles.includes(id)) ||
    message.mention_everyone ||
    (repliesTo !== undefined && !isOwn(repliesTo) && repliesTo !== message.author.id);
  const quotes = (replied: Replied) => !isOwn(replied.author.id) || isUnknownOwn(replied, facts);
  const reading = readMessage(message, { names, ownIds, quotes, title: titleOf(message, facts) });
  return {
    ...saidIn(reading),
    messageId: message.id,
    mentionsParley,
    addressesOthers: others,
    ...(saysOnlyNames(message.content, ownIds) ? { isOnlyNames: true } : {}),
    isDirect: facts.channel === undefined,
  };
}

type Replied = NonNullable<DiscordMessage["referenced_message"]>;

/** A message of Parley's that belongs to no conversation that the agent knows already, such as a digest. */
function isUnknownOwn(replied: Replied, { channel, repliesIn }: EventFacts): boolean {
  return channel !== undefined && !isThread(channel) && repliesIn === undefined && !isUnfinished(replied);
}

/**
 * The author of a post, or of a thread, writes its title and its first message as one. The title of any
 * other thread is read with the thread.
 */
function titleOf({ id, author, position }: DiscordMessage, { channel }: EventFacts): string | undefined {
  if (channel === undefined || !isThread(channel)) return undefined;
  const isFirst = id === channel.id || (position === 0 && author.id === channel.ownerId);
  return isFirst ? channel.name : undefined;
}

/** Nothing but people, groups or bots, and not only Parley. A message of another app has no content at all. */
function saysOnlyNames(content: string, own: readonly string[]): boolean {
  const names = [...content.matchAll(/<@[!&]?(\d{15,20})>|@(?:everyone|here)\b/g)];
  const rest = names.reduce((text, [name]) => text.replace(name, ""), content);
  return names.some(([, id]) => id === undefined || !own.includes(id)) && !/[\p{L}\p{N}\p{S}]/u.test(rest);
}

function placeIn(workspace: string, channelId: string, channel: ChannelInfo | undefined): Place {
  if (channel?.parentId !== undefined && isThread(channel)) return placeOf(workspace, channel.parentId, channelId);
  return placeOf(workspace, channelId);
}

/** `thread`: of a new Conversation in a server's channel. Elsewhere the Conversation is the place itself. */
function conversationIn(workspace: string, channelId: string, channel: ChannelInfo | undefined, thread: string): Place {
  const startsHere = workspace !== directWorkspace && channel !== undefined && !isThread(channel);
  return startsHere ? placeOf(workspace, channelId, thread) : placeIn(workspace, channelId, channel);
}

function messageActor(message: DiscordMessage, facts: ActorFacts): Actor {
  const workspace = workspaceOf(message.guild_id);
  const actor = actorOf(workspace, message.author, message.member, facts);
  return message.webhook_id === undefined ? actor : { ...actor, isBot: true, isAdmin: false };
}

type ActorFacts = Pick<EventFacts, "isAdmin" | "memberships">;

/** In a direct message, roles and guest status come from the served servers; nobody is an admin there. */
function actorOf(
  workspace: string,
  user: DiscordUser,
  member: DiscordMember | undefined,
  { isAdmin, memberships }: ActorFacts,
): Actor {
  const members = member === undefined ? (memberships ?? []).map((one) => one.member) : [member];
  return {
    id: user.id,
    workspace,
    name: member?.nick ?? nameOf(user) ?? user.id,
    isAdmin: isAdmin && workspace !== directWorkspace,
    isGuest: members.length > 0 && members.every(({ flags }) => (flags & guestFlag) !== 0),
    isExternal: false,
    isBot: user.bot === true,
    roles: members.flatMap(({ roles }) => roles),
    memberOf: memberships?.map(({ serverId }) => serverId),
  };
}

/** The person's current rights in that server; external if they have left it. */
export function actorNow(
  actor: Actor,
  place: Place,
  memberships: readonly Membership[],
  isAdmin: (member: DiscordMember) => boolean,
): Actor {
  const { memberOf: _, ...known } = actor;
  if (place.workspace === directWorkspace) {
    const user = memberships[0]?.member.user ?? { id: actor.id, username: actor.name, bot: actor.isBot };
    return actorOf(directWorkspace, user, undefined, { isAdmin: false, memberships });
  }
  const member = memberships.find(({ serverId }) => serverId === place.workspace)?.member;
  if (member === undefined) return { ...known, roles: [], isAdmin: false, isExternal: true };
  const user = member.user ?? { id: actor.id, username: actor.name, bot: actor.isBot };
  return actorOf(place.workspace, user, member, { isAdmin: isAdmin(member) });
}

function nobody(workspace: string): Actor {
  return actorOf(workspace, { id: "", username: "someone" }, undefined, { isAdmin: false });
}
