/**
 * Vectors as they are stored: each number in one byte, a quarter of the size. The signs alone, one bit each, are small
 * enough to compare a question with every passage in memory; the bytes then rank the best of them.
 */

/** The largest number becomes 127: cosines don't depend on the length. */
export function toBytes(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)));
}

export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** 32 signs in each number. */
export function toSigns(bytes: Int8Array): Uint32Array {
  const signs = new Uint32Array(wordsFor(bytes.length));
  for (let at = 0; at < bytes.length; at += 1) {
    const word = at >>> 5;
    if ((bytes[at] ?? 0) > 0) signs[word] = (signs[word] ?? 0) | (1 << (at & 31));
  }
  return signs;
}

export function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** 1: the same direction. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const one = a[at] ?? 0;
    const other = b[at] ?? 0;
    product += one * other;
    squaresA += one * one;
    squaresB += other * other;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : product / Math.sqrt(squaresA * squaresB);
}
