/** Coordinator on Redis, for many instances. Any may die at any moment: its leases expire, its waits leave. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Coordinator } from "../../core/ports/state.ts";
import { spareGroup } from "../memory/queues.ts";
import { createTopics } from "../memory/topics.ts";
import { createRedisBuckets } from "./bucket.ts";
import type { RedisConnection } from "./connection.ts";
import { createRedisQueue, type RedisQueue } from "./queue/queue.ts";
import type { QueueOptions, QueueTimes } from "./queue/queue-options.ts";
import { createRedisRenewals } from "./queue/renewals.ts";
import { fenceKey, queueKeyPrefix, queueScript } from "./queue/script.ts";

const defaultTimes: QueueTimes = { leaseMs: 15_000, renewEveryMs: 5_000, retryMs: 1_000, unattendedMs: 30_000 };

/** Messages between instances, all on one channel. */
const broadcastSchema = z.union([
  /** The queue that changed, and the instances that were granted something there. */
  z.tuple([z.literal("queue"), z.string(), z.array(z.string())]),
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
  let tickets = 0;
  const queues = new Map<string, RedisQueue>();
  const topics = createTopics(log);
  const buckets = createRedisBuckets(connection, clock);
  const renewals = createRedisRenewals({ times, clock, evaluate: connection.evaluate });

  const shared = {
    owner,
    nextId: () => {
      tickets += 1;
      return `${owner}/${tickets}`;
    },
    times,
    clock,
    evaluate: (key: string, request: string) => connection.evaluate(queueScript, [key, fenceKey], [request]),
    renew: renewals.renew,
    onIdle: (key: string) => queues.delete(key),
  };
  const kinds: Readonly<Record<"lane" | "permit" | "lease", QueueOptions>> = {
    lane: { ...shared, keepsPlace: true, isCounted: false },
    permit: { ...shared, keepsPlace: false, isCounted: true },
    lease: { ...shared, keepsPlace: false, isCounted: false },
  };

  function queue(kind: keyof typeof kinds, name: string): RedisQueue {
    const key = `${queueKeyPrefix}${kind}:${name}`;
    const known = queues.get(key);
    if (known !== undefined) return known;
    const created = createRedisQueue(key, kinds[kind]);
    queues.set(key, created);
    return created;
  }

  function receive(text: string): void {
    let parsed: z.infer<typeof broadcastSchema>;
    try {
      parsed = broadcastSchema.parse(JSON.parse(text));
    } catch (thrown) {
      log.warn({ err: thrown }, "Ignored an unreadable message of another instance");
      return;
    }
    if (parsed[0] === "queue") {
      const changed = queues.get(parsed[1]);
      if (parsed[2].includes(owner)) changed?.poke();
      else changed?.moved();
    } else if (parsed[3] !== owner) topics.deliver(parsed[1], parsed[2]);
  }

  const stopListening = connection.onMessage(receive);
  const stopWatching = connection.onReady(() => {
    for (const waiting of [...queues.values()]) waiting.poke();
  });

  return {
    lanes: {
      enqueue: (lane, entry, order) => queue("lane", lane).enqueue({ entry, order }),
      acquire: (lane, entry, order, wait) => queue("lane", lane).acquire({ entry, order, group: "" }, 1, wait),
      remove: (lane, entry) => queue("lane", lane).remove(entry),
    },
    permit: (key, n, workspace, wait) => {
      const group = wait?.isSpare === true ? spareGroup : workspace;
      return queue("permit", key).acquire({ entry: "", order: "", group }, n, wait);
    },
    lease: (key, wait) => queue("lease", key).acquire({ entry: "", order: "", group: "" }, 1, wait),
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
      stopWatching();
      topics.clear();
      buckets.close();
      const closed = [...queues.values()].map((open) => open.close());
      renewals.flush();
      await Promise.all(closed);
      queues.clear();
    },
  };
}
