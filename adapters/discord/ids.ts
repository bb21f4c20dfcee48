/**
 * Maps Discord's ids to Parley's event keys, orders and places.
 * In Discord a thread is a channel; for Parley it is a thread of its parent channel, so that the channel's Bindings
 * apply in it. A thread opened from a message has the message's id, so a Conversation knows its Place before the thread
 * exists.
 */

import type { Place } from "../../src/core/model/place.ts";
import type { MessageRef } from "../../src/core/ports/chat-platform.ts";

/** Parley's own ids. */
export type Self = { readonly userId: string; readonly applicationId: string };

export const platformName = "discord";
/** The workspace of direct messages. */
export const directWorkspace = "dm";

export function workspaceOf(guildId: string | undefined): string {
  return guildId ?? directWorkspace;
}

export function eventKey(workspace: string, kind: string, ...parts: readonly string[]): string {
  return [platformName, workspace, kind, ...parts].join("/");
}

/** Equal for every delivery of the same message. No channel: Discord creates the ids, and no two messages share one. */
export function messageKey(workspace: string, messageId: string): string {
  return eventKey(workspace, "message", messageId);
}

/** Snowflakes have up to 20 digits; padded so that string comparison orders them. */
export function orderOf(snowflake: string): string {
  return snowflake.padStart(20, "0");
}

export function snowflakeOf(order: string): string {
  return order.replace(/^0+(?=\d)/, "");
}

const epochMs = 1_420_070_400_000;

export function timeOf(snowflake: string): number {
  return Number(BigInt(snowflake) >> 22n) + epochMs;
}

/** A snowflake smaller than those of all messages sent from that moment on. */
export function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - epochMs)) << 22n);
}

export function placeOf(workspace: string, channel: string, thread?: string): Place {
  return { platform: platformName, workspace, channel, thread };
}

const pendingPrefix = "asked-";
const inPlacePrefix = "at-";

/**
 * The placeholder thread of a question asked by command, which no message shows yet. Kept if no thread can be opened.
 */
export function pendingThread(interactionId: string): string {
  return pendingPrefix + interactionId;
}

export function isPendingThread(thread: string | undefined): boolean {
  return thread?.startsWith(pendingPrefix) === true;
}

/** If no thread is possible: a Conversation as a chain of replies in the channel, starting with that message. */
export function inPlaceThread(messageId: string): string {
  return inPlacePrefix + messageId;
}

/** True without a Discord thread: the Conversation is in the channel, among its other messages. */
export function isInPlace({ thread }: Place): boolean {
  return thread !== undefined && !/^\d+$/.test(thread);
}

/** The message that such a Conversation started with; undefined if it started with a command. */
export function repliedMessage(place: Place): string | undefined {
  return place.thread?.startsWith(inPlacePrefix) === true ? place.thread.slice(inPlacePrefix.length) : undefined;
}

/** The id of the Discord thread, if there is one. */
export function threadId(place: Place): string | undefined {
  return place.thread !== undefined && /^\d+$/.test(place.thread) ? place.thread : undefined;
}

/** The channel or thread to write to. */
export function channelId(place: Place): string {
  return threadId(place) ?? place.channel;
}

export function messageUrl({ place, messageId }: MessageRef): string {
  const guild = place.workspace === directWorkspace ? "@me" : place.workspace;
  return `https://discord.com/channels/${guild}/${channelId(place)}/${messageId}`;
}
