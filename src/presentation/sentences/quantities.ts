/** Writes durations, counts and times for people. English and UTC, whatever the machine's locale. */

export const months = "January February March April May June July August September October November December".split(
  " ",
);

/** "under 1 s", "18 s", "1 min 5 s", "2 h 3 min". */
export function durationText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** "1 step", "1,204 steps". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** "120,000". */
export function numberText(value: number): string {
  return Math.trunc(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** US dollars: "under $0.01", "$0.02", "$1,204.50". */
export function costText(dollars: number): string {
  const cents = Math.round(dollars * 100);
  if (cents === 0) return dollars === 0 ? "$0.00" : "under $0.01";
  return `$${numberText(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** "12 Nov", with the year if it's another. In UTC. */
export function dateText(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const isThisYear = date.getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]?.slice(0, 3)}`;
  return isThisYear ? day : `${day} ${date.getUTCFullYear()}`;
}

/** "a moment ago", "20 minutes ago", "an hour ago", "3 days ago", after a week "on 12 Nov". */
export function agoText(ms: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - ms) / 60_000);
  if (minutes < 1) return "a moment ago";
  if (minutes < 60) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  const days = Math.floor(hours / 24);
  if (days < 7) return days === 1 ? "a day ago" : `${days} days ago`;
  return `on ${dateText(ms, nowMs)}`;
}

/** "2026-11-21 04:48 UTC". */
export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
