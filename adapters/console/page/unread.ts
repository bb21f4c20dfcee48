/**
 * Remembers which answers this browser has shown, for all its tabs: an answer that ends is unread until one of them
 * shows it. An ending is named by its time, on the server's clock.
 */
import type { Thread } from "../conversations/thread-key.ts";
import type { Ending } from "../writing/messages.ts";
import { named } from "./connection/address.ts";
import { threadKey, type Where } from "./state.ts";

/** A conversation, and when an answer ended there. */
type Ended = Thread & { readonly ended?: Pick<Ending, "atMs"> };

const prefix = named("seen.");
/** Every ending until then counts as seen: a browser that is new here starts with nothing unread. */
const sinceKey = named("seen-since");
const maxKept = 500;
/** Ms by which the clocks of two servers may differ: what ends later can have an earlier time. */
const skewMs = 10 * 60_000;

/** Storage may be blocked. Then each tab remembers for itself. */
function createMemory() {
  const own = new Map<string, string>();
  return {
    get: (key: string) => {
      try {
        return localStorage.getItem(key) ?? own.get(key);
      } catch {
        return own.get(key);
      }
    },
    set: (key: string, value: number) => {
      own.set(key, String(value));
      try {
        localStorage.setItem(key, String(value));
      } catch {}
    },
    remove: (key: string) => {
      own.delete(key);
      try {
        localStorage.removeItem(key);
      } catch {}
    },
    keys: () => {
      try {
        return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
      } catch {
        return [...own.keys()].filter((key) => key.startsWith(prefix));
      }
    },
  };
}

/** `changed()` is called when another tab has shown something. */
export function createUnread({ changed }: { readonly changed: () => void }) {
  const memory = createMemory();
  const numberAt = (key: string) => Number(memory.get(key) ?? 0);
  const seenAtMs = (conversation: Where) => Math.max(numberAt(sinceKey), numberAt(prefix + threadKey(conversation)));

  addEventListener("storage", ({ key }) => {
    if (key === null || key === sinceKey || key.startsWith(prefix)) changed();
  });

  /** The oldest are forgotten, and everything as old counts as seen. */
  function prune(): void {
    const kept = memory.keys().map((key) => ({ key, atMs: numberAt(key) }));
    if (kept.length <= maxKept) return;
    kept.sort((a, b) => b.atMs - a.atMs);
    const dropped = kept.slice(maxKept / 2);
    memory.set(sinceKey, Math.max(numberAt(sinceKey), dropped[0]?.atMs ?? 0));
    for (const { key } of dropped) memory.remove(key);
  }

  function see(conversation: Ended): void {
    const { ended } = conversation;
    if (ended === undefined || ended.atMs <= seenAtMs(conversation)) return;
    memory.set(prefix + threadKey(conversation), ended.atMs);
  }

  return {
    isUnread: (conversation: Ended) =>
      conversation.ended !== undefined && conversation.ended.atMs > seenAtMs(conversation),

    /** With the first list that the server sends. */
    begin: (conversations: readonly Ended[]) => {
      if (memory.get(sinceKey) === undefined) {
        const newestMs = Math.max(0, ...conversations.map(({ ended }) => ended?.atMs ?? 0));
        memory.set(sinceKey, Math.max(0, newestMs - skewMs));
        for (const conversation of conversations) see(conversation);
      }
      prune();
    },

    /** The person has it in front of them. */
    see,

    forget: (at: Where) => memory.remove(prefix + threadKey(at)),
  };
}
