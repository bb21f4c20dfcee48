/** Finds the passages whose signs differ least from a question's: all in memory, 128 bytes for a thousand numbers. */
import { countBits, wordsFor } from "./vectors.ts";

export type SignIndex = ReturnType<typeof createSignIndex>;

const firstCapacity = 1_024;
/** In the place of its knowledge base. */
const dropped = -1;

export function createSignIndex(dimensions: number) {
  const words = wordsFor(dimensions);
  let count = 0;
  let droppedCount = 0;
  let passages = new Float64Array(firstCapacity);
  let bases = new Int32Array(firstCapacity);
  let signs = new Uint32Array(firstCapacity * words);

  function grow(): void {
    const capacity = passages.length * 2;
    const [oldPassages, oldBases, oldSigns] = [passages, bases, signs];
    passages = new Float64Array(capacity);
    bases = new Int32Array(capacity);
    signs = new Uint32Array(capacity * words);
    passages.set(oldPassages);
    bases.set(oldBases);
    signs.set(oldSigns);
  }

  /** Closes the gaps that dropped passages left. */
  function close(): void {
    let to = 0;
    for (let at = 0; at < count; at += 1) {
      if (bases[at] === dropped) continue;
      passages[to] = passages[at] ?? 0;
      bases[to] = bases[at] ?? 0;
      signs.copyWithin(to * words, at * words, (at + 1) * words);
      to += 1;
    }
    count = to;
    droppedCount = 0;
  }

  /** Passages are in the order of their ids. */
  function placeOf(passage: number): number | undefined {
    let from = 0;
    let to = count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((passages[middle] ?? 0) < passage) from = middle + 1;
      else to = middle;
    }
    return passages[from] === passage && from < count ? from : undefined;
  }

  return {
    dimensions,
    /** Its id is greater than those of all passages before. */
    add: (passage: number, base: number, its: Uint32Array): void => {
      if (count === passages.length && droppedCount > count / 4) close();
      if (count === passages.length) grow();
      passages[count] = passage;
      bases[count] = base;
      signs.set(its, count * words);
      count += 1;
    },
    drop: (passage: number): void => {
      const at = placeOf(passage);
      if (at === undefined || bases[at] === dropped) return;
      bases[at] = dropped;
      droppedCount += 1;
    },
    /** How many passages it has room for. */
    capacity: (): number => passages.length,
    /** Ids of the passages of one knowledge base, nearest first. */
    nearest: (base: number, wanted: Uint32Array, limit: number): readonly number[] => {
      // Counted by distance, as a distance is a small whole number.
      const distances = new Int32Array(count).fill(-1);
      const having = new Int32Array(dimensions + 1);
      for (let at = 0; at < count; at += 1) {
        if (bases[at] !== base) continue;
        let distance = 0;
        for (let word = 0, from = at * words; word < words; word += 1) {
          distance += countBits((signs[from + word] ?? 0) ^ (wanted[word] ?? 0));
        }
        distances[at] = distance;
        having[distance] = (having[distance] ?? 0) + 1;
      }
      let most = 0;
      let nearer = 0;
      for (; most < dimensions && nearer + (having[most] ?? 0) < limit; most += 1) nearer += having[most] ?? 0;
      // Of those equally far, as many as there is room for.
      let room = limit - nearer;
      const found: { readonly passage: number; readonly distance: number }[] = [];
      for (let at = 0; at < count; at += 1) {
        const distance = distances[at] ?? -1;
        if (distance < 0 || distance > most || (distance === most && room === 0)) continue;
        if (distance === most) room -= 1;
        found.push({ passage: passages[at] ?? 0, distance });
      }
      return found
        .sort((a, b) => a.distance - b.distance)
        .slice(0, limit)
        .map(({ passage }) => passage);
    },
  };
}
