/**
 * What of an outage is read, in which order, and which of the messages are handed on. Pure.
 */

import { isDirectChannel, type Self } from "../ids.ts";
import type { SlackMessage } from "../intake/events.ts";
import { mentions } from "../intake/inbound-text.ts";
import { maxMissedMs, retriedForMs } from "../limits.ts";
import type { OwnThread } from "./watermarks.ts";

type KnownChannels = {
  readonly lastTs: (channel: string) => string | undefined;
  readonly bound: ReadonlySet<string>;
};

/** Channels with an agent and direct messages, where people wait; then where something was said last. */
export function readingOrder(channels: Iterable<string>, { lastTs, bound }: KnownChannels): readonly string[] {
  const isFirst = (channel: string) => bound.has(channel) || isDirectChannel(channel);
  const at = (channel: string) => Number(lastTs(channel) ?? 0);
  return [...channels].toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)) || at(other) - at(one));
}

/** The same for threads. */
export function threadOrder(threads: readonly OwnThread[], bound: ReadonlySet<string>): readonly OwnThread[] {
  const isFirst = ({ channel }: OwnThread) => bound.has(channel) || isDirectChannel(channel);
  return threads.toSorted(
    (one, other) => Number(isFirst(other)) - Number(isFirst(one)) || Number(other.lastTs) - Number(one.lastTs),
  );
}

export function tsAt(ms: number): string {
  return (ms / 1000).toFixed(6);
}

/** Where reading begins: before what was heard last, since an event of then may still have been on its way. */
export function readFrom(markTs: string, nowMs: number): string {
  return tsAt(Math.max(Number(markTs) * 1000 - retriedForMs, nowMs - maxMissedMs));
}

export type Heard = {
  readonly self: Self;
  readonly channel: string;
  /** The newest message of the channel that was dealt with. */
  readonly markTs: string;
  /** When Parley came into the thread that the message is a reply in. */
  readonly joinedTs?: string | undefined;
  readonly nowMs: number;
};

/**
 * Whether a message that was read is handed on. What is older than the mark was heard already, except for what Slack may
 * have failed to deliver: of that only what is addressed to Parley, which is claimed and cannot be answered twice. What
 * was said in a thread before Parley came into it was not meant for Parley.
 */
export function isMissed(message: SlackMessage, { self, channel, markTs, joinedTs, nowMs }: Heard): boolean {
  const ts = Number(message.ts);
  if (nowMs - ts * 1000 > maxMissedMs) return false;
  if (isDirectChannel(channel) || mentions(message.text ?? "", self.userId).own) return true;
  if (ts <= Number(markTs)) return false;
  return !isReply(message) || joinedTs === undefined || ts > Number(joinedTs);
}

/** The first message of a thread names itself as its thread. */
export function isReply(message: Pick<SlackMessage, "ts" | "thread_ts">): boolean {
  return message.thread_ts !== undefined && message.thread_ts !== message.ts;
}
