/**
 * Stores how far each Slack channel was read, and which threads are Parley's own.
 * Written at most every 5 s. While a channel may have unread messages from an outage, its watermark stays: the next
 * process would otherwise start after the gap.
 */
import { LRUCache } from "lru-cache";
import { upTo } from "../../../src/core/tools/cache-time.ts";
import type { SlackParts } from "../parts.ts";

/** A thread in which Parley was asked or has posted. */
export type OwnThread = {
  readonly channel: string;
  readonly thread: string;
  /** Older messages were not meant for Parley. */
  readonly sinceTs: string;
  readonly lastTs: string;
};

export type Stored = {
  /** When Parley first connected and wrote watermarks; undefined before that. */
  readonly since: string | undefined;
  /** The newest handled message, by channel. */
  readonly channels: ReadonlyMap<string, string>;
  readonly threads: readonly OwnThread[];
};

export type Watermarks = ReturnType<typeof createWatermarks>;

const writeEveryMs = 5_000;
const dayMs = 86_400_000;
const retentionMs = 90 * dayMs;
/** A thread without messages for this long is not read after an outage. */
const threadRetentionMs = 14 * dayMs;
const maxThreads = 20_000;
const maxAheadMessages = 20_000;
const sinceName = "*";

export function createWatermarks(options: SlackParts & { readonly teamId: () => string | undefined }) {
  const { keyValue, clock, log } = options;
  const channels = new Map<string, string>();
  /** Newest live message per channel, while older ones may be missing. */
  const ahead = new Map<string, string>();
  const aheadMessages = new Set<string>();
  const threads = new LRUCache<string, OwnThread>(upTo(maxThreads));
  /** Channels and thread keys to be written. */
  const unwritten = new Set<string>();
  let complete: Set<string> | undefined = new Set();
  let cancelWrite: (() => void) | undefined;

  const markKey = (teamId: string, channel: string) => `${teamId}/watermark/${channel}`;
  const threadKey = (teamId: string, name: string) => `${teamId}/own-thread/${name}`;

  const write = (name: string) => {
    unwritten.add(name);
    cancelWrite ??= clock.after(writeEveryMs, () => void flush());
  };

  const flush = async (): Promise<void> => {
    cancelWrite?.();
    cancelWrite = undefined;
    const teamId = options.teamId();
    if (teamId === undefined) return;
    const names = [...unwritten];
    unwritten.clear();
    for (const name of names) {
      const thread = threads.get(name);
      const ts = channels.get(name);
      try {
        if (thread !== undefined) {
          await keyValue.set(threadKey(teamId, name), `${thread.sinceTs} ${thread.lastTs}`, threadRetentionMs);
        } else if (ts !== undefined) await keyValue.set(markKey(teamId, name), ts, retentionMs);
      } catch (thrown) {
        // Retried with the next write; an older watermark only makes the next process read more.
        log.debug({ err: thrown }, "Slack watermarks could not be stored");
        unwritten.add(name);
      }
    }
    const [left] = unwritten;
    if (left !== undefined) write(left);
  };

  const raise = (marks: Map<string, string>, channel: string, ts: string): boolean => {
    const before = marks.get(channel);
    if (before !== undefined && Number(before) >= Number(ts)) return false;
    marks.set(channel, ts);
    return true;
  };

  const note = (channel: string, ts: string) => {
    if (raise(channels, channel, ts)) write(channel);
  };

  const remember = (own: OwnThread) => {
    const name = `${own.channel}/${own.thread}`;
    threads.set(name, own);
    return name;
  };

  return {
    /** Notes a handled message, which the next process need not read. */
    heard: (channel: string, ts: string, thread?: string): void => {
      const own = thread === undefined ? undefined : threads.get(`${channel}/${thread}`);
      if (own !== undefined && Number(own.lastTs) < Number(ts)) write(remember({ ...own, lastTs: ts }));
      if (complete === undefined || complete.has(channel)) {
        note(channel, ts);
        return;
      }
      raise(ahead, channel, ts);
      if (aheadMessages.size < maxAheadMessages) aheadMessages.add(`${channel}/${ts}`);
    },
    /** Notes that Parley was asked in that thread, or posted in it. */
    joined: (channel: string, thread: string, ts: string): void => {
      const { sinceTs, lastTs } = threads.get(`${channel}/${thread}`) ?? { sinceTs: ts, lastTs: ts };
      const isEarlier = Number(ts) < Number(sinceTs);
      write(remember({ channel, thread, sinceTs: isEarlier ? ts : sinceTs, lastTs: isEarlier ? lastTs : ts }));
    },
    /** The ts since when the thread is Parley's, as far as this process knows. */
    joinedAt: (channel: string, thread: string): string | undefined => threads.get(`${channel}/${thread}`)?.sinceTs,
    /** Whether that message arrived live while missed ones were being read. */
    wasHeard: (channel: string, ts: string): boolean => aheadMessages.has(`${channel}/${ts}`),
    /** From now on every channel may have missed messages: holds all watermarks. */
    hold: (): void => {
      complete = new Set();
    },
    /** The missed messages of that channel are handled, up to `ts` if there were any. */
    done: (channel: string, ts?: string): void => {
      complete?.add(channel);
      if (ts !== undefined) note(channel, ts);
      const live = ahead.get(channel);
      ahead.delete(channel);
      if (live !== undefined) note(channel, live);
    },
    /** No channel has missed messages left. */
    release: (): void => {
      complete = undefined;
      for (const [channel, ts] of ahead) note(channel, ts);
      ahead.clear();
      aheadMessages.clear();
    },
    /** Rejects while the storage is down, as `begin` does. */
    load: async (teamId: string): Promise<Stored> => {
      const marks = new Map<string, string>();
      const prefix = markKey(teamId, "");
      for await (const [key, ts] of keyValue.entries(prefix)) marks.set(key.slice(prefix.length), ts);
      const since = marks.get(sinceName);
      marks.delete(sinceName);
      for (const [channel, ts] of marks) raise(channels, channel, ts);
      const threadPrefix = threadKey(teamId, "");
      for await (const [key, value] of keyValue.entries(threadPrefix)) {
        const [channel = "", thread = ""] = key.slice(threadPrefix.length).split("/");
        const [sinceTs = "", lastTs = ""] = value.split(" ");
        if (!threads.has(`${channel}/${thread}`)) remember({ channel, thread, sinceTs, lastTs });
      }
      // Includes what this process has not stored yet.
      return {
        since,
        channels: new Map(channels),
        threads: [...threads.rvalues()].filter((thread) => thread !== undefined),
      };
    },
    begin: async (teamId: string, ts: string): Promise<void> => keyValue.set(markKey(teamId, sinceName), ts),
    /** Writes all pending changes. Never rejects. */
    flush,
  };
}
