/** Coordinator on Redis, for many instances. Any may die at any moment: its leases expire, its waits leave. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { createTopics } from "../memory/topics.ts";
import { overQueues } from "../queues/queues.ts";
import { createRedisBuckets } from "./bucket.ts";
import type { RedisConnection } from "./connection.ts";
import { createRedisQueues, type QueueTimes } from "./queues.ts";

const defaultTimes: QueueTimes = { leaseMs: 15_000, renewEveryMs: 5_000, retryMs: 1_000, unattendedMs: 30_000 };

/** Messages between instances, all on one channel. */
const broadcastSchema = z.union([
  /** The queue that changed, of which kind, by whom, and who was granted something there. */
  z.tuple([z.literal("queue"), z.enum(["lane", "permit", "lease"]), z.string(), z.string(), z.array(z.string())]),
  z.tuple([z.literal("topic"), z.string(), z.string(), z.string()]),
]);

export type RedisCoordinatorOptions = {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  readonly log: Log;
  /** Shorter in tests; the same on all instances. */
  readonly times?: QueueTimes;
};

export function createRedisCoordinator(options: RedisCoordinatorOptions): Coordinator {
  const { connection, clock, log, times = defaultTimes } = options;
  const owner = randomUUID();
  const queues = createRedisQueues(connection, clock, times);
  const topics = createTopics(log);
  const buckets = createRedisBuckets(connection, clock);

  function receive(text: string): void {
    let parsed: z.infer<typeof broadcastSchema>;
    try {
      parsed = broadcastSchema.parse(JSON.parse(text));
    } catch (thrown) {
      log.warn({ err: thrown }, "Ignored an unreadable message of another instance");
      return;
    }
    if (parsed[0] === "queue") queues.changed(parsed[1], parsed[2], parsed[3], parsed[4]);
    else if (parsed[3] !== owner) topics.deliver(parsed[1], parsed[2]);
  }

  const stopListening = connection.onMessage(receive);

  return {
    ...overQueues(queues),
    takeToken: buckets.takeToken,
    returnToken: buckets.returnToken,
    penalise: buckets.penalise,

    publish: async (topic, message) => {
      // Delivered here at once, even while Redis is down; to the other instances through Redis.
      topics.deliver(topic, message);
      await connection.broadcast(JSON.stringify(["topic", topic, message, owner]));
    },

    subscribe: topics.subscribe,

    close: async () => {
      stopListening();
      topics.clear();
      buckets.close();
      await queues.close();
    },
  };
}
