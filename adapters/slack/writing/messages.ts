/**
 * Posts, edits and deletes Slack messages, and sets reactions.
 * A post is never retried automatically. Its metadata holds the mark of its part, so that a post whose response was
 * lost can be found.
 */
import type { ChatPlatform, Reactions, WriteOptions } from "../../../src/ports/chat-platform.ts";
import { present } from "../../../src/ports/tools/present.ts";
import type { Watermarks } from "../catch-up/watermarks.ts";
import type { Clients, WebClient } from "../connection/clients.ts";
import type { SlackPayload } from "../drawing/render.ts";
import { threadTs } from "../ids.ts";
import type { AgentSessions } from "./agent-sessions.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import type { DirectMessages } from "./direct-messages.ts";
import { reactionName } from "./emoji.ts";
import type { PayloadVariants } from "./payload-variants.ts";
import { isFileId, markOf, replyMark } from "./post-marks.ts";
import type { RateLimiter } from "./rate-limiter.ts";

type Writes = Pick<ChatPlatform<SlackPayload>, "post" | "edit" | "remove" | "permalink"> & {
  readonly reactions: Reactions;
};

export function createWrites(options: {
  readonly clients: Clients;
  readonly variants: PayloadVariants;
  readonly agentSessions: AgentSessions;
  readonly limiter: RateLimiter;
  readonly watermarks: Pick<Watermarks, "joined">;
  readonly directMessages: DirectMessages;
}): Writes {
  const { clients, variants, agentSessions, limiter, watermarks, directMessages } = options;
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

  return {
    post: (place, payload, mark, write) =>
      checked(write.signal, async () => {
        await limiter.wait(place.channel, write.signal);
        const thread = threadTs(place);
        const posted = await variants.send(place.workspace, payload, (blocks) =>
          clientFor(write).chat.postMessage({
            channel: place.channel,
            ...present({ thread_ts: thread }),
            text: payload.text,
            blocks,
            // Both off: a preview would fetch a URL that an agent wrote, which could leak data.
            unfurl_links: false,
            unfurl_media: false,
            metadata: { event_type: replyMark, event_payload: markOf(mark) },
          }),
        );
        await directMessages.opened(place, posted.channel);
        agentSessions.show(place, payload.agentStatus);
        if (thread !== undefined && posted.ts !== undefined) watermarks.joined(place.channel, thread, posted.ts);
        return posted.ts ?? "";
      }),

    edit: (ref, payload, write) =>
      checked(write.signal, async () => {
        const { channel } = await directMessages.resolve(ref.place);
        await variants.send(ref.place.workspace, payload, (blocks) =>
          clientFor(write).chat.update({ channel, ts: ref.messageId, text: payload.text, blocks }),
        );
        agentSessions.show(ref.place, payload.agentStatus);
      }),

    remove: (ref) =>
      checked(undefined, async () => {
        try {
          if (isFileId(ref.messageId)) await clients.final.files.delete({ file: ref.messageId });
          else
            await clients.final.chat.delete({
              channel: (await directMessages.resolve(ref.place)).channel,
              ts: ref.messageId,
            });
        } catch (thrown) {
          if (!["message_not_found", "file_not_found", "file_deleted"].includes(slackCode(thrown) ?? "")) throw thrown;
        }
      }),

    reactions: {
      add: (ref, emoji) =>
        checked(undefined, async () => {
          const name = reactionName(emoji);
          try {
            await clients.final.reactions.add({ channel: ref.place.channel, timestamp: ref.messageId, name });
          } catch (thrown) {
            if (slackCode(thrown) !== "already_reacted") throw thrown;
          }
        }),
      remove: (ref, emoji) =>
        checked(undefined, async () => {
          const name = reactionName(emoji);
          try {
            await clients.final.reactions.remove({ channel: ref.place.channel, timestamp: ref.messageId, name });
          } catch (thrown) {
            if (!["no_reaction", "message_not_found"].includes(slackCode(thrown) ?? "")) throw thrown;
          }
        }),
    },

    permalink: (ref) =>
      checked(undefined, async () => {
        const found = await clients.read.chat.getPermalink({ channel: ref.place.channel, message_ts: ref.messageId });
        return found.permalink;
      }),
  };
}
