/** Puts figures together in the reader's time zone. Pure. */
import { midnight } from "../../core/model/midnight.ts";
import type { DayFigures, FigureDays, FigureSums } from "../../core/overview/figures.ts";
import { type Added, nothingAdded, sumsOf } from "./added.ts";

const dayMs = 86_400_000;

/** Midnights in the reader's time zone. The last day is the one of `nowMs`. */
export type Period = { readonly fromMs: number; readonly untilMs: number; readonly starts: readonly number[] };

/** `back`: how many periods before. */
export function periodOf(days: FigureDays, nowMs: number, timeZone: string, back = 0): Period {
  const starts = Array.from({ length: days }, (_, at) => midnight(nowMs, at + 1 - days * (back + 1), timeZone));
  const [fromMs = nowMs] = starts;
  return { fromMs, untilMs: midnight(nowMs, 1 - days * back, timeZone), starts };
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
    for (const [code, count] of failures) sum.failures.set(code, (sum.failures.get(code) ?? 0) + count);
    for (const [bucket, count] of durations) sum.durations.set(bucket, (sum.durations.get(bucket) ?? 0) + count);
  }
  return sum;
}

export function withoutTimes({ questions, withSource, failed }: FigureSums) {
  return { questions, withSource, failed };
}
