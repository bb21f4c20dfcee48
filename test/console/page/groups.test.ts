import { expect, it } from "vitest";
import { groupsOf } from "../../../adapters/console/page/conversations/groups.ts";

const nowMs = new Date("2026-11-23T12:00:00").getTime();
const dayMs = 86_400_000;

/** The newest first: their times, in days before now. */
function groups(...daysAgo: readonly number[]): readonly (readonly [title: string, count: number])[] {
  const conversations = daysAgo.map((days, at) => ({
    key: `c${at}`,
    lastOrder: String(99 - at),
    lastAtMs: nowMs - days * dayMs,
  }));
  const keyOf = ({ key }: { readonly key: string }) => key;
  return groupsOf(conversations, { pinned: [], keyOf, nowMs }).map(
    (group: { readonly title: string; readonly conversations: readonly object[] }) =>
      [group.title, group.conversations.length] as const,
  );
}

it("conversations are grouped by the reader's days, the newest first", () => {
  expect(groups(0, 0.1, 1, 3, 40, 41)).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    ["Previous 7 days", 1],
    ["October", 2],
  ]);
});

it("a server whose clock was a month behind makes no day appear twice", () => {
  expect(groups(0, 30, 31, 1, 1, 40)).toEqual([
    ["Today", 1],
    ["Yesterday", 4],
    ["October", 1],
  ]);
});

it("a server whose clock was days ahead doesn't make all that followed today's", () => {
  expect(groups(0, 1, -9, 3, 40)).toEqual([
    ["Today", 1],
    ["Yesterday", 1],
    ["Previous 7 days", 2],
    ["October", 1],
  ]);
  expect(groups(0, -9)).toEqual([["Today", 2]]);
});

it("conversations are grouped by days that clocks change on, and by the year", () => {
  const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();
  // Noon of the day on which clocks change in most of Europe.
  const noon = at(2026, 2, 29, 12);
  const times = [
    at(2026, 2, 29, 12, 5),
    at(2026, 2, 29),
    at(2026, 2, 28, 23, 59),
    at(2026, 2, 22),
    at(2026, 2, 21, 23),
    at(2026, 0, 1),
    at(2025, 11, 31),
  ];

  const titles = times.map(
    (lastAtMs) => groupsOf([{ lastAtMs }], { pinned: [], keyOf: () => "", nowMs: noon })[0]?.title,
  );

  expect(titles).toEqual(["Today", "Today", "Yesterday", "Previous 7 days", "March", "January", "December 2025"]);
});
