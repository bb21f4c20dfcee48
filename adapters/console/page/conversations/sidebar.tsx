/**
 * Lists the channels, and below them the conversations by day. They are links, so new tabs and the Back button work.
 * Each has a menu for what people can change.
 */
import { render } from "preact";
import type { ListedChannel } from "../../channels/channels.ts";
import type { ConversationSummary } from "../../writing/messages.ts";
import { nowMs } from "../connection/clock.ts";
import { plain } from "../drawing/element.ts";
import { Icon } from "../parts/icon.tsx";
import { type State, threadKey } from "../state.ts";
import { beginsIn, hrefOf } from "./address.ts";
import type { Changes } from "./changes.ts";
import { groupsOf } from "./groups.ts";
import { MenuButton, type MenuItem } from "./menu.tsx";

/** "# general", "Private"; a removed channel is named by its id. */
export function channelTitle(channels: readonly ListedChannel[], id: string): string {
  const { name, isPrivate }: ListedChannel = channels.find((channel) => channel.id === id) ?? { id, name: id };
  return isPrivate ? plain(name) : `# ${plain(name)}`;
}

type Shown = { readonly state: State; readonly changes: Changes };

function ChannelLine({ channel, state: { current, you }, changes }: Shown & { readonly channel: ListedChannel }) {
  const { id, name, isPrivate } = channel;
  const isCurrent = id === current.channel && current.thread === undefined;
  const items: readonly MenuItem[] = [
    { label: "Rename", shape: "pen", act: () => changes.renameChannel(channel) },
    { label: "Remove", shape: "bin", isDanger: true, act: () => changes.removeChannel(channel) },
  ];
  return (
    <li class="line">
      <a class="channel-name" href={hrefOf({ channel: id })} aria-current={isCurrent ? "page" : undefined}>
        <span class="hash" aria-hidden="true">
          {isPrivate ? <Icon name="lock" /> : "#"}
        </span>
        <span class="conversation-title" dir="auto">
          {plain(name)}
        </span>
      </a>
      {you.role === "manage" && !isPrivate ? (
        <MenuButton label={`Options for the channel ${plain(name)}`} items={items} />
      ) : undefined}
    </li>
  );
}

function Channels({ state, changes }: Shown) {
  return (
    <>
      <div class="group-head">
        <h2 class="group-title" id="channels-title">
          Channels
        </h2>
        {state.you.role === "manage" ? (
          <button
            type="button"
            class="icon-button more"
            aria-label="New channel"
            title="New channel"
            onClick={changes.makeChannel}
          >
            <Icon name="plus" />
          </button>
        ) : undefined}
      </div>
      <ul role="list" aria-labelledby="channels-title">
        {state.channels.map((channel) => (
          <ChannelLine key={channel.id} channel={channel} state={state} changes={changes} />
        ))}
      </ul>
    </>
  );
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

function mayChange({ channel, begunBy }: ConversationSummary, { you, channels }: State): boolean {
  const isOwn = channels.some(({ id, isPrivate }) => id === channel && isPrivate);
  return you.role === "manage" || isOwn || begunBy === you.id;
}

function menuOf(conversation: ConversationSummary, { state, changes }: Shown): readonly MenuItem[] {
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

function ConversationLine({ conversation, state, changes }: Shown & { readonly conversation: ConversationSummary }) {
  const { current, unread, channels } = state;
  const key = threadKey(conversation);
  const isUnread = unread.has(key);
  const dot = dotOf(conversation, isUnread);
  const title = plain(conversation.title);
  const isElsewhere = conversation.channel !== channels[0]?.id;
  return (
    <li class="line">
      <a
        class={`conversation${isUnread ? " is-unread" : ""}`}
        href={hrefOf(conversation)}
        aria-current={key === threadKey(current) ? "page" : undefined}
        title={title}
      >
        <span class="conversation-title" dir="auto">
          {title}
        </span>
        {isElsewhere ? (
          <span class="conversation-channel">{channelTitle(channels, conversation.channel)}</span>
        ) : undefined}
        {dot === undefined ? undefined : (
          <span class={`dot is-${dot.look}`}>
            <span class="hidden">{dot.says}</span>
          </span>
        )}
      </a>
      <MenuButton label={`Options for ${title}`} items={menuOf(conversation, { state, changes })} />
    </li>
  );
}

function Conversations({ state, changes, onEarlier }: Shown & { readonly onEarlier: () => unknown }) {
  const { conversations, pinned, next, isRead } = state;
  const groups = groupsOf([...conversations.values()], { pinned, keyOf: threadKey, nowMs: nowMs() });
  return (
    <>
      {groups.map(({ title, conversations: lines }, index) => (
        <section key={title} class="group">
          <h2 class="group-title" id={`group-${index}`}>
            {title}
          </h2>
          <ul role="list" aria-labelledby={`group-${index}`}>
            {lines.map((one) => (
              <ConversationLine key={threadKey(one)} conversation={one} state={state} changes={changes} />
            ))}
          </ul>
        </section>
      ))}
      {isRead && groups.length === 0 ? (
        <p class="no-conversations">Your conversations will be listed here.</p>
      ) : undefined}
      {next === undefined ? undefined : (
        <button type="button" class="action is-plain earlier" onClick={onEarlier}>
          Show earlier
        </button>
      )}
    </>
  );
}

/** Where the keyboard is in the list: a line's link or its menu. Pinned, it moves to another group, and is drawn anew. */
function rememberLine(list: HTMLElement): () => void {
  const { activeElement: active } = document;
  const href = list.contains(active) ? active?.closest(".line")?.querySelector("a")?.getAttribute("href") : undefined;
  const part = active?.matches(".more") ? ".more" : "a";
  return () => {
    if (href == null || document.activeElement !== document.body) return;
    const link = list.querySelector(`[href="${CSS.escape(href)}"]`);
    link?.closest(".line")?.querySelector<HTMLElement>(part)?.focus({ preventScroll: true });
  };
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

  return {
    show: (state: State) => {
      const { channels, current, next, unread, pinned, you, conversations } = state;
      const day = new Date(nowMs()).toDateString();
      const all = [...conversations.values()];
      const key = JSON.stringify([channels, current.channel, current.thread, next, all, [...unread], pinned, you, day]);
      // An answer that grows changes nothing here, many times a second.
      if (key === shown) return;
      shown = key;
      newLink.href = hrefOf({ channel: beginsIn(state) });
      const restoreFocus = rememberLine(list);
      render(<Channels state={state} changes={changes} />, box);
      render(<Conversations state={state} changes={changes} onEarlier={onEarlier} />, list);
      restoreFocus();
    },
  };
}
