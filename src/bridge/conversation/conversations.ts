/** Stores Conversations. Writes happen only under the Conversation's lane, so that no two writers meet. */

import type { App } from "../../app.ts";
import type { Conversation, Conversations } from "../../core/conversations.ts";
import { conversationKey, type Place } from "../../core/model/place.ts";
import { emptyConversation } from "./history.ts";

export function createConversations(app: App): Conversations {
  const { retentionMs } = app.settings;
  const store = app.state.keyValue<Conversation>("conversations");
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
      // Forgetting must not make a thread known where Parley never answered.
      if ((await store.get(conversationKey(place))) === undefined) return;
      await update(place, ({ contextUpTo, agent }) => ({ ...emptyConversation, contextUpTo, agent }));
    },
    replaceAgent: async (project, from, to, withLane) => {
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
      await Promise.all(keys.map((key) => withLane(key, () => replace(key))));
    },
  };
}
