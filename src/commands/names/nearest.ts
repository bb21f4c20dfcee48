/** Finds the nearest name to what was typed, for "did you mean". */

/** More than any name has; for longer words, the difference in length decides. */
const maxCompared = 64;

/** Finds the nearest name to what was typed, for "did you mean". */

/** The first of the nearest candidates, at a distance of at most half the longer word. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(typed, name);
    if (distance <= allowedDistance(typed, name) && (best === undefined || distance < best.distance)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

export function allowedDistance(a: string, b: string): number {
  return Math.floor(Math.max(a.length, b.length) / 2);
}

/** Insertions, deletions, replacements and swaps of neighbours, each counting one. O(a·b), bounded by maxCompared. */
export function editDistance(a: string, b: string): number {
  const from = [...a.slice(0, maxCompared).toLowerCase()];
  const to = [...b.slice(0, maxCompared).toLowerCase()];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let distance = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        distance = Math.min(distance, at(beforeLast, j - 2) + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
