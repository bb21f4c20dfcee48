/**
 * Reads channel history, thread replies and the bot's channel list from Slack, all pages.
 * Slack does not say whether pages start at the oldest or the newest message, so every cursor is followed.
 */
import type { Log } from "../../../src/core/ports/log.ts";
import type { WebClient } from "../connection/clients.ts";
import type { ReadScheduler } from "../connection/read-scheduler.ts";
import { channelListScopes } from "../connection/scopes.ts";
import { inOrder, readMessages, type SlackMessage } from "../intake/events.ts";
import { maxMissedChars, maxMissedPages, pageMessages } from "../limits.ts";
import { toPlatformError } from "../writing/api-errors.ts";

/** `history` and `thread` reject with platform_unreachable if Slack can't read them. */
export type ChannelReads = ReturnType<typeof createChannelReads>;

type Page = {
  readonly messages?: readonly unknown[] | undefined;
  readonly response_metadata?: { readonly next_cursor?: string | undefined } | undefined;
};

/** About 7 s. Perhaps only this channel fails, so the others are read first. */
const maxReadTries = 4;

export function createChannelReads(options: {
  readonly client: WebClient;
  readonly scheduler: ReadScheduler;
  /** The app's scopes; undefined while Slack has not listed them. */
  readonly granted: () => readonly string[] | undefined;
  readonly log: Log;
}) {
  const { client, scheduler, granted, log } = options;

  async function allPages(channel: string, read: (cursor: { cursor?: string }) => Promise<Page>) {
    const found: SlackMessage[] = [];
    let chars = 0;
    let cursor: string | undefined;
    for (let page = 0; page < maxMissedPages && chars < maxMissedChars; page += 1) {
      const { messages = [], response_metadata: more } = await read({ cursor });
      const readable = readMessages(messages);
      found.push(...readable);
      chars += JSON.stringify(readable).length;
      cursor = more?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
    if (cursor !== undefined)
      log.warn({ channel, messages: found.length }, "A Slack channel has more missed messages than are read");
    return inOrder(found);
  }

  return {
    /** Oldest first. */
    history: (channel: string, oldest: string, signal: AbortSignal): Promise<readonly SlackMessage[]> =>
      allPages(channel, (cursor) =>
        scheduler.background(
          "history",
          () => client.conversations.history({ channel, oldest, limit: pageMessages, ...cursor }),
          signal,
          maxReadTries,
        ),
      ),

    /** Replies only, oldest first. */
    thread: async (
      channel: string,
      ts: string,
      oldest: string,
      signal: AbortSignal,
    ): Promise<readonly SlackMessage[]> => {
      const all = await allPages(channel, (cursor) =>
        scheduler.background(
          "replies",
          () => client.conversations.replies({ channel, ts, oldest, limit: pageMessages, ...cursor }),
          signal,
          maxReadTries,
        ),
      );
      return all.filter((message) => message.ts !== ts && Number(message.ts) > Number(oldest));
    },

    /** Ids of the channels the bot is in, as far as the app's scopes allow; without such scopes, an empty list. */
    channels: async (signal: AbortSignal): Promise<readonly string[]> => {
      const types = Object.entries(channelListScopes)
        .filter(([, scope]) => granted()?.includes(scope) === true)
        .map(([type]) => type)
        .join(",");
      if (types === "") return [];
      const found: string[] = [];
      let cursor: string | undefined;
      try {
        do {
          const next = { cursor };
          const read = await scheduler.background(
            "list",
            () => client.users.conversations({ types, exclude_archived: true, limit: pageMessages, ...next }),
            signal,
          );
          found.push(...(read.channels ?? []).flatMap(({ id }) => id ?? []));
          cursor = read.response_metadata?.next_cursor || undefined;
        } while (cursor !== undefined);
      } catch (thrown) {
        signal.throwIfAborted();
        log.warn({ code: toPlatformError(thrown).code }, "Slack did not list the channels Parley is in");
      }
      return found;
    },
  };
}
