/** Limits the size of a Map or Set: the entries inserted first are deleted. */
export function keepNewest<K>(known: Map<K, unknown> | Set<K>, max: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= max) return;
    known.delete(oldest);
  }
}

/** Sets an entry as the newest one, and deletes the oldest beyond `max`. */
export function putNewest<K, V>(known: Map<K, V>, key: K, value: V, max: number): void {
  known.delete(key);
  known.set(key, value);
  keepNewest(known, max);
}
