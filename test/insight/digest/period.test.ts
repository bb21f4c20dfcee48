import { expect, it } from "vitest";
import { lastDays, weekBefore } from "../../../src/insight/digest.ts";

const iso = ({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }) =>
  [fromMs, untilMs].map((ms) => new Date(ms).toISOString().slice(0, 16));

it("a digest due on a Monday is about the seven whole days before it, in its own time zone", () => {
  const due = Date.parse("2026-11-16T08:00:00Z");
  expect(iso(weekBefore(due, "UTC"))).toEqual(["2026-11-09T00:00", "2026-11-16T00:00"]);
  expect(iso(weekBefore(due, "Europe/Berlin"))).toEqual(["2026-11-08T23:00", "2026-11-15T23:00"]);
  expect(iso(weekBefore(due, "Asia/Kathmandu"))).toEqual(["2026-11-08T18:15", "2026-11-15T18:15"]);
  // Already Monday there, still Sunday in UTC.
  const inAuckland = Date.parse("2026-11-15T20:00:00Z");
  expect(iso(weekBefore(inAuckland, "Pacific/Auckland"))).toEqual(["2026-11-08T11:00", "2026-11-15T11:00"]);
});

it("a week with a change of the clock has its hour more or less", () => {
  const spring = weekBefore(Date.parse("2026-03-30T07:00:00Z"), "Europe/Berlin");
  expect(iso(spring)).toEqual(["2026-03-22T23:00", "2026-03-29T22:00"]);
  const autumn = weekBefore(Date.parse("2026-10-26T08:00:00Z"), "Europe/Berlin");
  expect(iso(autumn)).toEqual(["2026-10-18T22:00", "2026-10-25T23:00"]);
});

it("the last seven days end now, and begin with a whole day", () => {
  expect(iso(lastDays(Date.parse("2026-11-22T20:41:00Z"), "UTC"))).toEqual(["2026-11-16T00:00", "2026-11-22T20:41"]);
});
