/** Remembers for some seconds what several people look at, so that it is read once for all of them. */
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/ports/clock.ts";
import { byClock } from "../core/tools/cache-time.ts";

const maxRemembered = 50;

/** One key is always read by the same function. What rejects is read again the next time. */
export type Remember = <T>(key: string, forMs: number, read: () => Promise<T>) => Promise<T>;

export function createRemember(clock: Pick<Clock, "now">): Remember {
  const known = new LRUCache<string, Promise<unknown>>({ max: maxRemembered, ...byClock(clock) });
  return <T>(key: string, forMs: number, read: () => Promise<T>) => {
    const before = known.get(key) as Promise<T> | undefined;
    if (before !== undefined) return before;
    const reading = read();
    known.set(key, reading, { ttl: forMs });
    reading.catch(() => {
      if (known.peek(key) === reading) known.delete(key);
    });
    return reading;
  };
}
