/**
 * Decides which channel or thread to read next after an outage.
 * Channels come first, so that mentions are answered soon, then threads. A channel with live messages gets every other
 * turn. Pure state, no I/O.
 */
import type { OwnThread } from "./watermarks.ts";

/** A channel with unread messages from the outage. */
export type Gap = {
  readonly channel: string;
  /** The newest message handled before the outage. */
  readonly markTs: string;
  readonly fromTs: string;
  /** Threads still to be read, by the ts of their first message. */
  readonly threads: Set<string>;
  newestTs?: string;
  isTopRead: boolean;
};

/** One read. Without `thread`: the channel's own messages. */
export type Step = { readonly gap: Gap; readonly thread?: string };

export type CatchUpQueue = ReturnType<typeof createCatchUpQueue>;

/** `gaps` and `threads` are in reading order. */
export function createCatchUpQueue(gaps: readonly Gap[], threads: readonly OwnThread[]) {
  const open = new Map(gaps.map((gap) => [gap.channel, gap]));
  const urgent = new Set<string>();
  const channels = gaps.map(({ channel }) => channel);
  const replies: { readonly channel: string; readonly thread: string }[] = [...threads];
  const deferred: Step[] = [];
  let wasUrgent = false;
  const isDeferred = (gap: Gap, thread?: string) => deferred.some((step) => step.gap === gap && step.thread === thread);

  const nextUrgent = (): Step | undefined => {
    for (const channel of urgent) {
      const gap = open.get(channel);
      if (gap?.isTopRead === false && !isDeferred(gap)) return { gap };
      const thread = gap?.threads.values().find((one) => !isDeferred(gap, one));
      if (gap !== undefined && thread !== undefined) return { gap, thread };
      urgent.delete(channel);
    }
    return undefined;
  };

  const nextChannel = (): Step | undefined => {
    for (let channel = channels[0]; channel !== undefined; channel = channels[0]) {
      const gap = open.get(channel);
      if (gap?.isTopRead === false && !isDeferred(gap)) return { gap };
      channels.shift();
    }
    return undefined;
  };

  const nextThread = (): Step | undefined => {
    for (let reply = replies[0]; reply !== undefined; reply = replies[0]) {
      const gap = open.get(reply.channel);
      if (gap?.threads.has(reply.thread) === true && !isDeferred(gap, reply.thread)) {
        return { gap, thread: reply.thread };
      }
      replies.shift();
    }
    return undefined;
  };

  const nextDeferred = (): Step | undefined => {
    for (let step = deferred.shift(); step !== undefined; step = deferred.shift()) {
      const { gap, thread } = step;
      if (thread === undefined ? !gap.isTopRead : gap.threads.has(thread)) return step;
    }
    return undefined;
  };

  return {
    next: (): Step | undefined => {
      // A busy channel with many threads must not hold up all others.
      const urgentStep = wasUrgent ? undefined : nextUrgent();
      wasUrgent = urgentStep !== undefined;
      return urgentStep ?? nextChannel() ?? nextThread() ?? nextDeferred();
    },
    /** Adds a thread with replies from the outage. */
    add: (gap: Gap, thread: string): void => {
      if (gap.threads.has(thread)) return;
      gap.threads.add(thread);
      replies.push({ channel: gap.channel, thread });
    },
    /** Moves a step that can't be read right now behind everything else. */
    defer: (step: Step): void => void deferred.push(step),
    /** Returns true, and forgets the channel, when nothing of it is left to read. */
    finish: ({ gap, thread }: Step): boolean => {
      if (thread === undefined) gap.isTopRead = true;
      else gap.threads.delete(thread);
      if (!gap.isTopRead || gap.threads.size > 0) return false;
      open.delete(gap.channel);
      return true;
    },
    has: (channel: string): boolean => open.has(channel),
    /** Moves a channel with live messages to the front. */
    prioritise: (channel: string): void => void urgent.add(channel),
  };
}
