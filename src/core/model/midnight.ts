/** When days begin in a time zone. Pure. */

const dayMs = 86_400_000;

/** When the day of that moment begins there, or one some days earlier or later. Throws RangeError for an unknown zone. */
export function midnight(ms: number, days: number, timeZone: string): number {
  const wall = ms + offsetMs(ms, timeZone);
  const wanted = Math.floor(wall / dayMs) * dayMs + days * dayMs;
  const guess = wanted - offsetMs(wanted, timeZone);
  return wanted - offsetMs(guess, timeZone);
}

/** What clocks there show beyond UTC. */
function offsetMs(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const),
  }).formatToParts(new Date(ms));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(ms / 1_000) * 1_000;
}
