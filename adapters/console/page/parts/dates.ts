/**
 * Times as people read them, in the reader's time zone: relative where that says more, absolute in the title. What day it
 * is, the server says.
 */
import { nowMs as now } from "../connection/clock.ts";
import { numberText } from "./numbers.ts";

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);
const clock = format({ hour: "2-digit", minute: "2-digit" });
const dayMonth = format({ day: "numeric", month: "short" });
const dayMonthYear = format({ day: "numeric", month: "short", year: "numeric" });
const weekday = format({ weekday: "long" });
const shortWeekday = format({ weekday: "short" });
const wholeDay = format({ weekday: "long", day: "numeric", month: "long" });
const wholeDayYear = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
/** All of a time, on hover. */
export const wholeTime = format({ dateStyle: "full", timeStyle: "long" });
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The beginning of the reader's day. */
export function dayOf(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** How many of the reader's days ago; a day of a clock change has 23 or 25 hours. */
function daysAgo(atMs: number, nowMs: number): number {
  return Math.round((dayOf(nowMs) - dayOf(atMs)) / dayMs);
}

/** "16 Nov", with the year unless it is this one. */
export function dateText(atMs: number, nowMs = now()): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dayMonth : dayMonthYear).format(atMs);
}

/** "12 Nov, 10:02". */
export function momentText(atMs: number, nowMs = now()): string {
  return `${dateText(atMs, nowMs)}, ${clock.format(atMs)}`;
}

/** "a moment ago", "5 min ago", "today, 14:20", "yesterday, 9:05", "Monday, 14:20", "16 Nov". */
export function relativeText(atMs: number, nowMs = now()): string {
  const agoMs = nowMs - atMs;
  // A server's clock may be ahead of the reader's.
  if (agoMs < minuteMs && agoMs > -minuteMs) return "a moment ago";
  if (agoMs >= 0 && agoMs < 60 * minuteMs) return `${Math.floor(agoMs / minuteMs)} min ago`;
  const days = daysAgo(atMs, nowMs);
  const time = clock.format(atMs);
  if (days === 0) return `today, ${time}`;
  if (days === 1) return `yesterday, ${time}`;
  if (days === -1) return `tomorrow, ${time}`;
  if (days > 1 && days < 7) return `${weekday.format(atMs)}, ${time}`;
  return days < 0 ? momentText(atMs, nowMs) : dateText(atMs, nowMs);
}

/** "Mon". */
export function weekdayText(atMs: number): string {
  return shortWeekday.format(atMs);
}

/** "14:20". */
export function clockText(atMs: number): string {
  return clock.format(atMs);
}

/** "Today", "Yesterday", "Monday, 16 November", with the year unless it is this one. */
export function dayText(atMs: number, nowMs = now()): string {
  const days = daysAgo(atMs, nowMs);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? wholeDay : wholeDayYear).format(atMs);
}

/** "43 ms", "0.3 s", "6.2 s", "48 s", "5 min", "2 min 5 s", "3 h 20 min", "12 days". */
export function durationText(ms: number): string {
  if (ms < 95) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 119.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const both = (whole: number, unit: string, rest: number, restUnit: string) =>
    `${whole} ${unit}${rest === 0 ? "" : ` ${rest} ${restUnit}`}`;
  if (minutes < 60) return both(minutes, "min", Math.floor(seconds % 60), "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return both(hours, "h", minutes % 60, "min");
  return `${numberText(Math.floor(hours / 24))} days`;
}
