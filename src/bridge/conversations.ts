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
  /** Wherever that agent was named, in any workspace; without `to`, threads go back to what their channel says. */
  readonly replaceAgent: (
    project: string,
    from: string,
    to: string | undefined,
    inLane: (lane: string, work: () => Promise<void>) => Promise<void>,
  ) => Promise<void>;
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
  const isPinned = (project: string, name: string, { agent }: Conversation) =>
    agent?.project === project && agent.name === name;

  return {
    get,
    update,
    isKnown: async (place) => (await store.get(conversationKey(place))) !== undefined,
    forget: async (place) => {
      // A thread where Parley never spoke must not become known by this.
      if ((await store.get(conversationKey(place))) === undefined) return;
      await update(place, ({ contextUpTo, agent }) => ({
        ...emptyConversation,
        ...(contextUpTo === undefined ? {} : { contextUpTo }),
        ...(agent === undefined ? {} : { agent }),
      }));
    },
    replaceAgent: async (project, from, to, inLane) => {
      const keys: string[] = [];
      for await (const [key, conversation] of store.entries("")) {
        if (isPinned(project, from, conversation)) keys.push(key);
      }
      const replace = async (key: string) => {
        const now = await store.get(key);
        if (now === undefined || !isPinned(project, from, now)) return;
        const { agent: _agent, ...rest } = now;
        await store.set(key, to === undefined ? rest : { ...rest, agent: { project, name: to } }, retentionMs);
      };
      await Promise.all(keys.map((key) => inLane(key, () => replace(key))));
    },
  };
}
