/** Writes durations, counts and times for people. English and UTC, whatever the machine's locale. */

const dayMs = 86_400_000;
export const months = "January February March April May June July August September October November December".split(
  " ",
);
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

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

/** "12 Nov", with the year if it's another. In UTC. */
export function dateText(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const isThisYear = date.getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]?.slice(0, 3)}`;
  return isThisYear ? day : `${day} ${date.getUTCFullYear()}`;
}

/** "today", "yesterday", "on Monday", "on 12 Nov", "on 12 Nov 2025". In UTC. */
export function dayText(ms: number, nowMs: number): string {
  const days = Math.floor(nowMs / dayMs) - Math.floor(ms / dayMs);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return `on ${weekdays[new Date(ms).getUTCDay()]}`;
  return `on ${dateText(ms, nowMs)}`;
}

/** "2026-11-21 04:48 UTC". */
export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
