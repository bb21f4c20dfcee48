/** Limits the size of a Map or Set: the entries inserted first are deleted. */
export function keepNewest<K>(known: Map<K, unknown> | Set<K>, max: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= max) return;
    known.delete(oldest);
  }
}
