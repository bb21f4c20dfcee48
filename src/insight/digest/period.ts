/** The days that a digest is about, in its time zone. Pure. */

const dayMs = 86_400_000;
const daysOfWeek = 7;

export type Period = {
  readonly fromMs: number;
  readonly untilMs: number;
};

/** The seven whole days before the day of that moment. */
export function weekBefore(ms: number, timeZone: string): Period {
  return { fromMs: midnight(ms, -daysOfWeek, timeZone), untilMs: midnight(ms, 0, timeZone) };
}

/** Seven days, of which this is the last. */
export function lastDays(nowMs: number, timeZone: string): Period {
  return { fromMs: midnight(nowMs, 1 - daysOfWeek, timeZone), untilMs: nowMs };
}

/** When the day of that moment begins there, or one some days earlier or later. */
function midnight(ms: number, days: number, timeZone: string): number {
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
