/** Lists channels and their conversations, newest first. They are links, so new tabs and the Back button work. */
import { threadKey } from "../state.js";
import { element, plain } from "./element.js";

export const hrefOf = ({ channel, thread }) =>
  `#/${[channel, thread]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;

/** "# general", "Private"; a removed channel is named by its id. */
export function channelTitle(channels, id) {
  const { name, isPrivate } = channels.find((channel) => channel.id === id) ?? { name: id };
  return isPrivate ? plain(name) : `# ${plain(name)}`;
}

/** What the dot beside a conversation says; undefined: no dot. */
function dotOf({ tone }, isUnread) {
  const says = { running: "running", waiting: "waiting", failed: "failed" }[tone];
  if (says !== undefined) return { look: tone, says: isUnread ? `${says}, unread` : says };
  return isUnread ? { look: "unread", says: "unread" } : undefined;
}

export function createSidebar({ box, newLink, onEarlier }) {
  let shown = "";

  function drawConversation(conversation, { current, unread }) {
    const isCurrent = threadKey(conversation) === threadKey(current);
    const isUnread = unread.has(threadKey(conversation));
    const dot = dotOf(conversation, isUnread);
    return element(
      "li",
      {},
      element(
        `a.conversation${isUnread ? ".is-unread" : ""}`,
        {
          href: hrefOf(conversation),
          "aria-current": isCurrent ? "page" : undefined,
          title: plain(conversation.title),
        },
        element("span.conversation-title", { dir: "auto" }, plain(conversation.title)),
        dot === undefined ? undefined : element(`span.dot.is-${dot.look}`, {}, element("span.hidden", {}, dot.says)),
      ),
    );
  }

  return {
    show: (state) => {
      const { channels, current, next, unread } = state;
      const all = [...state.conversations.values()];
      const key = JSON.stringify([channels, current.channel, current.thread, next, all, [...unread]]);
      if (key === shown) return;
      shown = key;
      newLink.href = hrefOf({ channel: current.channel });
      all.sort((a, b) => (a.lastOrder < b.lastOrder ? 1 : -1));
      const focused = box.contains(document.activeElement) ? document.activeElement.getAttribute("href") : undefined;
      box.replaceChildren(
        ...channels.map(({ id: channel, name, isPrivate }) => {
          const own = all.filter((conversation) => conversation.channel === channel);
          const isCurrent = channel === current.channel;
          return element(
            "section.channel",
            {},
            element(
              "h2",
              {},
              element(
                "a.channel-name",
                {
                  href: hrefOf({ channel }),
                  "aria-current": isCurrent && current.thread === undefined ? "page" : undefined,
                },
                isPrivate ? undefined : element("span.hash", { "aria-hidden": "true" }, "#"),
                plain(name),
              ),
            ),
            own.length > 0
              ? element("ul", { role: "list" }, ...own.map((conversation) => drawConversation(conversation, state)))
              : undefined,
          );
        }),
        ...(next !== undefined
          ? [element("button.action.is-plain.earlier", { type: "button", click: onEarlier }, "Show earlier")]
          : []),
      );
      if (focused) box.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
    },
  };
}
