/**
 * Lists the channels, and below them the conversations by day. They are links, so new tabs and the Back button work.
 * Each has a menu for what people can change.
 */
import type { ListedChannel } from "../../channels/channels.ts";
import type { ConversationSummary } from "../../writing/messages.ts";
import { nowMs } from "../connection/clock.ts";
import { element, icon, plain } from "../drawing/element.ts";
import { type State, threadKey } from "../state.ts";
import { beginsIn, hrefOf } from "./address.ts";
import type { Changes } from "./changes.ts";
import { groupsOf } from "./groups.ts";
import { type MenuItem, menuButton } from "./menu.ts";

/** "# general", "Private"; a removed channel is named by its id. */
export function channelTitle(channels: readonly ListedChannel[], id: string): string {
  const { name, isPrivate }: ListedChannel = channels.find((channel) => channel.id === id) ?? { id, name: id };
  return isPrivate ? plain(name) : `# ${plain(name)}`;
}

/** What the dot beside a conversation says; undefined: no dot. */
function dotOf(
  { tone }: ConversationSummary,
  isUnread: boolean,
): { readonly look: string; readonly says: string } | undefined {
  if (tone === "running" || tone === "waiting" || tone === "failed") {
    return { look: tone, says: isUnread ? `${tone}, unread` : tone };
  }
  return isUnread ? { look: "unread", says: "unread" } : undefined;
}

export function createSidebar({
  box,
  list,
  newLink,
  changes,
  onEarlier,
}: {
  /** Holds the channels. */
  readonly box: HTMLElement;
  /** Holds the conversations. */
  readonly list: HTMLElement;
  readonly newLink: HTMLAnchorElement;
  readonly changes: Changes;
  /** Reads more. */
  readonly onEarlier: () => unknown;
}) {
  let shown = "";

  function mayChange({ channel, begunBy }: ConversationSummary, { you, channels }: State): boolean {
    const isOwn = channels.some(({ id, isPrivate }) => id === channel && isPrivate);
    return you.role === "manage" || isOwn || begunBy === you.id;
  }

  function conversationMenu(conversation: ConversationSummary, state: State): readonly MenuItem[] {
    const isPinned = state.pinned.includes(threadKey(conversation));
    const pin: MenuItem = {
      label: isPinned ? "Unpin" : "Pin",
      shape: "pin",
      act: () => changes.pin(conversation, !isPinned),
    };
    if (!mayChange(conversation, state)) return [pin];
    return [
      pin,
      { label: "Rename", shape: "pen", act: () => changes.rename(conversation) },
      { label: "Delete", shape: "bin", isDanger: true, act: () => changes.remove(conversation) },
    ];
  }

  function drawConversation(conversation: ConversationSummary, state: State): HTMLElement {
    const { current, unread, channels } = state;
    const isCurrent = threadKey(conversation) === threadKey(current);
    const isUnread = unread.has(threadKey(conversation));
    const dot = dotOf(conversation, isUnread);
    const title = plain(conversation.title);
    const isElsewhere = conversation.channel !== channels[0]?.id;
    return element(
      "li.line",
      {},
      element(
        "a",
        {
          class: `conversation${isUnread ? " is-unread" : ""}`,
          href: hrefOf(conversation),
          "aria-current": isCurrent ? "page" : undefined,
          title,
        },
        element("span.conversation-title", { dir: "auto" }, title),
        isElsewhere
          ? element("span.conversation-channel", {}, channelTitle(channels, conversation.channel))
          : undefined,
        dot === undefined ? undefined : element(`span.dot.is-${dot.look}`, {}, element("span.hidden", {}, dot.says)),
      ),
      menuButton(`Options for ${title}`, () => conversationMenu(conversation, state)),
    );
  }

  function drawChannel(channel: ListedChannel, { current, you }: State): HTMLElement {
    const { id, name, isPrivate } = channel;
    return element(
      "li.line",
      {},
      element(
        "a.channel-name",
        {
          href: hrefOf({ channel: id }),
          "aria-current": id === current.channel && current.thread === undefined ? "page" : undefined,
        },
        element("span.hash", { "aria-hidden": "true" }, isPrivate ? icon("lock") : "#"),
        element("span.conversation-title", { dir: "auto" }, plain(name)),
      ),
      you.role === "manage" && !isPrivate
        ? menuButton(`Options for the channel ${plain(name)}`, () => [
            { label: "Rename", shape: "pen", act: () => changes.renameChannel(channel) },
            { label: "Remove", shape: "bin", isDanger: true, act: () => changes.removeChannel(channel) },
          ])
        : undefined,
    );
  }

  function drawChannels(state: State): HTMLElement[] {
    const make = element(
      "button.icon-button.more",
      { type: "button", "aria-label": "New channel", title: "New channel", click: changes.makeChannel },
      icon("plus"),
    );
    const heading = element("h2.group-title", { id: "channels-title" }, "Channels");
    return [
      element("div.group-head", {}, heading, state.you.role === "manage" ? make : undefined),
      element(
        "ul",
        { role: "list", "aria-labelledby": heading.id },
        ...state.channels.map((one) => drawChannel(one, state)),
      ),
    ];
  }

  function drawGroup(
    { title, conversations }: { readonly title: string; readonly conversations: readonly ConversationSummary[] },
    state: State,
    index: number,
  ): HTMLElement {
    const id = `group-${index}`;
    return element(
      "section.group",
      {},
      element("h2.group-title", { id }, title),
      element(
        "ul",
        { role: "list", "aria-labelledby": id },
        ...conversations.map((one) => drawConversation(one, state)),
      ),
    );
  }

  /** Redraws, and keeps the focus on the same link or on the same line's menu button. */
  function fill(node: HTMLElement, drawn: readonly HTMLElement[]): void {
    const { activeElement: active } = document;
    const line = node.contains(active) ? active?.closest(".line") : null;
    const href = line?.querySelector("a")?.getAttribute("href");
    const isMenu = active?.matches(".more");
    node.replaceChildren(...drawn);
    const link = href ? node.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`) : null;
    const same = isMenu ? link?.closest(".line")?.querySelector<HTMLElement>(".more") : link;
    same?.focus({ preventScroll: true });
  }

  return {
    show: (state: State) => {
      const { channels, current, next, unread, pinned, you } = state;
      const all = [...state.conversations.values()];
      const day = new Date(nowMs()).toDateString();
      const key = JSON.stringify([channels, current.channel, current.thread, next, all, [...unread], pinned, you, day]);
      if (key === shown) return;
      shown = key;
      newLink.href = hrefOf({ channel: beginsIn(state) });
      fill(box, drawChannels(state));
      const groups = groupsOf(all, { pinned, keyOf: threadKey, nowMs: nowMs() });
      fill(list, [
        ...groups.map((group, index) => drawGroup(group, state, index)),
        ...(state.isRead && groups.length === 0
          ? [element("p.no-conversations", {}, "Your conversations will be listed here.")]
          : []),
        ...(next === undefined
          ? []
          : [element("button.action.is-plain.earlier", { type: "button", click: onEarlier }, "Show earlier")]),
      ]);
    },
  };
}
