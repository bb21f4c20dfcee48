/** Repeatable randomness: the same seed gives the same choices in the order they are requested. */
export type Chance = {
  /** 0 inclusive to 1 exclusive. */
  readonly next: () => number;
  readonly between: (from: number, to: number) => number;
  readonly happens: (probability: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** The same for a list that may be empty. */
  readonly any: <T>(list: readonly T[]) => T | undefined;
};

/** Mulberry32: 32 bits of state are plenty here. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    happens: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    any: (list) => list[Math.floor(next() * list.length)],
  };
}
