/**
 * Writes: post, edit, remove, reactions. A post bears its mark, so that one whose answer was lost can be found, and a nonce,
 * so that Discord itself makes no second one of it. The first part of a Reply that an interaction waits for is its answer.
 */

import { ParleyError } from "../../src/bridge/errors.ts";
import type { ChatPlatform, MessageRef } from "../../src/bridge/ports/chat-platform.ts";
import type { Place } from "../../src/bridge/words.ts";
import { archivedThread, discordCode, toPlatformError } from "./api-errors.ts";
import type { Rest } from "./clients.ts";
import type { Deferred, Token } from "./deferred.ts";
import { readId } from "./events.ts";
import { address, channelId, threadId } from "./ids.ts";
import type { InPlace } from "./in-place.ts";
import { type InteractionApi, messageBody } from "./interaction-api.ts";
import { marked, nonceOf } from "./marks.ts";
import type { Refusals } from "./refusals.ts";
import type { DiscordPayload } from "./render.ts";

type Writes = Pick<ChatPlatform<DiscordPayload>, "post" | "edit" | "remove" | "permalink"> & {
  readonly react: NonNullable<ChatPlatform["react"]>;
  readonly unreact: NonNullable<ChatPlatform["unreact"]>;
};

const maxRemembered = 1_000;

export function createWrites(options: {
  readonly rest: Rest;
  readonly interactions: InteractionApi;
  readonly deferred: Deferred;
  readonly refusals: Refusals;
  readonly inPlace: InPlace;
}): Writes {
  const { rest, interactions, deferred, refusals, inPlace } = options;
  /** Answers to interactions by their message: where Parley is not allowed in, only the token can change them. */
  const answers = new Map<string, Token>();
  const route = ({ place, messageId }: MessageRef) => `/channels/${channelId(place)}/messages/${messageId}`;

  /** An archived thread takes posts and opens by itself, but takes no edits. */
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

  const answerFirst = async (replyId: string, payload: DiscordPayload): Promise<string | undefined> => {
    const token = await deferred.find(replyId);
    if (token === undefined) return undefined;
    try {
      const messageId = await interactions.replaceFirst(token, payload);
      answers.set(messageId, token);
      if (answers.size > maxRemembered) answers.delete(answers.keys().next().value ?? "");
      return messageId;
    } catch (thrown) {
      if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      // Its token is dead, or nobody could be told in time that an answer would come: a message of our own, then.
      await deferred.forget(replyId);
      return undefined;
    }
  };

  return {
    post: async (place, payload, mark, { signal, urgency }) => {
      const shown = marked(payload, mark);
      const answered = mark.part === 0 ? await answerFirst(mark.replyId, shown) : undefined;
      if (answered !== undefined) return answered;
      const replied = inPlace.answers(mark.replyId, place);
      try {
        const posted = await inOpenThread(place, () =>
          rest.call("POST", `/channels/${channelId(place)}/messages`, {
            body: {
              ...messageBody(shown),
              nonce: nonceOf(mark),
              enforce_nonce: true,
              ...(replied === undefined || mark.part > 0
                ? {}
                : { message_reference: { message_id: replied, fail_if_not_exists: false } }),
            },
            isImpatient: urgency === "progress",
            isUrgent: urgency === "final",
            ...(signal === undefined ? {} : { signal }),
          }),
        );
        const messageId = readId(posted);
        if (messageId === undefined) throw new ParleyError("platform_unreachable");
        await inPlace.remember(place, messageId);
        return messageId;
      } catch (thrown) {
        const error = toPlatformError(thrown);
        if (error.code === "not_permitted") void refusals.tell(place, mark.replyId);
        throw error;
      }
    },

    edit: async (ref, payload, { signal, urgency }) => {
      try {
        await inOpenThread(ref.place, () =>
          rest.call("PATCH", route(ref), {
            body: messageBody(payload),
            isImpatient: urgency === "progress",
            isUrgent: urgency === "final",
            ...(signal === undefined ? {} : { signal }),
          }),
        );
      } catch (thrown) {
        const token = answers.get(ref.messageId);
        const mayNot = toPlatformError(thrown).code === "not_permitted";
        if (token === undefined || !mayNot) throw thrown;
        await interactions.replaceFirst(token, payload);
      }
    },

    remove: async (ref) => {
      await inOpenThread(ref.place, () => rest.call("DELETE", route(ref)));
    },

    react: async (ref, emoji) => {
      await inOpenThread(ref.place, () => rest.call("PUT", `${route(ref)}/reactions/${encodeURIComponent(emoji)}/@me`));
    },

    unreact: async (ref, emoji) => {
      try {
        await inOpenThread(ref.place, () =>
          rest.call("DELETE", `${route(ref)}/reactions/${encodeURIComponent(emoji)}/@me`),
        );
      } catch (thrown) {
        if (toPlatformError(thrown).code !== "message_gone") throw thrown;
      }
    },

    permalink: async (ref) => address(ref),
  };
}
