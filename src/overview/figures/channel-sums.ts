/**
 * Adds up counters by channel and agent. Whole UTC days are read as such; only of a day that the period has a part of are
 * the quarters read, which are many. Pure.
 */
import { type Counters, daysIn, type Period } from "./figures-of.ts";
import { dayMs, quarterMs } from "./slots.ts";

export type ChannelSums = { questions: number; withSource: number; failed: number };

/** By channel and agent, as counters name them. */
export type ByChannel = Map<string, ChannelSums>;

/** The days whose quarters are needed, because the period begins or ends within them. */
export function partDays(period: Period): readonly number[] {
  const { fromMs, untilMs } = period;
  return daysIn(period).filter((day) => day * dayMs < fromMs || (day + 1) * dayMs > untilMs);
}

export function addChannels(to: ByChannel, counters: Counters): void {
  for (const [counter, count] of counters) addChannel(to, counter, count);
}

export function addQuarters(to: ByChannel, day: number, counters: Counters, { fromMs, untilMs }: Period): void {
  for (const [counter, count] of counters) {
    const space = counter.indexOf(" ");
    const ms = day * dayMs + Number(counter.slice(0, space)) * quarterMs;
    if (ms >= fromMs && ms < untilMs) addChannel(to, counter.slice(space + 1), count);
  }
}

/** "CHANNEL AGENT q". */
function addChannel(to: ByChannel, counter: string, count: number): void {
  const space = counter.lastIndexOf(" ");
  const where = counter.slice(0, space);
  const name = counter.slice(space + 1);
  const sums = to.get(where) ?? { questions: 0, withSource: 0, failed: 0 };
  if (name === "q") sums.questions += count;
  else if (name === "s") sums.withSource += count;
  else if (name === "f") sums.failed += count;
  to.set(where, sums);
}
