/**
 * Slack's own coordinates and Parley's: a message is (team, channel, ts), a thread is the ts of its first message.
 * A slash command has no message yet: its Conversation bears a made-up thread until `prepare` has posted one.
 */
import type { Place } from "../../src/ports/model/place.ts";

/** Who Parley is in one workspace, from auth.test. */
export type Self = {
  readonly teamId: string;
  readonly enterpriseId?: string;
  readonly userId: string;
  readonly botId: string;
};

export const platformName = "slack";

/** The same for a message's twins (app_mention and message) and for its redeliveries. */
export function messageKey(teamId: string, channel: string, ts: string): string {
  return `${platformName}/${teamId}/${channel}/${ts}`;
}

export function eventKey(teamId: string, kind: string, ...parts: readonly string[]): string {
  return [platformName, teamId, kind, ...parts].join("/");
}

/** "1700000000.123456" with room for more digits, so that string comparison orders it. */
export function orderOf(ts: string): string {
  const [seconds = "", micros = ""] = ts.split(".");
  return `${seconds.padStart(12, "0")}.${micros.padEnd(6, "0")}`;
}

export function tsOf(order: string): string {
  return order.replace(/^0+(?=\d)/, "");
}

/** For events that bear no ts of their own. */
export function orderAt(nowMs: number): string {
  return orderOf((nowMs / 1000).toFixed(6));
}

export function placeOf(teamId: string, channel: string, thread?: string): Place {
  const place = { platform: platformName, workspace: teamId, channel };
  return thread === undefined ? place : { ...place, thread };
}

/** With one person: of several, others read along. A person's own id stands for the channel with them. */
export function isDirectChannel(channel: string): boolean {
  return /^[DUW]/.test(channel);
}

const pendingPrefix = "asked-";

/** The thread of a question that no message shows yet. */
export function pendingThread(triggerId: string): string {
  return pendingPrefix + triggerId;
}

export function isPendingThread(thread: string): boolean {
  return thread.startsWith(pendingPrefix);
}

/** What `thread_ts` may be set to. */
export function threadTs(place: Place): string | undefined {
  return place.thread === undefined || isPendingThread(place.thread) ? undefined : place.thread;
}
