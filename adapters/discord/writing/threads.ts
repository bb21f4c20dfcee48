/** Reads Discord threads, as context for an agent and to find Parley's own posts again. */
import { MessageType } from "@discordjs/core";
import type { Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, FoundPart, ThreadMessage } from "../../../src/core/ports/chat-platform.ts";
import { threadMessage } from "../../shared/reading.ts";
import type { OwnUser } from "../connection/own-user.ts";
import { channelId, directWorkspace, orderOf, snowflakeOf, threadId, timeOf } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import { type DiscordMessage, readMessages } from "../intake/events.ts";
import { maxPages, maxSearchPages, pageMessages } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { isUnfinished, nameOf, readMessage, writtenTypes } from "../reading/read-message.ts";
import { toPlatformError } from "./api-errors.ts";
import type { DeferredReplies } from "./deferred-replies.ts";
import { partOf } from "./post-marks.ts";

type Threads = Pick<ChatPlatform, "findOwn" | "readThread">;

export function createThreads(
  options: DiscordParts & {
    readonly channels: Channels;
    readonly deferred: DeferredReplies;
    readonly ownUser: OwnUser;
  },
): Threads {
  const { rest, channels, deferred, ownUser } = options;

  /** Newest first, one page at a time. */
  async function* newest(place: Place, pages: number, signal?: AbortSignal): AsyncGenerator<readonly DiscordMessage[]> {
    let before: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const query = { limit: String(pageMessages), ...(before !== undefined && { before }) };
      const call = { query, signal };
      const read = readMessages(await rest.call("GET", `/channels/${channelId(place)}/messages`, call));
      yield read;
      before = read.at(-1)?.id;
      if (read.length < pageMessages || before === undefined) return;
    }
  }

  /** The message that a thread would start from. Without replies it counts as a thread of one message. */
  async function starterOf({ channel }: Place, thread: string): Promise<readonly DiscordMessage[]> {
    return readMessages([await rest.call("GET", `/channels/${channel}/messages/${thread}`)]);
  }

  /** Undefined if Parley opened the thread: then its title repeats the question. */
  async function titleOf(thread: string, own: string): Promise<string | undefined> {
    const found = await channels.find(thread).catch(() => undefined);
    return found === undefined || found.ownerId === own ? undefined : found.name;
  }

  return {
    findOwn: async (place, replyId, newestGeneration, signal) => {
      const found: FoundPart[] = [];
      const own = await ownUser();
      try {
        for await (const page of newest(place, maxSearchPages, signal)) {
          for (const message of page) {
            const part = message.author.id === own ? partOf(message, replyId, newestGeneration) : undefined;
            if (part !== undefined) found.push({ ...part, messageId: message.id });
          }
        }
      } catch (thrown) {
        // Without permission to read, Parley answers by a token, and writing the first response again edits that message.
        const isForbidden = toPlatformError(thrown).code === "not_permitted";
        if (!isForbidden || (await deferred.find(replyId)) === undefined) throw thrown;
      }
      return found.reverse();
    },

    readThread: async (place, { limit, after }) => {
      const thread = threadId(place);
      // A Conversation in the channel itself has no thread to read.
      if (thread === undefined && place.workspace !== directWorkspace) return [];
      const own = await ownUser();
      const oldest = after === undefined ? undefined : BigInt(snowflakeOf(after));
      const read: DiscordMessage[] = [];
      /** The last page read is the first of the thread. */
      let isWhole = false;
      let title: string | undefined;
      try {
        for await (const page of newest(place, maxPages)) {
          const fresh = oldest === undefined ? page : page.filter(({ id }) => BigInt(id) > oldest);
          read.push(...fresh);
          isWhole = fresh.length < pageMessages;
          if (fresh.length < page.length || read.length >= limit) break;
        }
        if (thread !== undefined && isWhole && oldest === undefined && read.length <= limit)
          title = await titleOf(thread, own);
      } catch (thrown) {
        if (thread === undefined || toPlatformError(thrown).code !== "place_gone") throw thrown;
        read.push(...(await starterOf(place, thread)));
      }
      const guild = place.workspace === directWorkspace ? undefined : place.workspace;
      const ownIds = [own, ...(guild === undefined ? [] : channels.ownRoles(guild))];
      const names = channels.names(guild);
      const written = read
        .slice(0, limit)
        .reverse()
        .flatMap((message) => asWritten(message) ?? []);
      const known = new Set(written.map(({ id }) => id));
      return written.map((message, index): ThreadMessage => {
        const reading = readMessage(message, {
          names,
          ownIds,
          // What is in the thread anyway isn't read twice.
          quotes: ({ id, author }) => !known.has(id) && author.id !== own,
          title: index === 0 ? title : undefined,
        });
        return threadMessage(reading, {
          messageId: message.id,
          order: orderOf(message.id),
          authorName: nameOf(message.author) ?? message.author.id,
          authorId: message.author.id,
          isBot: message.author.bot === true,
          isOwn: message.author.id === own,
          isUnfinished: message.author.id === own && isUnfinished(message),
          atMs: timeOf(message.id),
        });
      });
    },
  };
}

/** A thread starts with a reference to the message that it was opened from. Undefined for lines of Discord's own. */
function asWritten(message: DiscordMessage): DiscordMessage | undefined {
  const starter = message.type === MessageType.ThreadStarterMessage ? message.referenced_message : undefined;
  if (starter != null) return { ...message, ...starter, referenced_message: undefined };
  return writtenTypes.includes(message.type) ? message : undefined;
}
