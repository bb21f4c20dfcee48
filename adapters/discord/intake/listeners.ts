/**
 * Handles the gateway's events: parse, translate, pass to the bridge.
 * Nothing here decides or waits for an agent, so that an interaction is acknowledged within 3 s.
 */
import { LRUCache } from "lru-cache";
import type { Inbound, InboundMessage, InboundPort, Responder } from "../../../src/core/ports/chat-platform.ts";
import type { DistributiveOmit } from "../../../src/core/tools/distributive-omit.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import type { MalformedPackets } from "../connection/malformed-packets.ts";
import { type Self, workspaceOf } from "../ids.ts";
import { maxMissedMs } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { isBlank } from "../reading/read-message.ts";
import type { PrivateNotes } from "../writing/private-notes.ts";
import { createMessageResponder } from "../writing/responder.ts";
import { type ChannelInfo, type Channels, channelInfo, isThread } from "./channels.ts";
import * as events from "./events.ts";
import type { GoneMessages } from "./gone-messages.ts";
import {
  type EventFacts,
  isMessage,
  translateDeletion,
  translateEdit,
  translateMessage,
  translateReaction,
} from "./inbound.ts";
import { translateJoin } from "./joining.ts";
import { withReplied } from "./replied-message.ts";
import type { ReplyChains } from "./reply-chains.ts";
import type { Servers } from "./servers.ts";

/** A reply that Discord delivered without its text. */
const unreadableReply = {
  what: "I can't read this reply: Discord only shows me messages that mention me.",
  hint: "Reply with the mention turned on (@ ON), or start your message with my name.",
} as const;

/** Reactions have no id: equal ones within this time are one event that several instances got. */
const reactionTwinMs = 10_000;
/** How long a direct message waits for its author's server memberships. */
const maxMemberMs = 20_000;
/** The same for an interaction, which must be acknowledged within 3 s. */
const maxInteractionMemberMs = 2_000;
/** Messages whose text and author are remembered, so that a preview does not look like an edit. */
const maxRemembered = 2_000;

