/**
 * Translates Slack's events into the bridge's Inbound; actions.ts translates commands, shortcuts and buttons. Pure.
 * A mention arrives twice (app_mention and message) with the same ts, so both get the same eventKey. Parley's own
 * messages are dropped: each of its updates comes back as an event.
 */

import type { Place } from "../../../src/core/model/place.ts";
import type { Inbound, InboundMessage } from "../../../src/core/ports/chat-platform.ts";
import type { DistributiveOmit } from "../../../src/core/tools/distributive-omit.ts";
import { byWhom } from "../../../src/core/tools/ids.ts";
import { saidIn } from "../../shared/reading.ts";
import { isReply } from "../catch-up/missed.ts";
import { eventKey, isDirectChannel, messageKey, orderOf, placeOf, type Self, timeOf } from "../ids.ts";
import { type Lookups, readMessage } from "../reading/read-message.ts";
import { reactionCharacter } from "../writing/emoji.ts";
import { teamsOf } from "./actors.ts";
import type { SlackEvent, SlackMessage } from "./events.ts";
import { mentions } from "./inbound-text.ts";
import { type Organisation, organisationOf } from "./organisation.ts";

/** The author: a person to look up, or another app, described by its message. */
export type Author =
  | { readonly kind: "person"; readonly id: string; readonly organisation: Organisation }
  | { readonly kind: "bot"; readonly message: SlackMessage };

type TranslatedInbound = DistributiveOmit<Inbound, "actor" | "ack" | "reply">;
export type Translated = { readonly author: Author; readonly inbound: TranslatedInbound };

export type InboundOf<K extends Inbound["kind"]> = Omit<Extract<Inbound, { kind: K }>, "actor" | "ack" | "reply">;

/** Messages with other subtypes (joins, pins, topics, …) are ignored: Slack writes them, and nobody says anything. */
export const messageSubtypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  "file_share",
  "thread_broadcast",
  "bot_message",
  "me_message",
]);

/** Undefined for events to ignore: Parley's own messages, joins, edits that did not change the text. */
export function translateEvent(event: SlackEvent, self: Self, lookups: Lookups): Translated | undefined {
  switch (event.type) {
    case "app_mention":
    case "message":
      if (event.subtype === "message_changed") return translateChange(event, self, lookups);
      if (event.subtype === "message_deleted") return translateDeletion(event, self);
      return translateMessage(event, self, lookups);
    case "reaction_added":
      return translateReaction(event, self);
    case "agent_session_stopped": {
      const conversation = placeOf(self.teamId, event.channel, event.thread_ts);
      return fromPerson(event.user, "unknown", {
        kind: "stop-conversation",
        eventKey: eventKey(self.teamId, "stop", event.channel, event.thread_ts, event.event_ts),
        order: orderOf(event.event_ts),
        place: conversation,
        conversation,
      } satisfies InboundOf<"stop-conversation">);
    }
    case "agent_session_title_changed":
      // Nobody asks for anything; the adapter leaves the title alone from then on.
      return undefined;
    case "member_joined_channel":
      return translateJoin(event, self);
    case "app_home_opened":
      // Opening the messages is no news: what is asked there gets its answer.
      if (event.tab !== "home") return undefined;
      return fromPerson(event.user, "unknown", {
        kind: "home-opened",
        eventKey: eventKey(self.teamId, "home", byWhom(event.user, event.event_ts)),
        order: orderOf(event.event_ts),
        place: placeOf(self.teamId, event.channel ?? event.user),
      } satisfies InboundOf<"home-opened">);
    default:
      return event satisfies never;
  }
}

type MessageEvent = Extract<SlackEvent, { type: "message" | "app_mention" }>;

function translateMessage(event: MessageEvent, self: Self, lookups: Lookups): Translated | undefined {
  if (!messageSubtypes.has(event.subtype) || isOwn(event, self)) return undefined;
  const author = authorOf(event, self);
  if (author === undefined) return undefined;
  return {
    author,
    inbound: {
      kind: "message",
      eventKey: messageKey(self.teamId, event.channel, event.ts),
      order: orderOf(event.ts),
      sentAtMs: timeOf(event.ts),
      // When read later, a message with replies has its own ts as thread_ts.
      place: placeOf(self.teamId, event.channel, isReply(event) ? event.thread_ts : undefined),
      conversation: conversationOf(self, event.channel, event),
      // Never in a group direct message: several people write there, as in a channel.
      ...(isDirect(event) && !isReply(event) ? { continuesTopic: true as const } : {}),
      ...messageOf(event, self, lookups, isDirect(event)),
    } satisfies InboundOf<"message">,
  };
}

function translateChange(event: MessageEvent, self: Self, lookups: Lookups): Translated | undefined {
  const { message, previous_message: before, channel } = event;
  if (message === undefined || isOwn(message, self)) return undefined;
  // A deleted message with replies remains as a tombstone.
  if (message.subtype === "tombstone") return translateRemoval(event, { ...before, ts: message.ts }, self);
  const editor = editorOf(message, self);
  // Slack also "changes" a message to add a preview or a reply count.
  if (editor === undefined || message.edited === undefined || message.text === before?.text) return undefined;
  return {
    author: editor,
    inbound: {
      kind: "message-edited",
      eventKey: `${messageKey(self.teamId, channel, message.ts)}/edited/${message.edited.ts}`,
      questionKey: messageKey(self.teamId, channel, message.ts),
      order: orderOf(message.edited.ts),
      place: placeOf(self.teamId, channel, message.thread_ts),
      conversation: conversationOf(self, channel, message),
      ...messageOf(message, self, lookups, isDirect(event)),
    } satisfies InboundOf<"message-edited">,
  };
}

