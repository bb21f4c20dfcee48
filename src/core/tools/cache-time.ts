/** Options of an LRUCache that expires by Parley's clock. */
import type { Clock } from "../ports/clock.ts";

/** With a `ttlResolution` the cache keeps the time for a real millisecond, in which a test moves its clock. */
export const byClock = (clock: Pick<Clock, "now">) => ({ perf: clock, ttlResolution: 0 });
