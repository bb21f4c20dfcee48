/** Summaries of the signals of a gap. */
import type { Signal } from "./insight.ts";

function countSignal(signals: readonly Signal[], wanted: Signal): number {
  return signals.filter((signal) => signal === wanted).length;
}

export function mostFrequentSignal(signals: readonly Signal[]): Signal | undefined {
  const kinds = [...new Set(signals)];
  return kinds.sort((one, other) => countSignal(signals, other) - countSignal(signals, one))[0];
}
