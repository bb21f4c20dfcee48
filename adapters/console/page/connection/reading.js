/** Reads from the server what the page shows: conversations, their messages, what an empty one begins with, commands. */
import { pathOf } from "../conversations/address.js";
import { request, voter } from "./connection.js";

/** The list is never read longer than this at once. */
const maxListed = 400;

/** `onList(conversations)` is called before they are in the store, `onCommands()` after. */
export function createReading({ store, onList, onCommands }) {
  const { state } = store;
  /** Conversations read so far; a new connection reads as many again. */
  let listLimit = 100;

  return {
    readList: async () => {
      const since = store.arrivalsNow();
      const { status, body } = await request("GET", `/api/conversations?limit=${listLimit}`);
      if (status !== 200) return;
      onList(body);
      store.readList(body, since);
    },

    readEarlier: async () => {
      const { status, body } = await request("GET", `/api/conversations?before=${state.next}`);
      if (status !== 200) return;
      listLimit = Math.min(maxListed, listLimit + body.conversations.length);
      store.readEarlier(body);
    },

    /** Who answers in a channel can change at any time, so it is read again for each empty conversation. */
    readFirstView: async () => {
      const { channel, thread } = state.current;
      if (thread !== undefined) return;
      const { status, body } = await request("GET", `/api/channels/${encodeURIComponent(channel)}/first-view`);
      if (status === 200) store.readFirstView(channel, body);
    },

    readThread: async ({ channel, thread }) => {
      if (thread === undefined) return;
      const since = store.arrivalsNow();
      const { status, body } = await request("GET", `${pathOf({ channel, thread })}?voter=${voter}`);
      if (status === 200) store.readThread({ channel, thread }, body.messages, since);
      if (status === 404) store.noteGone({ channel, thread });
    },

    readCommands: async () => {
      const { status, body } = await request("GET", "/api/commands");
      if (status !== 200) return;
      state.commands = body;
      onCommands();
    },

    complete: async (completes, typed) => {
      const query = new URLSearchParams({ completes, typed, channel: state.current.channel });
      const { status, body } = await request("GET", `/api/complete?${query}`);
      return status === 200 ? body : [];
    },
  };
}
