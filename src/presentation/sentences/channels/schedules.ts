/** What Parley says about schedules, and their times in words. */
import type { Inline } from "../../../ports/document.ts";
import { bold, code, say } from "../../drawing/inline.ts";
import { countText } from "../quantities.ts";

const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

type Clock = { readonly hour: number; readonly minute: number };
type Recurrence =
  | ({ readonly kind: "weekdays"; readonly days: readonly number[] } & Clock)
  | ({ readonly kind: "month-day"; readonly day: number } & Clock)
  | { readonly kind: "hours" | "minutes"; readonly every: number };

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

export const scheduleSentences = {
  confirm: (time: string, timeZone: string): Inline => say`Ask ${bold(time)} (${timeZone})?`,
  question: (question: string): Inline => say`${bold(question)}`,
  howAnswered: "I'll post each answer in this channel, with your access at that time.",
  howAnsweredDirectly: "I'll send you each answer here.",
  onlyIfChanged: "Only if the answer has changed.",
  created: (time: string, timeZone: string, next: string): Inline =>
    say`I'll ask ${bold(time)} (${timeZone}). Next: ${next}.`,
  manage: "See your schedules with /schedule list.",
  known: "This schedule was already set up.",
  tooMany: (most: number): string => `You have ${most} schedules, and that's the most I take. Delete one first.`,
  tooOften: "Schedules have to be at least 15 minutes apart.",
  uneven: "I can ask every 15, 20 or 30 minutes, or every 1, 2, 3, 4, 6, 8 or 12 hours.",
  offerAsIs: "Or ask it as you typed it.",
  notYours: "Only the person who asked can confirm this.",
  expired: "This waited for more than a day. Ask it again.",
  agentIsPrivate: (agent: string): Inline =>
    say`${bold(agent)} answers you only in private here. Set this up in a direct message with me.`,
  list: (count: number): string => countText(count, "schedule"),
  none: "You have no schedules. End a question with when: /ask how many orders came in? every monday 9:00",
  more: (count: number): string => `And ${count} more.`,
  next: (due: string, timeZone: string): string => `next ${due} (${timeZone})`,
  paused: "paused",
  digest: "Digest",
  by: (name: string): string => `by ${name}`,
  noSuch: (given: string): Inline => say`There's no schedule ${code(given)} of yours. See /schedule list.`,
  gone: "This schedule doesn't exist any longer.",
  others: "It's someone else's schedule, so a manager has to do this.",
  isPaused: (next: string): string =>
    `Paused. If a time passes meanwhile, I'll ask once after you resume it (${next}).`,
  isResumed: (due: string, timeZone: string): string => `Resumed. Next: ${due} (${timeZone}).`,
  isResumedLate: "Resumed. A time passed meanwhile, so I'll ask within a minute.",
  isRefused: "Its owner can't ask that there now, or I couldn't find out.",
  ifChanged: "only if it changed",
  isDeleted: "The schedule is deleted.",
  isRunning: "Asked. The answer will be in the channel.",
  isRunningIfChanged: "Asked. If the answer has changed, it will be in the channel.",
  isPosted: "Done. If anyone asked something there in the last seven days, the digest is in the channel.",
  /** To the owner, directly. */
  ended: (question: string): Inline => say`I deleted your schedule ${bold(question)}.`,
  endedBecause: "You can't ask that there now. If that's a mistake, a manager can help, and you can set it up again.",
  confirmLabel: "Confirm",
  askNowLabel: "Ask now instead",
  runLabel: "Run now",
  pauseLabel: "Pause",
  resumeLabel: "Resume",
  deleteLabel: "Delete",
} as const;
