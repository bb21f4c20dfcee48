/**
 * Maps Slack's ids to Parley's event keys, orders and places.
 * A message is (team, channel, ts); a thread is the ts of its first message. A slash command has no message yet: its
 * Conversation has a placeholder thread until `prepare` has posted one.
 */
import type { Place } from "../../src/core/model/place.ts";

/** Parley's own ids in one workspace, from auth.test. */
export type Self = {
  readonly teamId: string;
  readonly enterpriseId?: string;
  readonly userId: string;
  readonly botId: string;
};

export const platformName = "slack";

/** Equal for a message's twin events (app_mention and message) and for its redeliveries. */
export function messageKey(teamId: string, channel: string, ts: string): string {
  return `${platformName}/${teamId}/${channel}/${ts}`;
}

export function eventKey(teamId: string, kind: string, ...parts: readonly string[]): string {
  return [platformName, teamId, kind, ...parts].join("/");
}

/** "1700000000.123456", padded so that string comparison orders it. */
export function orderOf(ts: string): string {
  const [seconds = "", micros = ""] = ts.split(".");
  return `${seconds.padStart(12, "0")}.${micros.padEnd(6, "0")}`;
}

export function tsOf(order: string): string {
  return order.replace(/^0+(?=\d)/, "");
}

export function timeOf(ts: string): number {
  return Math.round(Number(ts) * 1000);
}

/** For events without a ts. */
export function orderAt(nowMs: number): string {
  return orderOf((nowMs / 1000).toFixed(6));
}

export function placeOf(teamId: string, channel: string, thread?: string): Place {
  return { platform: platformName, workspace: teamId, channel, thread };
}

/** True for one-to-one direct messages, not for group ones. A user's id stands for the channel with that user. */
export function isDirectChannel(channel: string): boolean {
  return /^[DUW]/.test(channel);
}

const pendingPrefix = "asked-";

/** Stands for the thread until the question is posted. */
export function pendingThread(triggerId: string): string {
  return pendingPrefix + triggerId;
}

export function isPendingThread(thread: string): boolean {
  return thread.startsWith(pendingPrefix);
}

/** The value for `thread_ts`; undefined outside of threads and while the thread is a placeholder. */
export function threadTs(place: Place): string | undefined {
  return place.thread === undefined || isPendingThread(place.thread) ? undefined : place.thread;
}
