/** Options of an LRUCache: expiry by Parley's clock, and a size that reserves no memory. */
import type { Clock } from "../ports/clock.ts";

/** With a `ttlResolution` the cache keeps the time for a real millisecond, in which a test moves its clock. */
export const byClock = (clock: Pick<Clock, "now">) => ({ perf: clock, ttlResolution: 0 });

/** At most so many entries. With `max` a cache takes the memory of all of them at once, which adds up in many caches. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
