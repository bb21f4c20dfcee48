/**
 * What is counted of Turns, and how the counters are named. Pure. Within a UTC day they count by quarter of an hour, so
 * that the day of any time zone is a sum of quarters.
 */
import type { FigureSums } from "../../ports/overview/figures.ts";
import { bucketOf, quantileOf } from "./durations.ts";

const dayMs = 86_400_000;
const quarterMs = 900_000;

/** What one Turn adds. */
export type Share = {
  readonly questions: 0 | 1;
  readonly withSource: 0 | 1;
  readonly up: number;
  readonly down: number;
  /** Of a failure. */
  readonly code?: string;
  /** Of an answer. */
  readonly durationMs?: number;
};

export type Counter = { readonly name: string; readonly by: number };

/** Of its UTC day. */
export function quarterOf(ms: number): number {
  return Math.floor((ms % dayMs) / quarterMs);
}

/** Durations are counted by hour, which is close enough for them. */
export function countersOf(quarter: number, { questions, withSource, up, down, code, durationMs }: Share): Counter[] {
  const hour = quarter - (quarter % 4);
  return [
    { name: `${quarter}/q`, by: questions },
    { name: `${quarter}/s`, by: withSource },
    { name: `${quarter}/u`, by: up },
    { name: `${quarter}/d`, by: down },
    { name: `${quarter}/v`, by: up + down > 0 ? 1 : 0 },
    ...(code === undefined ? [] : [{ name: `${quarter}/f/${code}`, by: questions }]),
    ...(durationMs === undefined ? [] : [{ name: `${hour}/t/${bucketOf(durationMs)}`, by: questions }]),
  ].filter(({ by }) => by !== 0);
}

/** Counters of some time, added up. */
export type Added = {
  readonly numbers: Record<"q" | "s" | "u" | "d" | "v", number>;
  readonly failures: Map<string, number>;
  readonly durations: Map<number, number>;
};

export function nothingAdded(): Added {
  return { numbers: { q: 0, s: 0, u: 0, d: 0, v: 0 }, failures: new Map(), durations: new Map() };
}

/** `what`: a counter's name without its quarter, such as "q" and "f/stream_cut". Unknown ones are skipped. */
export function add(to: Added, what: string, count: number): void {
  const rest = what.slice(2);
  if (what.startsWith("t/")) to.durations.set(Number(rest), (to.durations.get(Number(rest)) ?? 0) + count);
  else if (what.startsWith("f/")) to.failures.set(rest, (to.failures.get(rest) ?? 0) + count);
  else if (what === "q" || what === "s" || what === "u" || what === "d" || what === "v") to.numbers[what] += count;
}

export function sumsOf({ numbers: { q, s, u, d, v }, failures, durations }: Added): FigureSums {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const sums = { questions: q, withSource: s, failed, up: u, down: d, voted: v };
  const medianMs = quantileOf(durations, 0.5);
  const p95Ms = quantileOf(durations, 0.95);
  return medianMs === undefined || p95Ms === undefined ? sums : { ...sums, medianMs, p95Ms };
}
