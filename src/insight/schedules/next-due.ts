/** When a schedule is due next, in its time zone and over changes of the clock. */
import { Cron } from "croner";
import type { ScheduleTime } from "../../core/model/schedule.ts";

/**
 * The first time after `afterMs`. A time that a change of the clock skips is due at the next one that exists; one that
 * exists twice is due once. Throws for an expression or a time zone that can't be read.
 */
export function nextDue({ cron, timeZone }: Pick<ScheduleTime, "cron" | "timeZone">, afterMs: number): number {
  const times = new Cron(cron, { timezone: timeZone });
  let next = times.nextRun(new Date(afterMs));
  if (next !== null && wallTime(next, timeZone) === wallTime(new Date(afterMs), timeZone)) next = times.nextRun(next);
  if (next === null) throw new Error("The schedule is never due.");
  return next.getTime();
}

/** The next one in the future; what was missed since then is not repeated. */
export function nextDueAfterRun(time: ScheduleTime, dueAtMs: number, nowMs: number): number {
  const next = nextDue(time, dueAtMs);
  return next > nowMs ? next : nextDue(time, nowMs);
}

/** The last time that has passed by now, where `dueAtMs` was the first one that nobody did. */
export function newestDue(time: ScheduleTime, dueAtMs: number, nowMs: number): number {
  const { cron, timeZone } = time;
  const [last] = new Cron(cron, { timezone: timeZone }).previousRuns(1, new Date(nowMs + 1));
  return Math.max(dueAtMs, last?.getTime() ?? dueAtMs);
}

/** To the minute. */
function wallTime(at: Date, timeZone: string): string {
  return at.toLocaleString("en-GB", { timeZone, dateStyle: "short", timeStyle: "short" });
}
