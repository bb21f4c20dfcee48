/** The days that a digest is about, in its time zone. Pure. */
import { midnight } from "../../core/model/midnight.ts";

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