function translateDeletion(event: MessageEvent, self: Self): Translated | undefined {
  if (event.deleted_ts === undefined) return undefined;
  return translateRemoval(event, { ...event.previous_message, ts: event.deleted_ts }, self);
}

function translateRemoval(
  event: MessageEvent,
  before: Partial<SlackMessage> & { ts: string },
  self: Self,
): Translated | undefined {
  // Slack does not say who deleted it; assume the author.
  const author = authorOf(before, self);
  if (author === undefined || isOwn(before, self)) return undefined;
  const key = messageKey(self.teamId, event.channel, before.ts);
  return {
    author,
    inbound: {
      kind: "message-deleted",
      eventKey: `${key}/deleted`,
      questionKey: key,
      messageId: before.ts,
      order: orderOf(event.event_ts ?? before.ts),
      place: placeOf(self.teamId, event.channel, before.thread_ts),
    } satisfies InboundOf<"message-deleted">,
  };
}

function translateReaction(event: Extract<SlackEvent, { type: "reaction_added" }>, self: Self): Translated | undefined {
  const { channel, ts, type } = event.item;
  if (type !== "message" || channel === undefined || ts === undefined || event.user === self.userId) return undefined;
  // Reaction events do not include the user's team.
  return fromPerson(event.user, "unknown", {
    kind: "reaction",
    eventKey: eventKey(self.teamId, "reaction", channel, ts, byWhom(event.user, event.reaction, event.event_ts)),
    order: orderOf(event.event_ts),
    place: placeOf(self.teamId, channel),
    emoji: reactionCharacter(event.reaction),
    messageId: ts,
    added: true,
  } satisfies InboundOf<"reaction">);
}

/** Undefined if someone else was added. A redelivery has the same `event_ts`, a second invitation another one. */
function translateJoin(
  event: Extract<SlackEvent, { type: "member_joined_channel" }>,
  self: Self,
): Translated | undefined {
  const { user, channel, inviter, event_ts: ts } = event;
  if (user !== self.userId) return undefined;
  const inbound = {
    kind: "joined",
    eventKey: eventKey(self.teamId, "joined", channel, ts),
    order: orderOf(ts),
    place: placeOf(self.teamId, channel),
  } satisfies InboundOf<"joined">;
  if (inviter !== undefined && inviter !== self.userId) return fromPerson(inviter, "unknown", inbound);
  return { author: { kind: "bot", message: { ts, user, team: self.teamId, bot_id: self.botId } }, inbound };
}

/** What the message shows, and to whom it is said. */
export function messageOf(message: SlackMessage, self: Self, lookups: Lookups, direct: boolean): InboundMessage {
  const mentioned = mentions(message.text ?? "", self.userId);
  const reading = readMessage(message, self.userId, lookups);
  return {
    ...saidIn(reading),
    messageId: message.ts,
    mentionsParley: mentioned.own || reading.mentionsOwn,
    addressesOthers: mentioned.others,
    ...(mentioned.only ? { isOnlyNames: true } : {}),
    isDirect: direct,
  };
}

export function conversationOf(self: Self, channel: string, message: SlackMessage): Place {
  return placeOf(self.teamId, channel, message.thread_ts ?? message.ts);
}

function isDirect(event: MessageEvent): boolean {
  // Some events have no channel_type; ids of direct-message channels begin with D.
  return event.channel_type === undefined ? isDirectChannel(event.channel) : event.channel_type === "im";
}

export function isOwn(message: Partial<SlackMessage>, self: Self): boolean {
  return message.bot_id === self.botId || message.user === self.userId;
}

/** Another app's, or Parley's own. */
export function isByBot(message: SlackMessage, self: Self): boolean {
  return message.bot_id !== undefined || message.subtype === "bot_message" || isOwn(message, self);
}

function authorOf(message: Partial<SlackMessage> & { ts: string }, self: Self): Author | undefined {
  if (message.bot_id !== undefined || message.subtype === "bot_message") return { kind: "bot", message };
  if (message.user === undefined) return undefined;
  return { kind: "person", id: message.user, organisation: organisationOf({ teams: teamsOf(message) }, self) };
}

/** Admins can edit what others wrote. The teams in a message are its author's. */
function editorOf(message: SlackMessage, self: Self): Author | undefined {
  const author = authorOf(message, self);
  const editor = message.edited?.user;
  if (author?.kind !== "person" || editor === author.id) return author;
  return editor === undefined ? undefined : { kind: "person", id: editor, organisation: "unknown" };
}

export function fromPerson(id: string, organisation: Organisation, inbound: TranslatedInbound): Translated {
  return { author: { kind: "person", id, organisation }, inbound };
}
