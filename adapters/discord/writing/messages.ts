/**
 * Posts, edits and deletes Discord messages, and sets reactions.
 * A post has a mark, so that it can be found if the response was lost, and a nonce, so that Discord does not create it
 * twice. If an interaction waits for the Reply, the Reply's first part becomes the interaction's response. What can be
 * written with an interaction's token is written with it, because no limit of the channel or of the bot counts it.
 */
import { PermissionFlagsBits } from "@discordjs/core";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { ChatPlatform, MessageRef, Reactions } from "../../../src/core/ports/chat-platform.ts";
import type { DiscordPayload } from "../drawing/render.ts";
import { channelId, messageUrl, threadId } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import { readId } from "../intake/events.ts";
import type { GoneMessages } from "../intake/gone-messages.ts";
import type { ReplyChains } from "../intake/reply-chains.ts";
import type { DiscordParts } from "../parts.ts";
import { archivedThread, discordCode, isTokenGone, toPlatformError } from "./api-errors.ts";
import type { AttachedPictures, Version } from "./attached-pictures.ts";
import type { Answer, DeferredReplies } from "./deferred-replies.ts";
import { type How, type InteractionApi, messageBody } from "./interaction-api.ts";
import type { PermissionNotices } from "./permission-notices.ts";
import { marked, nonceOf } from "./post-marks.ts";
import { postReply } from "./post-reply.ts";
import { createReactionPace } from "./reaction-pace.ts";

type Writes = Pick<ChatPlatform<DiscordPayload>, "prepare" | "post" | "edit" | "remove" | "permalink"> & {
  readonly reactions: Reactions;
};

