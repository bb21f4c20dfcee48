/** Random numbers that repeat for a seed (mulberry32). */

export type Random = {
  /** From 0 up to 1. */
  readonly next: () => number;
  /** A whole number from `least` to `most`. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** By the weight of each. */
  readonly weighted: <T extends { readonly weight: number }>(from: readonly T[]) => T;
  /** Around a middle value, never below a tenth of it: most are near, a few are several times as large. */
  readonly spread: (middle: number) => number;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function pick<T>(from: readonly T[]): T {
    const found = from[Math.floor(next() * from.length)];
    if (found === undefined) throw new Error("There is nothing to pick from.");
    return found;
  }
  return {
    next,
    pick,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    weighted: (from) => {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0);
      for (const one of from) {
        left -= one.weight;
        if (left <= 0) return one;
      }
      return pick(from);
    },
    spread: (middle) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return Math.max(middle / 10, middle * Math.exp(0.55 * normal));
    },
  };
}
