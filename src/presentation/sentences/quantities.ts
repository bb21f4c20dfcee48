/** Writes durations, counts and times for people. English and UTC, whatever the machine's locale. */

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

/** "March 2024". */
export function monthText(ms: number): string {
  const date = new Date(ms);
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const months = "January February March April May June July August September October November December".split(" ");

/** "2026-11-21 04:48 UTC". */
export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
