/** Decides what to read after an outage, in which order, and which messages to pass on. Pure. */
import { isDirectChannel, type Self } from "../ids.ts";
import type { SlackMessage } from "../intake/events.ts";
import { mentions } from "../intake/inbound-text.ts";
import { maxMissedMs, retriedForMs } from "../limits.ts";
import type { OwnThread } from "./watermarks.ts";

type KnownChannels = {
  readonly lastTs: (channel: string) => string | undefined;
  readonly bound: ReadonlySet<string>;
};

/** Channels with an agent and direct messages first, because people wait there; then by latest message. */
export function readingOrder(channels: Iterable<string>, { lastTs, bound }: KnownChannels): readonly string[] {
  const isFirst = (channel: string) => bound.has(channel) || isDirectChannel(channel);
  const at = (channel: string) => Number(lastTs(channel) ?? 0);
  return [...channels].toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)) || at(other) - at(one));
}

/** The same order for threads. */
export function threadOrder(threads: readonly OwnThread[], bound: ReadonlySet<string>): readonly OwnThread[] {
  const isFirst = ({ channel }: OwnThread) => bound.has(channel) || isDirectChannel(channel);
  return threads.toSorted(
    (one, other) => Number(isFirst(other)) - Number(isFirst(one)) || Number(other.lastTs) - Number(one.lastTs),
  );
}

export function tsAt(ms: number): string {
  return (ms / 1000).toFixed(6);
}

/** Where to start reading: before the watermark, because Slack may still have been retrying an older event. */
export function readFrom(markTs: string, nowMs: number): string {
  return tsAt(Math.max(Number(markTs) * 1000 - retriedForMs, nowMs - maxMissedMs));
}

export type Heard = {
  readonly self: Self;
  readonly channel: string;
  /** The newest handled message of the channel. */
  readonly markTs: string;
  /** When Parley joined the thread that the message replies in. */
  readonly joinedTs?: string | undefined;
  readonly nowMs: number;
};

/**
 * Whether to pass on a message that was read. A message older than the watermark was handled already, unless Slack
 * failed to deliver it; of those, only messages addressed to Parley are passed on: they are claimed, so they can't be
 * answered twice. Messages in a thread from before Parley joined it were not meant for Parley.
 */
export function isMissed(message: SlackMessage, { self, channel, markTs, joinedTs, nowMs }: Heard): boolean {
  const ts = Number(message.ts);
  if (nowMs - ts * 1000 > maxMissedMs) return false;
  if (isDirectChannel(channel) || mentions(message.text ?? "", self.userId).own) return true;
  if (ts <= Number(markTs)) return false;
  return !isReply(message) || joinedTs === undefined || ts > Number(joinedTs);
}

/** The first message of a thread has its own ts as `thread_ts`. */
export function isReply(message: Pick<SlackMessage, "ts" | "thread_ts">): boolean {
  return message.thread_ts !== undefined && message.thread_ts !== message.ts;
}
