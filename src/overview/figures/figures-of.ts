/** Puts figures together from the counters of some UTC days, in the reader's time zone. Pure. */
import { midnight } from "../../core/model/midnight.ts";
import type { DayFigures, FigureDays, FigureSums } from "../../core/overview/figures.ts";
import { type Added, add, dayMs, dayOf, nothingAdded, quarterMs, sumsOf } from "./slots.ts";

export type Counters = ReadonlyMap<string, number>;

/** Midnights in the reader's time zone. The last day is the one of `nowMs`. */
export type Period = { readonly fromMs: number; readonly untilMs: number; readonly starts: readonly number[] };

/** `back`: how many periods before. */
export function periodOf(days: FigureDays, nowMs: number, timeZone: string, back = 0): Period {
  const starts = Array.from({ length: days }, (_, at) => midnight(nowMs, at + 1 - days * (back + 1), timeZone));
  const [fromMs = nowMs] = starts;
  return { fromMs, untilMs: midnight(nowMs, 1 - days * back, timeZone), starts };
}

/** UTC days that have a part in the period. */
export function daysIn({ fromMs, untilMs }: Pick<Period, "fromMs" | "untilMs">): readonly number[] {
  const first = dayOf(fromMs);
  return Array.from({ length: dayOf(untilMs - 1) - first + 1 }, (_, at) => first + at);
}

/** Adds up the counters of a UTC day, each to the day of the period that `of` finds for its moment. */
export function addUp(day: number, counters: Counters, of: (ms: number) => Added | undefined): void {
  for (const [counter, count] of counters) {
    const space = counter.indexOf(" ");
    const to = of(day * dayMs + Number(counter.slice(0, space)) * quarterMs);
    if (to !== undefined) add(to, counter.slice(space + 1), count);
  }
}

/** Finds the last start that isn't after a moment. */
export function slotFinder(period: Period, slots: readonly Added[]): (ms: number) => Added | undefined {
  const { fromMs, untilMs, starts } = period;
  return (ms) => {
    if (ms < fromMs || ms >= untilMs) return undefined;
    // A guess, which a change of the clocks makes wrong by one at most.
    let at = Math.min(starts.length - 1, Math.floor((ms - fromMs) / dayMs));
    if ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= ms) at += 1;
    else if ((starts[at] ?? 0) > ms) at -= 1;
    return slots[at];
  };
}

export function dayFigures(fromMs: number, timeZone: string, added: Added): DayFigures {
  const date = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(fromMs);
  return { date, fromMs, ...sumsOf(added) };
}

export function merged(all: readonly Added[]): Added {
  const sum = nothingAdded();
  for (const { numbers, failures, durations } of all) {
    for (const name of ["q", "s", "u", "d", "v"] as const) sum.numbers[name] += numbers[name];
    for (const [code, count] of failures) add(sum, `f/${code}`, count);
    for (const [bucket, count] of durations) add(sum, `t/${bucket}`, count);
  }
  return sum;
}

export function withoutTimes({ questions, withSource, failed }: FigureSums) {
  return { questions, withSource, failed };
}
