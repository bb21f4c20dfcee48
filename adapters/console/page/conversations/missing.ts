/** Knows whether the address leads somewhere, and leaves what this person has just deleted. */
import { type Store, threadKey, type Where } from "../state.ts";
import { beginsIn, hrefOf } from "./address.ts";

export type Missing = "conversation" | "channel";

export function createMissing({ state }: Pick<Store, "state">) {
  /** threadKey of what this person has just deleted: they needn't be told that it is gone. */
  let left: string | undefined;

  /** What the address names and isn't there; undefined: nothing is missing. */
  function what(): Missing | undefined {
    const { channel, thread } = state.current;
    const isKnown = !state.isRead || state.channels.some(({ id }) => id === channel);
    if (thread === undefined) return isKnown ? undefined : "channel";
    const key = threadKey({ channel, thread });
    const isBegun = [...state.pending.values()].some((entry) => threadKey(entry) === key);
    const hasNotes = (state.notes.get(key)?.size ?? 0) > 0;
    return isKnown && (isBegun || hasNotes || !state.gone.has(key)) ? undefined : "conversation";
  }

  return {
    what,
    /** This person deletes it: a conversation, or a channel without a thread. */
    expect: ({ channel, thread }: Where) => {
      left = threadKey({ channel, thread });
    },
    /** Whether the address changes now. */
    leave: (): boolean => {
      const { channel, thread } = state.current;
      const hasLeftChannel = left === threadKey({ channel, thread: undefined });
      if (!(hasLeftChannel || left === threadKey({ channel, thread })) || what() === undefined) return false;
      left = undefined;
      // The list of channels may be older than the removal.
      const open = state.channels.filter(({ id }) => !(hasLeftChannel && id === channel));
      const begins = beginsIn({ channels: open, current: state.current });
      const next = open.find(({ id }) => id === begins) ?? open[0];
      if (next !== undefined) location.hash = hrefOf({ channel: next.id });
      return true;
    },
  };
}
