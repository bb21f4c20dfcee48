/**
 * Discord's own coordinates and Parley's. A thread is a channel of its own there; here it is the thread of its parent, so
 * that Bindings of the channel hold in it. A thread that is opened from a message bears the message's id, which is how a
 * Conversation has its Place before anything was opened.
 */
import type { MessageRef } from "../../src/ports/chat-platform.ts";
import type { Place } from "../../src/ports/model/place.ts";

/** Who Parley is. */
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

/** The same for a message however often it arrives. */
export function messageKey(workspace: string, messageId: string): string {
  return eventKey(workspace, "message", messageId);
}

/** Snowflakes have up to 20 digits. */
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

/** Lies before all that was said from that moment on. */
export function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - epochMs)) << 22n);
}

export function placeOf(workspace: string, channel: string, thread?: string): Place {
  const place = { platform: platformName, workspace, channel };
  return thread === undefined ? place : { ...place, thread };
}

const pendingPrefix = "asked-";
const inPlacePrefix = "at-";

/** The thread of a question that was asked by command: no message shows it yet. Where none can be opened, it stays so. */
export function pendingThread(interactionId: string): string {
  return pendingPrefix + interactionId;
}

export function isPendingThread(thread: string | undefined): boolean {
  return thread?.startsWith(pendingPrefix) === true;
}

/** Where no thread can be: a Conversation of replies in the channel itself, beginning with that message. */
export function inPlaceThread(messageId: string): string {
  return inPlacePrefix + messageId;
}

/** No thread of Discord's own: what belongs together there, stands among everything else in the channel. */
export function isInPlace({ thread }: Place): boolean {
  return thread !== undefined && !/^\d+$/.test(thread);
}

/** The message that such a Conversation began with; a command is none. */
export function repliedMessage(place: Place): string | undefined {
  return place.thread?.startsWith(inPlacePrefix) === true ? place.thread.slice(inPlacePrefix.length) : undefined;
}

/** The thread as Discord knows it. */
export function threadId(place: Place): string | undefined {
  return place.thread !== undefined && /^\d+$/.test(place.thread) ? place.thread : undefined;
}

/** The channel that is written to. */
export function channelId(place: Place): string {
  return threadId(place) ?? place.channel;
}

export function address({ place, messageId }: MessageRef): string {
  const guild = place.workspace === directWorkspace ? "@me" : place.workspace;
  return `https://discord.com/channels/${guild}/${channelId(place)}/${messageId}`;
}
