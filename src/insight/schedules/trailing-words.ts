/**
 * Reads a schedule from the last words of a question: "… every monday 9:00", "… every weekday only if it changed".
 * English only. Pure. What it can't read, or a question that would be incomplete without those words, is no schedule:
 * it is asked as it was typed.
 */
import { wordsOf } from "../../core/languages/languages.ts";
import { trimEnd } from "../../core/tools/trim-end.ts";
import { everyDay, type Recurrence, type Weekday, workdays } from "./recurrence.ts";

export type ScheduledQuestion = {
  readonly question: string;
  readonly recurrence: Recurrence;
  readonly onlyIfChanged?: true;
};

const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const oneDay = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?";
const days = `${oneDay}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)${oneDay})*`;
const clockTime = "\\d{1,2}(?:[:.]\\d{2})?\\s*(?:[ap]\\.?m\\.?)?|noon|midnight";
const unless =
  "(?:,?\\s*(?:and|but)?\\s*only\\s+if\\s+(?:it|that|this|they|something|anything)(?:\\s+has|\\s+have|['’]s)?\\s+changed)";
const often =
  `(?:(?:work(?:ing)?\\s*|week)?day|morning|month|hour|minute|half\\s+(?:an\\s+)?hour|quarter\\s+(?:of\\s+an\\s+)?hour` +
  `|\\d{1,4}\\s*(?:minutes?|mins?|hours?|hrs?|h)|\\d{1,2}(?:st|nd|rd|th)(?:\\s+of\\s+the\\s+month)?|${days})`;

const trailing = new RegExp(
  `^(.*\\S)\\s+every\\s+(${often})(?:(?:\\s*,)?\\s+(?:at\\s+)?(${clockTime}))?(${unless})?\\s*[.?!]*$`,
  "is",
);

const alone = new RegExp(`^every\\s+(${often})(?:(?:\\s*,)?\\s+(?:at\\s+)?(${clockTime}))?[.!]?$`, "is");

/** Longer words are no time, and would take long to read. */
const maxTailChars = 300;
/** What can stand between a question and its schedule. */
const beforeSchedule = " \u00a0\t\r\n,;:–—-";
const defaultHour = 9;
/** A question doesn't end with one of these. */
const unfinished = new Set(wordsOf("schedules", "unfinished"));
/** "How often …" asks for what would otherwise be read as the schedule. */
const asksHowOften = /\b(?:how\s+(?:often|frequently|regularly)|is\s+it\s+true|what\s+happens|what\s+runs)\b/i;

export function scheduledQuestion(text: string): ScheduledQuestion | undefined {
  const said = text.trim();
  const head = said.slice(0, -maxTailChars);
  const [, tail, often = "", time, unlessSame] = trailing.exec(said.slice(-maxTailChars)) ?? [];
  if (tail === undefined) return undefined;
  // "only if it changed" can also come before: "… only if it changed every day".
  const [, shorter, unlessBefore] = new RegExp(`^(.*\\S)(${unless})$`, "is").exec(tail) ?? [];
  const question = head + trimEnd(shorter ?? tail, beforeSchedule);
  if (!isComplete(question)) return undefined;
  const recurrence = recurrenceAt(often, time);
  if (recurrence === undefined) return undefined;
  const onlyIfChanged = unlessSame !== undefined || unlessBefore !== undefined;
  return { question, recurrence, ...(onlyIfChanged ? { onlyIfChanged } : {}) };
}

/** "every monday 9:00", with nothing else around it. */
export function recurrenceIn(text: string): Recurrence | undefined {
  const [, often, time] = alone.exec(text.trim().slice(0, maxTailChars)) ?? [];
  return often === undefined ? undefined : recurrenceAt(often, time);
}

function recurrenceAt(often: string, time: string | undefined): Recurrence | undefined {
  const at = time === undefined ? { hour: defaultHour, minute: 0 } : timeOf(time);
  if (at === undefined) return undefined;
  return recurrenceOf(often.toLowerCase().replace(/\s+/g, " "), at, time !== undefined);
}

const word = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;

/** Of a long question only the two words at its beginning and those at its end are read. */
function isComplete(question: string): boolean {
  const words = question.matchAll(word);
  const hasTwo = words.next().done !== true && words.next().done !== true;
  if (!hasTwo || asksHowOften.test(question)) return false;
  const last = question.slice(-maxTailChars).toLowerCase().match(word)?.at(-1) ?? "";
  return /[?.!]$/.test(question) || !unfinished.has(last);
}

/** "9:00", "2pm", "noon". Undefined: it can't be read. */
export function clockTimeOf(text: string): Time | undefined {
  return new RegExp(`^(?:${clockTime})$`, "i").test(text.trim()) ? timeOf(text) : undefined;
}

type Time = { readonly hour: number; readonly minute: number };

function timeOf(text: string): Time | undefined {
  // The dot of "9.30" stays, those of "9 a.m." go.
  const said = text.toLowerCase().replace(/\s|\.(?!\d)/g, "");
  if (said === "noon") return { hour: 12, minute: 0 };
  if (said === "midnight") return { hour: 0, minute: 0 };
  const [, hours = "", minutes = "0", half] = /^(\d{1,2})(?:[:.](\d{2}))?([ap]m)?$/.exec(said) ?? [];
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hours === "" || minute > 59) return undefined;
  if (half === undefined) return hour > 23 ? undefined : { hour, minute };
  if (hour < 1 || hour > 12) return undefined;
  return { hour: (hour % 12) + (half === "pm" ? 12 : 0), minute };
}

function recurrenceOf(often: string, time: Time, hasTime: boolean): Recurrence | undefined {
  const [, count, unit = ""] = /^(\d+) ?([mh])/.exec(often) ?? [];
  const [, date] = /^(\d+)(?:st|nd|rd|th)/.exec(often) ?? [];
  if (date !== undefined) {
    const day = Number(date);
    return day < 1 || day > 31 ? undefined : { kind: "month-day", day, ...time };
  }
  const interval = intervalOf(often, count, unit);
  // "every hour at 9" is neither.
  if (interval !== undefined) return hasTime ? undefined : interval;
  if (often === "month") return { kind: "month-day", day: 1, ...time };
  if (often === "day" || often === "morning") return { kind: "weekdays", days: everyDay, ...time };
  if (/^w(?:ee|or)k/.test(often)) return { kind: "weekdays", days: workdays, ...time };
  return { kind: "weekdays", days: daysOf(often), ...time };
}

function intervalOf(often: string, count: string | undefined, unit: string): Recurrence | undefined {
  if (count !== undefined) return { kind: unit === "m" ? "minutes" : "hours", every: Number(count) };
  if (often === "hour") return { kind: "hours", every: 1 };
  if (often === "minute") return { kind: "minutes", every: 1 };
  if (often.startsWith("half")) return { kind: "minutes", every: 30 };
  return often.startsWith("quarter") ? { kind: "minutes", every: 15 } : undefined;
}

function daysOf(text: string): readonly Weekday[] {
  const named = text.match(/[a-z]+/g) ?? [];
  const numbers = named.map((name) => weekdayNames.findIndex((day) => day.startsWith(name.slice(0, 3))));
  return everyDay.filter((day) => numbers.includes(day));
}
