/**
 * Measures how the work of a parser grows with its text: one text of ten times the length against ten texts. What is linear
 * takes as long for both, what is squared ten times as long for the one. In processor time of this thread, which other
 * programs hardly change; and only for the pieces that take longest, because what grows too fast is among them.
 */
import type { OutsideParser } from "./outside-parsers.ts";

const times = 10;
/** Of the long text. Some parsers read no more than 10,000 characters, and show only there how they grow. */
const sizes = [20_000, 100_000] as const;
/** For each character of the long text. What is squared takes longer: 20,000 steps over 20,000 characters take 40 ms. */
const quickMs = 4 / 20_000;
const measured = 3;
/** Of the slowest pieces of the first size, for the second. */
const kept = 15;
/** Some systems count processor time in steps of 4 to 10 ms. */
const [shortMs, longMs] = [40, 400];
const mostTries = 6;

export type Growth = {
  readonly piece: string;
  /** How many times as long ten times the text takes; 10 is linear. */
  readonly ratio: number;
  /** Of the long text. */
  readonly ms: number;
};

/**
 * Of the pieces that take longest, how the parser grows with each. Stops trying when it finds no more than `most`: what other
 * programs do to the caches makes a single try wrong. Empty where nothing takes long enough to be measured.
 */
export async function growthOf(parse: OutsideParser, pieces: readonly string[], most: number): Promise<Growth[]> {
  const found: Growth[] = [];
  let left = pieces;
  for (const size of sizes) {
    const timed: { readonly piece: string; readonly ms: number }[] = [];
    for (const piece of left) timed.push({ piece, ms: await quickest(parse, piece, size) });
    timed.sort((one, other) => other.ms - one.ms);
    for (const { piece, ms } of timed.slice(0, measured)) {
      if (ms <= quickMs * size) break;
      found.push({ piece, ms, ratio: await ratioOf(parse, piece, { size, ms, most }) });
    }
    left = timed.slice(0, kept).map(({ piece }) => piece);
  }
  return found;
}

/** Of a few runs, unless the first is quick enough. */
async function quickest(parse: OutsideParser, piece: string, size: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && ms > quickMs * size; run += 1) {
    ms = Math.min(ms, await usedFor(parse, [textOf(piece, size, run)]));
  }
  return ms;
}

async function ratioOf(
  parse: OutsideParser,
  piece: string,
  { size, ms, most }: { readonly size: number; readonly ms: number; readonly most: number },
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < mostTries && least > most; attempt += 1) {
    const rounds = Math.ceil(Math.min(shortMs * 2 ** attempt, longMs) / ms);
    const small = await usedFor(parse, textsOf(piece, size / times, rounds * times));
    const large = await usedFor(parse, textsOf(piece, size, rounds));
    // What was slow once and is quick now only met another program.
    if (large <= quickMs * size * rounds) return times;
    least = Math.min(least, (times * large) / small);
  }
  return least;
}

async function usedFor(parse: OutsideParser, texts: readonly string[]): Promise<number> {
  const before = process.threadCpuUsage();
  for (const text of texts) await parse(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function textsOf(piece: string, length: number, count: number): string[] {
  return Array.from({ length: count }, (_, number) => textOf(piece, length, number));
}

/** In one piece of memory, as text that arrives is; each a different one, so that nothing is remembered. */
function textOf(piece: string, length: number, number: number): string {
  const pieces = piece.repeat(Math.ceil(length / piece.length));
  return Buffer.from(`${pieces}${number}`, "utf16le").toString("utf16le");
}