export function createListener(
  deps: DiscordParts & {
    readonly port: InboundPort;
    readonly channels: Channels;
    readonly replyChains: ReplyChains;
    readonly privateNotes: PrivateNotes;
    readonly servers: Servers;
    readonly hasMessageContent: boolean;
    readonly malformed: MalformedPackets;
    readonly gone: GoneMessages;
    /** Called for direct messages with members of served servers only, because strangers could fill the list. */
    readonly onDirect: (channelId: string) => void;
    readonly onInteraction: (interaction: events.DiscordInteraction, facts: EventFacts) => Promise<void>;
  },
): (packet: events.Packet, self: Self) => void {
  const { port, channels, replyChains, servers, malformed, gone, clock, log } = deps;
  const heard = new LRUCache<string, { readonly content: string; readonly authorId: string }>({ max: maxRemembered });
  /** By message: what is being passed on of it. */
  const ofMessage = new Map<string, Promise<void>>();

  /** A resume can replay interactions, and each can be acknowledged only once. */
  const handledInteractions = new LRUCache<string, true>({ max: maxRemembered });
  const isRepeated = (id: string): boolean => {
    if (handledInteractions.has(id)) return true;
    handledInteractions.set(id, true);
    return false;
  };

  const remember = ({ id, content, author }: events.DiscordMessage) => heard.set(id, { content, authorId: author.id });

  const factsAbout = async (
    self: Self,
    guildId: string | undefined,
    channelId: string,
    userId: string,
    member: events.DiscordMember | undefined,
  ): Promise<EventFacts> => ({
    self,
    channel: guildId === undefined ? undefined : await channels.find(channelId),
    names: channels.names(guildId),
    ownRoles: guildId === undefined ? [] : channels.ownRoles(guildId),
    isAdmin: guildId !== undefined && channels.isAdmin(guildId, userId, member),
    ...(guildId === undefined && userId !== ""
      ? { memberships: await servers.membershipsOf(userId, maxMemberMs) }
      : {}),
  });

  /** What is said in other servers costs no request. */
  const isServed = (guildId: string | undefined): boolean => guildId === undefined || servers.serves(guildId);

  /** Nobody waits below a deleted message. */
  const replyTo = (messageId: string, { place, actor }: Pick<Inbound, "place" | "actor">): Responder => {
    const { send } = createMessageResponder({ ...deps, place, actor, messageId });
    return { send: async (...said) => (gone.has(messageId) ? undefined : send(...said)) };
  };

  const passOn = (inbound: DistributiveOmit<Inbound, "ack" | "reply">, messageId: string) =>
    port.handle({ ...inbound, ack: async () => undefined, reply: replyTo(messageId, inbound) });

  const onMessage = async (message: events.DiscordMessage, self: Self, isRepeated = false) => {
    if (message.author.id === self.userId || !isMessage(message)) return;
    const { guild_id: guildId, channel_id: channelId } = message;
    if (gone.has(message.id)) return;
    const about = await factsIn(message, self);
    const inbound = translateMessage(await whole(message, about), about);
    if (guildId === undefined && about.memberships?.length) deps.onDirect(channelId);
    // Without the intent, messages not addressed to Parley arrive empty.
    if (!deps.hasMessageContent && !inbound.mentionsParley && !inbound.isDirect) return;
    remember(message);
    // Looking up its author and its channel can take seconds.
    if (gone.has(message.id)) return;
    if (isUnreadable(message, inbound, self)) {
      const { place, actor } = inbound;
      if (actor.isBot || !servers.serves(place.workspace)) return;
      await replyTo(message.id, inbound).send(errorDocument(unreadableReply), "public");
      return;
    }
    await passOn({ ...inbound, isRepeated }, message.id);
  };

  /** A reply with its ping off mentions nobody, so without the intent it arrives empty. */
  const isUnreadable = (message: events.DiscordMessage, { isDirect }: InboundMessage, self: Self): boolean => {
    if (deps.hasMessageContent || isDirect || message.mentions.some(({ id }) => id === self.userId)) return false;
    return isBlank(message);
  };

  const factsIn = async (message: events.DiscordMessage, self: Self): Promise<EventFacts> => {
    const { guild_id: guildId, author, member, channel_id: channelId } = message;
    const about = await factsAbout(self, guildId, channelId, author.id, member);
    const chain = await repliedConversation(message, about.channel, self);
    return chain === undefined ? about : { ...about, repliesIn: chain };
  };

  /** Only for what is said to Parley: other messages cost no request. */
  const whole = async (message: events.DiscordMessage, { self, ownRoles }: EventFacts) => {
    const isToParley =
      message.mentions.some(({ id }) => id === self.userId) ||
      message.mention_roles.some((id) => ownRoles.includes(id));
    return isToParley ? withReplied(deps, channels, message) : message;
  };

  const repliedConversation = async (message: events.DiscordMessage, channel: ChannelInfo | undefined, self: Self) => {
    const answered = message.referenced_message;
    if (channel === undefined || isThread(channel) || answered?.author.id !== self.userId) return undefined;
    return replyChains.find(workspaceOf(message.guild_id), message.channel_id, answered.id);
  };

  const onEdit = async (message: events.DiscordMessage, self: Self) => {
    if (message.author.id === self.userId || !isMessage(message)) return;
    if (heard.get(message.id)?.content === message.content || isBlank(message)) return;
    // Discord sends an edited message again when it is pinned, or gets a thread: nobody has changed it then.
    const editedMs = Date.parse(message.edited_timestamp ?? "");
    if (!(clock.now() - editedMs < maxMissedMs)) return;
    const about = await factsIn(message, self);
    const inbound = translateEdit(await whole(message, about), about);
    if (inbound === undefined || gone.has(message.id)) return;
    remember(message);
    await passOn(inbound, message.id);
  };

  const onDeletion = (deleted: events.DiscordDeletion, self: Self) => {
    gone.note(deleted.id);
    return inOrder(deleted.id, () => passOnDeletion(deleted, self));
  };

  const passOnDeletion = async (deleted: events.DiscordDeletion, self: Self) => {
    const author = heard.get(deleted.id)?.authorId ?? "";
    if (author === self.userId) return;
    const about = await factsAbout(self, deleted.guild_id, deleted.channel_id, author, undefined);
    await passOn(translateDeletion(deleted, about, author), deleted.id);
  };

  const onReaction = async (reaction: events.DiscordReaction, added: boolean, self: Self) => {
    if (reaction.user_id === self.userId || reaction.member?.user?.bot === true) return;
    const { guild_id: guildId, channel_id: channelId, user_id: userId, member } = reaction;
    const about = await factsAbout(self, guildId, channelId, userId, member);
    await passOn(
      translateReaction(reaction, added, about, String(Math.floor(deps.clock.now() / reactionTwinMs))),
      reaction.message_id,
    );
  };

  const onInteraction = async (interaction: events.DiscordInteraction, self: Self) => {
    const { guild_id: guildId, channel } = interaction;
    const user = interaction.member?.user ?? interaction.user;
    const isDirect = guildId === undefined;
    await deps.onInteraction(interaction, {
      self,
      // From the interaction itself, so that no request is needed before the acknowledgement.
      channel: isDirect || channel === undefined ? undefined : channelInfo(channel),
      names: channels.names(guildId),
      ownRoles: isDirect ? [] : channels.ownRoles(guildId),
      isAdmin: !isDirect && channels.isAdmin(guildId, user?.id ?? "", interaction.member),
      ...(isDirect ? { memberships: await servers.membershipsOf(user?.id ?? "", maxInteractionMemberMs) } : {}),
    });
  };

  const onServer = async (guild: events.DiscordGuild, self: Self) => {
    if (!servers.serves(guild.id)) return;
    const inbound = translateJoin(guild, { self, nowMs: clock.now(), hasRights: channels.hasRights });
    if (inbound === "nowhere") {
      log.info({ server: guild.id }, "Parley was added to a Discord server where it can write in no text channel");
    } else if (inbound !== undefined) {
      // Nobody waits for an answer.
      await port.handle({ ...inbound, ack: async () => undefined, reply: { send: async () => undefined } });
    }
  };

  /** What happens to one message is passed on in its order: an edit or a deletion never overtakes the message. */
  const inOrder = async (messageId: string, work: () => Promise<void>): Promise<void> => {
    const before = ofMessage.get(messageId) ?? Promise.resolve();
    const done = before.then(work);
    const settled = done.catch(() => undefined);
    ofMessage.set(messageId, settled);
    await done.finally(() => {
      if (ofMessage.get(messageId) === settled) ofMessage.delete(messageId);
    });
  };

  const handle = async ({ t, d, isRead }: events.Packet, self: Self): Promise<void> => {
    const onMalformed = (path: string) => malformed.unread(t, path);
    if (t === "MESSAGE_CREATE" || t === "MESSAGE_UPDATE") {
      const message = events.readMessage(d, onMalformed);
      if (message === undefined || !isServed(message.guild_id)) return;
      const on = t === "MESSAGE_CREATE" ? onMessage : onEdit;
      await inOrder(message.id, () => on(message, self, isRead));
    } else if (t === "MESSAGE_DELETE") {
      const deleted = events.readDeletion(d, onMalformed);
      if (deleted !== undefined && isServed(deleted.guild_id)) await onDeletion(deleted, self);
    } else if (t === "MESSAGE_DELETE_BULK") {
      const { ids = [], ...where } = events.readDeletions(d, onMalformed) ?? { channel_id: "", guild_id: undefined };
      if (isServed(where.guild_id)) await Promise.all(ids.map((id) => onDeletion({ ...where, id }, self)));
    } else if (t === "MESSAGE_REACTION_ADD" || t === "MESSAGE_REACTION_REMOVE") {
      const reaction = events.readReaction(d, onMalformed);
      if (reaction !== undefined && isServed(reaction.guild_id))
        await onReaction(reaction, t === "MESSAGE_REACTION_ADD", self);
    } else if (t === "GUILD_CREATE") {
      const guild = events.readGuild(d, onMalformed);
      if (guild !== undefined) await onServer(guild, self);
    } else if (t === "INTERACTION_CREATE") {
      const interaction = events.readInteraction(d, onMalformed);
      if (interaction !== undefined && !isRepeated(interaction.id)) await onInteraction(interaction, self);
    }
  };

  return (packet, self) =>
    void handle(packet, self).catch((thrown: unknown) =>
      log.error({ err: thrown, event: packet.t }, "A Discord event could not be handled"),
    );
}
