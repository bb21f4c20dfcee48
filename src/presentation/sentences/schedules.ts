import { countText } from "./quantities.ts";

const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

type Clock = { readonly hour: number; readonly minute: number };
type Recurrence =
  | ({ readonly kind: "weekdays"; readonly days: readonly number[] } & Clock)
  | ({ readonly kind: "month-day"; readonly day: number } & Clock)
  | { readonly kind: "hours" | "minutes"; readonly every: number };

/** Why a time can't be a schedule. */
export const scheduleSentences = {
  "too-often": "Schedules have to be at least 15 minutes apart.",
  uneven: "I can ask every 15, 20 or 30 minutes, or every 1, 2, 3, 4, 6, 8 or 12 hours.",
} as const;

/** "every Monday at 9:00", "every 2 hours". */
export function recurrenceText(recurrence: Recurrence): string {
  switch (recurrence.kind) {
    case "weekdays":
      return `every ${daysText(recurrence.days)} at ${clockText(recurrence)}`;
    case "month-day":
      return `on the ${ordinal(recurrence.day)} of each month${recurrence.day > 28 ? " that has one" : ""} at ${clockText(recurrence)}`;
    case "hours":
    case "minutes": {
      const unit = recurrence.kind === "hours" ? "hour" : "minute";
      return recurrence.every === 1 ? `every ${unit}` : `every ${countText(recurrence.every, unit)}`;
    }
    default:
      return recurrence satisfies never;
  }
}

function daysText(days: readonly number[]): string {
  if (days.length === 7) return "day";
  if (days.length === 5 && days.every((day) => day >= 1 && day <= 5)) return "weekday";
  const names = days
    .toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7))
    .map((day) => weekdayNames[day] ?? "");
  return names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function clockText({ hour, minute }: Clock): string {
  return `${hour}:${String(minute).padStart(2, "0")}`;
}

function ordinal(day: number): string {
  const ending = day >= 11 && day <= 13 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}

/** "Mon 23 Nov, 9:00", in that time zone. */
export function dueText(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...({ weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" } as const),
    hourCycle: "h23",
  }).formatToParts(new Date(ms));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("weekday")} ${part("day")} ${part("month")}, ${Number(part("hour"))}:${part("minute")}`;
}
