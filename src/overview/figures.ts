/** Adds up counters by day in the reader's time zone, and says what they mean. Pure. */
import { midnight } from "../core/model/midnight.ts";
import { quantileOf } from "../insight/counts/durations.ts";
import type { Counters } from "../insight/counts/share.ts";

const dayMs = 86_400_000;

/** Of questions that were answered or failed. Votes count on the day of their question. */
export type FigureSums = {
  readonly questions: number;
  /** Answered from a source or from rows. */
  readonly withSource: number;
  readonly failed: number;
  /** Votes. */
  readonly up: number;
  readonly down: number;
  /** Answers that have a vote. */
  readonly voted: number;
  /** From the question to its answer, within 10 %. Absent: nothing was answered. */
  readonly medianMs?: number;
  readonly p95Ms?: number;
};

/** Of one day in the reader's time zone. */
export type DayFigures = FigureSums & {
  /** "2026-11-23". */
  readonly date: string;
  readonly fromMs: number;
};

type Name = "q" | "s" | "u" | "d" | "v";

/** Counters of some time, added up. */
export type Added = {
  readonly numbers: Record<Name, number>;
  readonly failures: Map<string, number>;
  readonly durations: Map<number, number>;
};

export function nothingAdded(): Added {
  return { numbers: { q: 0, s: 0, u: 0, d: 0, v: 0 }, failures: new Map(), durations: new Map() };
}

/** Names that it doesn't know are skipped. */
export function add(to: Added, counters: Counters): void {
  for (const [name, count] of Object.entries(counters)) {
    const rest = name.slice(2);
    if (name.startsWith("t/")) to.durations.set(Number(rest), (to.durations.get(Number(rest)) ?? 0) + count);
    else if (name.startsWith("f/")) to.failures.set(rest, (to.failures.get(rest) ?? 0) + count);
    else if (name === "q" || name === "s" || name === "u" || name === "d" || name === "v") to.numbers[name] += count;
  }
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

export function sumsOf({ numbers: { q, s, u, d, v }, failures, durations }: Added): FigureSums {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const sums = { questions: q, withSource: s, failed, up: u, down: d, voted: v };
  const medianMs = quantileOf(durations, 0.5);
  const p95Ms = quantileOf(durations, 0.95);
  return medianMs === undefined || p95Ms === undefined ? sums : { ...sums, medianMs, p95Ms };
}

export function dayFigures(fromMs: number, timeZone: string, added: Added): DayFigures {
  const date = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(fromMs);
  return { date, fromMs, ...sumsOf(added) };
}

/** Midnights in the reader's time zone. The last day is the one of `nowMs`. */
export type Period = { readonly fromMs: number; readonly untilMs: number; readonly starts: readonly number[] };

/** `back`: how many periods before. */
export function periodOf(days: number, nowMs: number, timeZone: string, back = 0): Period {
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
