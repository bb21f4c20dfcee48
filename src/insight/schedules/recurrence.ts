/** How often a schedule runs, as data and as a cron expression. */

/** Sunday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type Recurrence =
  | { readonly kind: "weekdays"; readonly days: readonly Weekday[]; readonly hour: number; readonly minute: number }
  | { readonly kind: "month-day"; readonly day: number; readonly hour: number; readonly minute: number }
  | { readonly kind: "hours"; readonly every: number }
  | { readonly kind: "minutes"; readonly every: number };

export const everyDay: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
export const workdays: readonly Weekday[] = [1, 2, 3, 4, 5];

/** At most every 15 minutes. */
const leastMinutes = 15;
/** Cron counts from the full hour or from midnight, so only a divisor keeps the same distance. */
const minutesPossible: readonly number[] = [15, 20, 30];
const hoursPossible: readonly number[] = [1, 2, 3, 4, 6, 8, 12];

/** Why it can't be a schedule. Undefined: it can. */
export function problemOf(recurrence: Recurrence): "too-often" | "uneven" | undefined {
  if (recurrence.kind === "minutes") {
    if (recurrence.every < leastMinutes) return "too-often";
    return minutesPossible.includes(recurrence.every) ? undefined : "uneven";
  }
  if (recurrence.kind === "hours") return hoursPossible.includes(recurrence.every) ? undefined : "uneven";
  return undefined;
}

export function cronOf(recurrence: Recurrence): string {
  switch (recurrence.kind) {
    case "weekdays": {
      const { days, hour, minute } = recurrence;
      return `${minute} ${hour} * * ${days.length === everyDay.length ? "*" : days.join(",")}`;
    }
    case "month-day":
      return `${recurrence.minute} ${recurrence.hour} ${recurrence.day} * *`;
    case "hours":
      return recurrence.every === 1 ? "0 * * * *" : `0 */${recurrence.every} * * *`;
    case "minutes":
      return `*/${recurrence.every} * * * *`;
    default:
      return recurrence satisfies never;
  }
}
