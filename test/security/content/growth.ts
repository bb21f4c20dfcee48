/**
 * Measures how the work of a parser grows with its text: one text of ten times the length against ten texts. What is linear
 * takes as long for both, what is squared ten times as long for the one. In processor time of this thread, which other
 * programs don't change, and only where the text takes long enough to be measured at all.
 */
import type { OutsideParser } from "./outside-parsers.ts";

export const times = 10;
/** Of the shorter text. */
export const chars = 2_000;
/** Nothing that grows too fast takes less for the long text: 20,000 steps each over 20,000 characters take 40 ms and more. */
const quickMs = 4;
/** Some systems count processor time in steps of 4 to 10 ms. */
const measuredMs = 40;
const mostTries = 6;

export type Growth = {
  /** How many times as long ten times the text takes; 10 is linear. Undefined: too quick to say. */
  readonly ratio: number | undefined;
  /** Of the long text. */
  readonly ms: number;
};

/** The least of several tries each: a compilation, or a collection of garbage, falls into some of them. */
export async function growthOf(parse: OutsideParser, piece: string, most: number): Promise<Growth> {
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < mostTries && ms > quickMs; run += 1) {
    const text = textOf(piece, chars * times, run);
    const began = performance.now();
    await parse(text);
    ms = Math.min(ms, performance.now() - began);
  }
  if (ms <= quickMs) return { ratio: undefined, ms };
  const rounds = Math.ceil(measuredMs / ms);
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    small = Math.min(small, await usedFor(parse, piece, chars, rounds * times));
    large = Math.min(large, await usedFor(parse, piece, chars * times, rounds));
    if (times * large <= most * small) break;
  }
  return { ratio: (times * large) / small, ms: large / rounds };
}

async function usedFor(parse: OutsideParser, piece: string, length: number, count: number): Promise<number> {
  const texts = Array.from({ length: count }, (_, number) => textOf(piece, length, number));
  const before = process.threadCpuUsage();
  for (const text of texts) await parse(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** In one piece of memory, as text that arrives is; each a different one, so that nothing is remembered. */
function textOf(piece: string, length: number, number: number): string {
  const pieces = piece.repeat(Math.ceil(length / piece.length));
  return Buffer.from(`${pieces}${number}`, "utf16le").toString("utf16le");
}
