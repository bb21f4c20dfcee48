/** Reads Slack threads, as context for an agent and to find Parley's own posts again. */

import type { Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, ThreadMessage } from "../../../src/core/ports/chat-platform.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import { threadMessage } from "../../shared/reading.ts";
import type { WebClient } from "../connection/clients.ts";
import type { ReadScheduler } from "../connection/read-scheduler.ts";
import { orderOf, type Self, threadTs, timeOf, tsOf } from "../ids.ts";
import { type Actors, botActor } from "../intake/actors.ts";
import { inOrder, readMessages, type SlackMessage } from "../intake/events.ts";
import { isOwn, messageSubtypes } from "../intake/inbound.ts";
import { maxPages, pageMessages } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import type { MessageLookups } from "../reading/lookups.ts";
import { hiddenSubtype, readMessage } from "../reading/read-message.ts";
import { slackCode } from "./api-errors.ts";
import type { DirectMessages } from "./direct-messages.ts";
import { isUnfinished, partsIn } from "./post-marks.ts";

type Threads = Pick<ChatPlatform, "findOwn" | "readThread"> & {
  readonly threadOf: NonNullable<ChatPlatform["threadOf"]>;
};

/** How a page is read: at once, or paced among others. */
type Read = ReadScheduler["live"];

/** How often a paced read is tried while Slack is unreachable. */
const maxTries = 4;
const neverAborted = new AbortController().signal;

export function createThreads(
  options: Pick<SlackParts, "clock"> & {
    readonly client: WebClient;
    readonly scheduler: ReadScheduler;
    readonly actors: Actors;
    readonly lookups: Pick<MessageLookups, "of">;
    readonly self: () => Promise<Self>;
    readonly directMessages: Pick<DirectMessages, "resolve">;
  },
): Threads {
  const { client, scheduler, actors, lookups, directMessages } = options;

  /** Oldest first; empty if the thread or channel is gone. */
  const messages = async (place: Place, read: Read, oldest?: string): Promise<readonly SlackMessage[]> => {
    const thread = threadTs(place);
    const found: SlackMessage[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < (thread === undefined ? 1 : maxPages); pages += 1) {
      const range = {
        channel: place.channel,
        limit: pageMessages,
        include_all_metadata: true,
        oldest,
        cursor: cursor || undefined,
      };
      try {
        const page = await read(thread === undefined ? "history" : "replies", () =>
          thread === undefined
            ? client.conversations.history(range)
            : client.conversations.replies({ ...range, ts: thread }),
        );
        found.push(...readMessages(page.messages ?? []));
        cursor = page.response_metadata?.next_cursor;
      } catch (error) {
        const code = slackCode((error as Error).cause) ?? "";
        if (["thread_not_found", "message_not_found", "channel_not_found"].includes(code)) return [];
        throw error;
      }
      if (cursor === undefined || cursor === "") break;
    }
    return inOrder(found);
  };

  return {
    // After a crash hundreds of answers are looked for at once.
    findOwn: async (place, replyId, newest, signal = neverAborted) => {
      const self = await options.self();
      const paced: Read = (method, call) => scheduler.background(method, call, signal, maxTries);
      return (await messages(await directMessages.resolve(place), paced))
        .filter((message) => isOwn(message, self))
        .flatMap((message) => partsIn(message, replyId, newest));
    },

    // A reaction event does not say whether its message is a reply. Reading that ts as a thread returns the message with
    // its thread_ts.
    threadOf: async ({ place, messageId }) => {
      const [first] = await messages({ ...place, thread: messageId }, scheduler.live);
      return first?.thread_ts;
    },

    readThread: async (place, { limit, after }) => {
      const self = await options.self();
      const read = (await messages(place, scheduler.live, after === undefined ? undefined : tsOf(after)))
        .filter((message) => after === undefined || orderOf(message.ts) > after)
        .filter(({ subtype }) => messageSubtypes.has(subtype) || subtype === hiddenSubtype)
        .slice(-limit);
      const people = new Set(read.flatMap(({ user, bot_id }) => (user !== undefined && bot_id == null ? [user] : [])));
      const named = await actors.names(self, people);
      const looked = await lookups.of(self, read);
      const pause = createPause(options.clock);
      const said: ThreadMessage[] = [];
      for (const message of read) {
        await pause();
        const isBot = message.bot_id != null;
        said.push(
          threadMessage(readMessage(message, self.userId, looked), {
            messageId: message.ts,
            order: orderOf(message.ts),
            authorName: isBot ? botActor(self, message).name : (named.get(message.user ?? "") ?? "someone"),
            authorId: message.user,
            isBot,
            isOwn: isOwn(message, self),
            isUnfinished: isOwn(message, self) && isUnfinished(message),
            atMs: timeOf(message.ts),
          }),
        );
      }
      return said;
    },
  };
}
