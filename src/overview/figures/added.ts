/** Adds up counters of some time, and says what they mean. Pure. */
import type { FigureSums } from "../../core/overview/figures.ts";
import { quantileOf } from "../../insight/counts/durations.ts";
import type { Counters } from "../../insight/counts/share.ts";

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

export function sumsOf({ numbers: { q, s, u, d, v }, failures, durations }: Added): FigureSums {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const sums = { questions: q, withSource: s, failed, up: u, down: d, voted: v };
  const medianMs = quantileOf(durations, 0.5);
  const p95Ms = quantileOf(durations, 0.95);
  return medianMs === undefined || p95Ms === undefined ? sums : { ...sums, medianMs, p95Ms };
}
