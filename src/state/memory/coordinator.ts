/**
 * Coordinator in memory, for a single process. It may be lost with the process, because Turns are stored.
 * Fences must still grow across restarts, because stored records remember the highest one they saw.
 */
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { overQueues } from "../queues/queues.ts";
import { createMemoryBuckets } from "./buckets.ts";
import { createMemoryQueues } from "./queues.ts";
import { createTopics } from "./topics.ts";

export type MemoryCoordinatorOptions = {
  readonly clock: Clock;
  /** Above every fence ever issued for the same records. Default: the time in ms. */
  readonly firstFence?: number;
  /** Logs listeners that throw. */
  readonly log?: Log;
};

export function createMemoryCoordinator(options: MemoryCoordinatorOptions): Coordinator {
  const { clock, log } = options;
  let fence = options.firstFence ?? clock.now();
  const nextFence = () => {
    fence += 1;
    return fence;
  };

  const queues = createMemoryQueues(clock, nextFence);
  const buckets = createMemoryBuckets(clock);
  const topics = createTopics(log);

  return {
    ...overQueues(queues),
    takeToken: buckets.takeToken,
    returnToken: buckets.returnToken,
    penalise: buckets.penalise,

    publish: async (topic, message) => topics.deliver(topic, message),
    subscribe: topics.subscribe,

    close: async () => {
      queues.close();
      buckets.close();
      topics.clear();
    },
  };
}
