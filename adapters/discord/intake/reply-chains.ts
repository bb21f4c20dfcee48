/**
 * Tracks Conversations that are chains of replies in a channel, because no thread is possible there.
 * A Discord reply only names the message it answers, so Parley's posts are stored with their Conversation. Also
 * remembers which question each Reply answers, so that the post can point at it.
 */
import { LRUCache } from "lru-cache";
import type { Place } from "../../../src/core/model/place.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { channelId, isInPlace, placeOf, repliedMessage, threadId } from "../ids.ts";

export type ReplyChains = ReturnType<typeof createReplyChains>;

const maxQuestions = 2_000;
const rememberedMs = 30 * 24 * 3_600_000;

export function createReplyChains(options: {
  readonly keyValue: KeyValue<string>;
  /** Id of a channel's last message; undefined if unknown. */
  readonly newestIn: (channelId: string) => string | undefined;
}) {
  const { keyValue, newestIn } = options;
  const key = (workspace: string, messageId: string) => `${workspace}/in-place/${messageId}`;
  const questions = new LRUCache<string, string>({ max: maxQuestions });
  /** By channel: the last post that was begun there, which may come before the next one without being known yet. */
  const begunPosts = new LRUCache<string, { readonly replyId: string; readonly newest: string | undefined }>({
    max: maxQuestions,
  });
  return {
    /** Notes the message that the Reply answers. */
    noteQuestion: (replyId: string, messageId: string): void => {
      questions.set(replyId, messageId);
    },
    /** The message that the Reply answers, if it is remembered. */
    answeredBy: (replyId: string): string | undefined => questions.get(replyId),
    /** Called when a Reply is about to be posted. The message to reply to, if any. In a chain, the Conversation's first message if the question isn't known. */
    questionOf: (replyId: string, place: Place): string | undefined => {
      const question = questions.get(replyId);
      if (isInPlace(place)) return question ?? repliedMessage(place);
      // No reference needed directly below the question, or in the thread opened from it.
      const channel = channelId(place);
      const newest = newestIn(channel);
      const begun = begunPosts.get(channel);
      begunPosts.set(channel, { replyId, newest });
      if (newest === undefined || question === threadId(place)) return undefined;
      const isOvertaken = begun !== undefined && begun.newest === newest && begun.replyId !== replyId;
      return newest !== question || isOvertaken ? question : undefined;
    },
    /** Stores which Conversation a post belongs to. Never rejects. */
    remember: async (place: Place, messageId: string): Promise<void> => {
      if (!isInPlace(place) || place.thread === undefined) return;
      await keyValue.set(key(place.workspace, messageId), place.thread, rememberedMs).catch(() => undefined);
    },
    /** The Conversation of one of Parley's posts in that channel. */
    find: async (workspace: string, channel: string, messageId: string): Promise<Place | undefined> => {
      const thread = await keyValue.get(key(workspace, messageId)).catch(() => undefined);
      return thread === undefined ? undefined : placeOf(workspace, channel, thread);
    },
  };
}
