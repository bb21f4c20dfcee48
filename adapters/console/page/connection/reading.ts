/** Reads from the server what the page shows: conversations, their messages, what an empty one begins with, commands. */
import type { Choice } from "../../../../src/core/document.ts";
import type { ConversationList, ReadMessage } from "../../conversations/conversation-routes.ts";
import type { Listed } from "../../conversations/listing.ts";
import type { CommandDescription } from "../../intake/command-list.ts";
import type { ConsolePayload } from "../../writing/messages.ts";
import { pathOf } from "../conversations/address.ts";
import { isThread, type Store, type Where } from "../state.ts";
import { request, voter } from "./connection.ts";

/** The list is never read longer than this at once. */
const maxListed = 400;

/** `onList(conversations)` is called before they are in the store, `onCommands()` after. */
export function createReading({
  store,
  onList,
  onCommands,
  onProblem,
}: {
  readonly store: Store;
  readonly onList: (list: ConversationList) => void;
  readonly onCommands: () => void;
  /** Why what was asked for isn't shown. */
  readonly onProblem: (problem: string) => void;
}) {
  const { state } = store;
  /** Conversations read so far; a new connection reads as many again. */
  let listLimit = 100;

  return {
    readList: async () => {
      const since = store.arrivalsNow();
      const { body } = await request<ConversationList>("GET", `/api/conversations?limit=${listLimit}`);
      if (body === undefined) return;
      onList(body);
      store.readList(body, since);
    },

    readEarlier: async () => {
      const { body } = await request<Listed>("GET", `/api/conversations?before=${state.next}`);
      if (body === undefined) return onProblem("Earlier conversations couldn't be read. Try again in a moment.");
      listLimit = Math.min(maxListed, listLimit + body.conversations.length);
      store.readEarlier(body);
    },

    /** Who answers in a channel can change at any time, so it is read again for each empty conversation. */
    readFirstView: async () => {
      const { channel, thread } = state.current;
      if (thread !== undefined) return;
      const path = `/api/channels/${encodeURIComponent(channel)}/first-view`;
      const { body } = await request<ConsolePayload>("GET", path);
      if (body !== undefined) store.readFirstView(channel, body);
    },

    readThread: async ({ channel, thread }: Where) => {
      const there = { channel, thread };
      if (!isThread(there)) return;
      const since = store.arrivalsNow();
      const { status, body } = await request<{ readonly messages: readonly ReadMessage[] }>(
        "GET",
        `${pathOf(there)}?voter=${voter}`,
      );
      if (body !== undefined) store.readThread(there, body.messages, since);
      if (status === 404) store.noteGone(there);
    },

    readCommands: async () => {
      const { body } = await request<readonly CommandDescription[]>("GET", "/api/commands");
      if (body === undefined) return;
      state.commands = body;
      onCommands();
    },

    complete: async (completes: string, typed: string) => {
      const query = new URLSearchParams({ completes, typed, channel: state.current.channel });
      const { body } = await request<readonly Choice[]>("GET", `/api/complete?${query}`);
      return body ?? [];
    },
  };
}
