/**
 * Shows what is unread: a dot beside each conversation, their count in the tab's title, a notification after a long
 * answer. What one tab has shown is read in all of them.
 */
import type { ConversationList } from "../conversations/conversation-routes.ts";
import type { ConversationSummary, PageEvent } from "../writing/messages.ts";
import { plain } from "./drawing/element.ts";
import { createNotifications } from "./notifications.ts";
import { type Store, threadKey } from "./state.ts";
import { createUnread } from "./unread.ts";

/** Ms that an answer runs before notifications are offered. */
const offerAfterMs = 10_000;

const switchWords = { on: "On", off: "Off", blocked: "Blocked by your browser", impossible: "" };

type Part = "menu" | "notify" | "offer" | "accept" | "decline";

export function createAttention({
  store,
  parts,
  open,
}: {
  readonly store: Store;
  /** The page's elements of these names. */
  readonly parts: Readonly<Record<Part, HTMLElement>> & { readonly notify: HTMLButtonElement };
  /** Goes to a conversation. */
  readonly open: (href: string) => void;
}) {
  const { state, changed } = store;
  const unread = createUnread({ changed });
  const notifications = createNotifications({ changed, open });
  /** threadKey of the running answer that is shown, and whether it has run for so long. */
  let running: { readonly key: string; isLong: boolean; timer?: ReturnType<typeof setTimeout> } | undefined;

  // Who blocked them long ago has decided; who just did gets a word about it.
  let wasAsked = false;
  const toggle = () => {
    wasAsked = true;
    notifications.toggle();
  };

  parts.notify.addEventListener("click", toggle);
  parts.accept.addEventListener("click", toggle);
  parts.decline.addEventListener("click", notifications.decline);
  document.addEventListener("visibilitychange", changed);

  const endingOf = (conversation: ConversationSummary | undefined) => conversation?.ended?.atMs ?? 0;

  function watchRunning(shown: ConversationSummary | undefined): void {
    const key = shown?.tone === "running" ? threadKey(shown) : undefined;
    if (key === running?.key) return;
    clearTimeout(running?.timer);
    running = key === undefined ? undefined : { key, isLong: false };
    if (running === undefined) return;
    // Not by Date.now(): someone may set the computer's clock, and it can be a fraction behind the timer.
    const begun = running;
    begun.timer = setTimeout(() => {
      begun.isLong = true;
      changed();
    }, offerAfterMs);
  }

  function drawSwitch(): void {
    const how = notifications.state();
    parts.notify.hidden = how === "impossible" || (how === "blocked" && !wasAsked);
    parts.notify.disabled = how === "blocked";
    if (how === "blocked") parts.notify.setAttribute("aria-description", switchWords.blocked);
    parts.notify.setAttribute("aria-checked", String(how === "on"));
    const says = parts.notify.querySelector(".notify-state");
    if (says !== null) says.textContent = switchWords[how];
    parts.offer.hidden = !(running?.isLong && notifications.isUndecided());
  }

  return {
    /** The server's list: `before` is what was known, undefined with the first one. */
    read: (
      { conversations, notifyAfterMs }: ConversationList,
      before: ReadonlyMap<string, ConversationSummary> | undefined,
    ) => {
      notifications.setAfterMs(notifyAfterMs);
      unread.begin(conversations);
      // What ended while the connection was lost.
      if (before === undefined) return;
      for (const conversation of conversations) {
        if (endingOf(conversation) > endingOf(before.get(threadKey(conversation)))) notifications.ended(conversation);
      }
    },

    /** Before the event changes the state. */
    receive: (event: PageEvent) => {
      if (event.type === "conversation-removed") unread.forget(event);
      if (event.type !== "conversation") return;
      const { conversation } = event;
      const known = state.conversations.get(threadKey(conversation));
      if (endingOf(conversation) > endingOf(known)) notifications.ended(conversation);
    },

    /** Before the state is drawn. */
    update: () => {
      const shown = state.conversations.get(threadKey(state.current));
      if (shown !== undefined && document.visibilityState === "visible") unread.see(shown);
      state.unread = new Set([...state.conversations.values()].filter(unread.isUnread).map(threadKey));
      const count = state.unread.size;
      parts.menu.classList.toggle("has-unread", count > 0);
      parts.menu.setAttribute("aria-label", `Channels and conversations${count === 0 ? "" : `, ${count} unread`}`);
      watchRunning(shown);
      drawSwitch();
    },

    /** The tab's title. */
    titleOf: (title: string | undefined) => {
      const count = state.unread.size;
      const name = title === undefined ? "Parley" : `${plain(title.slice(0, 80))} · Parley`;
      return count === 0 ? name : `(${count}) ${name}`;
    },
  };
}
