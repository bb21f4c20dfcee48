/**
 * Which question a Reply is shown to answer. Where no thread can be, a Conversation is a chain of replies in the channel.
 * Discord tells of a reply only what it answers, so the posts that Parley made there are remembered with the Conversation
 * they belong to.
 */

import type { Place } from "../../../src/ports/model/place.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";
import { channelId, isInPlace, placeOf, repliedMessage, threadId } from "../ids.ts";

export type ReplyChains = {
  /** The message that the Reply answers. */
  readonly noteQuestion: (replyId: string, messageId: string) => void;
  /** What to point at; in place the Conversation's first message when it is not known any more. */
  readonly questionOf: (replyId: string, place: Place) => string | undefined;
  /** Never rejects. */
  readonly remember: (place: Place, messageId: string) => Promise<void>;
  /** The Conversation that a post of Parley's in that channel belongs to. */
  readonly find: (workspace: string, channel: string, messageId: string) => Promise<Place | undefined>;
};

const maxAsked = 2_000;
const rememberedMs = 30 * 24 * 3_600_000;

export function createReplyChains(options: {
  readonly keyValue: KeyValue<string>;
  /** The last message of a channel, if it is known. */
  readonly newestIn: (channelId: string) => string | undefined;
}): ReplyChains {
  const { keyValue, newestIn } = options;
  const key = (workspace: string, messageId: string) => `${workspace}/in-place/${messageId}`;
  const asked = new Map<string, string>();
  return {
    noteQuestion: (replyId, messageId) => {
      asked.set(replyId, messageId);
      keepNewest(asked, maxAsked);
    },
    questionOf: (replyId, place) => {
      const question = asked.get(replyId);
      if (isInPlace(place)) return question ?? repliedMessage(place);
      // Right below its question, or in the thread that was opened from it, nothing needs to be pointed at.
      const newest = newestIn(channelId(place));
      const isApart = newest !== undefined && newest !== question && question !== threadId(place);
      return isApart ? question : undefined;
    },
    remember: async (place, messageId) => {
      if (!isInPlace(place) || place.thread === undefined) return;
      await keyValue.set(key(place.workspace, messageId), place.thread, rememberedMs).catch(() => undefined);
    },
    find: async (workspace, channel, messageId) => {
      const thread = await keyValue.get(key(workspace, messageId)).catch(() => undefined);
      return thread === undefined ? undefined : placeOf(workspace, channel, thread);
    },
  };
}
