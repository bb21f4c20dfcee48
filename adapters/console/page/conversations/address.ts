/** Addresses of conversations in this page: "#/general/THREAD/MESSAGE". */
import type { Thread } from "../../conversations/thread-key.ts";
import type { State } from "../state.ts";

type Address = {
  readonly channel?: string | undefined;
  readonly thread?: string | undefined;
  readonly messageId?: string | undefined;
};

export const hrefOf = ({ channel, thread, messageId }: Address & { readonly channel: string }): string =>
  `#/${[channel, thread, messageId]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;

/** What the address bar says. */
export function addressNow(): Address {
  try {
    const [channel, thread, messageId] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
    return { channel: channel || undefined, thread: thread || undefined, messageId: messageId || undefined };
  } catch {
    // An invalid percent escape: the URL was cut off.
    return {};
  }
}

/** The path of a conversation in the API. */
export const pathOf = ({ channel, thread }: Thread): string =>
  `api/conversations/${encodeURIComponent(channel)}/${encodeURIComponent(thread)}`;

/** Where a new conversation begins that nobody chose a channel for: people with a name have one that only they read. */
export const beginsIn = ({ channels, current }: Pick<State, "channels" | "current">): string =>
  channels.find(({ isPrivate }) => isPrivate)?.id ?? current.channel;