export function createWrites(
  options: DiscordParts & {
    readonly interactions: InteractionApi;
    readonly pictures: AttachedPictures;
    readonly deferred: DeferredReplies;
    readonly permissionNotices: PermissionNotices;
    readonly replyChains: ReplyChains;
    readonly channels: Channels;
    readonly gone: GoneMessages;
  },
): Writes {
  const { rest, interactions, pictures, deferred, permissionNotices, replyChains, channels, gone } = options;
  const reactionPace = createReactionPace(options.clock);
  const route = ({ place, messageId }: MessageRef) => `/channels/${channelId(place)}/messages/${messageId}`;

  /** A post reopens an archived thread, but an edit fails: reopens the thread and writes again. */
  const inOpenThread = async <T>(place: Place, write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (thrown) {
      const thread = threadId(place);
      if (discordCode(thrown) !== archivedThread || thread === undefined) throw thrown;
      try {
        await rest.call("PATCH", `/channels/${thread}`, { body: { archived: false } });
      } catch (refused) {
        const error = toPlatformError(refused);
        throw error.code === "not_permitted" ? new ParleyError("place_gone", { cause: error }) : error;
      }
      return await write();
    }
  };

  /** Writes the part as the response to the interaction that waits for the Reply. */
  const writeFirstResponse = async (
    replyId: string,
    payload: DiscordPayload,
    how: How,
  ): Promise<string | undefined> => {
    const token = await deferred.find(replyId);
    if (token === undefined) return undefined;
    try {
      const messageId = await interactions.replaceFirst(token, payload, how);
      await deferred.rememberAnswer(messageId, { token, isFirst: true });
      return messageId;
    } catch (thrown) {
      if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      // The token has expired, or the reply could not be deferred in time: post an ordinary message instead.
      await deferred.forget(replyId);
      return undefined;
    }
  };

  /** Posts a further part by the interaction's token. */
  const writeFollowUp = async (replyId: string, payload: DiscordPayload, how: How): Promise<string | undefined> => {
    const token = await deferred.find(replyId);
    if (token === undefined) return undefined;
    try {
      const messageId = await interactions.followUp(token, payload, "public", how);
      await deferred.rememberAnswer(messageId, { token, isFirst: false });
      return messageId;
    } catch (thrown) {
      if (!isTokenGone(thrown)) throw thrown;
      deferred.noteRefused(token);
      return undefined;
    }
  };

  const isForbidden = (place: Place): boolean =>
    channels.hasRights(channelId(place), PermissionFlagsBits.AttachFiles) === false;

  const post: Writes["post"] = async (place, payload, mark, { signal, urgency, onLess }) => {
    // Later, a deleted question has had an answer that others may have read.
    const isFirst = mark.part === 0 && mark.generation === 0;
    const question = isFirst ? replyChains.answeredBy(mark.replyId) : undefined;
    if (gone.has(question)) throw new ParleyError("thread_gone");
    const shown = marked(payload, mark);
    const unlimited = { isImpatient: urgency === "progress", signal };
    const write = mark.part === 0 ? writeFirstResponse : writeFollowUp;
    const answered = await inOpenThread(place, () => write(mark.replyId, shown, { ...unlimited, onLess }));
    if (answered !== undefined) return answered;
    const messageId = mark.part > 0 ? undefined : replyChains.questionOf(mark.replyId, place);
    const replied = messageId === undefined ? undefined : { messageId, isQuestion: messageId === question };
    const call = { ...unlimited, isUrgent: urgency === "final" };
    const send = (version: Version) => {
      const body = { ...messageBody(version), nonce: nonceOf(mark), enforce_nonce: true };
      const whole = { ...call, body, files: version.files };
      return inOpenThread(place, () => postReply({ rest, channels }, channelId(place), replied, whole));
    };
    try {
      const posted = await pictures.send(shown, send, { isForbidden: isForbidden(place), onLess });
      const messageId = readId(posted);
      if (messageId === undefined) throw new ParleyError("platform_unreachable");
      deferred.isNoAnswer(messageId);
      return messageId;
    } catch (thrown) {
      const error = toPlatformError(thrown);
      if (error.code !== "not_permitted") throw error;
      void permissionNotices.send(place, mark.replyId);
      throw error;
    }
  };

  const react = (method: "PUT" | "DELETE", ref: MessageRef, emoji: string): Promise<unknown> =>
    reactionPace(channelId(ref.place), () =>
      inOpenThread(ref.place, () => rest.call(method, `${route(ref)}/reactions/${encodeURIComponent(emoji)}/@me`)),
    );

  /** Writes with the token of the interaction that the message answers; without one, with Parley's own permission. */
  const byTokenOr = async (
    { messageId, place }: MessageRef,
    byToken: (answer: Answer) => Promise<unknown>,
    write: () => Promise<unknown>,
  ): Promise<void> => {
    const answer = await deferred.findAnswer(messageId);
    if (answer !== undefined) {
      try {
        await inOpenThread(place, () => byToken(answer));
        return;
      } catch (thrown) {
        if (!isTokenGone(thrown)) throw thrown;
        deferred.noteRefused(answer.token);
      }
    }
    await write();
  };

  return {
    prepare: (payload) => pictures.prepare(payload),

    post: async (place, payload, mark, options) => {
      const messageId = await post(place, payload, mark, options);
      await replyChains.remember(place, messageId);
      return messageId;
    },

    edit: async (ref, edited, { signal, urgency, onLess, mark }) => {
      // An edit replaces all components, and with them the mark.
      const payload = mark === undefined ? edited : marked(edited, mark);
      const send = (version: Version) =>
        inOpenThread(ref.place, () =>
          rest.call("PATCH", route(ref), {
            body: messageBody(version),
            isImpatient: urgency === "progress",
            isUrgent: urgency === "final",
            signal,
            files: version.files,
          }),
        );
      const write = async () => {
        const { messageId, place } = ref;
        try {
          await pictures.send(payload, send, { messageId, isForbidden: isForbidden(place), onLess });
        } catch (thrown) {
          const wasByToken = toPlatformError(thrown).code === "not_permitted" && deferred.wasAnswer(messageId);
          // It is out of reach without its token. A post is refused too, and the asker is told why.
          throw wasByToken ? new ParleyError("message_gone", { cause: thrown }) : thrown;
        }
      };
      const how = { isImpatient: urgency === "progress", signal, onLess };
      const byToken = ({ token, isFirst }: Answer): Promise<unknown> =>
        isFirst
          ? interactions.replaceFirst(token, payload, how, ref.messageId)
          : interactions.replaceFollowUp(token, ref.messageId, payload, how);
      await byTokenOr(ref, byToken, write);
    },

    remove: async (ref) => {
      const byToken = ({ token, isFirst }: Answer) =>
        isFirst ? interactions.removeFirst(token) : interactions.removeFollowUp(token, ref.messageId);
      await byTokenOr(ref, byToken, () => inOpenThread(ref.place, () => rest.call("DELETE", route(ref))));
    },

    reactions: {
      areAnswers: true,
      add: async (ref, emoji) => void (await react("PUT", ref, emoji)),
      remove: async (ref, emoji) => {
        try {
          await react("DELETE", ref, emoji);
        } catch (thrown) {
          if (toPlatformError(thrown).code !== "message_gone") throw thrown;
        }
      },
    },

    permalink: async (ref) => messageUrl(ref),
  };
}
