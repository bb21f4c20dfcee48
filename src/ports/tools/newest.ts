/** Bounds what is remembered of ever more things: the ones that were put there first go. */
export function keepNewest<K>(known: Map<K, unknown> | Set<K>, max: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= max) return;
    known.delete(oldest);
  }
}
