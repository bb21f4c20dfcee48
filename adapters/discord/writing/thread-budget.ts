/**
 * Tells when a channel's threads are short. Discord allows 50 new ones in 5 minutes, and a mention can be answered as
 * quickly only in a thread; a command has its own reply. Counted in this process, since a guess is enough.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { maxNewThreads, newThreadsWindowMs } from "../limits.ts";

const maxRemembered = 1_000;
/** Commands leave the other half to mentions. */
const shareOfCommands = 0.5;

export function createThreadBudget(clock: Clock) {
  /** When threads were asked for, by channel. */
  const asked = new LRUCache<string, readonly number[]>({ max: maxRemembered });
  const short = new LRUCache<string, true>({ max: maxRemembered, ...byClock(clock) });
  const recent = (channel: string) =>
    (asked.get(channel) ?? []).filter((atMs) => atMs + newThreadsWindowMs > clock.now());

  return {
    isShort: (channel: string): boolean =>
      short.has(channel) || recent(channel).length >= maxNewThreads * shareOfCommands,
    /** A thread is about to be opened there. */
    note: (channel: string): void => {
      asked.set(channel, [...recent(channel), clock.now()]);
    },
    /** Discord opens none there for so long. */
    noteLimit: (channel: string, forMs: number): void => {
      short.set(channel, true, { ttl: forMs });
    },
  };
}
