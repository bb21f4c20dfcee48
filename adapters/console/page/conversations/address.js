/** Addresses of conversations in this page: "#/general/THREAD/MESSAGE". */
export const hrefOf = ({ channel, thread, messageId }) =>
  `#/${[channel, thread, messageId]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;

/** What the address bar says: `{ channel, thread, messageId }`. */
export function addressNow() {
  try {
    const [channel, thread, messageId] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
    return { channel: channel || undefined, thread: thread || undefined, messageId: messageId || undefined };
  } catch {
    // An invalid percent escape: the URL was cut off.
    return {};
  }
}

/** The path of a conversation in the API. */
export const pathOf = ({ channel, thread }) =>
  `api/conversations/${encodeURIComponent(channel)}/${encodeURIComponent(thread)}`;

/** Where a new conversation begins that nobody chose a channel for: people with a name have one that only they read. */
export const beginsIn = ({ channels, current }) => channels.find(({ isPrivate }) => isPrivate)?.id ?? current.channel;
