/**
 * Posts, edits and deletes Slack messages, and sets reactions.
 * A post is never retried automatically. Its metadata holds the mark of its part, so that a post whose response was
 * lost can be found.
 */

import { ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, Reactions, WriteOptions } from "../../../src/core/ports/chat-platform.ts";
import type { Watermarks } from "../catch-up/watermarks.ts";
import type { Clients, WebClient } from "../connection/clients.ts";
import type { SlackPayload } from "../drawing/render.ts";
import { threadTs } from "../ids.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import type { DirectMessages } from "./direct-messages.ts";
import { reactionName } from "./emoji.ts";
import type { MessageApi, Posted } from "./message-api.ts";
import { isFileId, markOf, replyMark } from "./post-marks.ts";
import type { RateLimiter } from "./rate-limiter.ts";

type Writes = Pick<ChatPlatform<SlackPayload>, "post" | "edit" | "remove" | "permalink"> & {
  readonly reactions: Reactions;
};

export function createWrites(options: {
  readonly clients: Clients;
  readonly messages: MessageApi;
  readonly agentSessions: AgentSessions;
  readonly limiter: RateLimiter;
  readonly reactionLimiter: RateLimiter;
  readonly watermarks: Watermarks;
  readonly directMessages: DirectMessages;
}): Writes {
  const { clients, messages, agentSessions, limiter, reactionLimiter, watermarks, directMessages } = options;
  const clientFor = ({ urgency }: WriteOptions): WebClient =>
    urgency === "progress" ? clients.progress : clients.final;
  const checked = async <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (thrown) {
      signal?.throwIfAborted();
      throw toPlatformError(thrown);
    }
  };

  /** Slack posts a reply whose thread was deleted meanwhile into the channel itself, where nobody asked. */
  const removeOutsideThread = async (place: Place, posted: Posted): Promise<void> => {
    const thread = threadTs(place);
    if (thread === undefined || posted.message === undefined || posted.message.thread_ts === thread) return;
    if (posted.ts !== undefined) await messages.remove(clients.final, posted.channel ?? place.channel, posted.ts);
    throw new ParleyError("thread_gone");
  };

  return {
    post: (place, payload, mark, write) =>
      checked(write.signal, async () => {
        // Delivery's budget has let it pass; what has no Reply waits for it.
        limiter.count(place.channel);
        const metadata = { event_type: replyMark, event_payload: markOf(mark) };
        const posted = await messages.post(clientFor(write), place, payload, metadata);
        await directMessages.opened(place, posted.channel);
        await removeOutsideThread(place, posted);
        agentSessions.show(place, payload.agentStatus, payload.topic);
        const thread = threadTs(place);
        if (thread !== undefined && posted.ts !== undefined) watermarks.joined(place.channel, thread, posted.ts);
        return posted.ts ?? "";
      }),

    edit: (ref, payload, write) =>
      checked(write.signal, async () => {
        await messages.update(clientFor(write), await directMessages.resolve(ref.place), ref.messageId, payload);
        agentSessions.show(ref.place, payload.agentStatus, payload.topic);
      }),

    remove: ({ place, messageId }) =>
      checked(undefined, async () => {
        if (isFileId(messageId)) return unless(gone, () => clients.final.files.delete({ file: messageId }));
        const { channel } = await directMessages.resolve(place);
        await messages.remove(clients.final, channel, messageId);
        // The question of a running answer was deleted: nothing is in progress there now.
        agentSessions.show(place, "active");
      }),

    reactions: {
      add: ({ place: { channel }, messageId: timestamp }, emoji) =>
        checked(undefined, async () => {
          await reactionLimiter.wait("add");
          return unless(["already_reacted"], () =>
            clients.final.reactions.add({ channel, timestamp, name: reactionName(emoji) }),
          );
        }),
      remove: ({ place: { channel }, messageId: timestamp }, emoji) =>
        checked(undefined, () =>
          unless(["no_reaction", "message_not_found"], () =>
            clients.final.reactions.remove({ channel, timestamp, name: reactionName(emoji) }),
          ),
        ),
    },

    permalink: (ref) =>
      checked(undefined, async () => {
        const found = await clients.read.chat.getPermalink({ channel: ref.place.channel, message_ts: ref.messageId });
        return found.permalink;
      }),
  };
}

const gone = ["file_not_found", "file_deleted"];

/** Ignores errors which mean that it was done before. */
async function unless(done: readonly string[], call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (thrown) {
    if (!done.includes(slackCode(thrown) ?? "")) throw thrown;
  }
}
