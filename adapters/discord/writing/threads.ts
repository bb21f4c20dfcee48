/** Reads Discord threads, as context for an agent and to find Parley's own posts again. */
import type { ChatPlatform, FoundPart, ThreadMessage } from "../../../src/ports/chat-platform.ts";
import type { Place } from "../../../src/ports/model/place.ts";
import { present } from "../../../src/ports/tools/present.ts";
import { channelId, directWorkspace, orderOf, type Self, snowflakeOf, threadId, timeOf } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import { type DiscordMessage, readMessages } from "../intake/events.ts";
import { attachmentsOf, isMessage, nameOf, textOf } from "../intake/inbound.ts";
import { maxPages, maxSearchPages, pageMessages } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "./api-errors.ts";
import type { DeferredReplies } from "./deferred-replies.ts";
import { partOf } from "./post-marks.ts";

type Threads = Pick<ChatPlatform, "findOwn" | "readThread">;
const starterType = 21;

export function createThreads(
  options: DiscordParts & {
    readonly channels: Channels;
    readonly deferred: DeferredReplies;
    readonly self: () => Self | undefined;
  },
): Threads {
  const { rest, channels, deferred } = options;

  /** Newest first, one page at a time. */
  async function* newest(place: Place, pages: number, signal?: AbortSignal): AsyncGenerator<readonly DiscordMessage[]> {
    let before: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const query = present({ limit: String(pageMessages), before });
      const call = present({ query, signal });
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

  return {
    findOwn: async (place, replyId, newestGeneration, signal) => {
      const found: FoundPart[] = [];
      const own = options.self()?.userId;
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
      const oldest = after === undefined ? undefined : BigInt(snowflakeOf(after));
      const read: DiscordMessage[] = [];
      try {
        for await (const page of newest(place, maxPages)) {
          const fresh = oldest === undefined ? page : page.filter(({ id }) => BigInt(id) > oldest);
          read.push(...fresh);
          if (fresh.length < page.length || read.length >= limit) break;
        }
      } catch (thrown) {
        if (thread === undefined || toPlatformError(thrown).code !== "place_gone") throw thrown;
        read.push(...(await starterOf(place, thread)));
      }
      const guild = place.workspace === directWorkspace ? undefined : place.workspace;
      const own = options.self()?.userId ?? "";
      const ownNames = [own, ...(guild === undefined ? [] : channels.ownRoles(guild))];
      return read
        .slice(0, limit)
        .reverse()
        .flatMap((message) => said(message) ?? [])
        .map((message): ThreadMessage => {
          const known = channels.names(guild);
          const user = (id: string) => nameOf(message.mentions.find((one) => one.id === id)) ?? known.user(id);
          return {
            messageId: message.id,
            order: orderOf(message.id),
            authorName: nameOf(message.author) ?? message.author.id,
            authorId: message.author.id,
            isBot: message.author.bot === true,
            isOwn: message.author.id === own,
            text: textOf(message, ownNames, { ...known, user }),
            attachments: attachmentsOf(message),
            atMs: timeOf(message.id),
          };
        });
    },
  };
}

/** A thread starts with a reference to the message that it was opened from. */
function said(message: DiscordMessage): DiscordMessage | undefined {
  const starter = message.type === starterType ? message.referenced_message : undefined;
  if (starter != null) return { ...message, ...starter, type: 0, mentions: [], embeds: [], components: [] };
  return isMessage(message) || message.author.bot === true ? message : undefined;
}
