/**
 * Conversations in the store. Written only under the Conversation's lane, so that no two writers meet.
 */
import { emptyConversation } from "./history.ts";
import type { KeyValue } from "./ports/state.ts";
import { type Conversation, conversationKey, type Place } from "./words.ts";

export type Conversations = {
  readonly get: (place: Place) => Promise<Conversation>;
  /** Parley has spoken there, so that plain follow-ups are meant for it. */
  readonly isKnown: (place: Place) => Promise<boolean>;
  readonly update: (place: Place, change: (conversation: Conversation) => Conversation) => Promise<void>;
  /** Forgets what was said; the thread stays known. */
  readonly forget: (place: Place) => Promise<void>;
};

export function createConversations(options: {
  readonly store: KeyValue<Conversation>;
  /** RETENTION_DAYS, counted from the last change. */
  readonly retentionMs: number;
}): Conversations {
  const { store, retentionMs } = options;
  const get = async (place: Place) => (await store.get(conversationKey(place))) ?? emptyConversation;
  const update: Conversations["update"] = async (place, change) => {
    await store.set(conversationKey(place), change(await get(place)), retentionMs);
  };
  return {
    get,
    update,
    isKnown: async (place) => (await store.get(conversationKey(place))) !== undefined,
    forget: (place) =>
      update(place, ({ contextUpTo, agent }) => ({
        ...emptyConversation,
        ...(contextUpTo === undefined ? {} : { contextUpTo }),
        ...(agent === undefined ? {} : { agent }),
      })),
  };
}
