import { expect, it, vi } from "vitest";
import { createUnread } from "../../../adapters/console/page/unread.ts";

const minuteMs = 60_000;
const endedAt = (thread: string, atMs: number) => ({ channel: "general", thread, ended: { atMs } });

function openBrowser() {
  const stored = new Map<string, string>();
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return createUnread({ changed: () => {} });
}

it("an answer that ends after the page was first opened is unread, though its server's clock is five minutes behind", () => {
  const unread = openBrowser();
  const early = endedAt("of a server that is ahead", 100 * minuteMs);

  unread.begin([early, endedAt("older", 20 * minuteMs)]);

  expect(unread.isUnread(early)).toBe(false);
  expect(unread.isUnread(endedAt("older", 20 * minuteMs))).toBe(false);
  expect(unread.isUnread(endedAt("not in the list, and older", 19 * minuteMs))).toBe(false);
  const late = endedAt("of a server that is behind", 95 * minuteMs);
  expect(unread.isUnread(late)).toBe(true);
  unread.see(late);
  expect(unread.isUnread(late)).toBe(false);
});
