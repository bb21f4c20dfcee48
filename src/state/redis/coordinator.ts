/** Coordinator on Redis, for many instances. Any may die at any moment: its leases expire, its waits leave. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Coordinator } from "../../ports/state.ts";
import { spareGroup } from "../memory/permits.ts";
import { createTopics } from "../memory/topics.ts";
import { createRedisBuckets } from "./bucket.ts";
import type { RedisConnection } from "./connection.ts";
import { createRedisLine, type RedisLine } from "./line/line.ts";
import type { LineOptions, LineTimes } from "./line/line-options.ts";
import { createRedisRenewals } from "./line/renewals.ts";
import { fenceKey, lineKeyPrefix, lineScript } from "./line/script.ts";

const defaultTimes: LineTimes = { leaseMs: 15_000, renewEveryMs: 5_000, retryMs: 1_000, unattendedMs: 30_000 };

/** Messages between instances, all on one channel. */
const broadcastSchema = z.union([
  /** The line that changed, and the instances that were granted something there. */
  z.tuple([z.literal("line"), z.string(), z.array(z.string())]),
  z.tuple([z.literal("topic"), z.string(), z.string(), z.string()]),
]);

export type RedisCoordinatorOptions = {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  readonly log: Log;
  /** Shorter in tests; the same on all instances. */
  readonly times?: LineTimes;
};

export function createRedisCoordinator(options: RedisCoordinatorOptions): Coordinator {
  const { connection, clock, log, times = defaultTimes } = options;
  const owner = randomUUID();
  let tickets = 0;
  const lines = new Map<string, RedisLine>();
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
    evaluate: (key: string, request: string) => connection.evaluate(lineScript, [key, fenceKey], [request]),
    renew: renewals.renew,
    onIdle: (key: string) => lines.delete(key),
  };
  const kinds: Readonly<Record<"lane" | "permit" | "lease", LineOptions>> = {
    lane: { ...shared, keepsPlace: true, isCounted: false },
    permit: { ...shared, keepsPlace: false, isCounted: true },
    lease: { ...shared, keepsPlace: false, isCounted: false },
  };

  function line(kind: keyof typeof kinds, name: string): RedisLine {
    const key = `${lineKeyPrefix}${kind}:${name}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const created = createRedisLine(key, kinds[kind]);
    lines.set(key, created);
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
    if (parsed[0] === "line") {
      const changed = lines.get(parsed[1]);
      if (parsed[2].includes(owner)) changed?.poke();
      else changed?.moved();
    } else if (parsed[3] !== owner) topics.deliver(parsed[1], parsed[2]);
  }

  const stopListening = connection.onMessage(receive);
  const stopWatching = connection.onReady(() => {
    for (const waiting of [...lines.values()]) waiting.poke();
  });

  return {
    lanes: {
      enqueue: (lane, entry, order) => line("lane", lane).enqueue({ entry, order }),
      acquire: (lane, entry, order, wait) => line("lane", lane).acquire({ entry, order, group: "" }, 1, wait),
      remove: (lane, entry) => line("lane", lane).remove(entry),
    },
    permit: (key, n, workspace, wait) => {
      const group = wait?.isSpare === true ? spareGroup : workspace;
      return line("permit", key).acquire({ entry: "", order: "", group }, n, wait);
    },
    lease: (key, wait) => line("lease", key).acquire({ entry: "", order: "", group: "" }, 1, wait),
    takeToken: buckets.takeToken,
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
      const closed = [...lines.values()].map((open) => open.close());
      renewals.flush();
      await Promise.all(closed);
      lines.clear();
    },
  };
}
